import Testing

@testable import cockpit_benchmark

@Suite("What the benchmark's terminal answers")
struct TerminalAnswersTests {
  private static let start =
    "\u{1B}[?1h\u{1B}=\u{1B}]11;?\u{1B}\\\u{1B}[?2026$p\u{1B}[c"
    + "\u{1B}[?2026h\u{1B}[1;5Habc\u{1B}[?2026l\u{1B}[5n"

  /// Answers and frames of a text that comes in pieces.
  private func fed(_ pieces: [[UInt8]]) -> (reply: String, answers: TerminalAnswers) {
    var answers = TerminalAnswers()
    let reply = pieces.map { answers.feed($0[...]) }.joined()
    return (reply, answers)
  }

  @Test("Every question is answered once, wherever the text is cut")
  func cutAnywhere() {
    let bytes = Array(Self.start.utf8)
    let whole = fed([bytes])
    #expect(
      whole.reply == "\u{1B}]11;rgb:1010/1010/1818\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?62;22c\u{1B}[0n")
    for cut in 1..<bytes.count {
      let (reply, answers) = fed([Array(bytes[..<cut]), Array(bytes[cut...])])
      #expect(reply == whole.reply, "cut at \(cut)")
      #expect(answers.frames == 1, "cut at \(cut)")
      #expect(answers.hasApplicationKeys)
    }
    #expect(fed(bytes.map { [$0] }).reply == whole.reply)
  }

  @Test("A question that is asked twice is answered twice")
  func twice() {
    let question = Array("\u{1B}[5n".utf8)
    #expect(fed([question, question]).reply == "\u{1B}[0n\u{1B}[0n")
  }

  @Test("Arrow keys are ordinary again when the program gives them back")
  func keys() {
    #expect(!fed([Array("\u{1B}[?1h\u{1B}[?1l".utf8)]).answers.hasApplicationKeys)
  }
}

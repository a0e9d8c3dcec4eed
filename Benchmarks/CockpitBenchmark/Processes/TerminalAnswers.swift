/// Answers terminal queries as xterm does, in any chunks; tracks the arrow key mode and counts
/// complete frames. A program that waits for an answer that never comes would measure the wait.
struct TerminalAnswers {
  private var tail: [UInt8] = []
  /// Synchronised frames that ended (mode 2026, which the answers claim to have).
  private(set) var frames = 0
  /// DECCKM: the arrow keys begin with SS3 instead of CSI.
  private(set) var hasApplicationKeys = false

  /// Longest question, mode 2026, less one byte.
  private static let carry = 8

  private static let answers: [(question: [UInt8], answer: String)] = [
    ("\u{1B}]11;?", "\u{1B}]11;rgb:1010/1010/1818\u{1B}\\"),
    ("\u{1B}[?2026$p", "\u{1B}[?2026;2$y"),
    ("\u{1B}[?996n", "\u{1B}[?997;1n"),
    ("\u{1B}[5n", "\u{1B}[0n"),
    ("\u{1B}[6n", "\u{1B}[1;1R"),
    ("\u{1B}[>c", "\u{1B}[>41;370;0c"),
    ("\u{1B}[c", "\u{1B}[?62;22c"),
  ].map { (Array($0.0.utf8), $0.1) }
  private static let endFrame = Array("\u{1B}[?2026l".utf8)
  private static let applicationKeys = Array("\u{1B}[?1h".utf8)
  private static let cursorKeys = Array("\u{1B}[?1l".utf8)

  /// The responses to the received bytes.
  mutating func feed(_ bytes: ArraySlice<UInt8>) -> String {
    let text = tail + bytes
    let known = tail.count
    var reply = ""
    var index = 0
    while let escape = text[index...].firstIndex(of: 0x1B) {
      index = escape + 1
      // Sequences that end in the carried part were answered already.
      let isNew = { (length: Int) in escape + length > known }
      if text[escape...].starts(with: Self.endFrame), isNew(Self.endFrame.count) { frames += 1 }
      if text[escape...].starts(with: Self.applicationKeys) { hasApplicationKeys = true }
      if text[escape...].starts(with: Self.cursorKeys) { hasApplicationKeys = false }
      for (question, answer) in Self.answers
      where text[escape...].starts(with: question) && isNew(question.count) {
        reply += answer
      }
    }
    tail = Array(text.suffix(Self.carry))
    return reply
  }
}

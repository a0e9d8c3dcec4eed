import TerminalTestKit
import Testing

/// The terminal that the tests look at must itself be right.
@Suite struct VirtualTerminalTests {
  @Test("what it shows does not depend on how the bytes were cut")
  func pieces() {
    let run = String(repeating: "─", count: 70)
    let bytes = (1...20).flatMap { Array("\u{1B}[\($0);1H\u{1B}[36m┌ FEED \(run)┐ ä 世".utf8) }
    let whole = VirtualTerminal(rows: 20, columns: 90)
    whole.feed(bytes)
    #expect(whole.line(0).hasSuffix("┐ ä 世"))
    for size in [1, 2, 3, 5, 7, 11, 64, 97, 255] {
      let parts = VirtualTerminal(rows: 20, columns: 90)
      for start in stride(from: 0, to: bytes.count, by: size) {
        parts.feed(bytes[start..<min(bytes.count, start + size)])
      }
      #expect(parts.text == whole.text, "pieces of \(size) bytes")
    }
  }

  @Test("emoji that are younger than libvterm have two columns")
  func emoji() {
    let terminal = VirtualTerminal(rows: 1, columns: 20)
    terminal.feed(Array("🧑🥞🪐👩|".utf8))
    #expect(terminal.line(0) == "🧑🥞🪐👩|")
    #expect(terminal[0, 8].text == "|")
    #expect(terminal[0, 0].width == 2)
  }
}

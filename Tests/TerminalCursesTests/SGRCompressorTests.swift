import TerminalTestKit
import Testing

@testable import TerminalCurses

/// Fewer bytes, the same picture.
@Suite struct SGRCompressorTests {
  private func compressed(_ text: String, by compressor: inout SGRCompressor) -> String {
    String(decoding: compressor.compress(Array(text.utf8), isLast: true), as: UTF8.self)
  }

  private func held(_ text: String, by compressor: inout SGRCompressor) -> String {
    String(decoding: compressor.compress(Array(text.utf8)), as: UTF8.self)
  }

  /// As after a frame that has left nothing set.
  private var settled: SGRCompressor {
    var compressor = SGRCompressor()
    _ = compressor.compress(Array("\u{1B}(B\u{1B}[m".utf8), isLast: true)
    return compressor
  }

  @Test(
    "unused styles are dropped, and the parts of one style are one SGR",
    arguments: [
      ("\u{1B}(B\u{1B}[0;1m\u{1B}[38;5;117m│\u{1B}(B\u{1B}[m", "\u{1B}[1;38;5;117m│\u{1B}[m"),
      (
        "\u{1B}[38;5;248m\u{1B}[48;5;236ma\u{1B}[38;5;254m\u{1B}[48;5;236mb\u{1B}[39;49m\u{1B}[m",
        "\u{1B}[38;5;248;48;5;236ma\u{1B}[38;5;254mb\u{1B}[m"
      ),
      ("\u{1B}[1ma\u{1B}(B\u{1B}[m\u{1B}[32mb\u{1B}[m", "\u{1B}[1ma\u{1B}[0;32mb\u{1B}[m"),
      ("\u{1B}[31;44ma\u{1B}[39mb\u{1B}[m", "\u{1B}[31;44ma\u{1B}[39mb\u{1B}[m"),
      ("\u{1B}[1m\u{1B}[5;9H\u{1B}[m\u{1B}[2;3H", "\u{1B}[2;3H"),
      ("\u{1B}[38;2;1;20;255ma\u{1B}[m", "\u{1B}[38;2;1;20;255ma\u{1B}[m"),
      ("\u{1B}[44m\u{1B}[5X\u{1B}[m", "\u{1B}[44m\u{1B}[5X\u{1B}[m"),
      ("\u{1B}7\u{1B}[6;32r\u{1B}8\r\u{1B}M", "\u{1B}7\u{1B}[6;32r\u{1B}8\r\u{1B}M"),
      ("plain 世界\n", "plain 世界\n"),
    ])
  func examples(written: String, wanted: String) {
    var compressor = settled
    #expect(compressed(written, by: &compressor) == wanted)
    #expect(!compressor.isTransparent)
  }

  @Test("DECSTBM for the whole screen has no parameters")
  func margins() {
    var compressor = settled
    compressor.rows = 40
    #expect(compressed("\u{1B}[6;32r\u{1B}[1;40r", by: &compressor) == "\u{1B}[6;32r\u{1B}[r")
    let others = "\u{1B}[1;39r\u{1B}[2;40r\u{1B}[r"
    #expect(compressed(others, by: &compressor) == others)
    compressor.rows = 0
    #expect(compressed("\u{1B}[1;40r\u{1B}[1;0r", by: &compressor) == "\u{1B}[1;40r\u{1B}[1;0r")
  }

  @Test("after forget() the whole state is written again")
  func forgets() {
    var compressor = settled
    compressor.forget()
    #expect(compressed("a", by: &compressor) == "\u{1B}(B\u{1B}[ma")
    #expect(compressed("b", by: &compressor) == "b")
  }

  @Test("a pending style waits for the next frame; the cursor is in its place")
  func heldBack() {
    var compressor = settled
    #expect(
      held("\u{1B}[1ma\u{1B}(B\u{1B}[m\r\u{1B}[32d", by: &compressor) == "\u{1B}[1ma\r\u{1B}[32d")
    // Absolute positioning.
    #expect(held("\u{1B}[5;9H\u{1B}[1mb\u{1B}[m\r", by: &compressor) == "\u{1B}[5;9Hb\r")
    // Relative moves, and the pending reset.
    #expect(held("\u{1B}[3Cc\r\n\u{1B}[7d", by: &compressor) == "\u{1B}[3C\u{1B}[mc\r\n\u{1B}[7d")
    #expect(held("\u{1B}[1m\u{1B}M", by: &compressor) == "\u{1B}M")
    #expect(held("", by: &compressor) == "")
    // DECSTBM homes the cursor.
    #expect(
      held("\u{1B}[6;32r\u{1B}[6;1H\u{1B}M\u{1B}[r", by: &compressor)
        == "\u{1B}[6;32r\u{1B}[6H\u{1B}M\u{1B}[r")
    #expect(held("\u{1B}[4;2H", by: &compressor) == "\u{1B}[4;2H")
    // Only the last of two positions counts.
    #expect(held("\u{1B}[4;2H\u{1B}[6;3H", by: &compressor) == "\u{1B}[6;3H")
  }

  @Test("blanks need no SGR if they look the same")
  func blanks() {
    var compressor = settled
    #expect(
      held("\u{1B}[1;32ma\u{1B}[m   \u{1B}[4X\u{1B}[31m b", by: &compressor)
        == "\u{1B}[1;32ma   \u{1B}[4X\u{1B}[0;31m b")
    #expect(held("\u{1B}[m  \u{1B}[44m  \u{1B}[K", by: &compressor) == "  \u{1B}[0;44m  \u{1B}[K")
    #expect(held("\u{1B}[4m  \u{1B}[m  ", by: &compressor) == "\u{1B}[4m  \u{1B}[m  ")
    #expect(held("\u{1B}[7m  \u{1B}[m\u{1B}[K", by: &compressor) == "\u{1B}[7m  \u{1B}[m\u{1B}[K")
  }

  @Test(
    "an unknown SGR is copied, and everything after it",
    arguments: ["\u{1B}[10m", "\u{1B}[38:2::1:2:3m", "\u{1B}[38;5m", "\u{1B}[>4;1m"])
  func unknown(sequence: String) {
    var compressor = settled
    let rest = "\u{1B}(B\u{1B}[0;1m\u{1B}(B\u{1B}[m"
    #expect(
      compressed("\u{1B}[1m" + sequence + rest, by: &compressor) == "\u{1B}[1m" + sequence + rest)
    #expect(compressor.isTransparent)
    #expect(compressed(rest, by: &compressor) == rest)
  }

  @Test(
    "cut sequences are copied", arguments: ["\u{1B}", "\u{1B}[", "\u{1B}[3", "\u{1B}(", "a\u{1B}7"])
  func cut(text: String) {
    var compressor = settled
    #expect(compressed(text, by: &compressor) == text)
  }

  /// What ncurses may write, in any order.
  private func sequence(_ random: inout SystemRandomNumberGenerator) -> String {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    switch number(0...19) {
    case 0: return "\u{1B}(B\u{1B}[m"
    case 1: return "\u{1B}[39;49m"
    case 2: return "\u{1B}[0;\(["1", "4", "7", "1;4", "3"][number(0...4)])m"
    case 3: return "\u{1B}[\([1, 3, 4, 7, 22, 23, 24, 27][number(0...7)])m"
    case 4: return "\u{1B}[3\(number(0...7))m"
    case 5: return "\u{1B}[4\(number(0...7))m"
    case 6: return "\u{1B}[\(number(90...97));\(number(100...107))m"
    case 7, 8: return "\u{1B}[38;5;\(number(0...255))m"
    case 9: return "\u{1B}[48;5;\(number(0...255))m"
    case 10: return "\u{1B}[48;2;\(number(0...255));\(number(0...255));7m"
    case 11: return "\u{1B}[\(number(1...8));\(number(1...30))H"
    case 12: return "\u{1B}[\(["K", "1K", "5X", "J", "2L", "M"][number(0...5)])"
    case 13: return "\u{1B}7\u{1B}[2;6r\u{1B}8"
    case 14: return ["\r", "\u{8}", "\n", "\u{1B}M", "\u{F}"][number(0...4)]
    case 15: return "\u{1B}[r"
    default: return ["word", " ", "│", "世", "…  ", "0.4s"][number(0...5)]
    }
  }

  @Test("any frames look the same and are no longer", arguments: 0..<40)
  func anyFrames(round: Int) {
    var random = SystemRandomNumberGenerator()
    let (plain, short) = (
      VirtualTerminal(rows: 8, columns: 30), VirtualTerminal(rows: 8, columns: 30)
    )
    var compressor = SGRCompressor()
    var (count, shortCount) = (0, 0)
    for frame in 0..<12 {
      let isLast = frame % 5 == 3
      var bytes = "\u{1B}(B\u{1B}[m"
      for _ in 0..<40 { bytes += sequence(&random) }
      // As ncurses ends a frame.
      bytes += "\u{1B}[39;49m\u{1B}(B\u{1B}[m"
      let fewer = compressor.compress(Array(bytes.utf8), isLast: isLast)
      // What one frame holds back another may have to say.
      (count, shortCount) = (count + bytes.utf8.count, shortCount + fewer.count)
      #expect(shortCount <= count)
      plain.feed(Array(bytes.utf8))
      short.feed(fewer)
      if isLast { compressor.forget() }
      for y in 0..<8 {
        for x in 0..<30 where plain[y, x].seen != short[y, x].seen {
          Issue.record("frame \(frame), \(x), \(y): \(bytes.debugDescription)")
          return
        }
      }
    }
  }
}

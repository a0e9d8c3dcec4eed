import Foundation
import TerminalCore
import ParserProperties
import Testing

@Suite struct PlainTextTests {
  @Test(
    "what becomes of what people send",
    arguments: [
      ("hello", "hello", 5), ("a\tb", "a b", 3), ("a\nb", "a⏎b", 3), ("a\r\nb\rc", "a⏎b⏎c", 5),
      ("a\u{2028}b\u{2029}c", "a⏎b⏎c", 5), ("⏎", "↵", 1),
      ("\u{1B}[31mred", "�[31mred", 8), ("\u{7}\u{0}\u{7F}\u{85}\u{9B}", "�����", 5),
      ("世界", "世界", 4), ("✅", "✅", 2), ("👍", "👍", 2), ("❤️ ⚠️", "❤ ⚠", 3), ("👍🏽", "👍", 2),
      ("👨‍👩‍👧", "👨", 2), ("🏳️‍🌈", "🏳", 1), ("🇩🇪", "DE", 2), ("1️⃣", "1", 1), ("🪿", "�", 1),
      ("e\u{301}", "e\u{301}", 1), ("\u{301}e", "e", 1), (" \u{301}", " ", 1),
      ("a\u{300}\u{301}\u{302}\u{303}\u{304}", "a\u{300}\u{301}\u{302}", 1),
      ("\u{1112}\u{1161}\u{11AB}", "한", 2), ("שלום", "שלום", 4), ("سلام", "سلام", 4),
      ("नमस्ते", "नमस्ते", 4), ("क्‍ष", "क्ष", 2),
      ("a\u{202E}b\u{2066}c\u{200F}\u{61C}\u{200B}\u{FEFF}\u{AD}d", "abcd", 4),
      ("x\u{E0041}\u{E0042}y\u{FE0F}", "xy", 2), ("a\u{A0}b\u{2003}c\u{3000}d", "a b c  d", 8),
      ("\u{E000}\u{F8FF}\u{10FFFD}\u{FFFE}", "����", 4), ("\u{115F}\u{3164}\u{FFA0}", "", 0),
      ("🥰🫡", "🥰🫡", 4), ("\u{1F3FD}", "�", 1),
      ("か\u{3099}フ\u{309A}ウ\u{3099}う\u{3099}ツ\u{3099}", "がプヴゔヅ", 10),
      ("a\u{3099}ん\u{309A}", "aん\u{309A}", 3), ("か\u{302A}", "か", 2), ("☰䷀", "��", 2),
    ])
  func sanitising(source: String, result: String, columns: Int) {
    let text = PlainText(source)
    #expect(Array(text.description.unicodeScalars) == Array(result.unicodeScalars))
    #expect(text.columns == columns)
    #expect(PlainText(text.description).columns == columns)
  }

  @Test("literals and interpolations are sanitised, once")
  func interpolation() {
    let name = "\u{1B}]0;x\u{7}"
    let text: PlainText = "<\(name)> \(42) \(PlainText("a\nb"))"
    #expect(text.description == "<�]0;x�> 42 a⏎b")
    let literal: PlainText = "a\u{1B}b"
    #expect(literal.description == "a�b")
  }

  /// Scalars of all the dangerous kinds, and any other.
  private func randomText(_ generator: inout some RandomNumberGenerator) -> String {
    let kinds: [ClosedRange<UInt32>] = [
      0...0x1F, 0x7F...0x9F, 0x20...0x7E, 0x300...0x36F, 0x200B...0x200F, 0x2028...0x202E,
      0x2060...0x206F, 0xFE00...0xFE0F, 0xE0000...0xE007F, 0x1F1E6...0x1F1FF, 0x1F300...0x1FAFF,
      0x1F3FB...0x1F3FF, 0x4E00...0x4EFF, 0x590...0x6FF, 0x900...0x97F, 0x1100...0x11FF,
      0xD7B0...0xD7FF, 0x200D...0x200D, 0x0...0xD7FF, 0xE000...0x10FFFF,
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<40, using: &generator) {
      let kind = kinds[Int.random(in: 0..<kinds.count, using: &generator)]
      if let scalar = Unicode.Scalar(UInt32.random(in: kind, using: &generator)) {
        text.append(scalar)
      }
    }
    return String(text)
  }

  @Test("whatever comes in: nothing acts, columns add up, cutting and wrapping are exact")
  func fuzz() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<4000 {
      let source = randomText(&generator)
      let text = PlainText(source)
      let scalars = Array(text.description.unicodeScalars)
      #expect(scalars.allSatisfy(HarmlessScalar.holds), "\(source.unicodeScalars.map(\.value))")
      let again = PlainText(text.description)
      #expect(again.columns == text.columns, "stable: \(source.unicodeScalars.map(\.value))")

      let width = Int.random(in: 0..<20, using: &generator)
      let cut = text.cut(to: width)
      #expect(cut.columns <= width)
      #expect(PlainText(cut.description).columns == cut.columns)
      #expect(cut.columns >= min(text.columns, width) - 1)
      let rest = text.dropFirst(columns: width)
      #expect(rest.columns == max(0, text.columns - width))
      #expect(PlainText(rest.description).columns == rest.columns)
      #expect(text.padded(to: width).columns == max(width, text.columns))
      let limited = PlainText(source, limit: width)
      #expect(limited.columns <= width)
      for line in text.wrapped(to: width) {
        #expect(line.columns <= width)
        #expect(PlainText(line.description).columns == line.columns)
        #expect(!line.description.contains("⏎"))
      }
      let other = PlainText(randomText(&generator))
      #expect((text + other).columns == text.columns + other.columns)
      #expect(PlainText((text + other).description).columns == (text + other).columns)
    }
  }

  @Test("cutting")
  func cutting() {
    #expect(PlainText("hello").cut(to: 5) == "hello")
    #expect(PlainText("hello").cut(to: 4) == "hel…")
    #expect(PlainText("hello").cut(to: 1) == "…")
    #expect(PlainText("hello").cut(to: 0) == "")
    #expect(PlainText("hello").cut(to: -1) == "")
    #expect(PlainText("世界人").cut(to: 5) == "世界…")
    #expect(PlainText("世界人").cut(to: 4) == "世…")
    #expect(PlainText("e\u{301}e\u{301}e\u{301}").cut(to: 2).description == "e\u{301}…")
    #expect(PlainText("世界").dropFirst(columns: 1).description == " 界")
    #expect(PlainText("世界").dropFirst(columns: 2).description == "界")
    #expect(PlainText("7").leftPadded(to: 3) == "  7")
    #expect(PlainText("straße").uppercased() == "STRASSE")
  }

  @Test(
    "wrapping",
    arguments: [
      ("the quick brown fox", 9, ["the quick", "brown fox"]),
      ("the quick brown fox", 10, ["the quick", "brown fox"]),
      ("  indented text", 10, ["  indented", "text"]),
      ("abcdefghij", 4, ["abcd", "efgh", "ij"]), ("ab cdefghij k", 4, ["ab", "cdef", "ghij", "k"]),
      ("a\n\nb", 5, ["a", "", "b"]), ("a\n", 5, ["a", ""]), ("", 5, [""]),
      ("世界人", 4, ["世界", "人"]), ("世", 1, ["�"]), ("a   b", 2, ["a", "b"]),
      ("trailing   ", 8, ["trailing"]), ("one two\nthree", 3, ["one", "two", "thr", "ee"]),
      ("word 世界", 6, ["word", "世界"]), ("word世界", 6, ["word世", "界"]),
    ])
  func wrapping(source: String, width: Int, lines: [String]) {
    #expect(PlainText(source).wrapped(to: width).map(\.description) == lines)
  }

  @Test("wrapping to a number of lines says that there is more")
  func wrappingLimit() {
    let text = PlainText("the quick brown fox jumps")
    #expect(text.wrapped(to: 9, limit: 2).map(\.description) == ["the quick", "brown fo…"])
    #expect(text.wrapped(to: 9, limit: 3).count == 3)
    #expect(text.wrapped(to: 9, limit: 0).isEmpty)
    #expect(text.wrapped(to: 0).isEmpty)
  }

  @Test("lines and finding")
  func finding() {
    #expect(PlainText.lines("a\nb\r\nc\rd\n") == ["a", "b", "c", "d"])
    #expect(PlainText.lines("a\n\nb", limit: 2) == ["a", ""])
    #expect(PlainText.lines("") == [])
    #expect(PlainText("Hello hello").ranges(of: "HELLO") == [0..<5, 6..<11])
    #expect(PlainText("世界 世").ranges(of: "世") == [0..<2, 5..<7])
    #expect(PlainText("cafe\u{301}").ranges(of: "cafe") == [0..<4])
    #expect(PlainText("ÄÖ").ranges(of: "äö") == [0..<2])
    #expect(PlainText("aaaa").ranges(of: "aa") == [0..<2, 2..<4])
    #expect(PlainText("abc").ranges(of: "").isEmpty)
    #expect(PlainText("abc").ranges(of: "abcd").isEmpty)
  }

  @Test("a megabyte takes linear time")
  func linear() {
    let marks = "a" + String(repeating: "\u{301}", count: 500_000)
    let sources = [
      String(repeating: "a", count: 1_000_000), String(repeating: "世界 ", count: 150_000), marks,
      String(repeating: "👨‍👩‍👧", count: 40_000), String(repeating: "\u{200B}", count: 300_000),
      String(repeating: "\u{1B}[", count: 500_000),
    ]
    for source in sources {
      let start = ContinuousClock.now
      let text = PlainText(source)
      _ = text.wrapped(to: 80)
      _ = text.ranges(of: "aaaaaaab")
      #expect(ContinuousClock.now - start < .seconds(20), "\(source.prefix(3))")
      let early = ContinuousClock.now
      #expect(PlainText(source, limit: 100).columns <= 100)
      #expect(ContinuousClock.now - early < .seconds(1))
    }
  }
}

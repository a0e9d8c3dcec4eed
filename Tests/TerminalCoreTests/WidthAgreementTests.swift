import TerminalTestKit
import Testing

@testable import TerminalCore

/// Every scalar there is: what the sanitiser lets through takes as many columns in an independent
/// terminal (libvterm, older than the newest Unicode) as it says, and nothing else gets through.
@Suite("width of every scalar (promise P2)") struct WidthAgreementTests {
  /// The column after a text that was written at the left edge.
  private func end(_ text: String, _ terminal: VirtualTerminal) -> Int? {
    // A line that holds nothing else: marks must not land on what was there before.
    terminal.feed(Array("\u{1B}[H\u{1B}[K\(text)|".utf8))
    return (0..<terminal.columns).first { terminal[0, $0].text == "|" }
  }

  @Test("an independent terminal gives each glyph the columns that were reckoned")
  func terminal() {
    let terminal = VirtualTerminal(rows: 1, columns: 8)
    var wrong: [String] = []
    var counts = [0, 0, 0]
    for value in UInt32(0xA0)...0x10FFFF {
      // YoungEmoji has stand-ins for some hundred emoji that are younger than libvterm.
      guard let scalar = Unicode.Scalar(value), !(0x1F000...0x1FAFF).contains(value) else {
        continue
      }
      let kind = ScalarWidth.classify(value)
      guard kind == .narrow || kind == .wide || kind == .mark else { continue }
      let text = PlainText(kind == .mark ? "e\(scalar)" : String(scalar))
      // Some become another text: a flag becomes letters, jamo become a syllable.
      counts[kind == .mark ? 0 : text.columns] += 1
      if end(text.description, terminal) != text.columns {
        wrong.append("U+\(String(value, radix: 16)): \(text.columns)")
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(20))")
    #expect(counts[0] > 500 && counts[1] > 5000 && counts[2] > 100_000, "\(counts)")
  }

  @Test("controls, formats, private use and what is not assigned never get through")
  func categories() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isKept = PlainText(String(scalar)).description.unicodeScalars.first == scalar
      guard isKept else { continue }
      let properties = scalar.properties
      switch properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator:
        Issue.record("U+\(String(value, radix: 16)) is \(properties.generalCategory)")
      default:
        #expect(!properties.isVariationSelector && !properties.isBidiControl)
      }
    }
  }

  @Test(
    "what Unicode 16 made wide is replaced",
    arguments: [0x2630...0x2637, 0x268A...0x268F, 0x4DC0...0x4DFF, 0x1D300...0x1D356]
      as [ClosedRange<UInt32>])
  func changed(range: ClosedRange<UInt32>) {
    for value in range { #expect(ScalarWidth.classify(value) == .replaced) }
  }

  @Test(
    "living scripts stay readable",
    arguments: [
      "שלום עולם", "مرحبا بالعالم", "नमस्ते हिन्दी", "作者こんにちは한국어", "Привет Ελλάδα", "สวัสดี",
      "👍 🎉 🥰 🚀 ✅", "naïve café Ångström ñ",
    ])
  func readable(text: String) {
    #expect(
      Array(PlainText(text).description.unicodeScalars) == Array(text.unicodeScalars))
  }

  /// What tmux gives two columns from version 3.6 on, whatever the C library says (its `utf8.c`).
  private static let wideInTmux: [ClosedRange<UInt32>] = [
    0x261D...0x261D, 0x26F9...0x26F9, 0x270A...0x270D, 0x1F385...0x1F385, 0x1F3C2...0x1F3C4,
    0x1F3C7...0x1F3C7, 0x1F3CA...0x1F3CC, 0x1F3FB...0x1F3FF, 0x1F442...0x1F443, 0x1F446...0x1F450,
    0x1F466...0x1F469, 0x1F46B...0x1F46E, 0x1F470...0x1F478, 0x1F47C...0x1F47C, 0x1F481...0x1F483,
    0x1F485...0x1F487, 0x1F48F...0x1F48F, 0x1F491...0x1F491, 0x1F4AA...0x1F4AA, 0x1F574...0x1F575,
    0x1F57A...0x1F57A, 0x1F590...0x1F590, 0x1F595...0x1F596, 0x1F645...0x1F647, 0x1F64B...0x1F64F,
    0x1F6A3...0x1F6A3, 0x1F6B4...0x1F6B6, 0x1F6C0...0x1F6C0, 0x1F6CC...0x1F6CC, 0x1F90C...0x1F90C,
    0x1F90F...0x1F90F, 0x1F918...0x1F91F, 0x1F926...0x1F926, 0x1F930...0x1F939, 0x1F93D...0x1F93E,
    0x1F977...0x1F977, 0x1F9B5...0x1F9B6, 0x1F9B8...0x1F9B9, 0x1F9BB...0x1F9BB, 0x1F9CD...0x1F9CF,
    0x1F9D1...0x1F9DD, 0x1FAC3...0x1FAC5, 0x1FAF0...0x1FAF8,
  ]

  @Test("H2: what tmux from 3.6 on takes for two columns is two columns, or replaced")
  func tmux() {
    for value in Self.wideInTmux.joined() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for tail in ["", "\u{FE0F}", "\u{1F3FD}", "\u{FE0F}\u{200D}\u{2642}\u{FE0F}"] {
        // In one piece: the parts of an interpolation are sanitised by themselves.
        let source = String(scalar) + tail
        let text = PlainText(source)
        let isReplaced = text.description == "\u{FFFD}" && text.columns == 1
        #expect(isReplaced || text.description == String(scalar) && text.columns == 2)
      }
    }
    for value in [0x261D, 0x26F9, 0x270C, 0x270D, 0x1F3CB, 0x1F574, 0x1F575, 0x1F590] as [UInt32] {
      #expect(ScalarWidth.classify(value) == .replaced)
    }
    // Both halves of a flag are letters, and a keycap is its digit.
    #expect(PlainText("\u{1F1E9}\u{1F1EA}") == "DE" && PlainText("1\u{FE0F}\u{20E3}") == "1")
  }

  @Test(
    "H5: kana keep a sound mark that has no composed form, in two cells",
    arguments: [
      ("か\u{309A}", "か\u{309A}", 2), ("セ\u{309A}", "セ\u{309A}", 2), ("あ\u{3099}", "あ\u{3099}", 2),
      ("ㇷ\u{309A}", "ㇷ\u{309A}", 2), ("ー\u{3099}", "ー\u{3099}", 2), ("ｶ\u{3099}", "ｶ\u{3099}", 1),
      ("か\u{3099}", "が", 2), ("は\u{309A}", "ぱ", 2), ("ワ\u{3099}", "ヷ", 2), ("ゝ\u{3099}", "ゞ", 2),
      ("ヽ\u{3099}", "ヾ", 2), ("a\u{309A}", "a", 1), ("漢\u{3099}", "漢", 2),
    ])
  func soundMarks(source: String, result: String, columns: Int) {
    let text = PlainText(source)
    #expect(Array(text.description.unicodeScalars) == Array(result.unicodeScalars))
    #expect(text.columns == columns)
  }
}

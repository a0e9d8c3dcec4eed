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
}

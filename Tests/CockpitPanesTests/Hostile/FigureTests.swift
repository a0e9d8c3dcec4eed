import CockpitText
import LenientJSON
import TerminalCore
import Testing

@testable import CockpitPanes

/// Figures of any number: printable ASCII, and no wider than their columns (promise P11).
@Suite("figures of any number (promise P11)") struct FigureTests {
  nonisolated static let doubles: [Double] = [
    0, -0.0, 1, -1, 0.5, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 999.5, 9995, 59_949,
    999_500, 1e15, 9e15, -9e15, 1e19,
    -1e19, 1e300, 1e308, -1e308, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, 0x1p53,
  ]
  nonisolated static let ints: [Int] = [
    0, -1, 999, 1000, 999_999, 1_000_000, -999_999, .max, .min, .max / 1000, 1 << 53,
  ]

  private func expect(_ text: PlainText, atMost width: Int, _ what: String) {
    #expect(text.columns <= width, "\(what): \(text)")
    #expect(!text.isEmpty && text.description.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
  }

  @Test(arguments: doubles) func double(value: Double) {
    expect(Figures.short(value), atMost: 6, "short \(value)")
    expect(Figures.cost(value), atMost: 9, "cost \(value)")
    expect(Figures.duration(ms: value), atMost: 6, "duration \(value)")
    expect(Figures.percent(value), atMost: 5, "percent \(value)")
    expect(Figures.unit(value), atMost: 3, "unit \(value)")
    expect(PlainText(Figures.fixed(value, 2)), atMost: 19, "fixed \(value)")
  }

  @Test(arguments: ints) func int(value: Int) {
    expect(Figures.count(value), atMost: 8, "count \(value)")
    expect(Figures.bytes(value), atMost: 7, "bytes \(value)")
    expect(Figures.age(ms: Int64(value)), atMost: 5, "age \(value)")
  }

  @Test(
    "thousands are set apart",
    arguments: [
      (0, "0"), (999, "999"), (1_000, "1,000"), (12_345, "12,345"), (123_456, "123,456"),
      (-1_000, "-1,000"), (-999, "-999"),
    ])
  func thousands(value: Int, text: String) {
    #expect(Figures.count(value).description == text)
  }

  @Test("a whole number of the wire can be added, negated and multiplied by 1,000")
  func whole() {
    #expect(JSONNumber(text: "9007199254740993").int == 9_007_199_254_740_993)
    #expect(JSONNumber(text: "-9223372036854775").int == -9_223_372_036_854_775)
    for text in ["9223372036854775807", "-9223372036854775808", "1e300", "NaN", "-Infinity"] {
      #expect(JSONNumber(text: text).int == nil, "\(text)")
    }
  }
}

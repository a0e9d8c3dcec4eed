import Foundation

/// A page that a run writes into: between two marks of it, and nowhere else.
enum MarkedPage {
  /// The first and the last line of the generated part.
  struct Marks {
    let begin: String
    let end: String
  }

  /// The tables of docs/performance.md.
  static let performance = Marks(
    begin: "<!-- figures: written by scripts/benchmark -->", end: "<!-- end of figures -->")
  /// The long run of docs/reliability.md.
  static let endurance = Marks(
    begin: "<!-- soak: written by scripts/dev/soak -->", end: "<!-- end of soak -->")

  static func write(_ table: String, to path: String, marks: Marks = performance) throws {
    let page = try String(contentsOfFile: path, encoding: .utf8)
    guard let first = page.range(of: marks.begin),
      let last = page.range(of: marks.end, range: first.upperBound..<page.endIndex)
    else { throw BenchmarkError("\(path) has no marks '\(marks.begin)' and '\(marks.end)'") }
    let text = page[..<first.upperBound] + "\n\n" + table + page[last.lowerBound...]
    try String(text).write(toFile: path, atomically: true, encoding: .utf8)
  }
}

import Foundation

/// Puts the table between the two marks of a page and leaves the rest as it is.
enum PerformancePage {
  static let begin = "<!-- figures: written by scripts/benchmark -->"
  static let end = "<!-- end of figures -->"

  static func write(_ table: String, to path: String) throws {
    let page = try String(contentsOfFile: path, encoding: .utf8)
    guard let first = page.range(of: begin),
      let last = page.range(of: end, range: first.upperBound..<page.endIndex)
    else { throw BenchmarkError("\(path) has no marks '\(begin)' and '\(end)'") }
    let text = page[..<first.upperBound] + "\n\n" + table + page[last.lowerBound...]
    try String(text).write(toFile: path, atomically: true, encoding: .utf8)
  }
}

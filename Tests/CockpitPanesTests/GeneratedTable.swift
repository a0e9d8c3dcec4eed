import Foundation
import Testing

/// A table in a page that the program generates: between two marks of the page stands what the program says.
struct GeneratedTable {
  /// The page's path in the repository.
  var page: String
  /// The line before the table, and the mark after it.
  var start, end: String

  var url: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: page)
  }

  /// Expects the table; with `RECORD_GOLDENS` writes it instead.
  func expect(_ table: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var text = try String(contentsOf: url, encoding: .utf8)
    let from = try #require(text.range(of: start), sourceLocation: sourceLocation)
    let to = try #require(text.range(of: end), sourceLocation: sourceLocation)
    let place = from.upperBound..<to.lowerBound
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      text.replaceSubrange(place, with: table)
      try Data(text.utf8).write(to: url)
      return
    }
    #expect(
      text[place] == table, "run RECORD_GOLDENS=1 scripts/dev/docs-check",
      sourceLocation: sourceLocation)
  }
}

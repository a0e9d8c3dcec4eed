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
    // Not the whole tables: the hint is to be seen.
    let lines = table.split(separator: "\n")
    let found = text[place].split(separator: "\n")
    let change = lines.difference(from: found).map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
    guard let first = change.first else { return }
    Issue.record(
      """
      \(page) differs from the program; RECORD_GOLDENS=1 scripts/dev/docs-check writes it. \
      \(change.count) lines, the first: \(first)
      """, sourceLocation: sourceLocation)
  }
}

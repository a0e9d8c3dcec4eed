import Foundation
import TerminalCore
import Testing

@testable import CockpitPanes

/// What docs/keys.md says about keys comes from the table that the program uses.
@Suite struct KeysPageTests {
  private static let start = "<!-- keys: checked against the program by KeysPageTests -->\n"
  private static let end = "<!-- /keys -->"

  private var page: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/keys.md")
  }

  private var table: String {
    var lines = ["| Keys | |", "|---|---|"]
    for group in KeyGroup.allCases {
      lines.append("| **\(group.rawValue.capitalized)** | |")
      for binding in KeyTable.standard.bindings where binding.group == group {
        let keys = binding.keyTexts.map { "`\($0)`" }.joined(separator: " ")
        lines.append("| \(keys) | \(binding.help) |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test("the key table of the page is the one of the program")
  func keys() throws {
    let text = try String(contentsOf: page, encoding: .utf8)
    let from = try #require(text.range(of: Self.start))
    let to = try #require(text.range(of: Self.end))
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      var text = text
      text.replaceSubrange(from.upperBound..<to.lowerBound, with: table)
      try Data(text.utf8).write(to: page)
      return
    }
    #expect(text[from.upperBound..<to.lowerBound] == table, "run RECORD_GOLDENS=1 scripts/test")
  }
}

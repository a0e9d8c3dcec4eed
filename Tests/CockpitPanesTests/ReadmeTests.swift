import Foundation
import TerminalCore
import Testing

@testable import CockpitPanes

/// What the README says about keys comes from the table that the program uses.
@Suite struct ReadmeTests {
  private static let start = "<!-- keys: checked against the program by ReadmeTests -->\n"
  private static let end = "<!-- /keys -->"

  private var readme: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "README.md")
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

  @Test("the key table of the README is the one of the program")
  func keys() throws {
    let text = try String(contentsOf: readme, encoding: .utf8)
    let from = try #require(text.range(of: Self.start))
    let to = try #require(text.range(of: Self.end))
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      var text = text
      text.replaceSubrange(from.upperBound..<to.lowerBound, with: table)
      try Data(text.utf8).write(to: readme)
      return
    }
    #expect(text[from.upperBound..<to.lowerBound] == table, "run RECORD_GOLDENS=1 scripts/test")
  }
}

import Foundation
import TerminalCore
import Testing

@testable import CockpitPanes

/// What docs/keys.md says about keys comes from the table that the program uses.
@Suite struct KeysPageTests {
  private static let place = GeneratedTable(
    page: "docs/keys.md",
    start: "<!-- keys: checked against the program by KeysPageTests -->\n", end: "<!-- /keys -->")

  private var table: String {
    var lines = ["| Keys | |", "|---|---|"]
    for group in KeyGroup.allCases {
      lines.append("| **\(group.rawValue.capitalized)** | |")
      for binding in KeyTable.complete.bindings where binding.group == group {
        let keys = binding.keyTexts.map { "`\($0)`" }.joined(separator: " ")
        lines.append("| \(keys) | \(binding.help) |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test("the key table of the page is the one of the program")
  func keys() throws {
    try Self.place.expect(table)
  }
}

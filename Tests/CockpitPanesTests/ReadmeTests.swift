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

  @Test("every link to a file of ours leads somewhere")
  func links() throws {
    let root = readme.deletingLastPathComponent()
    for name in [
      "README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/configuration.md", "docs/memory.md",
    ] {
      let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
      let folder = root.appending(path: name).deletingLastPathComponent()
      for match in text.matches(of: /\]\(([^)#:]+)\)/) {
        let target = folder.appending(path: String(match.1)).standardized.path()
        #expect(FileManager.default.fileExists(atPath: target), "\(name) links to \(match.1)")
      }
    }
  }
}

import Foundation
import TerminalCore
import Testing

@testable import CockpitPanes

/// What docs/configuration.md says about presets and names of commands comes from the program.
@Suite struct KeyDocumentTests {
  private static let place = GeneratedTable(
    page: "docs/configuration.md",
    start: "<!-- presets: checked against the program by KeyDocumentTests -->\n",
    end: "<!-- /presets -->")

  private var table: String {
    let presets = KeyPreset.allCases.filter { $0 != .standard }
    var lines = [
      "| Command | " + presets.map { "`\($0.rawValue)`" }.joined(separator: " | ") + " |",
      "|---" + String(repeating: "|---", count: presets.count) + "|",
    ]
    for command in KeyAction.allCases
    where presets.contains(where: { $0.keys[command] != nil }) {
      let cells = presets.map { preset in
        preset.keys[command].map { keys in keys.map { "`\($0)`" }.joined(separator: " ") } ?? ""
      }
      lines.append("| `\(command.rawValue)` | " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test("the presets of the page are those of the program")
  func presets() throws {
    try Self.place.expect(table)
  }

  @Test("the commands of its example are commands, and give no conflict")
  func example() throws {
    let text = try String(contentsOf: Self.place.url, encoding: .utf8)
    let sample = try #require(text.range(of: "```toml\n[keys]\n"))
    let lines = text[sample.upperBound...].prefix { $0 != "`" }.split(separator: "\n")
    var overrides: [KeyOverride] = []
    for line in lines {
      let parts = line.split(separator: "=", maxSplits: 1)
      let name = parts[0].trimmingCharacters(in: .whitespaces).replacing("_", with: "-")
      let keys = parts[1].split(separator: "\"").enumerated()
        .filter { $0.offset % 2 == 1 }.map { KeyChord(stringLiteral: String($0.element)) }
      overrides.append(KeyOverride(try #require(KeyAction(rawValue: name)), keys))
    }
    #expect(overrides.count == 3)
    #expect(
      KeyTable.complete.applying(preset: .standard, overrides: overrides).conflicts.isEmpty)
  }
}

import Foundation
import Testing

@testable import CockpitFiles

/// docs/configuration.md and the reader know the same keys.
@Suite struct ConfigurationPageTests {
  private func page() throws -> String {
    try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/configuration.md"), encoding: .utf8)
  }

  /// The first cells of all tables that are headed `Key`.
  private func documented() throws -> [String] {
    var keys: [String] = []
    var isKeyTable = false
    for line in try page().split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("|") else {
        isKeyTable = false
        continue
      }
      if line.hasPrefix("| Key |") { isKeyTable = true }
      guard isKeyTable, let match = line.firstMatch(of: /^\| `([^`]+)` \|/) else { continue }
      keys.append(String(match.1))
    }
    return keys
  }

  @Test("every key is on the page, once, and every key on the page exists")
  func keys() throws {
    #expect(try documented().sorted() == Configuration.Key.all.sorted())
  }

  @Test("every word that a key takes is on the page")
  func words() throws {
    typealias Key = Configuration.Key
    let text = try page()
    let words =
      Key.glyphs + Key.color + Key.onQuitWithHeld + Key.presets + Key.automatic + Key.severities
      + Key.routes + Key.ways + Key.tabs + Key.times + Key.levels
    for word in words { #expect(text.contains("`\(word)`"), "\(word)") }
  }

  @Test("its examples are read without a problem")
  func examples() throws {
    let samples = try page().matches(of: /```toml\n([^`]*)```/).map { String($0.1) }
    #expect(samples.count == 6)
    for sample in samples where !sample.contains("[roles]") {
      #expect(Configuration.problems(toml: sample, path: "page").isEmpty)
    }
  }

  @Test("each known key can be set in a file, and nothing of it is unknown")
  func settable() {
    for key in Configuration.Key.all {
      let problems = Configuration.problems(
        toml: key.replacing("COMMAND", with: "zoom") + " = 1979-05-27", path: "c")
      // A date is never the right type: the key is known and its value is not.
      #expect(problems.count == 1, "\(key)")
      #expect(!(problems.first?.description.contains("not a known key") ?? true), "\(key)")
    }
  }
}

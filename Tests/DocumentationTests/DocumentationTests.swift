import Foundation
import Testing

@testable import CockpitPanes

/// The pages name only what exists: files, headings, scripts, keys.
@Suite struct DocumentationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Every page of ours, as a path below the root.
  static let pages: [String] = {
    func pages(in folder: String) -> [String] {
      let names =
        (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path()))
        ?? []
      return names.filter { $0.hasSuffix(".md") }.sorted().map { folder + $0 }
    }
    return pages(in: "") + pages(in: "docs/")
  }()

  private func text(_ page: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
  }

  /// Without code blocks, in which a link is no link and `#` no heading.
  private func prose(_ page: String) throws -> String {
    try text(page).replacing(/(?ms)^```.*?^```/, with: "")
  }

  /// The anchors of a page as GitHub makes them: lower case, without punctuation, spaces as `-`.
  private func anchors(_ page: String) throws -> Set<String> {
    var anchors: Set<String> = []
    for match in try prose(page).matches(of: /(?m)^#+ +(.*?)\s*$/) {
      let slug = match.1.lowercased().unicodeScalars.compactMap { scalar -> Character? in
        if scalar == " " { return "-" }
        let isKept = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        return isKept || scalar == "-" || scalar == "_" ? Character(scalar) : nil
      }
      var anchor = String(slug)
      var number = 1
      while anchors.contains(anchor) {
        anchor = "\(String(slug))-\(number)"
        number += 1
      }
      anchors.insert(anchor)
    }
    return anchors
  }

  @Test("there are pages") func found() {
    #expect(Self.pages.contains("README.md") && Self.pages.contains("docs/status-bars.md"))
  }

  @Test("every link leads to a file and a heading that exist", arguments: pages)
  func links(page: String) throws {
    let folder = Self.root.appending(path: page).deletingLastPathComponent()
    for match in try prose(page).matches(of: /\]\(([^)\s]+)\)/) {
      let link = String(match.1)
      guard !link.contains("://"), !link.hasPrefix("mailto:") else { continue }
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let file = String(parts.first ?? "")
      let target = file.isEmpty ? page : folder.appending(path: file).standardized.path()
      if !file.isEmpty {
        #expect(FileManager.default.fileExists(atPath: target), "\(page) links to \(link)")
      }
      guard parts.count == 2, file.isEmpty || file.hasSuffix(".md") else { continue }
      let path =
        file.isEmpty
        ? page
        : String(target.dropFirst(Self.root.standardized.path().count)).drop { $0 == "/" }
          .description
      #expect(try anchors(path).contains(String(parts[1])), "\(page) links to \(link)")
    }
  }

  @Test("every script that is named exists", arguments: pages)
  func scripts(page: String) throws {
    for match in try text(page).matches(of: /(?:^|[\s`(])scripts\/([a-z][a-z\/-]*[a-z])/) {
      let path = Self.root.appending(path: "scripts/\(match.1)").path()
      #expect(
        FileManager.default.isExecutableFile(atPath: path), "\(page) names scripts/\(match.1)")
    }
  }

  /// Tables headed `Keys` name keys of the cockpit; those of a form have another heading.
  @Test(
    "every key in a table of keys exists",
    arguments: ["docs/pulse.md", "docs/voice.md", "docs/brain.md", "docs/memory.md", "docs/cmd.md"])
  func keys(page: String) throws {
    let keys = Set(
      KeyTable.complete.bindings.flatMap(\.keyTexts).map { $0.replacing(" ", with: "") })
    let names = Set(KeyAction.allCases.map { ":" + $0.rawValue })
    var isKeys = false
    var count = 0
    for line in try prose(page).split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("|") else {
        isKeys = false
        continue
      }
      if line.hasPrefix("| Keys |") { isKeys = true }
      guard isKeys, let cell = line.split(separator: "|").first else { continue }
      for match in cell.matches(of: /`([^`]+)`/) {
        let key = String(match.1).replacing(" ", with: "")
        count += 1
        #expect(keys.contains(key) || names.contains(key), "\(page): \(match.1)")
      }
    }
    #expect(count > 0, "\(page) has no table of keys")
  }
}

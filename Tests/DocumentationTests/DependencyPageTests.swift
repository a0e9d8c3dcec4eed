import Foundation
import Testing

/// docs/dependencies.md names what Package.swift names.
@Suite struct DependencyPageTests {
  private func text(_ path: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test("every package and every library of the system is listed with its licence")
  func listed() throws {
    let page = try text("docs/dependencies.md")
    let manifest = try text("Package.swift")
    let packages = manifest.matches(of: /\.package\(url: "([^"]+)"/).map { String($0.1) }
    #expect(packages.count >= 3)
    for package in packages {
      #expect(page.contains("](\(package))"), "docs/dependencies.md does not name \(package)")
    }
    let libraries = [
      "CNcurses": "| ncurses |", "CCurl": "| libcurl |", "CSQLite": "| SQLite |",
      "COpenSSL": "| OpenSSL", "CVTerm": "| [libvterm]", "CZstd": "| zstd |", "CZlib": "| zlib |",
    ]
    for match in manifest.matches(of: /\.systemLibrary\(\s*name: "(\w+)"/) {
      let row = try #require(libraries[String(match.1)], "which row has \(match.1)?")
      #expect(page.contains(row))
    }
  }

  @Test("what a package's copyright file lists is on the page")
  func licences() throws {
    let page = try text("docs/dependencies.md")
    let script = try text("scripts/dev/licences")
    for match in script.matches(of: /for name in (.+); do/) {
      for name in match.1.split(separator: " ") { #expect(page.contains(name)) }
    }
  }
}

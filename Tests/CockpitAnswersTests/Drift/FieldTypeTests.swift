import Foundation
import Testing

@testable import CockpitAnswers

/// The types of fields are those that the decoders ask for.
@Suite struct FieldTypeTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources")
  private static let table = sources.appending(
    path: "CockpitAnswers/Drift/WireVocabulary+Types.swift")

  private static func code(in folder: String) throws -> [String] {
    let root = sources.appending(path: folder)
    let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }

  private static func read() throws -> [String: Set<Character>] {
    let letters: [String: String] = [
      "string": "s", "word": "w", "time": "s", "moment": "sn", "id": "sn", "int": "n",
      "double": "n", "bool": "b", "strings": "a", "list": "a", "object": "o", "nested": "o",
    ]
    let reader =
      /\w+\.(string|int|double|bool|id|time|moment|word|object|nested|list|strings)\(\s*((?:"\w+",?\s*)+)/
    var types: [String: Set<Character>] = [:]
    for code in try code(in: "ClankyWire") {
      for match in code.matches(of: reader) {
        for name in match.2.matches(of: /"(\w+)"/) {
          types[String(name.1), default: []].formUnion(letters[String(match.1)] ?? "")
        }
      }
    }
    // Details of rows: a text of them may be a number, which is written as it is.
    let details = ["string": "sn", "number": "n", "firstNumber": "n", "bool": "b"]
    let detail = /\b(string|number|bool|firstNumber)\(\s*"([a-z]\w*)"/
    for folder in ["CockpitText/Summary", "CockpitStores", "CockpitPanes/Pulse"] {
      for code in try code(in: folder) {
        for match in code.matches(of: detail) {
          types[String(match.2), default: []].formUnion(details[String(match.1)] ?? "")
        }
      }
    }
    return types
  }

  private static func page(_ types: [String: Set<Character>]) -> String {
    var lines: [String] = []
    var line = "    "
    for name in types.keys.sorted() {
      let word = name + ":" + String(types[name, default: []].sorted())
      if line.count + word.count + 1 > 100 {
        lines.append(line.trimmingSuffix(" "))
        line = "    "
      }
      line += word + " "
    }
    lines.append(line.trimmingSuffix(" "))
    return """
      extension WireVocabulary {
        /// What the decoders read under each name: s text, w a word of an enumeration, n number, b true or
        /// false, a list, o object. Written by FieldTypeTests from their code (RECORD_GOLDENS=1).
        static let fieldTypes = \"""
      \(lines.joined(separator: "\n"))
          \"""
      }

      """
  }

  @Test("the table is what the decoders say; RECORD_GOLDENS=1 writes it")
  func table() throws {
    let types = try Self.read()
    #expect(types.count > 400)
    let page = Self.page(types)
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      try Data(page.utf8).write(to: Self.table)
      return
    }
    #expect(try String(contentsOf: Self.table, encoding: .utf8) == page)
  }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> String {
    var text = self
    while text.last == character { text.removeLast() }
    return text
  }
}

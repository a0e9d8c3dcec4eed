import CockpitDemo
import Foundation
import Testing

@testable import CockpitAnswers

/// What a backend of the contract sends is no novelty, also where nothing here reads it.
@Suite struct SentWireTests {
  private static let table = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/CockpitAnswers/Drift/WireVocabulary+Sent.swift")

  private static let wires: [(DemoScenario, DemoDialect, Int64)] = [
    (.story, .may, 20), (.voice, .may, 15), (.busy, .may, 4), (.failing, .may, 10),
    (.night, .may, 1), (.story, .march, 10), (.voice, .march, 8),
  ]

  private static func named(_ fields: [String: Set<String>]) -> [String] {
    fields.keys.sorted().map { $0 + ":" + (fields[$0] ?? []).sorted().joined() }
  }

  private static func letter(_ type: String) -> String {
    ["text": "s", "number": "n", "true or false": "b", "list": "a", "object": "o"][type] ?? ""
  }

  private static func wrapped(_ words: [String]) -> String {
    var lines: [String] = []
    var line = "   "
    for word in words {
      if line.count + word.count + 1 > 100 {
        lines.append(line)
        line = "   "
      }
      line += " " + word
    }
    return (lines + [line]).joined(separator: "\n")
  }

  @Test("the table is what the demo sends; RECORD_GOLDENS=1 writes it")
  func table() async throws {
    var wires: [HeardWire] = []
    for (scenario, dialect, minutes) in Self.wires {
      let heard = await HeardWire.of(scenario, minutes: minutes, dialect: dialect)
      #expect(heard.rows.count > 20 && heard.documents.count > 5)
      wires.append(heard)
    }
    var fields: [String: Set<String>] = [:]
    var words: Set<String> = []
    // What is below an unknown field shows when that is known.
    var isNew = true
    while isNew {
      isNew = false
      let vocabulary = WireVocabulary(
        sentFields: Self.named(fields).joined(separator: " "),
        sentWords: words.joined(separator: " "))
      for wire in wires {
        for entry in wire.ledger(
          DriftLedger(vocabulary, limit: 10_000, findsMaps: false)
        ).all {
          let before = (fields, words)
          switch entry.subject {
          case .field:
            fields[entry.name, default: []].formUnion(entry.details.map(Self.letter))
          case .type:
            let types = entry.details.map {
              String($0.prefix(upTo: $0.firstRange(of: " instead")?.lowerBound ?? $0.endIndex))
            }
            fields[entry.name, default: []].formUnion(types.map(Self.letter))
          case .event, .kind: words.insert(entry.name)
          case .reason, .value: words.insert(String(entry.name.drop { $0 != " " }.dropFirst(3)))
          case .route: Issue.record("\(entry)")
          }
          if before != (fields, words) { isNew = true }
        }
      }
    }
    let names = Self.named(fields)
    let page = """
      extension WireVocabulary {
        /// What a backend of the contract sends and nothing here reads, with the types of its values. Written
        /// by SentWireTests from what the demo sends (RECORD_GOLDENS=1).
        static let sentFields = \"""
      \(Self.wrapped(names))
          \"""

        /// Events, reasons and words of enumerations of it that have no text.
        static let sentWords = \"""
      \(Self.wrapped(words.sorted()))
          \"""
      }

      """
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      try Data(page.utf8).write(to: Self.table)
      return
    }
    #expect(try String(contentsOf: Self.table, encoding: .utf8) == page)
  }
}

import CockpitDomain
import ClankyWire
import CockpitAnswers
import Foundation
import Testing

@testable import CockpitStores

/// Every word that the program knows has a text. What the program knows is read from its own tables, and
/// where a table is code, from the code.
@Suite struct ExplanationTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources")

  private static func code(in folders: [String]) throws -> [String] {
    try folders.flatMap { folder -> [String] in
      let root = sources.appending(path: folder)
      let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
      return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
        .map { try String(contentsOf: $0, encoding: .utf8) }
    }
  }

  private func missing(
    _ names: some Sequence<String>, _ families: Set<Explanation.Family>
  ) -> [String] {
    Set(names).filter { Explanations.meanings(of: $0, as: families).isEmpty }.sorted()
  }

  @Test("a text has a name, an end and at most 200 characters; a name has one text in a family")
  func form() {
    var known: Set<[String]> = []
    for explanation in Explanations.all {
      let name = explanation.name
      #expect(!name.isEmpty && !name.contains(":"), "\(explanation)")
      #expect((10...Explanation.maxLength).contains(explanation.text.count), "\(name)")
      #expect(explanation.text.last.map { ".?…".contains($0) } == true, "\(name)")
      #expect(!explanation.text.contains("  "), "\(name)")
      #expect(known.insert([explanation.family.rawValue, name]).inserted, "\(name) twice")
    }
    #expect(Explanations.all.count > 1000)
  }

  @Test("every kind has a text, and every text of a kind is about a known one")
  func kinds() {
    #expect(missing(ActionKind.known.keys, [.kind]) == [])
    let kinds = Explanations.all.filter { $0.family == .kind }.map(\.name)
    #expect(Set(kinds) == Set(ActionKind.known.keys))
  }

  @Test("every reason of a verdict has a text")
  @MainActor func reasons() {
    #expect(missing(VerdictBuilder.reasons.keys, [.reason, .event]) == [])
  }

  @Test("every step, outcome, delay and state of the link has a text")
  func stages() {
    #expect(missing(Verdict.Step.allCases.map(\.rawValue), [.stage]) == [])
    #expect(missing(LatencyStage.allCases.map(\.name), [.stage]) == [])
    #expect(missing(LatencyStage.allCases.map(\.key), [.field]) == [])
    #expect(missing(LinkState.allCases.map(\.rawValue), [.state]) == [])
    #expect(missing(Answer.State.allCases.map(\.rawValue), [.state]) == [])
    let words = TriageRule.all.map { "\($0.word.text)" } + ["bot ok", "bot back", "bot ?"]
    #expect(missing(words, [.state]) == [])
    let outcomes: [VoiceTurnRecord.Outcome] = [
      .responded, .denied, .dropped, .failed, .interrupted, .pending,
    ]
    #expect(missing(outcomes.map(\.rawValue), [.state]) == [])
  }

  @Test("every word of an enumeration of the wire has a text")
  func words() throws {
    let pattern = /static let \w+ = \w+\(rawValue: "([^"]+)"\)/
    let words = try Self.code(in: ["ClankyWire"]).flatMap { code in
      code.matches(of: pattern).map { String($0.1) }
    }
    #expect(words.count > 100)
    // Names of prompts and places that are spelled as tabs or platforms.
    #expect(missing(words, [.state, .reason, .field, .kind]) == [])
  }

  @Test("every field that the reader of the wire asks for has a text")
  func fields() throws {
    let pattern =
      /\w+\.(?:string|int|double|bool|id|time|word|object|nested|list)\(\s*((?:"\w+",?\s*)+)/
    let names = try Self.code(in: ["ClankyWire"]).flatMap { code in
      code.matches(of: pattern).flatMap { match in
        match.1.matches(of: /"(\w+)"/).map { String($0.1) }
      }
    }
    #expect(Set(names).count > 400)
    #expect(missing(names, [.field]) == [])
  }

  @Test("every detail of a row that a summary or a store asks for has a text")
  func details() throws {
    let patterns = [
      /\b(?:string|number|bool|pair|firstNumber)\(\s*(?:"[^"]*",\s*)?"([a-z]\w*)"/,
      /\b(?:metadata|usage|performance)\["([A-Za-z]\w+)"\]/,
    ]
    let code = try Self.code(in: ["CockpitText/Summary", "CockpitStores", "CockpitPanes/Pulse"])
    let names = code.flatMap { code in
      patterns.flatMap { code.matches(of: $0).map { String($0.1) } }
    }
    #expect(Set(names).count > 80)
    #expect(missing(names, [.field]).filter { !Self.own.contains($0) } == [])
  }

  /// Members of our own JSON and journal, which no backend sends.
  private static let own: Set<String> = [
    "alt", "attention", "backend", "bot", "bot_ready", "capped", "confidenceText", "guild_name",
    "last_reply", "note", "outcome", "thought", "tooltip", "utc_day", "verb", "write",
  ]

  @Test("exact, then longer names, then names that are like it")
  func finding() {
    func names(_ text: String) -> [String] {
      switch Explanations.find(text) {
      case .exact(let found): ["="] + found.map { "\($0.family)/\($0.name)" }
      case .beginning(let found): ["<"] + found.map(\.name)
      case .near(let found): ["~"] + found
      }
    }
    #expect(names("reply_skipped") == ["=", "kind/reply_skipped"])
    #expect(names("created_at") == ["=", "field/createdAt"])
    #expect(names("ACTIVE").prefix(2) == ["=", "state/ACTIVE"])
    #expect(names("asr").contains("stage/asr") && names("asr").contains("word/ASR"))
    #expect(names("voice_turn_dropped_a").first == "<")
    #expect(names("voice_turn_dropped_a").count == 4)
    #expect(names("repyl_skiped").contains("reply_skipped"))
    #expect(names("zzzzqqqqxxxx") == ["~"])
    #expect(names("") == ["~"])
    for length in [41, 60, 120, 121, 100_000] {
      #expect(names(String(repeating: "a", count: length)) == ["~"], "\(length)")
    }
    #expect(names("_meta") == ["=", "field/_meta"])
    #expect(names("\u{1B}[31m") == ["~"])
  }

  @Test("the names of families are those of JSON")
  func families() {
    #expect(
      Explanation.Family.allCases.map(\.rawValue)
        == ["kind", "event", "reason", "stage", "state", "field", "word"])
  }
}

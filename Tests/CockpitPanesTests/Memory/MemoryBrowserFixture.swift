import TerminalUI
import ClankyWire
import Foundation
import TerminalCore

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// A memory of two guilds, in the states that MEMORY shows, and what drives a shell over it.
@MainActor
struct MemoryFixture {
  static let workshop = "500000000000000001"
  static let crew = "500000000000000002"
  static let james = "700000000000000001"
  static let ada = "700000000000000002"
  static let stranger = "700000000000000077"

  var base = Fixture()
  var view = FactView()

  var store: MemoryStore { base.memory }

  static func time(_ daysAgo: Double) -> WireTime {
    WireTime(milliseconds: Fixture.nowMs - Int64(daysAgo * 86_400_000))
  }

  static func fact(
    _ id: Int, _ subject: String, _ text: String, type: String = "preference",
    confidence: Double? = 0.9, daysAgo: Double = 3, scope: FactScope = .user,
    guild: String? = nil, evidence: String? = nil, message: String? = nil
  ) -> Fact {
    Fact(
      id: id, createdAt: time(daysAgo + 12), updatedAt: time(daysAgo), scope: scope,
      guildID: guild, channelID: "600000000000000001", userID: scope == .user ? subject : nil,
      subject: subject, fact: text, factType: FactType(rawValue: type), evidenceText: evidence,
      sourceMessageID: message, confidence: confidence, isLegacy: false, dialect: .may)
  }

  static let facts: [Fact] = [
    fact(
      1042, james, "Prefers concise responses without unnecessary preamble", confidence: 0.92,
      evidence: "stop being so verbose", message: "1182000000000000001"),
    fact(
      1043, james, "Senior developer, expert in Rust and Swift", type: "profile", confidence: 0.85,
      daysAgo: 0.02),
    fact(
      1044, james, "prefers concise  responses without unnecessary PREAMBLE", confidence: 0.5,
      daysAgo: 120),
    fact(1045, ada, "Likes short voice replies", confidence: 0.81, daysAgo: 30),
    fact(1046, ada, "Is learning the cello", type: "project", confidence: 0.2, daysAgo: 200),
    fact(
      977, "__lore__", "The server is about game development and independent games",
      type: "other", confidence: 0.78, scope: .guild, guild: workshop),
    fact(
      978, "__self__", "Answers in the language it was asked in", type: "behavioral", confidence: 1,
      daysAgo: 9, scope: .guild, guild: workshop),
    fact(
      979, "__lore__", "Game night is on Fridays", type: "other", confidence: 0, daysAgo: 1,
      scope: .guild, guild: crew),
    fact(1100, stranger, "Works night shifts", type: "profile", confidence: 0.66, daysAgo: 2),
    fact(
      2001, "__owner__", "Keeps the spare key under the third stone", type: "profile", scope: .owner
    ),
  ]

  init(isLoaded: Bool = true) {
    store.drafts = [:]
    guard isLoaded else { return }
    load(Self.facts)
    var run = ReflectionRun(
      runID: "r-1", dateKey: "2026-03-01", guildID: Self.workshop, status: .completed,
      completedAt: Self.time(0.09), durationMs: 8100, model: "claude-opus-4-6", usdCost: 0.02)
    run.journalEntryCount = 31
    run.factsExtracted = 15
    run.factsSaved = 12
    run.factsSkipped = 3
    run.savedFacts = [
      ReflectionFact(
        subject: .author, subjectName: "james", fact: "Senior developer, expert in Rust and Swift",
        type: .profile, confidence: 0.85, status: .saved, saveReason: "added_new",
        storedSubject: Self.james)
    ]
    run.skippedFacts = [
      ReflectionFact(
        subject: .author, subjectName: "sarah", fact: "Said hello", type: .other, confidence: 0.1,
        status: .skipped, saveReason: "low_confidence")
    ]
    let failed = ReflectionRun(
      runID: "r-2", dateKey: "2026-02-28", status: .error, erroredAt: Self.time(1),
      errorContent: "timeout")
    store.reflections = .loaded(ReflectionPage(runs: [run, failed]), atMs: Fixture.nowMs)
    store.journal = .loaded(
      [
        JournalEntry(
          write: "w1", atMs: Fixture.nowMs - 1_200_000, backend: "http://127.0.0.1:8787",
          guild: Self.workshop, verb: .edit, factID: 1042,
          before: Self.fact(1042, Self.james, "Prefers short answers", confidence: 0.8),
          after: Self.facts[0], outcome: .stored)
      ], atMs: Fixture.nowMs)
  }

  func load(_ facts: [Fact]) {
    for guild in [Self.workshop, Self.crew] {
      let listed = facts.filter { $0.guildID == nil || $0.guildID == guild }
      store.facts.merge(listed, guild: guild)
      let bySubject = Dictionary(grouping: listed, by: { $0.subject ?? "" })
      store.subjects[guild] = bySubject.map { subject, facts in
        Subject(
          scope: facts.first?.scope, guildID: facts.first?.guildID, subject: subject,
          lastSeenAt: Self.time(1), factCount: facts.count)
      }
      var coverage = FactCoverage()
      coverage.loaded = listed.count
      coverage.expected = listed.count
      coverage.isComplete = true
      coverage.fetchedAtMs = Fixture.nowMs
      store.coverage[guild] = coverage
    }
    store.guilds = [Self.workshop, Self.crew]
    base.connection.learn(guilds: [Guild(id: Self.crew, name: "Game Dev Crew")])
  }

  mutating func facts(_ shell: CockpitShell, isReadOnly: Bool = false) -> ViewContext {
    var facts = base.facts(query: shell.pulse.feedQuery)
    view.sync(
      with: store, query: shell.memory.query, strays: store.strayDrafts,
      names: base.connection.names, nowMs: Fixture.nowMs)
    facts.factView = view
    facts.isReadOnly = isReadOnly
    return facts
  }

  /// What the program does for each frame: update, rows, drawing.
  mutating func draw(_ shell: inout CockpitShell, isReadOnly: Bool = false) -> Frame {
    for _ in 0..<3 {
      let facts = facts(shell, isReadOnly: isReadOnly)
      let query = shell.memory.query
      _ = shell.update(facts, size: shell.size)
      if shell.memory.query == query { break }
    }
    return shell.render(facts(shell, isReadOnly: isReadOnly), size: shell.size)
  }

  @discardableResult
  mutating func send(_ event: InputEvent, _ shell: inout CockpitShell, isReadOnly: Bool = false)
    -> [Effect]
  {
    let frame = draw(&shell, isReadOnly: isReadOnly)
    let effects = shell.handle(event, on: facts(shell, isReadOnly: isReadOnly), frame: frame)
    return effects
  }

  /// Presses keys written as in the key table, separated by spaces.
  @discardableResult
  mutating func type(_ keys: String, _ shell: inout CockpitShell, isReadOnly: Bool = false)
    -> [Effect]
  {
    var effects: [Effect] = []
    for word in keys.split(separator: " ") {
      guard let chord = try? KeyChord(parsing: String(word)) else { continue }
      for press in chord.presses {
        effects += send(.key(press.key, press.modifiers), &shell, isReadOnly: isReadOnly)
      }
    }
    return effects
  }

  mutating func write(_ text: String, _ shell: inout CockpitShell) {
    for character in text { send(.key(.char(character), []), &shell) }
  }
}

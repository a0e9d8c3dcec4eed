import TerminalUI
import CockpitDomain
import Networking
import ClankyWire
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

@MainActor
@Suite struct MemoryBrowserGoldenTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
    Size(width: 100, height: 16), Size(width: 50, height: 20),
  ]

  private func shell(_ size: Size) -> CockpitShell { CockpitShell(tab: .memory, size: size) }

  private func expect(
    _ name: String, _ size: Size, _ fixture: inout MemoryFixture, keys: String = "",
    isReadOnly: Bool = false
  ) throws {
    var shell = shell(size)
    fixture.type(keys, &shell, isReadOnly: isReadOnly)
    let canvas = fixture.draw(&shell, isReadOnly: isReadOnly).canvas
    try expectGolden(canvas, "memory-\(name)-\(size.width)x\(size.height)")
  }

  @Test("a rich memory", arguments: sizes)
  func rich(size: Size) throws {
    var fixture = MemoryFixture()
    try expect("rich", size, &fixture)
  }

  @Test("nothing yet, loading, not all, and no backend", arguments: sizes.ends)
  func empty(size: Size) throws {
    var nothing = MemoryFixture(isLoaded: false)
    nothing.load([])
    nothing.store.reflections = .loaded(ReflectionPage(), atMs: Fixture.nowMs)
    try expect("empty", size, &nothing)

    var loading = MemoryFixture()
    loading.store.coverage[MemoryFixture.workshop]?.isComplete = false
    loading.store.coverage[MemoryFixture.workshop]?.isLoading = true
    loading.store.subjects[MemoryFixture.workshop]?.append(
      Subject(scope: .user, subject: "700000000000000055", factCount: 300))
    loading.store.coverage[MemoryFixture.workshop]?.expected = 309
    try expect("loading", size, &loading)

    var cut = MemoryFixture()
    cut.store.coverage[MemoryFixture.workshop]?.isComplete = false
    cut.store.coverage[MemoryFixture.workshop]?.cut = [
      .init(subject: MemoryFixture.james, loaded: 500, counted: 740)
    ]
    cut.store.coverage[MemoryFixture.workshop]?.expected = 800
    try expect("cut", size, &cut)

    var dead = MemoryFixture(isLoaded: false)
    dead.base = Fixture(state: .reconnecting)
    try expect("dead", size, &dead)
  }

  @Test("states of the list", arguments: sizes.ends)
  func states(size: Size) throws {
    var found = MemoryFixture()
    var shell = shell(size)
    found.type("/", &shell)
    found.write("concise", &shell)
    found.type("Enter", &shell)
    try expectGolden(
      found.draw(&shell).canvas, "memory-find-\(size.width)x\(size.height)")

    var search = MemoryFixture()
    search.store.search = .loaded(
      SearchResult(
        queryText: "games", guildID: MemoryFixture.workshop, limit: 10,
        results: [
          SearchFact(
            fact: MemoryFixture.facts[5], score: 0.91, semanticScore: 0.82, lexicalScore: 0.4),
          SearchFact(
            fact: MemoryFixture.facts[6], score: 0.31, semanticScore: 0.2, lexicalScore: 0),
        ]), atMs: Fixture.nowMs)
    var searching = self.shell(size)
    search.type("s", &searching)
    search.write("games", &searching)
    try expectGolden(
      search.draw(&searching).canvas, "memory-searching-\(size.width)x\(size.height)")
    search.type("Enter", &searching)
    try expectGolden(
      search.draw(&searching).canvas, "memory-search-\(size.width)x\(size.height)")

    var marked = MemoryFixture()
    marked.store.deletions = [
      HeldDeletion(
        id: 1, facts: [MemoryFixture.facts[3]], dueNs: Fixture.monotonicNs + 28_500_000_000)
    ]
    if let edit = FactEdit(editing: MemoryFixture.facts[8], target: .guild(MemoryFixture.workshop))
    {
      let draft = FactDraft(
        edit: edit, confidenceText: "0.66", base: MemoryFixture.facts[8],
        changedAtMs: Fixture.nowMs)
      marked.store.drafts[1100] = draft
      var change = draft
      change.edit.factID = 979
      marked.store.changes[979] = FactChange(change)
    }
    try expect("selection", size, &marked, keys: "v v")

    var none = MemoryFixture()
    var filtered = self.shell(size)
    none.type("f", &filtered)
    none.write("type:guidance", &filtered)
    none.type("Enter", &filtered)
    try expectGolden(
      none.draw(&filtered).canvas, "memory-nomatch-\(size.width)x\(size.height)")

    var owner = MemoryFixture()
    var masked = self.shell(size)
    masked.memory.query.subject = "__owner__"
    try expectGolden(
      owner.draw(&masked).canvas, "memory-masked-\(size.width)x\(size.height)")
  }

  @Test("the other views", arguments: MemoryPane.View.allCases.filter { $0 != .facts })
  func views(view: MemoryPane.View) throws {
    for size in Self.sizes.prefix(view == .reflections ? 2 : 1) {
      var fixture = MemoryFixture()
      fixture.store.markdown = .loaded(
        MemoryMarkdown(
          markdown: """
            # Durable Memory Snapshot
            ## People
            - james: prefers concise responses
            ## Owner Private
            - keeps the spare key under the third stone
            ## Lore
            - Game night is on Fridays
            """), atMs: Fixture.nowMs)
      fixture.store.profile = .loaded(
        FactProfile(
          durableProfile: DurableProfile(
            userFacts: Array(MemoryFixture.facts.prefix(2)), selfFacts: [MemoryFixture.facts[6]],
            loreFacts: [MemoryFixture.facts[5]])), atMs: Fixture.nowMs)
      fixture.store.recall = .loaded(
        RuntimeSnapshot(
          queryText: "what games do we make?",
          slice: MemorySlice(relevantFacts: [MemoryFixture.facts[5]])), atMs: Fixture.nowMs)
      var shell = shell(size)
      shell.memory.view = view
      if view == .reflections { fixture.type("Enter", &shell) }
      try expectGolden(
        fixture.draw(&shell).canvas, "memory-\(view)-\(size.width)x\(size.height)")
    }
  }

  @Test(
    "the question before a purge, the form of RECALL, the voice cache beside the profile",
    arguments: Array(sizes.prefix(3)))
  func dialogs(size: Size) throws {
    let name = "\(size.width)x\(size.height)"
    var purge = MemoryFixture()
    purge.store.guildNames = [MemoryFixture.workshop: "The Workshop"]
    purge.store.countedPart = .guild(id: MemoryFixture.workshop, name: "The Workshop")
    purge.store.partCount = .loaded(
      MemoryPartCount(facts: 2, staying: 6, runs: 1), atMs: Fixture.nowMs)
    var shell = shell(size)
    shell.memory.query.guild = MemoryFixture.workshop
    let opened = shell.perform(.purgeMemory, purge.facts(shell))
    #expect(
      opened.contains(.memory(.count(.guild(id: MemoryFixture.workshop, name: "The Workshop")))))
    try expectGolden(purge.draw(&shell).canvas, "memory-purge-\(name)")

    var recall = MemoryFixture()
    var asking = self.shell(size)
    recall.type("[[ [[ Enter", &asking)
    recall.write("what games do we make?", &asking)
    recall.type("Tab Space Tab Enter Down Enter Esc", &asking)
    try expectGolden(recall.draw(&asking).canvas, "memory-recall-form-\(name)")

    var cached = MemoryFixture()
    cached.store.profile = .loaded(
      FactProfile(
        durableProfile: DurableProfile(userFacts: Array(MemoryFixture.facts.prefix(2))),
        activeVoiceSession: ActiveVoiceSession(
          sessionID: "s-1", participantCount: 2,
          participants: [
            VoiceParticipant(userID: MemoryFixture.james, displayName: "james"),
            VoiceParticipant(userID: MemoryFixture.ada, displayName: "ada"),
          ],
          cachedUsers: [
            SpeakerFacts(
              userID: MemoryFixture.james, displayName: "james",
              loadedAt: WireTime(milliseconds: Fixture.nowMs - 90_000), factCount: 2)
          ],
          userFactProfile: SpeakerFacts(
            userID: MemoryFixture.james, userFacts: Array(MemoryFixture.facts.prefix(2))))),
      atMs: Fixture.nowMs)
    var beside = self.shell(size)
    beside.memory.query.subject = MemoryFixture.james
    beside.memory.view = .profile
    try expectGolden(cached.draw(&beside).canvas, "memory-profile-voice-\(name)")
  }

  @Test("hostile text keeps to its cells (promises P2, P11)", arguments: sizes.ends)
  func hostile(size: Size) throws {
    var fixture = MemoryFixture(isLoaded: false)
    let lone = String(decoding: [0xED, 0xA0, 0x80], as: UTF8.self)
    fixture.load([
      MemoryFixture.fact(
        1, MemoryFixture.james, "\u{1B}[31mred\u{1B}]0;title\u{7}\u{202E}evil\u{2066} x"),
      MemoryFixture.fact(2, MemoryFixture.ada, String(repeating: "長い文", count: 133)),
      MemoryFixture.fact(
        3, "a\u{1B}[2Jb \u{200B}\u{200D}", "zalgo Z\u{0310}\u{0322}\u{0351}algo 👩‍👩‍👧 \(lone) end",
        type: "\u{1B}[7mx",
        confidence: .nan, evidence: "line\nbreak\ttab\u{85}\u{2028}next", message: "\u{9B}31m"),
      MemoryFixture.fact(4, "שלום עולם", "مرحبا بالعالم", confidence: -3),
      MemoryFixture.fact(
        5, MemoryFixture.james, String(repeating: "x", count: 4000), confidence: 1e308),
    ])
    fixture.base.connection.learn(guilds: [
      Guild(id: MemoryFixture.workshop, name: "\u{1B}[2JThe\u{202E} Workshop")
    ])
    try expect("hostile", size, &fixture, keys: "j j")
  }
}

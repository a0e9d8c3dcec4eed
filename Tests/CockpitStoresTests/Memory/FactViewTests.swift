import ClankyWire
import Testing

@testable import CockpitStores

@Suite @MainActor struct FactViewTests {
  private func store(_ facts: [WireFact], guild: String? = "g1") -> MemoryStore {
    let store = MemoryStore()
    store.facts.merge(facts, guild: guild)
    return store
  }

  private let nowMs: Int64 = 1_795_250_000_000

  private func ids(
    _ store: MemoryStore, order: FactViewQuery.Order = .updated, isReversed: Bool = false,
    filter: String = "", names: any NameDirectory = NoNames()
  ) -> [Int] {
    var view = FactView()
    var query = FactViewQuery()
    query.order = order
    query.isReversed = isReversed
    query.filter = filter
    view.sync(with: store, query: query, names: names, nowMs: nowMs)
    #expect(view.problem == nil, "\(filter)")
    return view.rows.map(\.id)
  }

  @Test func newestChangeFirst() {
    let store = store([madeUpFact(1), madeUpFact(3), madeUpFact(2)])
    #expect(ids(store) == [3, 2, 1])
    #expect(ids(store, isReversed: true) == [1, 2, 3])
  }

  @Test func everyOrder() {
    var unknown = madeUpFact(4, subject: "z", type: .other)
    unknown.confidence = nil
    let store = store([
      madeUpFact(1, subject: "b", type: .project, confidence: 0.2),
      madeUpFact(2, subject: "a", type: .guidance, confidence: 0.9),
      madeUpFact(3, subject: "b", type: .behavioral, confidence: 0.4), unknown,
    ])
    #expect(ids(store, order: .confidence) == [2, 3, 1, 4])
    // What is not known is last either way.
    #expect(
      ids(store, order: .confidence, isReversed: true) == [1, 3, 2, 4])
    #expect(ids(store, order: .subject) == [2, 3, 1, 4])
    #expect(ids(store, order: .type) == [3, 2, 4, 1])
    #expect(
      ids(store, order: .subject, names: NameTable(users: ["a": "Zoë", "b": "abe"]))
        == [3, 1, 4, 2])
  }

  @Test(arguments: [
    ("rust", [1]), ("RUST", [1]), ("\"learning rust\"", [1]), ("-rust", [4, 3, 2]),
    ("jose", [2]), ("José", [2]), ("type:preference", [4, 3, 1]), ("type:pre*", [4, 3, 1]),
    ("type:profile|other", [2]), ("conf>0.8", [4, 2]), ("conf>80%", [4, 2]),
    ("conf:0.1..0.5", [3, 1]), ("subject:u1", [4, 1]), ("subject:lore", [3]),
    ("user:mira", [4, 1]), ("mira", [4, 1]), ("scope:user", [4]), ("-scope:user", [3, 2, 1]),
    ("evidence:book", [1]), ("source:m9", [2]), ("id:3", [3]), ("id>2", [4, 3]), ("age<1d", [4]),
    ("age>1d", [3, 2, 1]), ("updated>1d", [4]), ("updated<2026-11-20", [3, 2, 1]),
    ("type:preference conf>0.8", [4]), ("guild:g1", [4, 3, 2, 1]),
    ("guild:\"the guild\"", [4, 3, 2, 1]),
    ("fact:quiet", [3]), ("nothing", []), ("user:\"mira\" -rust", [4]), ("יים", [4]),
  ])
  func filters(_ filter: String, _ expected: [Int]) {
    let store = store([
      madeUpFact(1, "is learning Rust", evidence: "I started the book"),
      madeUpFact(2, "knows JOSÉ", subject: "u2", type: .profile, confidence: 0.9, source: "m9"),
      madeUpFact(3, "likes quiet rooms", subject: "__lore__"),
      madeUpFact(
        4, "שלום לכם חיים", scope: .user, confidence: 0.95, updatedMs: nowMs - 3_600_000),
    ])
    let names = NameTable(users: ["u1": "Mira"], guilds: ["g1": "The Guild"])
    #expect(ids(store, filter: filter, names: names) == expected, "\(filter)")
  }

  @Test(arguments: [
    ("typ:x", "type"), ("conf>much", "number"), ("age<soon", "duration"), ("updated>maybe", "time"),
    ("\"open", "quote"), ("type>a", "compared"), ("conf:", "no value"), ("meta.x:1", "no field"),
  ])
  func whatCannotBeReadIsSaid(_ filter: String, _ word: String) {
    let store = store([madeUpFact(1)])
    var view = FactView()
    var query = FactViewQuery()
    query.filter = filter
    view.sync(with: store, query: query, nowMs: nowMs)
    #expect(view.problem?.contains(word) == true, "\(view.problem ?? "none")")
    #expect(view.rows.count == 1)
    query.filter = ""
    view.sync(with: store, query: query, nowMs: nowMs)
    #expect(view.problem == nil)
  }

  @Test func findMarksAndNarrows() {
    let store = store([madeUpFact(1, "alpha"), madeUpFact(2, "alphabet"), madeUpFact(3, "beta")])
    var view = FactView()
    var query = FactViewQuery()
    for text in ["a", "al", "alp", "alphab", "alpha", "", "beta", "b"] {
      query.find = text
      view.sync(with: store, query: query, nowMs: nowMs)
      let expected = [3, 2, 1].filter {
        !text.isEmpty && (store.facts[$0]?.fact.fact ?? "").contains(text)
      }
      #expect(view.rows.map(\.id) == [3, 2, 1])
      #expect(view.rows.filter(\.isHit).map(\.id) == expected, "\(text)")
      #expect(view.hitCount == expected.count)
    }
    query.onlyMatches = true
    query.find = "alpha"
    view.sync(with: store, query: query, nowMs: nowMs)
    #expect(view.rows.map(\.id) == [2, 1])
    query.find = "alphab"
    view.sync(with: store, query: query, nowMs: nowMs)
    #expect(view.rows.map(\.id) == [2])
    // A fact that comes meanwhile is found too.
    store.facts.merge([madeUpFact(9, "alphabetical")], guild: "g1")
    let hasChanged = view.sync(with: store, query: query, nowMs: nowMs)
    #expect(hasChanged && view.rows.map(\.id) == [9, 2])
    let hasChangedAgain = view.sync(with: store, query: query, nowMs: nowMs)
    #expect(!hasChangedAgain)
    query.find = ""
    view.sync(with: store, query: query, nowMs: nowMs)
    #expect(view.rows.count == 4)
  }

  @Test func searchIsASourceOfItsOwn() {
    let store = store([madeUpFact(1, "whole", evidence: "kept")])
    store.search = .loaded(
      SearchResult(
        queryText: "x", guildID: "g1",
        results: [
          SearchFact(fact: madeUpFact(7, "only found"), score: 0.4),
          SearchFact(fact: WireFact(id: 1, fact: "whole"), score: 0.9, semanticScore: 0.5),
        ]), atMs: 1)
    var view = FactView()
    var query = FactViewQuery()
    query.source = .search
    query.order = .score
    view.sync(with: store, query: query, nowMs: nowMs)
    #expect(view.rows.map(\.id) == [1, 7])
    #expect(view.rows.map(\.score) == [0.9, 0.4])
    #expect(view.rows.first?.fact.evidenceText == "kept")
    store.search = .loaded(SearchResult(), atMs: 2)
    let hasChanged = view.sync(with: store, query: query, nowMs: nowMs)
    #expect(hasChanged && view.rows.isEmpty)
  }

  /// Rows made step by step are those of a view that starts anew, whatever happens in between.
  @Test func stepsLeadToTheSameRows() {
    var random = SeededRandom(7)
    let store = MemoryStore()
    var view = FactView()
    var query = FactViewQuery()
    let words = ["red", "Red fox", "fóx", "green", "blue sky", "sky"]
    for step in 0..<600 {
      switch Int.random(in: 0..<9, using: &random) {
      case 0...1:
        let id = Int.random(in: 1...40, using: &random)
        let text = words.randomElement(using: &random)
        store.facts.merge(
          [madeUpFact(id, text, guild: id % 2 == 0 ? "g1" : "g2")], guild: id % 2 == 0 ? "g1" : "g2"
        )
      case 2: store.facts.remove(Int.random(in: 1...40, using: &random))
      case 3:
        query.find =
          words.randomElement(using: &random)?.prefix(Int.random(in: 0...4, using: &random))
          .lowercased() ?? ""
      case 4: query.find += "e"
      case 5: query.onlyMatches.toggle()
      case 6:
        query.filter = ["", "sky", "-fox", "id>20", "broken:"].randomElement(using: &random) ?? ""
      case 7: query.guild = [nil, "g1", "g2"].randomElement(using: &random) ?? nil
      default: query.isReversed.toggle()
      }
      view.sync(with: store, query: query, nowMs: nowMs)
      guard query.filter != "broken:" else { continue }
      var fresh = FactView()
      fresh.sync(with: store, query: query, nowMs: nowMs)
      #expect(view.rows == fresh.rows, "step \(step) \(query)")
    }
  }
}

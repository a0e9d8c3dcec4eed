import ClankyWire
import CockpitAnswers
import CockpitStores
import Foundation
import LenientJSON

@testable import CockpitDemo

/// A log made of stored rows, and the answers about it.
@MainActor struct WhyLog {
  let store = ActivityStore(memory: 1 << 30)
  let voice = VoiceStore()

  /// - Parameter rows: JSON objects as the backend stores them, oldest first.
  init(_ rows: [String]) {
    let json = Array(("[" + rows.reversed().joined(separator: ",") + "]").utf8)
    json.withUnsafeBytes { _ = store.applyRows($0, nowMs: WhyFixture.startMs) }
    voice.follow(store.log)
  }

  func rows(
    nowMs: Int64, facts: [Fact] = [], hasNewest: Bool = false, isLost: Bool = false
  ) -> ExchangeRows {
    ExchangeRows(
      store.log, voice: voice, facts: facts, hasNewest: hasNewest, isLost: isLost, nowMs: nowMs)
  }

  /// The answer about a row; nil when nothing is on record.
  func why(_ actionID: Int, nowMs: Int64, isLost: Bool = false) -> Why? {
    let rows = rows(nowMs: nowMs, isLost: isLost)
    guard let row = store.log.rowID(actionID: actionID), let key = rows.key(of: row) else {
      return nil
    }
    return rows.exchange(key).map { Why($0) }
  }
}

extension WhyFixture {
  /// When it is asked, in ms since 1970.
  var nowMs: Int64 { isOpen ? Self.startMs + 5000 : Self.startMs + Self.laterMs + 1000 }
}

/// A row that can be changed.
struct LoggedRow {
  var object: [String: Any] { didSet { written = nil } }
  private var written: String?

  init(_ text: String) throws {
    object =
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    // In one order of members, so that two rows can be compared.
    written = self.text
  }

  var id: Int {
    get { (object["id"] as? NSNumber)?.intValue ?? 0 }
    set { object["id"] = newValue }
  }
  var kind: String { object["kind"] as? String ?? "" }
  var content: String { object["content"] as? String ?? "" }
  var time: String {
    get { object["created_at"] as? String ?? "" }
    set { object["created_at"] = newValue }
  }
  var metadata: [String: Any] { object["metadata"] as? [String: Any] ?? [:] }

  /// Whether the row names a message or a session anywhere.
  func names(_ id: String) -> Bool { text.contains(id) }

  var text: String {
    guard
      let data = try? JSONSerialization.data(
        withJSONObject: object, options: .sortedKeys)
    else { return "" }
    return String(decoding: data, as: UTF8.self)
  }
}

/// A demo night, in this process: its rows, and what really happened.
@MainActor struct Night {
  let rows: [String]
  let truth: [[String: Any]]
  let forgotten: Set<Int>
  let facts: [Fact]
  let nowMs: Int64
  /// The whole truth file.
  let file: [String: Any]
  let automations: [Automation]

  init(seed: UInt64, dialect: DemoDialect = .may) throws {
    let options = DemoOptions(
      seed: seed, scenario: .night, token: "t", dialect: dialect, clock: ManualDemoClock())
    let world = World(options: options, token: "t")
    Director.begin(world)
    let query = ActionQuery(limit: .max, since: world.startMs, oldestFirst: true)
    rows = world.store.actions(query).map { $0.json.text }
    let file = world.truth.file(scenario: .night, seed: seed, dialect: dialect)
    let json = try JSONSerialization.jsonObject(with: Data(file)) as? [String: Any] ?? [:]
    self.file = json
    truth = json["exchanges"] as? [[String: Any]] ?? []
    let gone = json["forgotten"] as? [[String: Any]] ?? []
    forgotten = Set(gone.flatMap { ($0["facts"] as? [NSNumber] ?? []).map(\.intValue) })
    facts = Set(Cast.guilds.map(\.id)).flatMap { world.store.facts.list(guild: $0, limit: 500) }
      .reduce(into: [Int64: FactRow]()) { $0[$1.id] = $1 }.values.sorted { $0.id < $1.id }
      .map { Fact(id: Int($0.id), guildID: $0.guild, subject: $0.subject, fact: $0.fact) }
    nowMs = world.now
    automations = try Cast.guilds.flatMap { guild in
      let list = world.store.automations.list(
        guild: guild.id, statuses: ["active", "paused"], limit: 120)
      let page: DemoJSON = ["rows": .array(list.map(\.json))]
      return AutomationPage(try JSONValue.parse(page.serialized()))?.rows ?? []
    }
  }
}

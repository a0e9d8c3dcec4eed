import CockpitDomain
import ClankySource
import Networking
import ClankyWire
import CockpitStores
import Testing

/// The feed and its figures with holes and a replaced log, compared with the backend's own rows.
@MainActor
@Suite("holes and replaced logs") struct LogTruthTests {
  @Test("D7: a gap row stands between its known neighbours, at their time and with the reason")
  func placesOfHoles() throws {
    let world = LogWorld()
    let start = world.clock.wallMs
    world.rows = (1...495).map { LogWorld.Row(id: $0, timeMs: start - 50_000 + Int64($0)) }
    try world.connect()
    world.cut()
    // A burst of one millisecond, 44 s after what was heard last, and more of its kind than one answer holds.
    let burst = start + 44_000
    world.clock.advance(ms: 60_000)
    world.rows += (496...994).map { LogWorld.Row(id: $0, timeMs: burst) }
    world.rows += [995, 996, 997, 999].map { LogWorld.Row(id: $0, timeMs: burst, kind: "llm_call") }
    world.rows.append(LogWorld.Row(id: 998, timeMs: burst))
    world.rows += (1_000...1_999).map { LogWorld.Row(id: $0, timeMs: burst + Int64($0)) }
    try world.connect()
    let marks = world.gaps
    #expect(marks.map(\.gap.from) == [998, 496] && marks.map(\.gap.to) == [998, 994])
    #expect(marks.allSatisfy { $0.gap.isOutOfReach && $0.gap.kind == .lost })
    #expect(marks.map(\.gap.count) == [1, 499])
    // Newest first: below the row after it, above the row before it.
    for mark in marks {
      #expect(world.id(at: mark.index - 1) == mark.gap.to + 1)
      #expect(world.id(at: mark.index + 1) == mark.gap.from - 1)
    }
    #expect(marks[0].gap.atMs == burst)
    #expect(world.link.status.rowsMissing == 500)
  }

  @Test("D7: rows that the backend has deleted have another reason")
  func deleted() throws {
    let world = LogWorld()
    let start = world.clock.wallMs
    world.rows = (1...50).map { LogWorld.Row(id: $0, timeMs: start - 5_000 + Int64($0)) }
    try world.connect()
    world.cut()
    world.clock.advance(ms: 10_000)
    world.rows += (51...90).map { LogWorld.Row(id: $0, timeMs: start + 2_000 + Int64($0)) }
    world.rows.removeAll { (60...60).contains($0.id) }
    try world.connect()
    let mark = try #require(world.gaps.first)
    #expect(world.gaps.count == 1 && mark.gap.from == 60 && mark.gap.count == 1)
    #expect(!mark.gap.isOutOfReach && mark.gap.atMs == start + 2_059)
    #expect(world.id(at: mark.index - 1) == 61 && world.id(at: mark.index + 1) == 59)
  }

  @Test("D10: figures are those of the present log, and rows that it has too are counted again")
  func figures() throws {
    let world = LogWorld()
    let start = world.clock.wallMs
    let old = (1...40).map {
      LogWorld.Row(
        id: $0, timeMs: start - 60_000 + Int64($0 / 4),
        kind: $0 % 4 == 0 ? "llm_error" : "llm_call",
        cost: 0.5)
    }
    world.rows = old
    try world.connect()
    let log = world.activity.log
    #expect(log.totals.retained.actions == 40 && log.totals.retained.failures == 10)
    let order = world.contents
    let accumulator = CostAccumulator()
    #expect(
      accumulator.summary(of: log, coveredFromMs: nil, stats: nil, nowMs: start).byModel.reduce(0) {
        $0 + $1.usd
      } == 20)

    // Another store, and an owner's look at it.
    world.cut()
    world.clock.advance(ms: 10_000)
    world.rows = (1...3).map {
      LogWorld.Row(
        id: $0, timeMs: start + 5_000, kind: "llm_call", content: "new \($0)", cost: 0.25)
    }
    try world.connect()
    #expect(log.totals.retained.actions == 3 && log.totals.retained.failures == 0)
    #expect(log.totals.retained.costUSD == 0.75)
    #expect(log.rate.perMinute(nowMs: world.clock.wallMs).reduce(0) { $0 + $1.actions } == 3)
    #expect(world.activity.newestError == nil)
    #expect(log.labels().reduce(0) { $0 + $1.count } == 3)
    let summary = accumulator.summary(
      of: log, coveredFromMs: nil, stats: nil, nowMs: world.clock.wallMs)
    #expect(summary.byModel.reduce(0) { $0 + $1.usd } == 0.75)
    #expect(log.oldestMs == start + 5_000)
    // The rows are still there, marked, in the order that they had; rows of one millisecond are newest first.
    #expect(world.contents == ["new 3", "new 2", "new 1"] + order)
    let former = log.rows(in: 0..<log.count).filter(\.isOfFormerLog)
    #expect(former.count == 40 && former.allSatisfy { $0.actionID == nil })
    #expect(world.marks == [.replaced(rows: 40)])

    // The old store comes back, with rows that were written meanwhile.
    world.cut()
    world.clock.advance(ms: 10_000)
    world.rows =
      old
      + (41...45).map {
        LogWorld.Row(id: $0, timeMs: start + 15_000 + Int64($0), kind: "llm_call", cost: 0.5)
      }
    try world.connect()
    #expect(log.totals.retained.actions == 45 && log.totals.retained.failures == 10)
    #expect(log.totals.retained.costUSD == 22.5)
    #expect(world.link.status.rowsMissing == 0, "rows that are on the screen are not missing")
    let again = accumulator.summary(
      of: log, coveredFromMs: nil, stats: nil, nowMs: world.clock.wallMs)
    #expect(again.byModel.reduce(0) { $0 + $1.usd } == 22.5)
  }

  @Test("D10: after a store has come back full of rows none of those before are missing")
  func gapsOfTheOldStore() throws {
    let world = LogWorld()
    let start = world.clock.wallMs
    // All of them are on the screen.
    let old = (1...200).map {
      LogWorld.Row(id: $0, timeMs: start - 7_200_000 + Int64($0) * 1_000)
    }
    world.rows = old
    try world.connect()
    world.cut()
    world.clock.advance(ms: 10_000)
    world.rows = [LogWorld.Row(id: 1, timeMs: start + 5_000, content: "new")]
    try world.connect()
    world.cut()
    world.clock.advance(ms: 60_000)
    // More of one kind than one answer holds, after the old rows.
    world.rows =
      old + [LogWorld.Row(id: 201, timeMs: start + 1)]
      + (202...1_301).map { LogWorld.Row(id: $0, timeMs: start + 20_000 + Int64($0)) }
    try world.connect()
    // 1,100 rows came since, of which 1,000 can be had.
    #expect(world.link.status.rowsMissing == 101, "\(world.gaps.map(\.gap))")
  }
}

/// A backend of rows, and the stores of a cockpit.
@MainActor
private final class LogWorld {
  struct Row {
    var id: Int
    var timeMs: Int64
    var kind = "voice_runtime"
    var content: String?
    var cost = 0.0

    var json: String {
      #"{"id":\#(id),"created_at":"\#(WireTime(milliseconds: timeMs).iso)","guild_id":"1","#
        + #""kind":"\#(kind)","content":"\#(content ?? "row \(id)")","usd_cost":\#(cost)}"#
    }
  }

  let clock = ManualClock()
  let transport = FakeTransport()
  let activity = ActivityStore()
  let link: Link
  private let sink: StoreSink
  var rows: [Row] = []

  init() {
    sink = StoreSink(
      activity: activity, voice: VoiceStore(), memory: MemoryStore(),
      connection: ConnectionStore(address: "here"), actions: ActionCache())
    guard let url = try? BackendURL("http://127.0.0.1:8787") else { fatalError("no URL") }
    link = Link(
      configuration: LinkConfiguration(baseURL: url, streams: [.activity]),
      transport: transport, clock: clock, random: { 0 })
  }

  /// Takes the next connection and answers what is asked until nothing more is.
  func connect() throws {
    if transport.tasks.isEmpty { link.start(into: sink) } else { link.retryNow() }
    transport.activity.head(200)
    transport.activity.event(
      "activity_snapshot", #"{"actions":\#(list(rows, limit: 220)),"stats":{}}"#)
    for _ in 0..<60 {
      for task in transport.tasks where task.request.purpose == .rest && !task.isOver {
        task.answer(200, page(task))
      }
      clock.advance(ms: 10)
    }
  }

  func cut() { transport.activity.end() }

  /// Newest first, ties by their ids (wire contract 3.2).
  private func list(_ rows: [Row], limit: Int) -> String {
    let newest = rows.sorted { ($0.timeMs, $0.id) > ($1.timeMs, $1.id) }.prefix(limit)
    return "[" + newest.map(\.json).joined(separator: ",") + "]"
  }

  private func page(_ task: FakeTask) -> String {
    var found = rows
    if let hours = task.query("sinceHours").flatMap(Double.init) {
      let sinceMs = clock.wallMs - Int64(hours * 3_600_000)
      found = found.filter { $0.timeMs >= sinceMs }
    }
    if let kinds = task.query("kinds") {
      let wanted = Set(kinds.split(separator: ",").map(String.init))
      found = found.filter { wanted.contains($0.kind) }
    }
    return list(found, limit: task.query("limit").flatMap(Int.init) ?? 200)
  }

  private var all: [ActionRowView] { activity.log.rows(in: 0..<activity.log.count) }

  /// Rows and holes, without other marks.
  private var shown: [ActionRowView] { all.filter { $0.gap?.kind.isOpen ?? true } }

  /// The gap rows with their places, newest first.
  var gaps: [(index: Int, gap: IDGapRow)] {
    shown.enumerated().compactMap { index, row in
      row.gap.flatMap { $0.kind.isOpen ? (index, $0) : nil }
    }
  }

  /// The other marks that tell of the log itself.
  var marks: [IDGapRow.Kind] {
    all.compactMap(\.gap?.kind).filter { if case .replaced = $0 { true } else { false } }
  }

  func id(at index: Int) -> Int? {
    shown.indices.contains(index) ? shown[index].actionID : nil
  }

  var contents: [String] { shown.filter { !$0.isGap }.map { $0.content() ?? "" } }
}

import ClankySource
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import Testing

/// Whatever happens on the way, the store ends with the history of the backend: every row once, equal
/// rows as often as they are there (promise P4). A backend is made up from a seed, and everything is
/// done to it that a network, a tunnel and a restart can do; then it is left alone for two of the quiet
/// comparisons.
@MainActor
@Suite struct ConvergenceTests {
  @Test(
    "cut, delayed, permuted, repeated and lost streams end in the same history (promise P4)",
    arguments: 0..<40)
  func streams(seed: UInt64) throws {
    let world = try World(seed: seed, trouble: [.streams])
    world.run(steps: 40)
    world.expectConverged()
    #expect(world.lostGaps.isEmpty, "seed \(seed): \(world.lostGaps)")
  }

  @Test(
    "REST that fails, is cut, comes late or says something else delays the history only (promise P4)",
    arguments: 0..<40)
  func rest(seed: UInt64) throws {
    let world = try World(seed: seed, trouble: [.streams, .rest])
    world.run(steps: 40)
    world.expectConverged()
    #expect(world.lostGaps.isEmpty, "seed \(seed): \(world.lostGaps)")
  }

  @Test(
    "a log that is replaced, emptied or restored is taken over (promise P4)", arguments: 0..<40)
  func replaced(seed: UInt64) throws {
    let world = try World(seed: seed, trouble: [.streams, .rest, .replacing])
    world.run(steps: 40)
    world.expectConverged()
  }

  @Test("what the backend no longer has is a gap row (promise P4)", arguments: 0..<8)
  func pruned(seed: UInt64) throws {
    let world = try World(seed: seed, trouble: [])
    world.connect()
    world.cut(.activity)
    world.cut(.voice)
    world.write(1_400 + Int(seed) * 10, kinds: ["voice_runtime"])
    world.settle()
    // Only 1,000 rows of a kind can be requested; the rest is reported as missing.
    let missing = world.lostGaps.reduce(0) { $0 + $1.to - $1.from + 1 }
    #expect(missing > 0)
    let known = world.history.filter { world.log.knows(actionID: $0.id) }
    #expect(known.count + missing == world.history.count)
    world.expectOnce(known)
  }
}

/// A backend, a network and a client, all in one thread of made-up time.
@MainActor
private final class World {
  struct Trouble: OptionSet {
    let rawValue: Int
    static let streams = Trouble(rawValue: 1)
    static let rest = Trouble(rawValue: 2)
    static let replacing = Trouble(rawValue: 4)
  }

  /// One stored row. Equal rows of one millisecond differ in their ids alone.
  struct Row: Hashable {
    var id: Int
    var timeMs: Int64
    var kind: String
    var content: String
    var user: String?
  }

  /// The identity of a row on screen.
  struct Face: Hashable {
    var timeMs: Int64
    var kind: String
    var content: String
    var user: String?
  }

  private let seed: UInt64
  private let trouble: Trouble
  private var random: SplitMix
  private let clock = ManualClock()
  private let transport = FakeTransport()
  private let activity = ActivityStore()
  private let sink: StoreSink
  private let tape = EventTape()
  private let tee: TeeSink
  private let link: Link
  private(set) var history: [Row] = []
  private var nextID = 1
  /// Rows that were written live and are still on their way, by stream.
  private var underWay: [SourceChannel: [Row]] = [:]
  private var isHealed = false
  private var isFirst = true
  private var concernsUsFromMs = Int64.min
  /// The rows of logs that were replaced: they stay on the screen.
  private var past: [Face: Int] = [:]

  var log: ActionLog { activity.log }

  init(seed: UInt64, trouble: Trouble) throws {
    self.seed = seed
    self.trouble = trouble
    random = SplitMix(seed: seed &* 7_919 &+ 13)
    sink = StoreSink(
      activity: activity, voice: VoiceStore(), memory: MemoryStore(),
      connection: ConnectionStore(address: "here"), actions: ActionCache())
    tee = TeeSink(sink, [tape])
    link = Link(
      configuration: LinkConfiguration(baseURL: try BackendURL("http://127.0.0.1:8787")),
      transport: transport, clock: clock, random: { 0 })
    if Bool.random(using: &random) { write(number(1...180)) }
  }

  private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  private func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  // MARK: the backend

  /// Writes rows, sometimes several in a millisecond and sometimes the same one twice.
  func write(
    _ count: Int, kinds: [String] = ["llm_call", "voice_runtime", "sent_reply", "voice_turn_in"]
  ) {
    for _ in 0..<count {
      if chance(40) { clock.advance(ms: number(1...400)) }
      var row = Row(
        id: nextID, timeMs: clock.wallMs, kind: kinds.randomElement(using: &random)!,
        content: ["", "a", "voice_turn_addressing", "日本 👍", "x\\n\(number(0...3))"]
          .randomElement(using: &random)!,
        user: chance(50) ? "7" : nil)
      if chance(15), let last = history.last, last.timeMs == row.timeMs {
        row = last
        row.id = nextID
      }
      nextID += 1
      history.append(row)
      for stream in SourceChannel.ofClanky where isLive(stream) {
        if stream == .activity || row.kind.hasPrefix("voice_") {
          underWay[stream, default: []].append(row)
        }
      }
    }
  }

  private func face(_ row: Row) -> Face {
    Face(timeMs: row.timeMs, kind: row.kind, content: row.content, user: row.user)
  }

  private func live(_ row: Row) -> String {
    "{\"kind\":\"\(row.kind)\",\"guildId\":\"1\",\"content\":\"\(row.content)\""
      + (row.user.map { ",\"userId\":\"\($0)\"" } ?? "")
      + ",\"createdAt\":\"\(WireTime(milliseconds: row.timeMs).iso)\"}"
  }

  private func stored(_ row: Row) -> String {
    "{\"id\":\(row.id),\"created_at\":\"\(WireTime(milliseconds: row.timeMs).iso)\",\"guild_id\":\"1\""
      + ",\"user_id\":\(row.user.map { "\"\($0)\"" } ?? "null"),\"kind\":\"\(row.kind)\""
      + ",\"content\":\(row.content.isEmpty ? "null" : "\"\(row.content)\""),\"usd_cost\":0}"
  }

  /// A list as the backend gives it: newest first, ties in any order.
  private func list(_ rows: some Sequence<Row>, limit: Int) -> String {
    let newest = rows.shuffled(using: &random).sorted { $0.timeMs > $1.timeMs }.prefix(limit)
    return "[" + newest.map(stored).joined(separator: ",") + "]"
  }

  // MARK: the network

  private func task(_ stream: SourceChannel) -> FakeTask? {
    transport.tasks("/api/\(stream.name)/events").last.flatMap { $0.isOver ? nil : $0 }
  }

  private var answered: Set<ObjectIdentifier> = []

  private func isLive(_ stream: SourceChannel) -> Bool {
    task(stream).map { answered.contains(ObjectIdentifier($0)) } ?? false
  }

  /// Answers every request that waits, streams and REST.
  func connect() {
    if transport.tasks.isEmpty { link.start(into: tee) }
    for stream in SourceChannel.ofClanky {
      guard let task = task(stream), !isLive(stream) else { continue }
      underWay[stream] = []
      answered.insert(ObjectIdentifier(task))
      task.head(200)
      if stream == .activity {
        var snapshot = "{\"actions\":\(list(history, limit: 220)),\"stats\":{}}"
        let isCut = troubled(.rest, 10)
        if isCut { snapshot = String(snapshot.prefix(snapshot.count / 2)) }
        if isFirst || !troubled(.streams, 5) { task.event("activity_snapshot", snapshot) }
        // Earlier rows are history: as many as a snapshot holds, without a promise.
        if isFirst, isCut { concernsUsFromMs = clock.wallMs }
        isFirst = false
        // A relay that repeats earlier events.
        if troubled(.streams, 30) { tell(history.suffix(number(1...12)), stream) }
      } else {
        task.event("voice_state", "{\"sessions\":[]}")
      }
    }
    answerREST()
  }

  private func troubled(_ kind: Trouble, _ percent: Int) -> Bool {
    trouble.contains(kind) && !isHealed && chance(percent)
  }

  private func tell(_ rows: some Sequence<Row>, _ stream: SourceChannel) {
    guard let task = task(stream) else { return }
    let name = stream == .activity ? "action_event" : "voice_event"
    for row in rows where stream == .activity || row.kind.hasPrefix("voice_") {
      task.event(name, live(row))
    }
  }

  private func answerREST() {
    for task in transport.tasks.suffix(60) where task.request.purpose == .rest && !task.isOver {
      if troubled(.rest, 25) { continue }  // later
      if troubled(.rest, 15) {
        task.answer(500, "{\"error\":\"database is locked\"}")
      } else if troubled(.rest, 10) {
        task.answer(200, "<html>sign in</html>", type: "text/html")
      } else if troubled(.rest, 8) {
        task.answer(200, "{\"error\":\"busy\"}")
      } else {
        var body = page(task)
        if troubled(.rest, 12) { body = String(body.prefix(body.utf8.count * 2 / 3)) }
        task.answer(200, body)
      }
    }
  }

  private func page(_ task: FakeTask) -> String {
    let limit = task.query("limit").flatMap(Int.init) ?? 200
    var rows = history
    if let hours = task.query("sinceHours").flatMap(Double.init) {
      let sinceMs = clock.wallMs - Int64(hours * 3_600_000)
      rows = rows.filter { $0.timeMs >= sinceMs }
    }
    if let kinds = task.query("kinds") {
      let wanted = Set(kinds.split(separator: ",").map(String.init))
      rows = rows.filter { wanted.contains($0.kind) }
    }
    return list(rows, limit: limit)
  }

  func cut(_ stream: SourceChannel) {
    underWay[stream] = []
    task(stream)?.end(chance(50) ? nil : .connectionLost("reset"))
  }

  private func deliver() {
    for stream in SourceChannel.ofClanky {
      var rows = underWay[stream] ?? []
      underWay[stream] = []
      guard isLive(stream) else { continue }
      if troubled(.streams, 20) { rows.shuffle(using: &random) }
      if troubled(.streams, 15) { rows.removeAll { _ in chance(30) } }
      let late = troubled(.streams, 20) ? rows.count / 2 : 0
      tell(rows.dropLast(late), stream)
      underWay[stream] = Array(rows.suffix(late))
    }
  }

  /// The database is another one: a new one, or a copy of an earlier state that goes on from there.
  private func replace() {
    for (face, count) in Dictionary(grouping: history, by: face).mapValues(\.count) {
      past[face] = max(past[face] ?? 0, count)
    }
    let kept = chance(50) ? number(0...history.count) : 0
    history = Array(history.prefix(kept))
    nextID = (history.last?.id ?? 0) + 1
    cut(.activity)
    cut(.voice)
    write(number(1...60))
  }

  // MARK: the run

  func run(steps: Int) {
    connect()
    for _ in 0..<steps {
      write(number(0...12))
      if chance(70) { deliver() }
      clock.advance(ms: number(0...5_000))
      if troubled(.streams, 12) {
        cut(.activity)
        if chance(50) { write(number(0...300)) }
      }
      if troubled(.streams, 8) { cut(.voice) }
      if troubled(.replacing, 6) { replace() }
      if chance(75) { connect() } else { answerREST() }
    }
    settle()
  }

  /// No more trouble, and time for everything that is done from time to time.
  func settle() {
    isHealed = true
    for _ in 0..<140 {
      deliver()
      connect()
      clock.advance(ms: 1_500)
      for stream in SourceChannel.ofClanky where isLive(stream) { task(stream)?.bytes(":\n\n") }
      answerREST()
    }
  }

  // MARK: what must be

  var lostGaps: [IDGapRow] {
    log.rows(in: 0..<log.count).compactMap(\.gap).filter { $0.kind == .lost }
  }

  func expectConverged() {
    expectOnce(history)
    expectPlayback()
  }

  /// Replaying the received events into other stores gives the same result: stores learn nothing
  /// through another path.
  private func expectPlayback() {
    let other = StoreSink(
      activity: ActivityStore(), voice: VoiceStore(), memory: MemoryStore(),
      connection: ConnectionStore(address: "here"), actions: ActionCache())
    tape.play(into: other)
    #expect(prints(of: other.activity.log) == prints(of: log), "seed \(seed)")
    #expect(other.activity.coverage == activity.coverage, "seed \(seed)")
    #expect(other.activity.stats == activity.stats, "seed \(seed)")
    #expect(other.connection.status == sink.connection.status, "seed \(seed)")
    #expect(other.connection.rejectedEvents == sink.connection.rejectedEvents, "seed \(seed)")
    #expect(other.voice.state == sink.voice.state, "seed \(seed)")
    #expect(other.voice.receivedNs == sink.voice.receivedNs, "seed \(seed)")
  }

  private func prints(of log: ActionLog) -> [String] {
    log.rows(in: 0..<log.count).map { row in
      "\(row.timeMs) \(row.actionID ?? -1) \(row.kind) \(row.content() ?? "-") \(String(describing: row.gap))"
    }
  }

  func expectOnce(_ rows: [Row]) {
    var shown: [Face: Int] = [:]
    var ids: [Int: Face] = [:]
    for row in log.rows(in: 0..<log.count) where !row.isGap {
      let face = Face(
        timeMs: row.timeMs, kind: row.kind,
        content: (row.content() ?? "").replacing("\n", with: "\\n"),
        user: row.userID)
      shown[face, default: 0] += 1
      if let id = row.actionID {
        #expect(ids[id] == nil, "seed \(seed): two rows with id \(id)")
        ids[id] = face
      }
    }
    let expected = Dictionary(grouping: rows, by: face).mapValues(\.count)
    for (face, count) in expected {
      let found = shown[face] ?? 0
      if found > max(count, past[face] ?? 0) || found < count && face.timeMs > concernsUsFromMs {
        Issue.record("seed \(seed): \(found) rows instead of \(count): \(face)")
      }
    }
    for row in rows where ids[row.id] != face(row) && row.timeMs > concernsUsFromMs {
      // After a replaced log it is unknown which older rows it still has, and under which ids.
      if trouble.contains(.replacing), ids[row.id] == nil { continue }
      Issue.record("seed \(seed): id \(row.id) is \(String(describing: ids[row.id])), not \(row)")
    }
  }
}

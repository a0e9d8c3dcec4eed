import ClankySource
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import Testing

/// History at the start and on demand, against a made-up backend that obeys the contract: the newest rows of
/// a list of kinds and a guild, 1,000 at the most, and nothing to go further back.
@MainActor
@Suite struct HistoryCoverageTests {
  @Test(
    "D1: coverage never claims what is not here, whatever is fetched, lost and found again",
    arguments: 0..<8)
  func property(seed: UInt64) throws {
    let world = try HistoryWorld(seed: seed)
    world.run()
  }

  @Test("D1: of a bot with fewer than 1,000 rows in a day all are here after a few requests")
  func aQuietBot() throws {
    let world = try HistoryWorld(seed: 3, rows: 900, spanMs: 20 * 3_600_000)
    world.connect()
    world.want(HistoryRequest(sinceMs: world.nowMs - 86_400_000, isUserRequested: false))
    world.settle()
    #expect(world.requests <= 2)
    #expect(world.sink.activity.coverage.isComplete(sinceMs: world.nowMs - 86_400_000))
    #expect(world.log.count == 900)
    #expect(world.link.status.history.topic == nil && !world.link.status.history.isWanted)
    // Nothing waits any more, and what has been fetched is not fetched again.
    let before = world.requests
    world.want(HistoryRequest(kinds: ["llm_call"], sinceMs: world.nowMs - 3_600_000))
    world.settle(rounds: 3)
    #expect(world.requests == before)
  }

  @Test(
    "D1: of a busy bot errors, sessions and model calls of a day are here; the rest says where it begins"
  )
  func aBusyBot() throws {
    let world = try HistoryWorld(seed: 5, rows: 6_000, spanMs: 20 * 3_600_000)
    world.connect()
    world.want(HistoryRequest(sinceMs: world.nowMs - 86_400_000, isUserRequested: false))
    world.settle()
    let coverage = world.sink.activity.coverage
    let dayAgo = world.nowMs - 86_400_000
    #expect(coverage.isComplete(sinceMs: dayAgo, kinds: ["voice_error", "voice_session_start"]))
    #expect(coverage.isComplete(sinceMs: dayAgo, kinds: ["memory_fact", "automation_run"]))
    #expect(!coverage.isComplete(sinceMs: dayAgo))
    #expect(!coverage.isComplete(sinceMs: dayAgo, kinds: ["voice_runtime"]))
    #expect(world.requests <= 14, "\(world.requests)")
    #expect(world.isOneAtATime)
    // A guild has fewer rows, so a list of it goes further back.
    let general = try #require(coverage.beginMs(kinds: ["voice_runtime"]))
    let guild = try #require(coverage.beginMs(kinds: ["voice_runtime"], guild: "1"))
    #expect(guild <= general)
    #expect(
      world.link.status.history.limits.contains { $0.part.kinds == ["voice_runtime"] })
  }

  @Test("D1: what a person asks for goes on to all that the backend keeps")
  func onDemand() throws {
    let world = try HistoryWorld(seed: 8, rows: 3_000, spanMs: 10 * 86_400_000)
    world.connect()
    world.want(HistoryRequest(kinds: ["voice_error"], sinceMs: .min))
    world.settle()
    #expect(
      world.sink.activity.coverage.beginMs(kinds: ["voice_error"]) == LogCoverage.everything)
    #expect(world.requests == 1)
  }

  @Test("D1: a backend that fails is left alone for longer and longer")
  func failing() throws {
    let world = try HistoryWorld(seed: 8, rows: 3_000, spanMs: 86_400_000)
    world.isFailing = true
    world.connect()
    world.want(HistoryRequest(sinceMs: world.nowMs - 86_400_000, isUserRequested: false))
    world.settle(rounds: 240)
    #expect((1...6).contains(world.requests), "\(world.requests)")
    #expect(world.link.status.history.stop != nil)
    world.isFailing = false
    world.settle(rounds: 240)
    #expect(world.link.status.history.stop == nil)
    #expect(
      world.sink.activity.coverage.isComplete(
        sinceMs: world.nowMs - 86_000_000, kinds: ["voice_error"]))
  }

  @Test("D1: past rows never push out newer ones, and what finds no room is said")
  func aSmallRing() throws {
    let world = try HistoryWorld(
      seed: 4, rows: 4_000, spanMs: 20 * 3_600_000, memory: 4 << 20, padding: 1_500)
    world.connect()
    world.want(HistoryRequest(sinceMs: world.nowMs - 86_400_000, isUserRequested: false))
    world.settle()
    #expect(world.log.totals.evicted == 0)
    #expect(world.link.status.history.stop == .memory)
    world.check("a small ring")
    // Live rows go on to have their place.
    for _ in 0..<40 {
      world.write(100)
      world.check("rows are given up")
    }
    #expect(world.log.totals.evicted > 0)
  }
}

/// A backend with a past, and a client, in one thread of made-up time.
@MainActor
private final class HistoryWorld {
  private struct Row {
    var id: Int
    var timeMs: Int64
    var kind: String
    var guild: String?
    var content: String { "r\(id)" }
  }

  private static let kinds =
    [String](repeating: "voice_runtime", count: 12) + [
      "llm_call", "llm_call", "sent_reply", "reply_skipped", "voice_turn_in", "voice_turn_in",
      "voice_turn_out", "memory_fact", "voice_error", "voice_session_start", "automation_run",
      "memory_embedding_call", "asr_call", "a_kind_of_tomorrow", "bot_lifecycle",
    ]

  private let clock = ManualClock()
  private let transport = FakeTransport()
  let sink: StoreSink
  let link: Link
  private var random: SplitMix
  private let seed: UInt64
  private let padding: String
  private var rows: [Row] = []
  private var nextID = 1
  private var isConnected = false
  private var cutMs: Int64?
  private var answered: Set<ObjectIdentifier> = []
  private(set) var requests = 0
  /// Whether there never were two requests at a time.
  private(set) var isOneAtATime = true
  var isFailing = false

  var log: ActionLog { sink.activity.log }
  var nowMs: Int64 { clock.wallMs }

  init(
    seed: UInt64, rows count: Int? = nil, spanMs: Int64? = nil, memory: Int = 64 << 20,
    padding: Int = 0
  ) throws {
    self.seed = seed
    self.padding = String(repeating: "x", count: padding)
    random = SplitMix(seed: seed &* 104_729 &+ 7)
    sink = StoreSink(
      activity: ActivityStore(memory: memory), voice: VoiceStore(), memory: MemoryStore(),
      connection: ConnectionStore(address: "here"), actions: ActionCache())
    link = Link(
      configuration: LinkConfiguration(
        baseURL: try BackendURL("http://127.0.0.1:8787"), streams: [.activity]),
      transport: transport, clock: clock, random: { 0 })
    let total = count ?? Int.random(in: 0...2_500, using: &random)
    let span = spanMs ?? Int64.random(in: 1...72, using: &random) * 3_600_000
    let end = clock.wallMs - 1_000
    var times = (0..<total).map { _ in end - Int64.random(in: 0..<span, using: &random) }
    // Several rows of one millisecond, at the ends of lists too.
    for index in times.indices where index % 3 == 0 && index > 0 { times[index] = times[index - 1] }
    for time in times.sorted() { add(time) }
  }

  private func add(_ timeMs: Int64) {
    let kind = Self.kinds.randomElement(using: &random)!
    let guild =
      kind == "bot_lifecycle" ? nil : ["1", "2", "2", "2"].randomElement(using: &random)!
    rows.append(Row(id: nextID, timeMs: timeMs, kind: kind, guild: guild))
    nextID += 1
  }

  // MARK: the backend

  private func json(_ row: Row, isLive: Bool = false) -> String {
    let guild = row.guild.map { "\"\($0)\"" } ?? "null"
    let time = WireTime(milliseconds: row.timeMs).iso
    let rest =
      "\"kind\":\"\(row.kind)\",\"content\":\"\(row.content)\",\"metadata\":{\"p\":\"\(padding)\"}"
    return isLive
      ? "{\"guildId\":\(guild),\"createdAt\":\"\(time)\",\(rest)}"
      : "{\"id\":\(row.id),\"guild_id\":\(guild),\"created_at\":\"\(time)\",\(rest)}"
  }

  /// As the backend sorts: time descending, ids ascending.
  private func list(_ rows: some Sequence<Row>, limit: Int) -> String {
    let sorted = rows.sorted { ($1.timeMs, $0.id) < ($0.timeMs, $1.id) }
    return "[" + sorted.prefix(limit).map { json($0) }.joined(separator: ",") + "]"
  }

  private func page(_ task: FakeTask) -> String {
    let limit = min(1_000, task.query("limit").flatMap(Int.init) ?? 200)
    let kinds = task.query("kinds").map { Set($0.split(separator: ",").map(String.init)) }
    let guild = task.query("guildId")
    let sinceMs = task.query("sinceHours").flatMap(Double.init).map {
      clock.wallMs - Int64($0 * 3_600_000)
    }
    return list(
      rows.filter {
        kinds?.contains($0.kind) ?? true && (guild == nil || $0.guild == guild)
          && $0.timeMs >= sinceMs ?? .min
      }, limit: limit)
  }

  private func answer() {
    let waiting = transport.tasks.suffix(40).filter {
      $0.request.purpose == .rest && !$0.isOver && !answered.contains(ObjectIdentifier($0))
    }
    if waiting.count > 1 { isOneAtATime = false }
    for task in waiting {
      answered.insert(ObjectIdentifier(task))
      // The quiet comparison asks for the last minutes.
      let hours = task.query("sinceHours").flatMap(Double.init) ?? .infinity
      let isHistory = task.query("kinds") != nil || hours > 0.9
      if isHistory { requests += 1 }
      if isFailing, isHistory {
        task.answer(500, "{}")
      } else {
        task.answer(200, page(task))
      }
    }
  }

  func connect() {
    if transport.tasks.isEmpty { link.start(into: sink) }
    let task = transport.activity
    guard !task.isOver, answered.insert(ObjectIdentifier(task)).inserted else { return }
    var counts: [String: Int] = [:]
    for row in rows where row.timeMs >= clock.wallMs - 86_400_000 {
      counts[row.kind, default: 0] += 1
    }
    let last24h = ["llm_call", "sent_reply", "voice_turn_in", "voice_error"].map {
      "\"\($0)\":\(counts[$0] ?? 0)"
    }
    task.head(200)
    task.event(
      "activity_snapshot",
      "{\"actions\":\(list(rows.suffix(400), limit: 220)),\"stats\":{\"stats\":{\"last24h\":{\(last24h.joined(separator: ","))}}}}"
    )
    isConnected = true
    cutMs = nil
  }

  private func cut() {
    guard isConnected else { return }
    isConnected = false
    cutMs = clock.wallMs
    transport.activity.end(.connectionLost("reset"))
  }

  func write(_ count: Int) {
    for _ in 0..<count {
      if Int.random(in: 0...2, using: &random) > 0 { clock.advance(ms: 7) }
      add(clock.wallMs)
      if isConnected {
        transport.activity.event("action_event", json(rows[rows.count - 1], isLive: true))
      }
    }
  }

  // MARK: the run

  func want(_ request: HistoryRequest) { link.fetchHistory(request) }

  func settle(rounds: Int = 60) {
    for _ in 0..<rounds {
      answer()
      clock.advance(ms: 1_000)
      if isConnected { transport.activity.bytes(":\n\n") } else { connect() }
    }
  }

  func run() {
    connect()
    check("the snapshot")
    want(HistoryRequest(sinceMs: nowMs - 86_400_000, isUserRequested: false))
    for step in 0..<30 {
      write(Int.random(in: 0...20, using: &random))
      if Int.random(in: 0...9, using: &random) == 0 {
        cut()
        write(Int.random(in: 0...1_200, using: &random))
      }
      clock.advance(ms: Int.random(in: 100...3_000, using: &random))
      if isConnected { transport.activity.bytes(":\n\n") } else { connect() }
      guard check("step \(step), before answers") else { return }
      if Int.random(in: 0...3, using: &random) > 0 { answer() }
      guard check("step \(step)") else { return }
      if Int.random(in: 0...14, using: &random) == 0 {
        let kinds = Set((0..<2).map { _ in Self.kinds.randomElement(using: &random)! })
        want(
          HistoryRequest(
            kinds: Bool.random(using: &random) ? kinds : nil,
            guild: Bool.random(using: &random) ? "1" : nil,
            sinceMs: Bool.random(using: &random)
              ? .min : nowMs - Int64.random(in: 1...72, using: &random) * 3_600_000))
      }
    }
    for _ in 0..<10 where link.status.history.isWanted { settle() }
    settle(rounds: 3)
    check("the end")
    #expect(!link.status.history.isWanted, "seed \(seed)")
    expectOnce()
  }

  private func expectOnce() {
    var seen: Set<String> = []
    for row in log.rows(in: 0..<log.count) where !row.isGap {
      #expect(seen.insert(row.content() ?? "").inserted, "seed \(seed): \(row.content() ?? "")")
    }
  }

  private var here: Set<String> = []
  private var seenRow = 0

  /// Whatever the coverage claims is here; false when it is not.
  @discardableResult
  func check(_ moment: String) -> Bool {
    let coverage = sink.activity.coverage
    let endMs = cutMs ?? .max
    if log.totals.evicted > 0 { (here, seenRow) = ([], log.firstRow) }
    for id in seenRow..<log.endRow {
      if let row = log.row(id), !row.isGap { here.insert(row.content() ?? "") }
    }
    seenRow = log.endRow
    let missing = rows.filter { $0.timeMs < endMs && !here.contains($0.content) }
    for kinds in Self.scopes {
      for guild in [nil, "1", "2"] {
        guard let begin = coverage.beginMs(kinds: kinds, guild: guild),
          let row = missing.first(where: {
            $0.timeMs >= begin && kinds?.contains($0.kind) ?? true
              && (guild == nil || $0.guild == guild)
          })
        else { continue }
        Issue.record(
          "seed \(seed), \(moment): \(row) is not here; \(kinds ?? []), \(guild ?? "-"), from \(begin)"
        )
        return false
      }
    }
    return true
  }

  private static let scopes: [Set<String>?] = [
    nil, ["voice_error", "voice_runtime"], ["llm_call", "x"], ["voice_runtime"],
    ["memory_fact", "voice_session_start"], ["a_kind_of_tomorrow"], ["sent_reply"],
  ]
}

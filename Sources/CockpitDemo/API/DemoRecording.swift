/// The story as it would have been heard, made at once: a clock of its own runs as fast as it can, and there is no
/// network. The same options and the same start give the same records.
package enum DemoRecording {
  /// What was heard at a time, in ms since 1970.
  package enum Record: Sendable {
    /// A stored action.
    case row(json: [UInt8])
    /// A state or an answer: `stats`, `voice_state`, `GET /api/guilds`.
    case document(name: String, body: [UInt8])
  }

  /// Ids and names of all people and places of the demo, for tests that look for them.
  package static var everybody: [(id: String, name: String)] {
    ([Cast.bot, Cast.jukebox] + Cast.people).map { ($0.id, $0.name) }
      + Cast.guilds.map { ($0.id, $0.name) }
      + Cast.guilds.flatMap(\.channels).map { ($0.id, $0.name) }
  }

  /// How often the states are pushed (contract 2.3).
  private static let stepMs: Int64 = 3000
  private static let statsMs: Int64 = 30_000

  /// - Parameters:
  ///   - options: the clock of these is not used.
  ///   - startMs: the story's beginning; of a finished past, its end.
  ///   - ms: how long to listen.
  package static func run(
    _ options: DemoOptions, startMs: Int64, forMs ms: Int64,
    _ take: (_ atMs: Int64, Record) -> Void
  ) async {
    let clock = ManualDemoClock(startMs: startMs)
    var options = options
    options.clock = clock
    options.faults.httpControl = true
    let engine = DemoEngine(options: options, token: DemoEngine.ownToken, port: 8787)
    await engine.begin(dropConnections: {})
    var lastID: Int64 = 0
    var targets = Self.targets
    for id in Self.ids(await engine.body("/api/guilds")) {
      targets.append("/api/guilds/\(id)/channels")
      targets.append("/api/automations?guildId=\(id)&limit=120")
      targets.append("/api/memory/facts?guildId=\(id)&limit=500")
      targets.append("/api/memory/subjects?guildId=\(id)&limit=500")
      targets.append("/api/memory?guildId=\(id)")
    }
    let endMs = startMs + max(0, ms)
    var isFirst = true
    while true {
      let now = clock.nowMs
      let rows = await engine.rows(after: lastID)
      lastID = rows.last?.id ?? lastID
      for row in rows { take(row.atMs, .row(json: row.json)) }
      var documents = [("voice_state", "/api/voice/state")]
      // They repeat the state of voice.
      if (now - startMs) % Self.statsMs < Self.stepMs { documents.append(("stats", "/api/stats")) }
      if isFirst { documents += targets.map { ("GET " + $0, $0) } }
      for (name, target) in documents {
        let body = await engine.body(target)
        if !body.isEmpty { take(now, .document(name: name, body: body)) }
      }
      isFirst = false
      guard now < endMs else { break }
      clock.advance(byMs: min(stepMs, endMs - now))
      await engine.catchUp()
    }
    await engine.stop()
  }

  /// What the tabs show besides.
  private static let targets = [
    "/api/guilds", "/api/memory", "/api/memory/reflections?limit=100",
    "/api/voice/history/sessions?limit=200",
  ]

  private static func ids(_ guilds: [UInt8]) -> [String] {
    guard case .array(let list) = try? DemoJSON.parse(guilds) else { return [] }
    return list.compactMap { if case .string(let id) = $0["id"] { id } else { nil } }
  }
}

extension DemoEngine {
  struct StoredRow: Sendable {
    var id: Int64
    var atMs: Int64
    var json: [UInt8]
  }

  /// The rows that came after one, oldest first.
  func rows(after id: Int64) -> [StoredRow] {
    var query = ActionQuery(limit: .max, oldestFirst: true)
    query.kinds = []
    return stored(query).filter { $0.id > id }.sorted { $0.id < $1.id }
      .map { StoredRow(id: $0.id, atMs: $0.createdMs, json: $0.json.serialized()) }
  }

  /// Only this engine has it, and there is no network.
  static let ownToken = "recording"

  /// The answer to a GET.
  func body(_ target: String) async -> [UInt8] {
    let request = HTTPRequest(
      method: "GET", target: target, headers: ["x-dashboard-token": Self.ownToken], body: [])
    guard case .reply(let reply) = await handle(request) else { return [] }
    return reply.status == 200 ? reply.body : []
  }
}

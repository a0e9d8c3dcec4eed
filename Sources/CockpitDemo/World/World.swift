import Foundation

/// Everything the demo backend knows. A plain class: it belongs to one actor and is never shared.
final class World {
  let options: DemoOptions
  var store: DemoStore
  let startMs: Int64
  let prose: Prose

  /// Time of the event being run; rows are stamped with it.
  var now: Int64
  var random: DemoRandom
  /// Kept apart, so that signing in does not change the story.
  var cookieRandom = DemoRandom(seed: 0x636F_6F6B)
  var queue = EventQueue<World>()
  var stats = StatsTotals()
  var token: String
  /// The port the server listens on; part of the tunnel description.
  var boundPort: UInt16 = 0

  var sessions: [VoiceSession] = []
  var tunnel: Tunnel
  var gateway = Gateway()
  var lastBotMessageMs: Int64?
  var pendingReplies = 0
  var settingsMs: Int64
  var conversation: [ChatLine] = []
  var cursors = StoryCursors()
  /// The ground truth, if the scenario records it.
  var truth = Truth()
  /// The rows of a past that is being written; nil while rows are stored and sent at once.
  var recording: [Action]?
  /// Taints the output of the hostile scenario.
  private var taint = Taint()
  /// When the memory of a guild was erased last.
  var purgedMs: [String: Int64] = [:]
  var shares = ShareRegistry()
  var ingestLimit = IngestLimit()
  var settings: SettingsState
  var oauth = OAuthState()

  var activitySinks: [StreamSink] = []
  var voiceSinks: [StreamSink] = []
  let streamFaults = StreamFaults()

  /// Kinds written so far.
  private(set) var kinds: Set<String> = []
  private var snowflakeCounter: Int64 = 0

  var dialect: DemoDialect { options.dialect }
  var isMay: Bool { options.dialect == .may }

  init(options: DemoOptions, token: String) {
    self.options = options
    self.token = token
    store = DemoStore(maxRows: options.maxRows)
    startMs = options.clock.nowMs - Int64(options.leadMs) - options.scenario.pastMs
    now = startMs
    settingsMs = startMs - 3 * DemoTime.day
    settings = SettingsState(options.dialect)
    random = DemoRandom(seed: options.seed)
    prose = Prose(seed: options.seed, dialect: options.dialect)
    tunnel = Tunnel(
      host: options.tunnelHost ?? "quiet-ember-atlas-fern.trycloudflare.com",
      startedMs: startMs - 9_000)
  }

  // MARK: Time

  /// Story milliseconds as real ones at the chosen rate.
  func pace(_ ms: Int) -> Int { max(1, Int(Double(ms) / options.rate)) }

  /// Plans `run` in `ms` real milliseconds.
  func after(_ ms: Int, _ run: @escaping (World) -> Void) {
    queue.add(at: now + Int64(ms), run)
  }

  /// Runs everything that is due at `time`.
  func run(until time: Int64) {
    if let due = queue.nextDue, time - due > 5000, options.clock is SystemDemoClock {
      // The machine slept; continue the story where it stopped instead of replaying a burst.
      queue.shift(by: time - due)
    }
    while let entry = queue.pop(dueBy: time) {
      now = max(now, entry.due)
      entry.run(self)
    }
    now = max(now, time)
  }

  /// Runs the part of the story that has happened before the start, a second at a time, as it would have
  /// come.
  func runLead() {
    let end = startMs + Int64(options.leadMs)
    var time = startMs
    while time < end {
      time = min(end, time + 1000)
      run(until: time)
    }
  }

  /// A Discord id for something made now (42 bits of time since 2015, then a counter).
  func snowflake() -> String {
    snowflakeCounter += 1
    return String((now - 1_420_070_400_000) << 22 | (snowflakeCounter & 0x3F_FFFF))
  }

  // MARK: Actions

  /// Stores an action and sends it to every stream; ignores kinds this dialect does not write.
  func log(
    _ kind: String, in place: Place = .nowhere, message: String? = nil, user: String? = nil,
    content: DemoJSON? = nil, metadata: DemoJSON? = nil, cost: Double? = nil,
    extra: DemoJSON = [:]
  ) {
    guard
      let action = makeAction(
        kind, in: place, message: message, user: user, content: content, metadata: metadata,
        cost: cost, extra: extra)
    else { return }
    guard recording == nil else {
      recording?.append(action)
      return
    }
    save([action.row])
    broadcast([action])
  }

  struct Action {
    var row: ActionRow
    var live: DemoJSON
    /// The phases of a reply, in ms by name.
    var timings: [String: Int]?
  }

  func makeAction(
    _ kind: String, in place: Place, message: String?, user: String?, content: DemoJSON?,
    metadata: DemoJSON?, cost: Double?, extra: DemoJSON = [:]
  ) -> Action? {
    guard Kinds.isWritten(kind, by: dialect) else { return nil }
    var metadata = metadata.map { spoilt($0, of: "row." + kind) }
    let content = content.map { spoilt($0, of: "content") }
    if kind == "voice_runtime", let name = content?.stringValue,
      (isMay ? Kinds.marchOnlyVoice : Kinds.mayOnlyVoice).contains(name)
    {
      return nil
    }
    if !isMay {
      if let keys = Kinds.mayOnlyKeys[kind] { metadata = metadata?.removing(keys) }
    }
    var live: DemoJSON = ["kind": .string(kind)]
    if let guild = place.guild { live = live.setting("guildId", .string(guild)) }
    let null = Kinds.explicitNulls[kind]
    if place.channel != nil || null == "channelId" {
      live = live.setting("channelId", .text(place.channel))
    }
    let messageLast = kind == "memory_fact"
    if !messageLast, message != nil || null == "messageId" {
      live = live.setting("messageId", .text(message))
    }
    if let user { live = live.setting("userId", .string(user)) }
    if messageLast, let message { live = live.setting("messageId", .string(message)) }
    live = live.merging(extra)
    if let content { live = live.setting("content", content) }
    let frozen = metadata?.frozen
    if let frozen { live = live.setting("metadata", frozen) }
    if let cost { live = live.setting("usdCost", .double(cost)) }
    live = live.setting("createdAt", .time(now))
    let row = ActionRow(
      createdMs: now, guild: place.guild, channel: place.channel, message: message, user: user,
      kind: kind, content: Self.storedContent(content), metadata: frozen?.text,
      cost: cost ?? 0)
    let timings = metadata?["performance"].flatMap(StatsTotals.timings)
    stats.add(kind: kind, ms: now, cost: cost ?? 0, timings: timings)
    return Action(row: row, live: live, timings: timings)
  }

  /// Stores rows and returns their ids.
  @discardableResult
  func save(_ rows: [ActionRow]) -> [Int64] {
    for row in rows { kinds.insert(row.kind) }
    let ids = store.insert(rows)
    if store.pruneIfDue(adding: rows.count, now: now) {
      let costs = store.costs()
      stats.setCosts(total: costs.total, byDay: costs.byDay)
    }
    return ids
  }

  /// `json` as it leaves the backend: unchanged except in the hostile scenario.
  func spoilt(_ json: @autoclosure () -> DemoJSON, of name: String) -> DemoJSON {
    options.scenario == .hostile ? taint.spoil(json(), of: name) : json()
  }

  /// Sends live actions, each followed by the statistics (contract 2.3). Actions of one call share
  /// one serialisation of the statistics.
  func broadcast(_ actions: [Action]) {
    guard !activitySinks.isEmpty || !voiceSinks.isEmpty else { return }
    let update = activitySinks.isEmpty ? Data() : statsUpdate()
    for action in actions {
      let body = action.live.serialized()
      if !activitySinks.isEmpty {
        send(Frame.event("action_event", body), to: &activitySinks)
        send(update, to: &activitySinks)
      }
      if action.row.kind.hasPrefix("voice_"), !voiceSinks.isEmpty {
        send(Frame.event("voice_event", body), to: &voiceSinks)
      }
    }
  }

  func send(_ frame: Data, to sinks: inout [StreamSink]) {
    var closed = false
    for sink in sinks where !sink.send(frame) { closed = true }
    if closed { sinks.removeAll { $0.isClosed } }
  }

  func statsUpdate() -> Data {
    Frame.event("stats_update", statsEnvelope().serialized())
  }

  /// The content column: text cut to 2000 UTF-16 units, empty text as null (contract 4.1).
  private static func storedContent(_ content: DemoJSON?) -> String {
    switch content {
    case .string(let text):
      if text.isEmpty { return "null" }
      if text.utf8.count <= 2000 { return DemoJSON.string(text).text }
      return DemoJSON.units(Array(text.utf16.prefix(2000))).text
    case .units(let units):
      return units.isEmpty ? "null" : DemoJSON.units(Array(units.prefix(2000))).text
    default:
      return "null"
    }
  }
}

/// Framing of event streams (contract 2.2).
enum Frame {
  static let heartbeat = Data(": heartbeat\n\n".utf8)

  static func event(_ name: String, _ body: [UInt8]) -> Data {
    var data = Data(capacity: body.count + name.utf8.count + 16)
    data.append(contentsOf: "event: \(name)\ndata: ".utf8)
    data.append(contentsOf: body)
    data.append(contentsOf: [10, 10])
    return data
  }
}

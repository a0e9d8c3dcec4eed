import ClankyWire
import LenientJSON

/// An overview as one JSON object: the output of `status --json` and the cache of a widget. Both
/// share one form, so that a cached overview can be read like a fresh one.
extension BotOverview {
  /// ASCII, without a line end.
  ///
  /// - Parameter more: adds keys of the caller, such as the age of a cached overview.
  package func json(_ more: (inout JSONObjectWriter) -> Void = { _ in }) -> [UInt8] {
    var line = JSONObjectWriter()
    line.string("state", health.rawValue)
    line.string("detail", detail)
    line.string("backend", backend)
    line.string("at", WireTime(milliseconds: takenAtMs).iso)
    if let guildID {
      line.string("guild_id", guildID)
      line.string("guild", guild)
    }
    line.int("window_minutes", Self.windowMinutes)
    line.int("actions", activity?.actions)
    line.int("errors", activity?.failures)
    line.bool("capped", activity?.isCapped)
    line.double("cost_today_usd", costToday)
    line.value("forecast", forecast ?? .null)
    line.string("utc_day", WireTime(milliseconds: backendMs(takenAtMs)).utcDay)
    line.value("latency", latency?.json ?? .null)
    line.value(
      "last_24h",
      last24h.map { counts in
        .object(counts.sorted { $0.key < $1.key }.map { ($0.key, .count($0.value)) })
      } ?? .null)
    line.string("bot", botWord)
    line.value("triage", .array(triage.map(\.json)))
    line.value("promises", .array(promises.map(\.json)))
    line.bool("bot_ready", isReady)
    line.int("guilds", guildCount)
    line.double("rest_latency_ms", latencyMs)
    line.int("clock_skew_ms", skewMs)
    line.value("voice", sessions.map { .array($0.map(\.json)) } ?? .null)
    line.value("recent", .array(rows.map(\.json)))
    more(&line)
    return line.finish()
  }

  /// nil if the bytes are no overview.
  package init?(json bytes: [UInt8]) {
    guard let json = try? JSONValue.parse(bytes), let fields = JSONFields(json),
      let health = fields.string("state").flatMap(Health.init(rawValue:)),
      let backend = fields.string("backend"), let at = fields.time("at")
    else { return nil }
    self.init(
      health: health, backend: backend, takenAtMs: at.milliseconds, detail: fields.string("detail"))
    if let actions = fields.int("actions"), let failures = fields.int("errors") {
      activity = Activity(
        actions: actions, failures: failures, isCapped: fields.bool("capped") ?? false)
    }
    guildID = fields.id("guild_id")
    guild = fields.string("guild")
    costToday = fields.double("cost_today_usd")
    botWord = fields.string("bot")
    promises = fields.list("promises", of: PromiseLine.init(json:)) ?? []
    isReady = fields.bool("bot_ready")
    guildCount = fields.int("guilds")
    latencyMs = fields.double("rest_latency_ms")
    skewMs = fields.int("clock_skew_ms")
    sessions = fields.list("voice", of: Session.init(json:))
    rows = Array((fields.list("recent", of: Row.init(json:)) ?? []).prefix(Self.rowLimit))
    newestRowMs = rows.map(\.atMs).max()
  }
}

extension BotOverview.Session {
  fileprivate var json: JSONValue {
    .object([
      ("session_id", .string(sessionID)), ("guild_id", .text(guildID)),
      ("channel_id", .text(channelID)), ("channel", .text(channel)), ("people", .count(people)),
      ("attention", .text(attention)),
      ("started_at", .text(startedAtMs.map { WireTime(milliseconds: $0).iso })),
      ("last_reply", .text(lastReply)),
    ])
  }

  fileprivate init?(json: JSONValue) {
    guard let fields = JSONFields(json), let id = fields.string("session_id") else { return nil }
    self.init(sessionID: id)
    guildID = fields.id("guild_id")
    channelID = fields.id("channel_id")
    channel = fields.string("channel")
    people = fields.int("people")
    attention = fields.string("attention")
    startedAtMs = fields.time("started_at")?.milliseconds
    lastReply = fields.string("last_reply")
  }
}

extension ReplyLatency {
  /// Times in ms; `n` is the number of replies behind a line.
  fileprivate var json: JSONValue {
    .object(
      [
        ("window_hours", .count(hours)), ("source", .string("backend")),
        ("samples", .count(performance.sampleCount)),
        ("replies", .count(performance.byKind["sent_reply"])),
        ("standalone", .count(performance.byKind["sent_message"])),
        ("skipped", .count(performance.byKind["reply_skipped"])),
      ] + Phase.allCases.map { ($0.rawValue, json(self[$0])) })
  }

  private func json(_ metric: Metric) -> JSONValue {
    .object([
      ("n", .count(metric.count)), ("p50_ms", .count(metric.p50Ms)),
      ("p95_ms", .count(metric.p95Ms)),
      ("avg_ms", metric.avgMs.map { .number(JSONNumber(text: "\($0)")) } ?? .null),
      ("min_ms", .count(metric.minMs)), ("max_ms", .count(metric.maxMs)),
    ])
  }
}

extension BotOverview.PromiseLine {
  fileprivate init?(json: JSONValue) {
    guard let fields = JSONFields(json), let name = fields.string("name"),
      let verdict = fields.string("verdict")
    else { return nil }
    self.init(
      name: name, verdict: verdict, sentence: fields.string("sentence") ?? "", json: json)
  }
}

extension BotOverview.Trouble {
  fileprivate var json: JSONValue {
    .object([
      ("rule", .string(rule)), ("level", .string(level)), ("sentence", .string(sentence)),
      ("since", .string(WireTime(milliseconds: sinceMs).iso)), ("count", .count(count)),
      ("next", .text(next)), ("rows", .array(rows.map { .integer($0) })),
    ])
  }
}

extension BotOverview.Row {
  fileprivate var json: JSONValue {
    .object([
      ("created_at", .string(WireTime(milliseconds: atMs).iso)), ("kind", .string(kind)),
      ("label", .string(label)), ("text", .string(text)), ("failed", .bool(isFailure)),
    ])
  }

  fileprivate init?(json: JSONValue) {
    guard let fields = JSONFields(json), let at = fields.time("created_at"),
      let kind = fields.string("kind")
    else { return nil }
    self.init(
      atMs: at.milliseconds, kind: kind, label: fields.string("label") ?? kind,
      text: fields.string("text") ?? "", isFailure: fields.bool("failed") ?? false)
  }
}

extension JSONValue {
  fileprivate static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(JSONObject(members: members.map { .init(key: $0.0, value: $0.1) }))
  }

  fileprivate static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  fileprivate static func count(_ count: Int?) -> JSONValue {
    count.map { .integer($0) } ?? .null
  }
}

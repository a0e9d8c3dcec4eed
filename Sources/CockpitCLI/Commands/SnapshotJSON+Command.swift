import CockpitAnswers
import CockpitPanes
import CockpitSession
import CockpitDomain
import ClankyWire
import CockpitStores
import LenientJSON

/// The data behind CMD. Unknown values are null, and so are those that the backend does not serve;
/// `not_served` lists them.
extension SnapshotJSON {
  func command(_ line: inout JSONObjectWriter) {
    let status = model.bot.source.status
    line.int("reconnects", status.reconnects)
    line.int("reconnect_attempts", status.reconnectAttempts)
    line.int("gaps_filled", status.gapsFilled)
    line.int("rows_missing", status.rowsMissing)
    line.double("rest_latency_ms", status.restLatencyMs)
    line.double("rest_p50_ms", status.restP50Ms)
    line.double("rest_p95_ms", status.restP95Ms)
    line.int("rest_requests", status.restRequests)
    line.int("rest_failures", status.restFailures)
    line.int("clock_skew_ms", status.skewMs)
    line.string("polling_reason", status.pollingReason)
    line.value(
      "streams",
      .body(status.channels.map { ($0.channel.name, stream($0.status)) }))
    let facts = model.facts
    line.string("profile", facts.profile)
    line.bool("read_only", facts.isReadOnly)
    line.string("token_place", facts.setup.tokenPlace)
    line.value("cost", cost(facts.costs))
    let store = model.bot.command
    line.value("guilds", list(store.guilds.value, guild))
    line.value(
      "automations",
      .array(
        store.automations.keys.filter(facts.scope.holds).sorted().flatMap {
          store.automations[$0]?.value?.rows ?? []
        }
        .map(automation)))
    line.value(
      "browser_agents",
      list(
        store.browserSessions.value?.sessions.filter { facts.scope.holds($0.guildID) }, browser))
    line.value("voice_history", .array(facts.pastSessions.map(session)))
    line.value("can_leave_voice", store.canLeave.map(JSONValue.bool) ?? .null)
    line.value("not_served", .array(notServed(store).map(JSONValue.string)))
    line.value("log", .array(store.log.entries.reversed().map(entry)))
  }

  private func notServed(_ store: OperationsStore) -> [String] {
    var names: [String] = []
    if case .notServed = store.guilds { names.append("guilds") }
    if case .notServed = store.browserSessions { names.append("browser_agents") }
    if case .notServed = store.accounts { names.append("accounts") }
    if case .notServed = store.settings { names.append("settings") }
    return names
  }

  private func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
  private func number(_ value: Int?) -> JSONValue {
    value.map { .integer($0) } ?? .null
  }
  private func number(_ value: Double?) -> JSONValue { value.flatMap(JSONValue.finite) ?? .null }
  private func list<Row>(_ rows: [Row]?, _ json: (Row) -> JSONValue) -> JSONValue {
    rows.map { .array($0.map(json)) } ?? .null
  }

  private func stream(_ stream: StreamStatus) -> JSONValue {
    .body([
      ("state", .string(stream.state.rawValue)),
      ("last_byte_ms", number(stream.lastByteAgoMs(nowNs: model.nowNs))),
      ("events_per_minute", number(stream.eventsPerMinute)), ("bytes", number(stream.bytes)),
    ])
  }

  private func cost(_ costs: CostSummary) -> JSONValue {
    .body([
      ("today_utc_usd", number(costs.today)), ("kept_rows_usd", number(costs.retained)),
      ("rate_usd_per_hour", number(costs.rate?.usdPerHour)),
      ("rate_window_seconds", number(costs.rate.map { Int($0.overMs / 1000) })),
      ("rate_15m_usd_per_hour", number(rate(costs.rate, over: CostSummary.Rate.shortMs))),
      ("rate_6h_usd_per_hour", number(rate(costs.longRate, over: CostSummary.Rate.longMs))),
      ("forecast_usd", number(costs.forecast?.usd)),
      ("forecast_basis", text(costs.forecast.map { basis($0.basis) })),
      ("forecast_low_usd", number(costs.forecast?.interval?.lowerBound)),
      ("forecast_high_usd", number(costs.forecast?.interval?.upperBound)),
      ("forecast_recorded", forecast),
      ("rows_begin", text(rowsBegin(of: CostAccumulator.kinds))),
      ("rows_complete", .bool(costs.coversToday)),
      ("days_usd", .array(costs.days.map { number($0) })),
      ("free_calls", number(costs.freeCalls)),
      ("tokens_in", number(costs.tokens.input)), ("tokens_out", number(costs.tokens.output)),
      ("tokens_cache_read", number(costs.tokens.cacheRead)),
      ("tokens_cache_written", number(costs.tokens.cacheWrite)),
    ])
  }

  /// A rate, if it covers exactly this window.
  private func rate(_ rate: CostSummary.Rate?, over windowMs: Int64) -> Double? {
    rate?.window == .last && rate?.overMs == windowMs ? rate?.usdPerHour : nil
  }

  private func basis(_ basis: CostSummary.Forecast.Basis) -> String {
    switch basis {
    case .hours(let count): "last \(count) hours"
    case .rate(let overMs): "rate of the last \(overMs / 1000) seconds"
    case .days(let count): "\(count) days"
    }
  }

  private func guild(_ guild: Guild) -> JSONValue {
    .body([("id", text(guild.id)), ("name", text(guild.name))])
  }

  private func automation(_ automation: Automation) -> JSONValue {
    .body([
      ("id", number(automation.id)), ("guild_id", text(automation.guildID)),
      ("title", text(automation.title)), ("status", text(automation.status?.rawValue)),
      ("is_running", automation.isRunning.map(JSONValue.bool) ?? .null),
      ("next_run_at", text(automation.nextRunAt?.iso)),
      ("last_run_at", text(automation.lastRunAt?.iso)), ("last_error", text(automation.lastError)),
    ])
  }

  private func browser(_ session: BrowserSession) -> JSONValue {
    .body([
      ("session_id", text(session.sessionID)), ("started_at", text(session.startedAt?.iso)),
      ("instruction", text(session.instruction)), ("steps", number(session.totalSteps)),
      ("cost_usd", number(session.totalCostUsd)),
      ("failed", session.failed.map(JSONValue.bool) ?? .null),
      ("error", text(session.errorMessage)),
    ])
  }

  private func event(_ timeMs: Int64?) -> JSONValue {
    text(timeMs.map { WireTime(milliseconds: $0).iso })
  }

  private func session(_ session: HistorySession) -> JSONValue {
    .body([
      ("session_id", text(session.sessionID)), ("guild_id", text(session.guildID)),
      ("started_at", text(session.startedAt?.iso)), ("ended_at", text(session.endedAt?.iso)),
      ("duration_seconds", number(session.durationSeconds)),
      ("end_reason", text(session.endReason)),
      ("cut_off", .bool(model.bot.voice.cutOff.contains(session.sessionID))),
      ("first_event_at", event(model.bot.voice.firstEventMs(of: session.sessionID))),
      ("last_event_at", event(model.bot.voice.lastEventMs(of: session.sessionID))),
    ])
  }

  private func entry(_ entry: ClientHistory.Entry) -> JSONValue {
    .body([
      ("at_ms", number(Int(entry.atMs))), ("severity", .string(entry.severity.rawValue)),
      ("text", .string(entry.text)),
    ])
  }
}

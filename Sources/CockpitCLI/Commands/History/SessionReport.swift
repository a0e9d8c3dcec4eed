import CockpitText
import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore

/// The record of a voice session, as lines.
@MainActor
struct SessionReport {
  let record: VoiceSessionRecord
  let summary: SessionSummary
  let isWhole: Bool
  /// Whether a session without an end is still running; nil if it has ended, or if unknown.
  let isLive: Bool?
  let names: Names
  let clock: ClockFormat
  let nowMs: Int64

  // MARK: Text

  var text: [PlainText] {
    facts.map { name, value in (name as PlainText).padded(to: 10) + value } + [""]
      + record.turns.flatMap(lines)
  }

  private var facts: [(PlainText, PlainText)] {
    var facts: [(PlainText, PlainText)] = [
      ("session", PlainText(record.sessionID, limit: 200)),
      ("began", moment(record.startedAt)), ("ended", ending),
      ("length", Figures.duration(ms: lengthMs)),
    ]
    if let reason = record.endReason { facts.append(("because", PlainText(reason, limit: 200))) }
    if let mode = record.mode { facts.append(("mode", PlainText(mode, limit: 100))) }
    if let guild = record.guildID {
      facts.append(("guild", PlainText(names.guild(guild), limit: 200)))
    }
    if let channel = record.voiceChannelID {
      facts.append(("channel", PlainText("#" + names.channel(channel), limit: 100)))
    }
    let more = summary.peopleCount - summary.people.count
    facts.append(
      (
        "people",
        summary.people.isEmpty
          ? "-"
          : PlainText(summary.people.joined(separator: ", "), limit: 600)
            + (more > 0 ? " and \(more) more" : "")
      ))
    if let peak = summary.peakHeadCount {
      facts.append(("at most", Figures.count(peak) + " at once"))
    }
    facts.append(("turns", Figures.count(record.turns.count)))
    facts.append(
      (
        "skipped",
        Figures.percent(record.skipRate.share)
          + " (\(record.skipRate.skipped) of \(record.skipRate.decisions) decided)"
      ))
    if let p50 = record.latency.total.p50 {
      facts.append(("latency", "p50 " + Figures.duration(ms: Double(p50))))
    }
    facts.append(("anomalies", Figures.count(record.anomalies.count)))
    facts.append(("events", Figures.count(record.events.count) + (isWhole ? "" : "+")))
    return facts
  }

  /// To the end, or to the last event where there is none.
  private var lengthMs: Double? {
    guard let start = record.startedAt,
      let end = record.endedAt ?? (isLive == true ? nowMs : record.span?.upperBound)
    else { return nil }
    return Double(max(0, end - start))
  }

  private var ending: PlainText {
    if record.endedAt != nil { return moment(record.endedAt) }
    let last = moment(record.span?.upperBound)
    return switch isLive {
    case true?: "not yet, it is live"
    case false?: (isWhole ? "cut off, last event " : "cut off after ") + last
    case nil: "not on record, last event " + last
    }
  }

  private func moment(_ ms: Int64?) -> PlainText {
    ms.map { clock.day(ms: $0) + " " + clock.time(ms: $0) } ?? "-"
  }

  /// Who spoke, what the bot replied, and why or why not.
  private func lines(_ turn: VoiceTurnRecord) -> [PlainText] {
    let outcome = PlainText(turn.outcome.rawValue).padded(to: 11)
    let words = turn.words.isEmpty ? "" : "\"" + PlainText(turn.words, limit: 400) + "\""
    var lines = [clock.time(ms: turn.startedAt) + "  " + outcome + "  " + speaker(turn)]
    if !turn.words.isEmpty { lines[0] += ": " + words }
    func add(_ text: PlainText) { lines.append(PlainText("          ") + text) }
    if let reply = turn.reply, !reply.isEmpty {
      add("bot: \"" + PlainText(reply, limit: 400) + "\"")
    }
    if let verdict = record.verdict(turn.id, nowMs: nowMs) {
      add("why: " + PlainText(verdict.sentence, limit: 400))
    }
    for anomaly in turn.anomalies { add("! " + anomaly.words) }
    return lines
  }

  private func speaker(_ turn: VoiceTurnRecord) -> PlainText {
    switch turn.origin {
    case .speech:
      PlainText(
        turn.speaker ?? record.name(turn.speakerID) ?? turn.speakerID.map(names.user) ?? "somebody",
        limit: 100)
    case .roomEvent: "something in the room"
    case .thought: "a thought of the bot"
    }
  }

  // MARK: For programs

  var json: [[UInt8]] { [session] + record.turns.map(line) }

  private var session: [UInt8] {
    var line = JSONObjectWriter()
    line.string("type", "session")
    line.string("session_id", record.sessionID)
    line.string("guild_id", record.guildID)
    line.string("voice_channel_id", record.voiceChannelID)
    line.string("text_channel_id", record.textChannelID)
    line.string("mode", record.mode)
    line.string("started_at", iso(record.startedAt))
    line.string("ended_at", iso(record.endedAt))
    line.bool("live", isLive == true)
    line.bool("cut_off", isLive == false)
    line.string("last_event_at", iso(record.span?.upperBound))
    line.int("duration_seconds", lengthMs.map { Int($0 / 1000) })
    line.string("end_reason", record.endReason)
    line.value("people", .array(summary.people.map(JSONValue.string)))
    line.int("people_count", summary.peopleCount)
    line.int("peak_head_count", summary.peakHeadCount)
    line.int("turns", record.turns.count)
    line.int("decisions", record.skipRate.decisions)
    line.int("skipped", record.skipRate.skipped)
    line.double("skip_rate", record.skipRate.share)
    line.int("anomalies", record.anomalies.count)
    line.int("events", record.events.count)
    line.bool("complete", isWhole && summary.unreadable == 0)
    return line.finish()
  }

  private func line(_ turn: VoiceTurnRecord) -> [UInt8] {
    let verdict = record.verdict(turn.id, nowMs: nowMs)
    var line = JSONObjectWriter()
    line.string("type", "turn")
    line.string("origin", turn.origin.name)
    line.string("started_at", iso(turn.startedAt))
    line.string("speaker_id", turn.speakerID)
    line.string("speaker", turn.speaker ?? record.name(turn.speakerID))
    line.string("words", turn.words.isEmpty ? nil : turn.words)
    line.string("reply", turn.reply)
    line.string("outcome", turn.outcome.rawValue)
    line.string("reason", turn.skippedReason)
    line.string("verdict", verdict?.sentence)
    line.string("stopped_at", verdict?.stop?.rawValue)
    line.int("latency_ms", turn.latency?.totalMs)
    line.double("usd_cost", turn.costUSD)
    line.value("anomalies", .array(turn.anomalies.map { .string($0.name) }))
    return line.finish()
  }

  private func iso(_ ms: Int64?) -> String? { ms.map { WireTime(milliseconds: $0).iso } }
}

extension VoiceTurnRecord.Origin {
  /// A stable word for machine-readable output.
  fileprivate var name: String {
    switch self {
    case .speech: "speech"
    case .roomEvent: "room_event"
    case .thought: "thought"
    }
  }
}

extension VoiceTurnRecord.Anomaly {
  /// A stable word for machine-readable output.
  fileprivate var name: String {
    switch self {
    case .highLatency: "high_latency"
    case .emptyASR: "empty_asr"
    case .outputGap: "output_gap"
    case .slowTool: "slow_tool"
    case .silentResponse: "silent_response"
    case .watchdog: "watchdog"
    case .toolFailed: "tool_failed"
    case .neverPlayed: "never_played"
    }
  }

  fileprivate var words: PlainText {
    switch self {
    case .highLatency(let ms, let mean):
      "slow: " + Figures.duration(ms: Double(ms)) + ", mean of the session "
        + Figures.duration(ms: Double(mean))
    case .emptyASR: "audio came and nothing was recognised"
    case .outputGap(let ms): "no sound of the bot for " + Figures.duration(ms: Double(ms))
    case .slowTool(let name, let ms):
      "slow tool " + PlainText(name, limit: 60) + " " + Figures.duration(ms: Double(ms))
    case .silentResponse: "the provider's response had no audio"
    case .watchdog: "the generation watchdog fired"
    case .toolFailed(let name): "tool failed: " + PlainText(name, limit: 60)
    case .neverPlayed: "generated, but never played"
    }
  }
}

import CockpitText
import ClankyWire
import CockpitStores
import LenientJSON

/// The record of a voice session for programs: a line for the session and one for each turn.
extension SessionReport {
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
    line.value("anomalies", .array(turn.anomalies.map { .string($0.code) }))
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
  fileprivate var code: String {
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
}

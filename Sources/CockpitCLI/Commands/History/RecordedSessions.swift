import ClankyWire
import CockpitSession
import CockpitStores
import CockpitText

/// The voice sessions of a recording, put together from their rows as VOICE does it.
@MainActor
struct RecordedSessions {
  let log: ActionLog
  let voice = VoiceStore()
  /// Live ones first, then by their ends, newest first.
  private(set) var rows: [SessionRow] = []
  /// What is to be said about what is missing.
  private(set) var notes: [String] = []

  /// A session that ended later may have begun so long before, in ms.
  private static let lengthMs: Int64 = 86_400_000
  private static let standardMs: Int64 = 7 * 86_400_000

  /// - Parameters:
  ///   - sinceMs: how far back, in ms; nil for seven days.
  ///   - isWanted: the sessions that are wanted, by id.
  init(
    _ recorded: RecordedPast, sinceMs: Int64?, isWanted: (String) -> Bool = { _ in true }
  ) async throws(Failure) {
    log = ActionLog(memory: 1 << 30)
    let guild = try recorded.guild()
    let fromMs = recorded.nowMs - (sinceMs ?? Self.standardMs)
    try await recorded.read(into: log, after: fromMs - Self.lengthMs) { row in
      (guild == nil || row.guildID == nil || row.guildID == guild)
        && (VoiceStore.mayRead(row.kind))
    }
    voice.follow(log)
    let state = recorded.json("voice_state").flatMap(VoiceState.init)
    let live = Set((state?.sessions ?? []).map(\.sessionID))
    let all = voice.log.records.values.filter {
      isWanted($0.sessionID) && (guild == nil || $0.guildID == guild)
    }.map { record in
      SessionRow(record, isLive: record.endedAt == nil && live.contains(record.sessionID))
    }
    rows = all.filter { $0.isLive || $0.endMs >= fromMs }.sorted {
      ($0.isLive ? 1 : 0, $0.endMs, $0.id) > ($1.isLive ? 1 : 0, $1.endMs, $1.id)
    }
    let beginMs = sinceMs == nil ? max(fromMs, recorded.span.lowerBound) : fromMs
    notes = recorded.sentences(fromMs: beginMs, toMs: recorded.nowMs)
    if sinceMs == nil, recorded.span.lowerBound < fromMs {
      notes.append("Of the last seven days; --since reaches further back.")
    }
  }
}

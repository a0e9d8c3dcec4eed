/// Figures derived from the events of a past session (contract 7.1). They stay when the events are
/// dropped.
package struct SessionSummary: Hashable, Sendable {
  package var sessionID: String
  /// Received rows that are events of the session, or unreadable.
  package var rows = 0
  /// Those of them that could not be read.
  package var unreadable = 0
  /// Whether the backend's limit was reached: then the end of the session is missing.
  package var isCapped = false
  /// Users named or heard in it, by name or id; at most `maxPeople`.
  package var people: [String] = []
  /// Total number of those users.
  package var peopleCount = 0
  /// Maximum number of users at once; nil if no row reported it (contract 7.1).
  package var peakHeadCount: Int?
  package var turnCount = 0
  package var skipRate = SkipRate()
  package var anomalyCount = 0
  /// When the session began by its first row, in ms since 1970; nil if that is not on record.
  package var startedAtMs: Int64?
  /// When the first received event happened, in ms since 1970; nil if there was none.
  package var firstEventMs: Int64?
  /// When the last received event happened, in ms since 1970; nil if there was none.
  package var lastEventMs: Int64?
  /// The voice channel; nil if no row reported it.
  package var voiceChannelID: String?
  /// Why the events could not be fetched; nil if they were.
  package var problem: String?

  /// The backend's row limit; it returns the oldest.
  package static let cap = 500
  /// Names that are kept: a hostile list of people does not stay in memory for each session.
  static let maxPeople = 48

  package init(sessionID: String) { self.sessionID = sessionID }

  /// Of the events on record.
  @MainActor
  package init(_ record: VoiceSessionRecord) {
    self.init(sessionID: record.sessionID)
    rows = record.events.count
    summarise(record)
  }

  /// Number of users: those named or heard, or the reported maximum at once, whichever is greater.
  /// nil if no event mentions a user: silent users leave no trace, so this does not claim that the
  /// channel was empty.
  package var knownPeople: Int? {
    let count = max(peopleCount, peakHeadCount ?? 0)
    return count > 0 ? count : nil
  }

  mutating func note(_ replay: VoiceEventLog.Replay) {
    rows = replay.events + replay.unreadable
    unreadable = replay.unreadable
  }

  /// - Parameter seen: the record from while the session was live: silent users appear in no event.
  @MainActor
  mutating func summarise(_ record: VoiceSessionRecord, seen: VoiceSessionRecord? = nil) {
    let speakers = Set(record.turns.compactMap(\.speakerID)).union(record.roster.keys)
      .union(seen?.roster.keys.map { $0 } ?? [])
      .subtracting([record.botID, seen?.botID].compactMap { $0 })
    peopleCount = speakers.count
    let names = speakers.map { record.name($0) ?? seen?.name($0) ?? $0 }
    people = Array(names.sorted().prefix(Self.maxPeople))
    peakHeadCount = [record.peakHeadCount, seen?.peakHeadCount].compactMap(\.self).max()
    turnCount = record.turns.count
    skipRate = record.skipRate
    anomalyCount = record.anomalies.count
    startedAtMs = record.hasStartRow ? record.startedAt : nil
    firstEventMs = record.span?.lowerBound
    lastEventMs = record.span?.upperBound
    voiceChannelID = record.voiceChannelID
  }
}

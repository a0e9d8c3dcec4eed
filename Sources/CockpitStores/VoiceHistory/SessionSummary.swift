/// What follows from the events of a past session (contract 7.1). It stays when the events
/// themselves are let go.
package struct SessionSummary: Hashable, Sendable {
  package var sessionID: String
  /// Rows that came and are events of the session, or could not be read.
  package var rows = 0
  /// Those of them that could not be read.
  package var unreadable = 0
  /// Whether the backend's limit was reached: then the end of the session is missing.
  package var isCapped = false
  /// People who are named or heard in it, by name or id; at most `maxPeople` of them.
  package var people: [String] = []
  /// How many people those are.
  package var peopleCount = 0
  /// The most people at once; nil when no row told (contract 7.1).
  package var peakHeadCount: Int?
  package var turnCount = 0
  package var skipRate = SkipRate()
  package var anomalyCount = 0
  /// When the last event was that came, in ms since 1970; nil when none came.
  package var lastEventMs: Int64?
  /// Where it was; nil when no row told.
  package var voiceChannelID: String?
  /// Why the events could not be had; nil when they could.
  package var problem: String?

  /// The backend gives so many rows at most, the oldest.
  package static let cap = 500
  /// Names that are kept: a hostile list of people does not stay in memory for each session.
  static let maxPeople = 48

  package init(sessionID: String) { self.sessionID = sessionID }

  /// How many people there were: those who are named or heard, or the most at once that a row told of,
  /// whichever is more. Nil when no event tells of anybody: who says nothing leaves no trace, which is
  /// not to claim that the channel was empty.
  package var knownPeople: Int? {
    let count = max(peopleCount, peakHeadCount ?? 0)
    return count > 0 ? count : nil
  }

  mutating func note(_ replay: VoiceEventLog.Replay) {
    rows = replay.events + replay.unreadable
    unreadable = replay.unreadable
  }

  /// - Parameter seen: what was seen of the session while it was live: people who say nothing are in no
  ///   event.
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
    lastEventMs = record.span?.upperBound
    voiceChannelID = record.voiceChannelID
  }
}

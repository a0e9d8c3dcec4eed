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
  /// Why the events could not be had; nil when they could.
  package var problem: String?

  /// The backend gives so many rows at most, the oldest.
  package static let cap = 500
  /// Names that are kept: a hostile list of people does not stay in memory for each session.
  static let maxPeople = 48

  package init(sessionID: String) { self.sessionID = sessionID }

  mutating func note(_ replay: VoiceEventLog.Replay) {
    rows = replay.events + replay.unreadable
    unreadable = replay.unreadable
  }

  @MainActor
  mutating func summarise(_ record: VoiceSessionRecord) {
    let speakers = Set(record.turns.compactMap(\.speakerID)).union(record.roster.keys)
      .subtracting([record.botID].compactMap { $0 })
    peopleCount = speakers.count
    people = Array(speakers.map { record.name($0) ?? $0 }.sorted().prefix(Self.maxPeople))
    peakHeadCount = record.peakHeadCount
    turnCount = record.turns.count
    skipRate = record.skipRate
    anomalyCount = record.anomalies.count
  }
}

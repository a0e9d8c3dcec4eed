/// What a replay of a past session gave (contract 7.1); its events are in the session's record.
package struct Replay: Hashable, Sendable {
  package var sessionID: String
  /// Rows that came.
  package var rows = 0
  /// Whether the backend's limit was reached: then the end of the session is missing.
  package var isCapped = false
  /// People who are named or heard in it, by name or id.
  package var people: [String] = []
  /// The most people at once; nil when no row told (contract 7.1).
  package var peakHeadCount: Int?
  package var turnCount = 0
  package var skipRate = SkipRate()
  package var anomalyCount = 0
  /// Why the body could not be read; nil when it could.
  package var problem: String?

  /// The backend gives so many rows at most, the oldest.
  package static let cap = 500

  package init(sessionID: String) { self.sessionID = sessionID }

  @MainActor
  mutating func summarise(_ record: VoiceSessionRecord) {
    let speakers = Set(record.turns.compactMap(\.speakerID)).union(record.roster.keys)
    people = speakers.subtracting([record.botID].compactMap { $0 })
      .map { record.name($0) ?? $0 }.sorted()
    peakHeadCount = record.peakHeadCount
    turnCount = record.turns.count
    skipRate = record.skipRate
    anomalyCount = record.anomalies.count
  }
}

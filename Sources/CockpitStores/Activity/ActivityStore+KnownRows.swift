package import CockpitDomain
internal import ClankyWire

/// What log reconciliation needs to know.
extension ActivityStore: KnownRows {
  package var seenParts: SeenParts { log.seenParts }
  package func unidentifiedRowCount(_ times: ClosedRange<Int64>) -> Int {
    log.unidentifiedRowCount(times)
  }
  package func withoutShown(_ holes: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    log.withoutShown(holes)
  }
  package func bounds(of holes: [ClosedRange<Int>]) -> [HoleBounds] { log.bounds(of: holes) }
  package func newestID(notAfterMs ms: Int64) -> Int? { log.newestID(notAfterMs: ms) }
  package var newestRowMs: Int64? { log.isEmpty ? nil : log.row(at: 0).timeMs }
  package var lastLiveMs: Int64? { log.lastLiveMs }
  package func beginMs(kinds: Set<String>?, guild: String?) -> Int64? {
    coverage.beginMs(kinds: kinds, guild: guild)
  }
  package var last24h: [String: Int] { stats?.stats?.last24h ?? [:] }
  package var historyRoom: Int { log.historyRoom }
}

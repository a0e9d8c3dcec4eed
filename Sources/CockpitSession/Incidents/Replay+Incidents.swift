import CockpitHistory
import CockpitRules
import CockpitStores
import Networking

extension Replay {
  /// Goes to the nearest incident before or after the playhead. What was recorded is judged piece by piece, for a
  /// second at most: the next press goes on from there.
  func jumpIncident(isOlder: Bool) -> String? {
    let startNs = live.bot.clock.nowNs
    let scan = IncidentScan(settings.rules)
    do throws(HistoryError) {
      guard let span = try history.span() else { return "nothing is recorded" }
      var edge = atMs
      while isOlder ? edge > span.lowerBound : edge < min(span.upperBound, live.bot.serverNowMs) {
        let (from, to) =
          isOlder ? (edge - Self.pieceMs, edge - 1) : (edge + 1, edge + Self.pieceMs)
        // An incident that began in the piece may end after it.
        let report = try scan.report(
          history, fromMs: from, toMs: min(to + Self.tailMs, live.bot.serverNowMs))
        let begun = report.incidents.map(\.fromMs).filter { $0 >= from && $0 <= to }
        if let ms = isOlder ? begun.max() : begun.min() {
          stopAndSeek(toMs: ms)
          return nil
        }
        edge = isOlder ? from : to
        guard live.bot.clock.nowNs.since(startNs) < Self.longestNs else {
          stopAndSeek(toMs: edge)
          return "no incident as far as here; the same key looks further"
        }
      }
    } catch {
      return error.description
    }
    return "no \(isOlder ? "older" : "newer") incident is on record"
  }

  private static let pieceMs: Int64 = 3_600_000
  private static let tailMs: Int64 = 120_000
  private static let longestNs: UInt64 = 1_000_000_000
}

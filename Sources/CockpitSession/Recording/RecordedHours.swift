import CockpitHistory
import CockpitStores
import LenientJSON

/// Which hours have all rows that cost something: recorded live, or backfilled later.
struct RecordedHours {
  private let lacking: [Range<Int64>]
  /// All outages of the recorder, backfilled or not.
  private let outages: [RecordedOutage]
  /// Days with a file, and the day of the first recorder; nil for a bundle.
  private let files: (days: Set<Int64>, first: Int64)?
  private static let hourMs: Int64 = 3_600_000

  /// - Parameters:
  ///   - folder: the folder with the day files; nil for a bundle.
  ///   - fromMs: ms since 1970.
  ///   - toMs: ms since 1970.
  init(
    _ history: any HistoryReading, _ folder: HistoryFolder?, fromMs: Int64, toMs: Int64
  ) throws(HistoryError) {
    let links = try history.links(after: .min, through: .max)
    let proofs = links.filter { $0.what == .proven }.compactMap(Proof.init)
    var lacking: [Range<Int64>] = []
    func add(_ from: Int64, _ to: Int64, provenAfterMs: Int64) {
      let whole = Proof.wholeSinceMs(proofs.filter { $0.atMs >= provenAfterMs }) ?? .max
      let end = min(to, whole)
      if end > from { lacking.append(from..<end) }
    }
    let span = try history.span()
    let heard = ["stats", "voice_state"].compactMap { name in
      (try? history.document(name, notAfterMs: .max))?.atMs
    }
    if let folder {
      let days = folder.filedDays
      let firstMs = HistoryBot.read(folder.path)?.firstMs
      let begin = firstMs ?? links.map(\.atMs).min() ?? span?.lowerBound ?? toMs
      files = (days, begin / (24 * Self.hourMs))
      if begin > fromMs { add(fromMs, begin, provenAfterMs: .min) }
    } else {
      files = nil
      // Coverage proofs are about the bot's log; a bundle holds only a part of it.
      if let begin = span?.lowerBound, begin > fromMs { lacking.append(fromMs..<begin) }
    }
    outages = try history.outages(after: fromMs, through: toMs)
    for outage in outages where outage.rows != 0 {
      let after = outage.reason == .removed ? Int64.max : outage.toMs
      add(outage.fromMs, max(outage.toMs, outage.fromMs + 1), provenAfterMs: after)
    }
    // Rows that were missing when a list was read; one that was read later may have them.
    for gap in try history.gaps(after: fromMs, through: toMs) {
      add(gap.fromMs, max(gap.toMs, gap.fromMs + 1), provenAfterMs: gap.recordedMs + 1)
    }
    // An outage is recorded when it ends, so the time after the last record may be an outage still open.
    let last = (links.map(\.atMs) + heard + [span?.upperBound ?? .min]).max() ?? .min
    if last < toMs { lacking.append(max(last, fromMs)..<toMs) }
    self.lacking = lacking
  }

  /// Whether a recorder wrote on a day (days since 1970) and its file is gone since.
  func isGone(_ day: Int64) -> Bool {
    guard let files, day >= files.first, !files.days.contains(day) else { return false }
    let (fromMs, toMs) = (day * 24 * Self.hourMs, (day + 1) * 24 * Self.hourMs)
    return !outages.contains { $0.fromMs <= fromMs && $0.toMs >= toMs }
  }

  /// The hours of a UTC day, 0...23.
  func whole(day: Int64) -> Set<Int> {
    let beginMs = day * 24 * Self.hourMs
    return Set(
      (0..<24).filter { hour in
        let range = beginMs + Int64(hour) * Self.hourMs..<beginMs + Int64(hour + 1) * Self.hourMs
        return !lacking.contains { $0.overlaps(range) }
      })
  }

  /// A record that REST lists were complete from a time on.
  private struct Proof {
    var atMs: Int64
    var fromMs: Int64
    var kinds: Set<String>?

    init?(_ link: RecordedLink) {
      guard let json = try? JSONValue.parse(link.value), let from = json["from_ms"]?.int,
        json["guild"]?.string == nil
      else { return nil }
      (atMs, fromMs) = (link.atMs, Int64(from))
      kinds = json["kinds"]?.array.map { Set($0.compactMap(\.string)) }
    }

    /// The start of complete coverage for all kinds that cost something; nil if one of them has no proof.
    static func wholeSinceMs(_ proofs: [Proof]) -> Int64? {
      var whole = Int64.min
      for kind in CostAccumulator.kinds {
        let from = proofs.filter { $0.kinds?.contains(kind) ?? true }.map(\.fromMs).min()
        guard let from else { return nil }
        whole = max(whole, from)
      }
      return whole
    }
  }
}

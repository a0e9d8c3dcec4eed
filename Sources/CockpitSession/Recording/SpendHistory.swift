import ClankyWire
import CockpitAnswers
import CockpitHistory
import CockpitStatistics
import CockpitStores

/// Reads the cost of each hour of recorded days: from cached sums, else from the rows. Blocks: call it on a thread of its
/// own.
package struct SpendHistory: Sendable {
  private let history: any HistoryReading
  /// The folder whose `notes.db` caches sums; nil for a bundle, which is never written to.
  private let folder: HistoryFolder?

  private static let dayMs: Int64 = 86_400_000
  private static let batch = 20_000

  package init(_ history: any HistoryReading) {
    self.history = history
    folder = (history as? HistoryFolder).flatMap { $0.isFolder ? $0 : nil }
  }

  /// The days before today.
  ///
  /// - Parameters:
  ///   - nowMs: on the backend's clock.
  ///   - mayGoOn: polled before a day is read; false stops before days that are not cached.
  /// - Returns: nil if it stopped early.
  package func profile(
    nowMs: Int64, mayGoOn: () -> Bool = { true }
  ) throws(HistoryError) -> SpendProfile? {
    let today = nowMs / Self.dayMs
    guard let days = try days(for: today...today, mayGoOn: mayGoOn) else { return nil }
    return SpendProfile(day: Int(today), days.sums) { days.whole[$0] ?? [] }
  }

  /// The input of forecasts for these days, in US dollars.
  ///
  /// - Parameter wanted: days since 1970.
  package func dollars(for wanted: ClosedRange<Int64>) throws(HistoryError) -> DayProfile {
    guard let days = try days(for: wanted, mayGoOn: { true }) else { return DayProfile([]) }
    return SpendProfile.dollars(days.sums) { days.whole[$0] ?? [] }
  }

  fileprivate struct Days {
    var sums: [SpendDay] = []
    var whole: [Int: Set<Int>] = [:]
  }

  private func days(
    for wanted: ClosedRange<Int64>, mayGoOn: () -> Bool
  ) throws(HistoryError) -> Days? {
    var days = Days()
    guard let span = try history.span() else { return days }
    let (low, high) = (wanted.lowerBound - Int64(DayProfile.lookBackDays), wanted.upperBound - 1)
    guard low <= high else { return days }
    let needed = low...high
    let stamps = try folder?.stamps(needed.map(Self.stretch)) ?? needed.map { _ in "" }
    var kept: [Int64: HistoryNotes.Spend] = [:]
    if let folder {
      for day in try HistoryNotes.spend(needed, version: SpendReader.version, in: folder.path) {
        kept[day.day] = day
      }
    }
    let coverage = try RecordedHours(
      history, folder, fromMs: low * Self.dayMs, toMs: (high + 1) * Self.dayMs)
    // Newest first: if it stops early, the older days are missing.
    for (day, stamp) in zip(needed, stamps).reversed() {
      let known = kept[day]
      guard !coverage.isGone(day) else {
        if let known { days.add(known) }
        continue
      }
      let whole = coverage.whole(day: day)
      guard !whole.isEmpty else { continue }
      var spend = HistoryNotes.Spend(
        day: day, stamp: stamp, recorded: whole.reduce(0) { $0 | 1 << UInt32($1) }, sums: [])
      if let known, known.stamp == stamp {
        spend.sums = known.sums
      } else {
        guard mayGoOn() else { return nil }
        let sums = try read(Int(day))
        spend.sums = sums.usd + sums.tokens
      }
      days.add(spend)
      // An unfinished day will get more rows.
      guard let folder, spend != known, span.upperBound > (day + 1) * Self.dayMs else { continue }
      // A failed write only costs time: the day is added up again.
      _ = Result { () throws(HistoryError) in
        try HistoryNotes.keep([spend], version: SpendReader.version, in: folder.path)
      }
    }
    return days
  }

  /// The records that the sums of a day depend on.
  private static func stretch(_ day: Int64) -> ClosedRange<Int64> {
    day * dayMs - SpendReader.leadMs...(day + 1) * dayMs - 1
  }

  private func read(_ number: Int) throws(HistoryError) -> SpendDay {
    var reader = SpendReader(day: number)
    let stretch = Self.stretch(Int64(number))
    var at = stretch.lowerBound - 1
    while at < stretch.upperBound {
      let (rows, end) = try history.rows(
        after: at, through: stretch.upperBound, limit: Self.batch
      ) { SpendReader.wants(ActionLabel(kind: $0.kind, event: $0.event)) }
      for row in rows {
        let log = ActionLog(memory: 0)
        let id = row.json.withUnsafeBytes {
          try? log.restore(
            $0, actionID: row.actionID, origins: row.channels, nowMs: row.receivedMs)
        }
        // A row that cannot be read is counted by 'history verify'.
        if let id, let view = log.row(id) { reader.read(view) }
      }
      at = max(end, at + 1)
    }
    return reader.finish()
  }
}

extension SpendHistory.Days {
  fileprivate mutating func add(_ day: HistoryNotes.Spend) {
    let number = Int(day.day)
    sums.append(
      SpendDay(
        number: number, usd: Array(day.sums.prefix(24)), tokens: Array(day.sums.suffix(24))))
    whole[number] = Set((0..<24).filter { day.recorded & 1 << UInt32($0) != 0 })
  }
}

/// One side of a comparison: times, and the units of them.
package struct CompareSide: Hashable, Sendable {
  /// In words, such as `today` or `the same hours of 5 weekdays before`.
  package var name: String
  /// Oldest first, in ms since 1970; more than one for a baseline of several days.
  package var ranges: [Range<Int64>]
  package var turns: [CompareUnits.Turn]
  package var calls: [CompareUnits.Call]
  package var rows: [CompareUnits.Row]
  package var incidents: [CompareUnits.Incident]
  package var missing: [MissingStretch]

  /// - Parameters:
  ///   - guild: by its id; nil for all.
  ///   - model: a part of a name; nil for all.
  package init(
    _ name: String, _ ranges: [Range<Int64>], of units: CompareUnits, guild: String? = nil,
    model: String? = nil, session: String? = nil
  ) {
    self.name = name
    self.ranges = ranges
    func holds(_ ms: Int64, _ id: String?) -> Bool {
      (guild == nil || guild == id) && ranges.contains { $0.contains(ms) }
    }
    func isOf(_ name: String) -> Bool {
      model.map { name.lowercased().contains($0.lowercased()) } ?? true
    }
    turns = units.turns.filter {
      holds($0.timeMs, $0.guildID) && (session == nil || $0.sessionID == session)
        && (model == nil || $0.models.contains(where: isOf))
    }
    calls = units.calls.filter {
      holds($0.timeMs, $0.guildID) && (session == nil || $0.sessionID == session)
        && isOf($0.model)
    }
    // A failure names no model, and few of them a session.
    rows =
      model == nil && session == nil
      ? units.rows.filter { holds($0.timeMs, $0.guildID) } : []
    // An incident names no model.
    incidents =
      model == nil
      ? units.incidents.filter {
        holds($0.timeMs, $0.guildID) && (session == nil || $0.sessionID == session)
      } : []
    missing = units.missing.filter { stretch in
      ranges.contains { $0.lowerBound < stretch.toMs && stretch.fromMs < $0.upperBound }
    }
  }

  /// Whether all rows of its times were looked at, not those of one model or session.
  var hasAllRows: Bool { !rows.isEmpty || turns.isEmpty }

  package var fromMs: Int64 { ranges.first?.lowerBound ?? 0 }
  package var toMs: Int64 { ranges.last?.upperBound ?? 0 }
}

/// The times with which a current one is compared where none is named.
package enum CompareBaseline {
  /// A slot counts with so many turns: below, even the median has no interval.
  package static let leastTurns = 6
  private static let dayMs: Int64 = 86_400_000

  /// All times that may be wanted, the newest first.
  package static func candidates(for range: Range<Int64>) -> [Range<Int64>] {
    let length = range.upperBound - range.lowerBound
    guard length <= dayMs else { return [range.lowerBound - length..<range.lowerBound] }
    return (1...28).map { shifted(range, $0) } + [range.lowerBound - dayMs..<range.lowerBound]
  }

  /// The side to compare with: the same hours of days of the same kind (weekdays or weekends, UTC) in the last four
  /// weeks, at least three; else those of the last seven days; else the 24 hours before.
  package static func side(
    for range: Range<Int64>, of units: CompareUnits, guild: String? = nil
  ) -> (side: CompareSide, slots: [CompareSide]) {
    let length = range.upperBound - range.lowerBound
    guard length <= dayMs else {
      return (
        CompareSide("the same time before", candidates(for: range), of: units, guild: guild), []
      )
    }
    func slots(_ days: ClosedRange<Int>, _ isWanted: (Range<Int64>) -> Bool) -> [CompareSide] {
      days.map { shifted(range, $0) }.filter { isWanted($0) && $0.lowerBound >= units.fromMs }
        .map { CompareSide("", [$0], of: units, guild: guild) }
        .filter { $0.turns.count >= leastTurns }
    }
    func joined(_ slots: [CompareSide], _ name: String) -> CompareSide {
      CompareSide(
        name, slots.flatMap(\.ranges).sorted { $0.lowerBound < $1.lowerBound }, of: units,
        guild: guild)
    }
    let same = slots(1...28) { isWeekend($0.lowerBound) == isWeekend(range.lowerBound) }
    if same.count >= 3 {
      let days = isWeekend(range.lowerBound) ? "weekend days" : "weekdays"
      return (joined(same, "the same hours of \(same.count) \(days) before"), same)
    }
    let week = slots(1...7) { _ in true }
    if !week.isEmpty {
      let days = week.count == 1 ? "one day" : "\(week.count) days"
      return (joined(week, "the same hours of \(days) of the last 7"), week)
    }
    let before = [range.lowerBound - dayMs..<range.lowerBound]
    return (CompareSide("the 24 hours before", before, of: units, guild: guild), [])
  }

  private static func shifted(_ range: Range<Int64>, _ days: Int) -> Range<Int64> {
    let shift = Int64(days) * dayMs
    return range.lowerBound - shift..<range.upperBound - shift
  }

  /// 1970-01-01 was a Thursday.
  private static func isWeekend(_ ms: Int64) -> Bool {
    let day = Int((ms / dayMs + 4) % 7)
    return day == 0 || day == 6
  }
}

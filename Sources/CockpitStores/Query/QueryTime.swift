/// A moment in a query, as it was written.
enum QueryTime: Hashable, Sendable {
  /// This many milliseconds ago.
  case ago(Int64)
  /// The last time the clock showed this many seconds after midnight, with the precision as
  /// written, in milliseconds: a minute or a second.
  case clock(seconds: Int64, lengthMs: Int64)
  /// Local date and time in seconds as if it were UTC, with the precision as written.
  case date(seconds: Int64, lengthMs: Int64)
  /// A moment that names its offset from UTC itself.
  case moment(ms: Int64, lengthMs: Int64)

  private static let day: Int64 = 86_400

  /// Whether the meaning depends on the current time.
  var moves: Bool {
    switch self {
    case .ago, .clock: true
    case .date, .moment: false
    }
  }

  /// The absolute ranges at `nowMs`, in ascending order and never empty. When clocks are set back a
  /// local time occurs twice, which gives two ranges. A skipped local time gives an empty range at
  /// the skip.
  func spans(nowMs: Int64, in zone: QueryZone) -> [Range<Int64>] {
    switch self {
    case .ago(let ms):
      let start = nowMs - ms
      return [start..<start + 60_000]
    case .moment(let ms, let lengthMs): return [ms..<ms + lengthMs]
    case .date(let seconds, let lengthMs): return Self.spans(seconds, lengthMs, zone)
    case .clock(let seconds, let lengthMs):
      let shown = zone.shown(at: Self.down(nowMs, 1000))
      let today = shown - ((shown % Self.day) + Self.day) % Self.day
      let past = Self.spans(today + seconds, lengthMs, zone).filter { $0.lowerBound <= nowMs }
      return past.isEmpty ? Self.spans(today - Self.day + seconds, lengthMs, zone) : past
    }
  }

  private static func spans(
    _ seconds: Int64, _ lengthMs: Int64, _ zone: QueryZone
  ) -> [Range<Int64>] {
    guard lengthMs < day * 1000 else {
      // A day on which clocks change has 23 or 25 hours.
      let start = zone.start(of: seconds)
      return [start * 1000..<max(start, zone.start(of: seconds + lengthMs / 1000)) * 1000]
    }
    let moments = zone.moments(of: seconds)
    guard moments.isEmpty else { return moments.map { $0 * 1000..<$0 * 1000 + lengthMs } }
    let start = zone.start(of: seconds)
    return [start * 1000..<start * 1000]
  }

  private static func down(_ value: Int64, _ divisor: Int64) -> Int64 {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }
}

/// A moment as the user types it: `14:31`, `-10m`, `2026-05-09 14:31`.
package enum QueryMoment {
  /// Its beginning in ms since 1970; nil if the text is no time. A clock time is the last one that was.
  package static func start(of text: String, nowMs: Int64, in zone: QueryZone) -> Int64? {
    let isPast = text.hasPrefix("-")
    let text = (isPast ? String(text.dropFirst()) : text).replacing(" ", with: "T")
    guard let time = TermBuilder.time(of: text) else { return nil }
    if isPast, case .ago = time {} else if isPast { return nil }
    return time.spans(nowMs: nowMs, in: zone).last?.lowerBound
  }
}

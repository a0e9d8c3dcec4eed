/// Stretches of time of one length, as the clock of a zone shows them: `hour`, `day`, `10m`.
package struct QueryBucket: Hashable, Sendable {
  /// As it is written in a query.
  package let name: String
  /// Seconds; a day may have more or less when clocks change.
  let seconds: Int64

  private static let day: Int64 = 86_400
  static let names = ["minute", "hour", "day"]

  /// nil if the name is no time bucket.
  init?(name: String) {
    let lengths: [String: Int64] = ["minute": 60, "hour": 3600, "day": Self.day]
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": Self.day]
    if let seconds = lengths[name] {
      self.seconds = seconds
    } else {
      guard let unit = name.last.flatMap({ units[$0] }), let count = Int64(name.dropLast()),
        (1...Self.day).contains(count), name.dropLast().allSatisfy(\.isASCII)
      else { return nil }
      seconds = count * unit
    }
    self.name = name
  }

  /// Whether days are made of whole stretches, so that each begins at a full hour or minute.
  var dividesDay: Bool { seconds <= Self.day && Self.day % seconds == 0 }

  /// Whole days.
  package var isDay: Bool { seconds == Self.day }

  /// Minutes or less: such a stretch is named with its seconds.
  package var isBelowMinute: Bool { seconds % 60 != 0 }

  /// The beginning of the stretch that a moment is in; both in ms since 1970.
  func start(of ms: Int64, in zone: QueryZone) -> Int64 {
    let moment = Self.down(ms, 1000)
    let shown = zone.shown(at: moment)
    let (rest, floor) = (Self.rest(shown, seconds), shown - Self.rest(shown, seconds))
    // A time that clocks show twice is in two stretches of an hour or less, and in one that is longer.
    if seconds <= 3600 { return (moment - rest) * 1000 }
    return zone.start(of: floor) * 1000
  }

  /// The beginning of the next stretch after one that begins here; both in ms since 1970.
  func next(after startMs: Int64, in zone: QueryZone) -> Int64 {
    if seconds <= 3600 { return startMs + seconds * 1000 }
    let shown = zone.shown(at: Self.down(startMs, 1000))
    return zone.start(of: shown - Self.rest(shown, seconds) + seconds) * 1000
  }

  private static func rest(_ value: Int64, _ divisor: Int64) -> Int64 {
    let rest = value % divisor
    return rest < 0 ? rest + divisor : rest
  }

  private static func down(_ value: Int64, _ divisor: Int64) -> Int64 {
    (value - rest(value, divisor)) / divisor
  }
}

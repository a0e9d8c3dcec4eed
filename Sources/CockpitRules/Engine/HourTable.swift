/// In which hours of the day the bot spoke, over recorded weeks: UTC hours, working days and weekends apart.
///
/// It holds days, so that an hour is compared with the four weeks before it whenever it is asked for: live, replayed
/// and in a bundle it gives the same answer.
package struct HourTable: Hashable, Sendable {
  /// One UTC day, a bit for each hour.
  package struct Day: Hashable, Sendable {
    /// Hours that were recorded completely, and those in which the bot spoke.
    package var recorded: UInt32
    package var spoken: UInt32

    package init(recorded: UInt32 = 0, spoken: UInt32 = 0) {
      self.recorded = recorded
      self.spoken = spoken
    }
  }
  /// By days since 1970.
  private var days: [Int64: Day] = [:]

  package static let hourMs: Int64 = 3_600_000
  /// How far back an hour is compared.
  package static let lookBackDays: Int64 = 28

  package init() {}

  /// - Parameters:
  ///   - outputs: when the bot said something, ms since 1970, in any order.
  ///   - covered: what was recorded without a gap. Hours that are not wholly within one are left out.
  package init(outputs: some Sequence<Int64>, covered: [Range<Int64>]) {
    let spoken = Set(outputs.map(Self.hour))
    for range in covered {
      var hour = Self.hour(range.lowerBound + Self.hourMs - 1)
      while (hour + 1) * Self.hourMs <= range.upperBound {
        add(hour * Self.hourMs, hasSpoken: spoken.contains(hour))
        hour += 1
      }
    }
  }

  /// What is known of a day (days since 1970).
  package subscript(day: Int64) -> Day {
    get { days[day] ?? Day() }
    set { days[day] = newValue }
  }

  /// Counts one recorded hour.
  package mutating func add(_ timeMs: Int64, hasSpoken: Bool) {
    let (day, bit) = Self.place(timeMs)
    days[day, default: Day()].recorded |= bit
    if hasSpoken { days[day, default: Day()].spoken |= bit }
  }

  /// How many hours of this kind were recorded in the four weeks before that day, if the bot spoke in each of them;
  /// nil if it did not.
  package func neverSilent(at timeMs: Int64) -> Int? {
    let (day, bit) = Self.place(timeMs)
    var count = 0
    for other in (day - Self.lookBackDays)..<day where Self.isWeekend(other) == Self.isWeekend(day)
    {
      guard let known = days[other], known.recorded & bit != 0 else { continue }
      guard known.spoken & bit != 0 else { return nil }
      count += 1
    }
    return count > 0 ? count : nil
  }

  /// How many weeks of the four before a day were recorded, as hours.
  ///
  /// - Parameter timeMs: a time of that day; nil for the day after the newest.
  package func weeks(before timeMs: Int64?) -> Double {
    guard let last = timeMs.map({ Self.place($0).day }) ?? days.keys.max().map({ $0 + 1 }) else {
      return 0
    }
    let hours = ((last - Self.lookBackDays)..<last).reduce(0) {
      $0 + (days[$1]?.recorded.nonzeroBitCount ?? 0)
    }
    return Double(hours) / 168
  }

  /// `0.4`, `2`.
  static func figure(_ weeks: Double) -> String {
    // Rounded down: 1.96 weeks are not 2.
    let tenths = Int(weeks * 10)
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// Hours since 1970.
  static func hour(_ timeMs: Int64) -> Int64 {
    let hour = timeMs / hourMs
    return timeMs % hourMs < 0 ? hour - 1 : hour
  }

  private static func place(_ timeMs: Int64) -> (day: Int64, bit: UInt32) {
    let hour = hour(timeMs)
    let ofDay = (hour % 24 + 24) % 24
    return ((hour - ofDay) / 24, 1 << UInt32(ofDay))
  }

  private static func isWeekend(_ day: Int64) -> Bool {
    // 1970-01-01 was a Thursday.
    ((day + 3) % 7 + 7) % 7 >= 5
  }
}

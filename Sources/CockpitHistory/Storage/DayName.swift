internal import ClankyWire

/// The name of a day file: its UTC day, and a part if there are several.
struct DayName: Hashable, Comparable, Sendable {
  /// Days since 1970.
  var day: Int64
  /// 1, or higher if the previous part could not be continued.
  var part: Int

  static let msPerDay: Int64 = 86_400_000

  init(day: Int64, part: Int = 1) {
    self.day = day
    self.part = part
  }

  /// The day that contains a time.
  init(ms: Int64) {
    self.init(day: ms >= 0 ? ms / Self.msPerDay : (ms - Self.msPerDay + 1) / Self.msPerDay)
  }

  /// From a file name: `2026-11-24.db` or `2026-11-24-2.db`.
  init?(_ name: String) {
    guard name.hasSuffix(".db") else { return nil }
    let parts = name.dropLast(3).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3 || parts.count == 4, parts[0].utf8.count == 4, parts[1].utf8.count == 2,
      parts[2].utf8.count == 2
    else { return nil }
    let numbers = parts.compactMap { Int64($0) }
    guard numbers.count == parts.count, numbers.allSatisfy({ $0 > 0 }), numbers[1] <= 12,
      numbers[2] <= 31
    else { return nil }
    day = WireTime.daysSinceEpoch(year: numbers[0], month: numbers[1], day: numbers[2])
    part = numbers.count == 4 ? Int(numbers[3]) : 1
  }

  var fileName: String {
    let date = WireTime(milliseconds: day * Self.msPerDay).isoDay
    return part == 1 ? date + ".db" : "\(date)-\(part).db"
  }

  static func < (left: DayName, right: DayName) -> Bool {
    (left.day, left.part) < (right.day, right.part)
  }
}

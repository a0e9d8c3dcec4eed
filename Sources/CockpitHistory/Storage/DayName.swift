/// The name of a day file: its UTC day, and a part if there are several.
struct DayName: Hashable, Comparable, Sendable {
  /// Days since 1970.
  var day: Int64
  /// 1, or more where the file before could not be continued.
  var part: Int

  static let msPerDay: Int64 = 86_400_000

  init(day: Int64, part: Int = 1) {
    self.day = day
    self.part = part
  }

  /// The day of a time.
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
    day = Self.days(numbers[0], numbers[1], numbers[2])
    part = numbers.count == 4 ? Int(numbers[3]) : 1
  }

  var fileName: String {
    let (year, month, dayOfMonth) = Self.civil(day)
    func padded(_ number: Int64, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
    return part == 1 ? date + ".db" : "\(date)-\(part).db"
  }

  static func < (left: DayName, right: DayName) -> Bool {
    (left.day, left.part) < (right.day, right.part)
  }

  /// Proleptic Gregorian calendar (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(_ days: Int64) -> (Int64, Int64, Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let part = (5 * dayOfYear + 2) / 153
    let month = part < 10 ? part + 3 : part - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1
    )
  }
}

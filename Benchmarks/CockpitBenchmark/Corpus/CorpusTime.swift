/// Times of creation: non-decreasing milliseconds that begin on 2026-11-01, some equal.
struct CorpusTime {
  private var ms: Int64 = 1_793_491_200_000

  mutating func next(_ random: inout CorpusRandom) -> Int64 {
    ms += Int64(random.number(0...9))
    return ms
  }

  /// ISO 8601 with milliseconds and Z, as JavaScript writes a date.
  static func text(_ ms: Int64) -> String {
    let (days, rest) = (ms / 86_400_000, ms % 86_400_000)
    // Days to civil date (Howard Hinnant, "chrono-compatible low-level date algorithms").
    let z = days + 719_468
    let era = z / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let date = "\(year)-\(pad(month, 2))-\(pad(day, 2))"
    let clock =
      "\(pad(rest / 3_600_000, 2)):\(pad(rest / 60_000 % 60, 2)):\(pad(rest / 1000 % 60, 2))"
    return "\(date)T\(clock).\(pad(rest % 1000, 3))Z"
  }

  private static func pad(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

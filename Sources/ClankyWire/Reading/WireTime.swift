/// A moment as the wire writes it, to the millisecond.
package struct WireTime: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package static func < (left: WireTime, right: WireTime) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Reads `YYYY-MM-DDTHH:mm:ss[.fraction](Z|±HH:MM)`; the backend always sends three digits
  /// and `Z` (contract 4.1), other precisions and offsets are accepted (RFC 3339).
  package init?(iso text: String) {
    var text = text
    let milliseconds = text.withUTF8 { WireTime.parse(UnsafeRawBufferPointer($0)) }
    guard let milliseconds else { return nil }
    self.milliseconds = milliseconds
  }

  /// The same on bytes; nil if they are no timestamp.
  package static func parse(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    if bytes.count == 24, let milliseconds = usual(bytes) { return milliseconds }
    return general(bytes)
  }

  /// The spelling of the backend, `2026-05-09T18:22:41.307Z`, eight bytes at a time; nil if it is
  /// another one, or not a time at all.
  @inline(__always)
  private static func usual(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    func word(_ at: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
    }
    // As numbers the first byte is the lowest: "2026-05-", "09T18:22", ":41.307Z".
    let (date, middle, end) = (word(0), word(8), word(16))
    // Separators must match exactly; after the XOR digits are 0 to 9 and nothing carries.
    let dateDigits = date ^ 0x2D30_302D_3030_3030
    let middleDigits = middle ^ 0x3030_3A30_3054_3030
    let endDigits = end ^ 0x5A30_3030_2E30_303A
    let sixes: UInt64 = 0x0606_0606_0606_0606
    let high: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    // A digit is below ten: adding six leaves its upper half empty. The others are 0, or not below.
    let plain = dateDigits | middleDigits | endDigits
    let raised = (dateDigits &+ sixes) | (middleDigits &+ sixes) | (endDigits &+ sixes)
    guard (plain | raised) & high == 0,
      dateDigits & 0xFF00_00FF_0000_0000 | middleDigits & 0x0000_FF00_00FF_0000
        | endDigits & 0xFF00_0000_FF00_00FF == 0
    else { return nil }
    func digit(_ word: UInt64, _ at: UInt64) -> Int64 {
      Int64(truncatingIfNeeded: word &>> (at &* 8) & 0xF)
    }
    func two(_ word: UInt64, _ at: UInt64) -> Int64 {
      digit(word, at) &* 10 &+ digit(word, at &+ 1)
    }
    let year = two(dateDigits, 0) &* 100 &+ two(dateDigits, 2)
    let month = two(dateDigits, 5)
    let day = two(middleDigits, 0)
    let hour = two(middleDigits, 3)
    let minute = two(middleDigits, 6)
    let second = two(endDigits, 1)
    guard month >= 1, month <= 12, day >= 1, day <= 31, hour < 24, minute < 60, second < 61 else {
      return nil
    }
    let fraction = two(endDigits, 4) &* 10 &+ digit(endDigits, 6)
    let days = daysSinceEpoch(year: year, month: month, day: day)
    return ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + fraction
  }

  private static func general(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard bytes.count >= 20 else { return nil }
    func digits(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= bytes.count else { return nil }
      var value: Int64 = 0
      for index in range {
        guard (0x30...0x39).contains(bytes[index]) else { return nil }
        value = value * 10 + Int64(bytes[index] - 0x30)
      }
      return value
    }
    guard let year = digits(0..<4), bytes[4] == UInt8(ascii: "-"), let month = digits(5..<7),
      bytes[7] == UInt8(ascii: "-"), let day = digits(8..<10),
      bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
      let hour = digits(11..<13), bytes[13] == UInt8(ascii: ":"), let minute = digits(14..<16),
      bytes[16] == UInt8(ascii: ":"), let second = digits(17..<19),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
    else { return nil }
    var at = 19
    var fraction: Int64 = 0
    if bytes[at] == UInt8(ascii: ".") {
      var scale: Int64 = 100
      at += 1
      while at < bytes.count, (0x30...0x39).contains(bytes[at]) {
        fraction += Int64(bytes[at] - 0x30) * scale
        scale /= 10
        at += 1
      }
    }
    var offset: Int64 = 0
    guard at < bytes.count else { return nil }
    switch bytes[at] {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"):
      guard at + 1 == bytes.count else { return nil }
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      guard at + 6 == bytes.count, bytes[at + 3] == UInt8(ascii: ":"),
        let hours = digits(at + 1..<at + 3), let minutes = digits(at + 4..<at + 6)
      else { return nil }
      offset = (hours * 60 + minutes) * (bytes[at] == UInt8(ascii: "-") ? -1 : 1)
    default: return nil
    }
    let days = daysSinceEpoch(year: year, month: month, day: day)
    return ((days * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1000 + fraction
  }

  /// Days from 1970-01-01 in the proleptic Gregorian calendar
  /// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil).
  package static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Year, month and day in UTC (the inverse, civil_from_days).
  package static func civil(daysSinceEpoch days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// The spelling of the backend: `2026-05-09T18:22:41.307Z`.
  package var iso: String {
    let rest = milliseconds - milliseconds.quotientRoundingDown(86_400_000) * 86_400_000
    return "\(isoDay)T\(Self.pad(rest / 3_600_000, 2)):\(Self.pad(rest / 60_000 % 60, 2)):"
      + "\(Self.pad(rest / 1000 % 60, 2)).\(Self.pad(rest % 1000, 3))Z"
  }

  /// The UTC day, such as `2026-05-09`.
  package var isoDay: String {
    let day = milliseconds.quotientRoundingDown(86_400_000)
    let (year, month, dayOfMonth) = Self.civil(daysSinceEpoch: day)
    return "\(Self.pad(year, 4))-\(Self.pad(month, 2))-\(Self.pad(dayOfMonth, 2))"
  }

  private static func pad(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    let missing = width - digits.utf8.count
    return missing > 0 ? String(repeating: "0", count: missing) + digits : digits
  }
}

extension Int64 {
  fileprivate func quotientRoundingDown(_ divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

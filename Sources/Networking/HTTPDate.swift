/// `Date` and `Retry-After` values (RFC 9110 sections 5.6.7 and 10.2.3), without a locale.
package enum HTTPDate {
  /// Milliseconds since 1970 of an IMF-fixdate such as `Sun, 06 Nov 1994 08:49:37 GMT`, or of the
  /// two obsolete forms that a recipient must accept: `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov
  /// 6 08:49:37 1994`.
  package static func milliseconds(_ text: String) -> Int64? {
    guard let parts = Parts(text.trimmingASCIISpace().split(separator: " ")),
      let day = Int(parts.day), let year = year(parts.year),
      let month = months.firstIndex(of: String(parts.month)), (1...31).contains(day)
    else { return nil }
    let time = parts.time.split(separator: ":").compactMap { Int($0) }
    guard time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]),
      (0...60).contains(time[2])
    else { return nil }
    let days = daysSince1970(year: year, month: month + 1, day: day)
    let seconds = days * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2]
    return Int64(seconds) * 1_000
  }

  private struct Parts {
    var day, month, year, time: Substring

    init?(_ words: [Substring]) {
      switch words.count {
      case 6 where words[5] == "GMT":
        (day, month, year, time) = (words[1], words[2], words[3], words[4])
      case 5: (day, month, year, time) = (words[2], words[1], words[4], words[3])
      case 4 where words[3] == "GMT":
        let date = words[1].split(separator: "-")
        guard date.count == 3, date[2].utf8.count == 2 else { return nil }
        (day, month, year, time) = (date[0], date[1], date[2], words[2])
      default: return nil
      }
    }
  }

  /// A two-digit year means 1970 to 2069.
  private static func year(_ text: Substring) -> Int? {
    guard let year = Int(text) else { return nil }
    if text.utf8.count == 2, year >= 0 { return year < 70 ? 2000 + year : 1900 + year }
    return (1970...9999).contains(year) ? year : nil
  }

  /// Milliseconds to wait according to a `Retry-After` value; never negative.
  package static func retryAfterMs(_ text: String, nowMs: Int64) -> Int? {
    let trimmed = text.trimmingASCIISpace()
    if !trimmed.isEmpty, trimmed.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return trimmed.utf8.reduce(0) { min($0 * 10 + Int($1 - 0x30), 1 << 30) } * 1_000
    }
    return milliseconds(trimmed).map { Int(clamping: max(0, $0 - nowMs)) }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Days of the proleptic Gregorian calendar; the year is counted from March so that the leap day is
  /// the last one.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

extension HTTPHead {
  /// The `Retry-After` delay, milliseconds. The server wrote a date by its own clock, so compare it
  /// with the server's `Date`, and with our clock only if that is missing.
  package func retryAfterMs(wallMs: Int64) -> Int? {
    let nowMs = value("date").flatMap(HTTPDate.milliseconds) ?? wallMs
    return value("retry-after").flatMap { HTTPDate.retryAfterMs($0, nowMs: nowMs) }
  }
}

/// The offset of the server's clock from ours, from `Date` headers, or from live rows if no answer
/// has one.
package struct ClockSkew: Sendable, Equatable {
  /// Server minus ours, milliseconds; nil before the first header.
  package internal(set) var milliseconds: Int?
  /// No header has said it.
  package private(set) var isFromRows = false

  package init() {}

  /// A larger difference is doubted: the header may come from a proxy.
  package static let doubtfulMs = 86_400_000

  /// Whether to ignore an offset: it exceeds a day, and the newest row's time, written by the
  /// backend, is closer to our clock than to the header's, or there is no row.
  package static func isDoubtful(_ skewMs: Int?, newestRowMs: Int64?, wallMs: Int64) -> Bool {
    guard let skewMs, skewMs.magnitude > UInt(doubtfulMs) else { return false }
    guard let newestRowMs else { return true }
    let distance = Double(newestRowMs) - Double(wallMs)
    return abs(distance) <= abs(distance - Double(skewMs))
  }

  /// The difference between two clocks as text: `40 s`, `3 h`, `12 days`, `56 years`.
  package static func words(_ skewMs: Int) -> String {
    let seconds = skewMs.magnitude / 1_000
    switch seconds {
    case ..<600: return "\(seconds) s"
    case ..<36_000: return "\(seconds / 60) min"
    case ..<172_800: return "\(seconds / 3_600) h"
    case ..<63_072_000: return "\(seconds / 86_400) days"
    default: return "\(seconds / 31_557_600) years"
    }
  }

  /// A header says whole seconds and may be up to 2 s old, as with the upstream's runtime: it lies up to 3 s
  /// behind the server's clock. A smaller difference than these is none that can be measured, in ms.
  package static let unmeasured = -3_000...2_500
  /// How far a later header may deviate from the known offset without being news, in ms: a cached
  /// one lags, a fresher one leads.
  private static let sameDifference = -3_000...1_000

  /// Takes a `Date` header that arrived at `wallMs`. Half a second is added to its whole ones. Returns whether
  /// the value changed.
  package mutating func observe(dateHeader: String?, wallMs: Int64) -> Bool {
    guard let dateHeader, let serverMs = HTTPDate.milliseconds(dateHeader) else { return false }
    isFromRows = false
    return take(Int(clamping: serverMs + 500 - wallMs))
  }

  /// Takes the time of a row that came live at `wallMs`, while no header has said anything: it was written a
  /// moment ago, or earlier, so the latest clock counts. Returns whether the value changed.
  package mutating func observe(liveRowMs: Int64, wallMs: Int64) -> Bool {
    guard milliseconds == nil || isFromRows else { return false }
    let (difference, overflow) = liveRowMs.subtractingReportingOverflow(wallMs)
    let sample = Int(clamping: difference)
    // A row may claim any time.
    guard !overflow, sample.magnitude <= UInt(Self.doubtfulMs), sample > milliseconds ?? .min else {
      return false
    }
    isFromRows = true
    return take(sample)
  }

  private mutating func take(_ sample: Int) -> Bool {
    if let milliseconds, milliseconds != 0,
      Self.sameDifference.contains(sample.subtractingReportingOverflow(milliseconds).partialValue)
    {
      return false
    }
    let value = Self.unmeasured.contains(sample) ? 0 : sample
    guard value != milliseconds else { return false }
    milliseconds = value
    return true
  }
}

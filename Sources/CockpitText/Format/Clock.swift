import ClankyWire
import CockpitStores
import Foundation
import TerminalCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Formats wire times in the local zone or in UTC.
///
/// A value made once per frame, so that the zone is looked up once and not per row.
package struct ClockFormat: Hashable, Sendable {
  /// The time format of a feed row.
  package enum Style: String, CaseIterable, Hashable, Sendable {
    /// `14:32:08`
    case clock
    /// `5s`, `12m`
    case age
    /// `14:32:08.120`
    case milliseconds

    /// The next style, for the key that cycles through them.
    package var next: Style {
      switch self {
      case .clock: .age
      case .age: .milliseconds
      case .milliseconds: .clock
      }
    }

    /// Columns that the widest time of this style takes.
    package var columns: Int {
      switch self {
      case .clock: 8
      case .age: 5
      case .milliseconds: 12
      }
    }
  }

  private enum Zone: Sendable {
    /// The machine's, as the C library knows it.
    case local
    case named(TimeZone)
  }

  private let zone: Zone
  /// Zones are compared by name, for every row that is shown: comparing them themselves takes as
  /// long as putting the row together.
  private let name: String

  package init(zone: TimeZone) {
    self.zone = .named(zone)
    name = zone.identifier
  }

  /// The zone of `TZ` or else of the machine. `TimeZone.current` is the same and takes a
  /// sixtieth of the cockpit's start.
  package static let local = ClockFormat()

  private init() {
    tzset()
    zone = .local
    name = "local"
  }

  package static func == (left: ClockFormat, right: ClockFormat) -> Bool { left.name == right.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// `14:32:08`, of a moment in ms since 1970.
  package func time(ms: Int64) -> PlainText { PlainText(text(ms: ms, milliseconds: false)) }

  /// `14:32:08.120`
  package func timeWithMilliseconds(ms: Int64) -> PlainText {
    PlainText(text(ms: ms, milliseconds: true))
  }

  /// `14:32`; of another day than that of `now` `05-09`.
  package func shortTime(ms: Int64, now: Int64) -> PlainText {
    dayNumber(ms: ms) == dayNumber(ms: now) ? time(ms: ms).prefix(columns: 5) : monthDay(ms: ms)
  }

  /// The time of a row in a list: `14:32:08` in the 24 hours around `now`, else with its date,
  /// `05-09 14:32`, as exact as there are columns for.
  package func rowTime(
    ms: Int64, now: Int64, columns: Int, hasMilliseconds: Bool = false
  ) -> PlainText {
    guard !Self.isNear(ms, now) else {
      return hasMilliseconds ? timeWithMilliseconds(ms: ms) : time(ms: ms)
    }
    let date = monthDay(ms: ms)
    let clocks = [time(ms: ms), time(ms: ms).prefix(columns: 5)]
    let texts = (hasMilliseconds ? [timeWithMilliseconds(ms: ms)] + clocks : clocks).map {
      date + " " + $0
    }
    return texts.first { $0.columns <= columns } ?? date
  }

  /// The columns of a row's time with its date; a narrower column omits parts.
  package static func rowColumns(_ style: Style) -> Int {
    switch style {
    case .clock: 11
    case .age: Style.age.columns
    case .milliseconds: 18
    }
  }

  /// Whether the time of day is unambiguous: the times are less than a day apart.
  package static func isNear(_ ms: Int64, _ now: Int64) -> Bool {
    (now - 86_399_999...now + 86_399_999).contains(ms)
  }

  /// `05-09`
  package func monthDay(ms: Int64) -> PlainText { day(ms: ms).dropFirst(columns: 5) }

  /// `2026-05-09`
  package func day(ms: Int64) -> PlainText {
    let (year, month, day) = WireTime.civil(daysSinceEpoch: dayNumber(ms: ms))
    return PlainText("\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))")
  }

  /// The day number in this zone; two moments share a day when it is equal.
  package func dayNumber(ms: Int64) -> Int64 { localSeconds(ms).quotientDown(86_400) }

  /// Minutes since midnight in this zone.
  package func minuteOfDay(ms: Int64) -> Int {
    let second = localSeconds(ms)
    return Int(second - second.quotientDown(86_400) * 86_400) / 60
  }

  private func localSeconds(_ ms: Int64) -> Int64 {
    let seconds = ms.quotientDown(1000)
    return seconds + offset(at: seconds)
  }

  /// The zone for queries with times in this format.
  package var queryZone: QueryZone { QueryZone(name: name) { [self] in offset(at: $0) } }

  /// Seconds that the zone is ahead of UTC at a moment in seconds since 1970.
  private func offset(at seconds: Int64) -> Int64 {
    switch zone {
    case .named(let zone):
      return Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    case .local:
      var moment = time_t(seconds)
      var parts = tm()
      // Fails for years beyond an Int32: such a time is written as of UTC.
      guard localtime_r(&moment, &parts) != nil else { return 0 }
      return Int64(parts.tm_gmtoff)
    }
  }

  private func text(ms: Int64, milliseconds: Bool) -> String {
    let second = localSeconds(ms)
    let ofDay = second - second.quotientDown(86_400) * 86_400
    let rest = ms - ms.quotientDown(1000) * 1000
    // Byte by byte: a feed writes dozens of times with every frame.
    return String(unsafeUninitializedCapacity: 12) { bytes in
      var count = 0
      func put(_ value: Int64, _ digits: Int, _ end: UInt8?) {
        var value = value
        for place in (0..<digits).reversed() {
          bytes[count + place] = UInt8(ascii: "0") + UInt8(value % 10)
          value /= 10
        }
        count += digits
        if let end {
          bytes[count] = end
          count += 1
        }
      }
      put(ofDay / 3600, 2, UInt8(ascii: ":"))
      put(ofDay / 60 % 60, 2, UInt8(ascii: ":"))
      put(ofDay % 60, 2, milliseconds ? UInt8(ascii: ".") : nil)
      if milliseconds { put(rest, 3, nil) }
      return count
    }
  }

  private func pad(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Int64 {
  fileprivate func quotientDown(_ divisor: Int64) -> Int64 {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}

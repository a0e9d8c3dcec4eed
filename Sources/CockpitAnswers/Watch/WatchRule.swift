package import CockpitStores

/// A watch: rows that match a query, so many within a time. Written `NAME: QUERY | count > 3 in 5m`.
package struct WatchRule: Hashable, Sendable {
  package let name: String
  /// The query without its condition, as it was written.
  package let text: String
  package let query: Query
  /// Rows that make an alarm, at least 1.
  package let least: Int
  /// Within this time, in ms.
  package let withinMs: Int64
  package let level: TriageLevel

  /// Why a watch cannot be read: one sentence without a full stop.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Without a condition one row within this time is an alarm, in ms.
  package static let usualMs: Int64 = 300_000
  private static let longestMs: Int64 = 86_400_000
  private static let mostRows = 10_000

  /// The name of its rule, in alarms and for `:mute`.
  package var rule: String { Self.prefix + name }
  static let prefix = "watch."

  /// Reads `NAME: QUERY`.
  package init(
    _ line: String, zone: QueryZone = .utc, views: QueryViews = QueryViews()
  ) throws(Problem) {
    guard let colon = line.firstIndex(of: ":"), QueryViews.isName(String(line[..<colon])) else {
      throw Problem(
        description: "'\(line.prefix(60))' has no name; write NAME: QUERY, such as "
          + "slow: kind:llm_call ms>8000 | count > 3 in 5m")
    }
    try self.init(
      name: String(line[..<colon]), text: String(line[line.index(after: colon)...]), zone: zone,
      views: views)
  }

  /// - Parameter text: a query, perhaps with a condition at its end.
  package init(
    name: String, text: String, level: TriageLevel = .warning, zone: QueryZone = .utc,
    views: QueryViews = QueryViews()
  ) throws(Problem) {
    self.name = name
    self.level = level
    var filter = text
    var (least, withinMs) = (1, Self.usualMs)
    if let match = text.firstMatch(of: /\|\s*count\s*(>=|>)\s*(\d{1,9})\s+in\s+(\S+)\s*$/) {
      filter = String(text[..<match.range.lowerBound])
      guard let number = Int(match.2), let ms = Self.milliseconds(match.3) else {
        throw Problem(description: "'\(match.0)' is no condition; one is | count > 3 in 5m")
      }
      least = match.1 == ">" ? number + 1 : number
      withinMs = ms
    }
    guard (1...Self.mostRows).contains(least), (1000...Self.longestMs).contains(withinMs) else {
      throw Problem(
        description: "a watch counts 1 to \(Self.mostRows) rows, within 1s to 24h")
    }
    self.least = least
    self.withinMs = withinMs
    self.text = filter.trimmingSpaces
    do throws(QueryError) {
      query = try Query.parse(piped: self.text, in: zone, views: views)
    } catch {
      throw Problem(description: error.description)
    }
    guard query.pipeline == nil else {
      throw Problem(
        description: "a watch takes a filter and a condition such as | count > 3 in 5m, no other "
          + "stage")
    }
    guard !query.isEmpty else {
      throw Problem(description: "its query matches every row; say which rows are meant")
    }
  }

  private static func milliseconds(_ text: Substring) -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let value = Int64(digits), value > 0, value < 1_000_000 else { return nil }
    switch text.dropFirst(digits.count) {
    case "s": return value * 1000
    case "m": return value * 60_000
    case "h": return value * 3_600_000
    default: return nil
    }
  }

  /// `5m`, `90s`, `1h`.
  package var within: String {
    withinMs % 3_600_000 == 0
      ? "\(withinMs / 3_600_000)h"
      : withinMs % 60_000 == 0 ? "\(withinMs / 60_000)m" : "\(withinMs / 1000)s"
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var text = self[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

import Foundation

/// Tables worked out from decoded JSON in the plainest way: no code of the program is used, so that a
/// mistake of one is not mirrored by the other. Times are UTC.
struct PlainEvaluation {
  /// What a row is asked: a field, a sign and a value, as the test has chosen them.
  struct Condition {
    var text: String
    var holds: ([String: Any]) -> Bool
  }

  struct Line: Equatable {
    var keys: [String]
    /// Parts of a unit: billionths of a dollar, millionths of others.
    var figure: Int64?
    var rows: Int
  }

  enum Order: Equatable {
    case top(Int), bottom(Int), head(Int)
    case sort(Int?, isDescending: Bool)
  }

  var figure: String
  var number: String
  var keys: [String]
  var orders: [Order]

  private static func meta(_ row: [String: Any]) -> [String: Any] {
    row["metadata"] as? [String: Any] ?? [:]
  }

  static func texts(_ field: String, _ row: [String: Any]) -> [String] {
    let meta = meta(row)
    switch field {
    case "kind": return [row["kind"] as? String ?? ""]
    case "user": return (row["user_id"] as? String).map { [$0] } ?? []
    case "channel": return (row["channel_id"] as? String).map { [$0] } ?? []
    case "id": return (row["id"] as? Int).map { ["\($0)"] } ?? []
    case "model":
      return [meta["model"], meta["responseModel"]].compactMap { $0 as? String }
    case "tool":
      let one = (meta["toolName"] as? String).map { [$0] } ?? []
      let more = (meta["toolNames"] as? String)?.components(separatedBy: ",") ?? []
      return one + more.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    case "meta.stage":
      if let text = meta["stage"] as? String { return [text] }
      return (meta["stage"] as? [Any])?.compactMap { $0 as? String } ?? []
    default: return []
    }
  }

  static func amount(_ field: String, _ row: [String: Any]) -> Int64? {
    let meta = meta(row)
    switch field {
    case "cost":
      let usd = (row["usd_cost"] as? Double) ?? 0
      return usd == 0 ? nil : Int64((usd * 1e9).rounded())
    case "ms":
      return ((meta["durationMs"] ?? meta["latencyMs"]) as? Double).map {
        Int64(($0 * 1e6).rounded())
      }
    case "tokens":
      guard let usage = meta["usage"] as? [String: Any] else { return nil }
      let (input, output) = (usage["inputTokens"] as? Double, usage["outputTokens"] as? Double)
      guard input != nil || output != nil else { return nil }
      return Int64(((input ?? 0) + (output ?? 0)) * 1e6)
    default: return (meta["score"] as? Double).map { Int64(($0 * 1e6).rounded()) }
    }
  }

  static func ms(_ row: [String: Any]) -> Int64 {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    let date = formatter.date(from: row["created_at"] as? String ?? "") ?? .distantPast
    return Int64((date.timeIntervalSince1970 * 1000).rounded())
  }

  private func texts(_ key: String, _ row: [String: Any]) -> [String] {
    let lengths: [String: Int64] = ["minute": 60, "hour": 3600, "day": 86_400, "10m": 600]
    if let length = lengths[key] {
      return ["\(row["ms"] as! Int64 / (length * 1000) * length * 1000)"]
    }
    var seen: Set<String> = []
    return Self.texts(key, row).map { $0.lowercased() }.filter { seen.insert($0).inserted }
  }

  struct Table: Equatable {
    var lines: [Line]
    var rows: Int
    var lacking: Int
    var inSeveral: Int
  }

  func table(_ rows: [[String: Any]]) -> Table {
    var groups: [[String]: (values: [Int64], different: Set<String>, rows: Int)] = [:]
    var lacking = 0
    var inSeveral = 0
    for row in rows {
      var value: Int64 = 0
      var different: [String] = []
      if figure == "distinct" {
        different = texts(number, row)
        if different.isEmpty {
          lacking += 1
          continue
        }
      } else if figure != "count" {
        guard let amount = Self.amount(number, row) else {
          lacking += 1
          continue
        }
        value = amount
      }
      var lines: [[String]] = [[]]
      for key in keys {
        let found = texts(key, row)
        lines = lines.flatMap { line in found.map { line + [$0] } }
      }
      if lines.isEmpty { lacking += 1 }
      if lines.count > 1 { inSeveral += 1 }
      for line in lines {
        var group = groups[line] ?? ([], [], 0)
        group.values.append(value)
        group.different.formUnion(different)
        group.rows += 1
        groups[line] = group
      }
    }
    var lines = groups.map { keys, group in
      Line(keys: keys, figure: of(group.values, group.different), rows: group.rows)
    }
    if keys.isEmpty, lines.isEmpty { lines = [Line(keys: [], figure: ofNone, rows: 0)] }
    return Table(
      lines: ordered(lines), rows: rows.count, lacking: lacking, inSeveral: inSeveral)
  }

  private var ofNone: Int64? { ["count", "distinct", "sum"].contains(figure) ? 0 : nil }

  private func of(_ values: [Int64], _ different: Set<String>) -> Int64? {
    let sorted = values.sorted()
    switch figure {
    case "count": return Int64(values.count)
    case "distinct": return Int64(different.count)
    case "sum": return values.reduce(0, +)
    case "avg":
      return Int64((Double(values.reduce(0, +)) / Double(values.count)).rounded())
    case "min": return sorted.first
    case "max": return sorted.last
    default:
      // The nearest rank, by counting: the first value that enough others do not exceed.
      let rank = Double(figure.dropFirst())! / 100
      return sorted.first { value in
        Double(sorted.filter { $0 <= value }.count) >= rank * Double(sorted.count) - 1e-9
      }
    }
  }

  // MARK: order

  private var timeIndex: Int? { keys.firstIndex { ["minute", "hour", "day", "10m"].contains($0) } }

  private func filled(_ lines: [Line]) -> [Line] {
    guard keys.count == 1, timeIndex == 0, !lines.isEmpty else { return lines }
    let step: Int64 = ["minute": 60_000, "10m": 600_000, "hour": 3_600_000][keys[0]] ?? 86_400_000
    let starts = lines.map { Int64($0.keys[0])! }
    guard (starts.max()! - starts.min()!) / step <= 2000 else { return lines }
    return lines
      + stride(from: starts.min()!, to: starts.max()!, by: Int(step)).filter {
        !starts.contains($0)
      }
      .map { Line(keys: ["\($0)"], figure: ofNone, rows: 0) }
  }

  private func ordered(_ lines: [Line]) -> [Line] {
    var lines =
      timeIndex.map { sorted(filled(lines), $0, isDescending: true) }
      ?? sorted(lines, nil, isDescending: true)
    for order in orders {
      switch order {
      case .top(let count):
        lines = Array(sorted(lines, nil, isDescending: true).prefix(count))
      case .bottom(let count):
        lines = Array(sorted(lines, nil, isDescending: false).prefix(count))
      case .head(let count): lines = Array(lines.prefix(count))
      case .sort(let column, let isDescending):
        lines = sorted(lines, column, isDescending: isDescending)
      }
    }
    return lines
  }

  private func sorted(_ lines: [Line], _ column: Int?, isDescending: Bool) -> [Line] {
    func figures(_ left: Line, _ right: Line, _ isDescending: Bool) -> Bool? {
      if left.figure == right.figure { return nil }
      guard let one = left.figure else { return false }
      guard let other = right.figure else { return true }
      return isDescending ? one > other : one < other
    }
    return lines.sorted { left, right in
      if let column {
        if left.keys[column] != right.keys[column] {
          return Self.isBefore(left.keys[column], right.keys[column]) != isDescending
        }
        if let result = figures(left, right, true) { return result }
      } else if let result = figures(left, right, isDescending) {
        return result
      }
      for index in keys.indices where left.keys[index] != right.keys[index] {
        return Self.isBefore(left.keys[index], right.keys[index]) != (index == timeIndex)
      }
      return false
    }
  }

  private static func isBefore(_ left: String, _ right: String) -> Bool {
    switch (Int64(left), Int64(right)) {
    case (let one?, let other?): return one < other
    case (_?, nil): return true
    case (nil, _?): return false
    case (nil, nil): return Array(left.utf8).lexicographicallyPrecedes(Array(right.utf8))
    }
  }
}

/// The stages after the filter of a query: `| p95 ms by model | top 5`. The first stage makes a
/// table of the rows, the others sort and cut its lines.
package struct QueryPipeline: Hashable, Sendable {
  /// As it was written, from its first `|` on.
  package let text: String
  let figure: QueryFigure
  /// The grouping keys; empty for one line over all rows.
  let keys: [QueryKey]
  let steps: [Step]

  /// A stage behind the first.
  enum Step: Hashable, Sendable {
    /// The lines with the greatest or least figures, in this order.
    case top(Int)
    case bottom(Int)
    /// The first lines of those that are left.
    case head(Int)
    case sort(Column, isDescending: Bool)
  }

  /// A column of the table.
  enum Column: Hashable, Sendable {
    case key(Int)
    case figure
  }

  /// Whether the lines are one series in time, so that an empty stretch is a line too.
  var bucket: QueryBucket? {
    guard keys.count == 1, case .time(let bucket) = keys[0] else { return nil }
    return bucket
  }
}

/// The figure of a line.
enum QueryFigure: Hashable, Sendable {
  /// The number of rows.
  case count
  /// The number of distinct values.
  case distinct(QueryKey)
  case number(NumberFunction, QueryNumber)

  /// The heading of its column: `count`, `distinct user`, `p95 ms`.
  var name: String {
    switch self {
    case .count: "count"
    case .distinct(let key): "distinct \(key.name)"
    case .number(let function, let number): "\(function.name) \(number.name)"
    }
  }

  /// Without rows a count is 0, and there is no maximum or average.
  var ofNoRows: Int64? {
    if case .number(let function, _) = self { return function == .sum ? 0 : nil }
    return 0
  }

  var unit: TableUnit {
    if case .number(_, let number) = self { return number.unit }
    return .count
  }
}

/// The aggregate of a number.
enum NumberFunction: Hashable, Sendable {
  case sum, avg, min, max
  /// Nearest rank: the smallest value not exceeded by at least this percentage. Always one of the
  /// values, never interpolated.
  case percentile(Int)

  init?(name: String) {
    switch name {
    case "sum": self = .sum
    case "avg": self = .avg
    case "min": self = .min
    case "max": self = .max
    default:
      guard name.first == "p", let rank = Int(name.dropFirst()), (1...99).contains(rank),
        name == "p\(rank)"
      else { return nil }
      self = .percentile(rank)
    }
  }

  var name: String {
    switch self {
    case .sum: "sum"
    case .avg: "avg"
    case .min: "min"
    case .max: "max"
    case .percentile(let rank): "p\(rank)"
    }
  }

  /// Whether the values themselves must be kept.
  var needsValues: Bool {
    switch self {
    case .sum, .avg: false
    case .min, .max, .percentile: true
    }
  }
}

/// A number that rows have: `cost`, `ms`, `tokens` or `meta.PATH`.
struct QueryNumber: Hashable, Sendable {
  let field: QueryField
  /// The path of `meta.a.b`.
  let path: [String]

  var name: String { ([field.rawValue] + path).joined(separator: ".") }

  var unit: TableUnit {
    switch field {
    case .cost: .usd
    case .ms: .milliseconds
    case .tokens: .tokens
    default: .number
    }
  }

  /// The missing value, as a noun.
  var noun: String {
    switch field {
    case .cost: "a cost"
    case .ms: "a duration"
    case .tokens: "tokens"
    default: "a number in \(name)"
    }
  }
}

/// A grouping key: the values of a field, or time buckets.
enum QueryKey: Hashable, Sendable {
  case field(QueryField, path: [String])
  case time(QueryBucket)

  /// The heading of its column, as it is written in a query.
  var name: String {
    switch self {
    case .field(let field, let path): ([field.rawValue] + path).joined(separator: ".")
    case .time(let bucket): bucket.name
    }
  }

  /// The fields that can be grouped or counted.
  static let fields: [QueryField] = [
    .kind, .domain, .chip, .event, .user, .channel, .guild, .message, .id, .model, .provider, .tool,
    .source, .session, .severity, .meta,
  ]
}

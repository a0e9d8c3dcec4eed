/// The order of the lines of a table, and which of them are shown.
struct QueryOrder {
  private let pipeline: QueryPipeline
  private let zone: QueryZone

  /// Above this many empty time buckets none gets a line.
  private static let maximumStretches = 2000

  init(_ pipeline: QueryPipeline, _ zone: QueryZone) {
    self.pipeline = pipeline
    self.zone = zone
  }

  /// The greatest figure first, ties by key; time buckets newest first, including empty ones, so
  /// that silence is visible. Then the stages apply.
  ///
  /// - Returns: the lines, and how many were left out.
  func lines(_ lines: [QueryTable.Line]) -> (shown: [QueryTable.Line], leftOut: Int) {
    let isTime = pipeline.keys.contains { $0.bucket != nil }
    var lines =
      isTime
      ? sorted(filled(lines), by: .key(timeIndex), isDescending: true)
      : sorted(lines, by: .figure, isDescending: true)
    let all = lines.count
    for step in pipeline.steps {
      switch step {
      case .top(let count):
        lines = Array(sorted(lines, by: .figure, isDescending: true).prefix(count))
      case .bottom(let count):
        lines = Array(sorted(lines, by: .figure, isDescending: false).prefix(count))
      case .head(let count): lines = Array(lines.prefix(count))
      case .sort(let column, let isDescending):
        lines = sorted(lines, by: column, isDescending: isDescending)
      }
    }
    return (lines, all - lines.count)
  }

  private var timeIndex: Int { pipeline.keys.firstIndex { $0.bucket != nil } ?? 0 }

  private func filled(_ lines: [QueryTable.Line]) -> [QueryTable.Line] {
    guard let bucket = pipeline.bucket else { return lines }
    let known = Set(lines.compactMap { Self.range($0.keys[0])?.lowerBound })
    guard var start = known.min(), let last = known.max() else { return lines }
    var empty: [QueryTable.Line] = []
    while start < last {
      let next = bucket.next(after: start, in: zone)
      guard next > start, empty.count < Self.maximumStretches else { return lines }
      if !known.contains(start) {
        empty.append(
          QueryTable.Line(keys: [.time(start..<next)], figure: pipeline.figure.ofNoRows, rows: 0))
      }
      start = next
    }
    return lines + empty
  }

  private static func range(_ key: QueryTable.Key) -> Range<Int64>? {
    if case .time(let range) = key { return range }
    return nil
  }

  /// Lines without a figure come last in both directions.
  private func sorted(
    _ lines: [QueryTable.Line], by column: QueryPipeline.Column, isDescending: Bool
  ) -> [QueryTable.Line] {
    lines.sorted { left, right in
      switch column {
      case .key(let index):
        let order = Self.order(left.keys[index], right.keys[index])
        if order != 0 { return (order < 0) != isDescending }
        if left.figure != right.figure { return Self.isGreater(left, right) }
      case .figure:
        if left.figure != right.figure {
          guard left.figure != nil, right.figure != nil else { return left.figure != nil }
          return Self.isGreater(left, right) == isDescending
        }
      }
      for (one, other) in zip(left.keys, right.keys) {
        let order = Self.order(one, other)
        // Of time buckets with equal figures the newest comes first.
        if order != 0 { return (order < 0) != (Self.range(one) != nil) }
      }
      return false
    }
  }

  private static func isGreater(_ left: QueryTable.Line, _ right: QueryTable.Line) -> Bool {
    guard let one = left.figure, let other = right.figure else { return left.figure != nil }
    return one > other
  }

  /// Numbers by their size, before texts by their letters.
  private static func order(_ left: QueryTable.Key, _ right: QueryTable.Key) -> Int {
    switch (left, right) {
    case (.time(let one), .time(let other)): return sign(one.lowerBound, other.lowerBound)
    case (.text(let one, _), .text(let other, _)):
      // Numbers before words, or the order would go round in circles.
      switch (Int64(one), Int64(other)) {
      case (let first?, let second?) where first != second: return sign(first, second)
      case (nil, _?): return 1
      case (_?, nil): return -1
      default: break
      }
      let (first, second) = (Array(one.lowercased().utf8), Array(other.lowercased().utf8))
      return first == second ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
    case (.time, .text): return -1
    case (.text, .time): return 1
    }
  }

  private static func sign(_ left: Int64, _ right: Int64) -> Int {
    left < right ? -1 : left > right ? 1 : 0
  }
}

/// The time zone of a query's times: the display zone, so that times on screen can be typed.
package struct QueryZone: Hashable, Sendable {
  private let name: String
  private let offset: @Sendable (Int64) -> Int64

  package static let utc = QueryZone(name: "UTC") { _ in 0 }

  /// - Parameters:
  ///   - name: zones with the same name are the same.
  ///   - offset: seconds ahead of UTC, at a moment in seconds since 1970.
  package init(name: String, offset: @escaping @Sendable (Int64) -> Int64) {
    self.name = name
    self.offset = offset
  }

  package static func == (left: QueryZone, right: QueryZone) -> Bool { left.name == right.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// Local date and time at a moment, in seconds as if it were UTC.
  func shown(at moment: Int64) -> Int64 { moment + offset(moment) }

  /// The moments at which this is shown: one; two when clocks are set back; none when they skip it.
  func moments(of shown: Int64) -> [Int64] {
    let candidates = Set(around(shown).map { shown - $0 })
    return candidates.filter { self.shown(at: $0) == shown }.sorted()
  }

  /// The first moment at which this is shown, or that at which it is skipped.
  func start(of shown: Int64) -> Int64 {
    if let first = moments(of: shown).first { return first }
    // Clocks go from less to more at one moment between these two.
    let bounds = around(shown).map { shown - $0 }.sorted()
    guard var before = bounds.first, var after = bounds.last else { return shown }
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if self.shown(at: middle) < shown { before = middle } else { after = middle }
    }
    return after
  }

  /// The offsets a day before and a day after, which is farther than any is from UTC.
  private func around(_ shown: Int64) -> [Int64] {
    [offset(shown - 86_400), offset(shown + 86_400)]
  }
}

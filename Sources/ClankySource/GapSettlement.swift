internal import CockpitDomain

/// The outcome of a fill: which rows stay missing, and which gaps reported earlier have shrunk or
/// closed.
struct GapSettlement {
  /// Previously reported gaps in which rows were found, with the number found.
  private(set) var closed: [(gap: IDGap, count: Int)] = []
  /// Previously reported gaps in which nothing was found.
  private(set) var standing: [IDGap] = []
  /// Gaps to report now, including the remainders of `closed`.
  private(set) var reports: [IDGap] = []

  /// - Parameters:
  ///   - holes: the ids that are missing now.
  ///   - unanswered: the gaps reported earlier.
  ///   - placeMs: the time at which new holes are placed.
  ///   - isAnswered: whether the backend has confirmed that it lacks the rows.
  init(holes: [ClosedRange<Int>], unanswered: [IDGap], placeMs: Int64, isAnswered: Bool) {
    for gap in unanswered {
      let rest = holes.compactMap { $0.part(of: gap.range) }
      let found = gap.range.count - rest.reduce(0) { $0 + $1.count }
      guard found > 0 else {
        standing.append(gap)
        continue
      }
      closed.append((gap, found))
      reports += rest.map { IDGap($0, atMs: gap.atMs, isAnswered: isAnswered) }
    }
    let reported = standing + reports
    for hole in holes {
      let new = reported.reduce([hole]) { pieces, gap in pieces.flatMap { $0.without(gap.range) } }
      reports += new.map { IDGap($0, atMs: placeMs, isAnswered: isAnswered) }
    }
  }

  /// Number of rows found that had been reported as missing.
  var found: Int { closed.reduce(0) { $0 + $1.count } }

  /// The change in the number of missing rows against the earlier report; negative if it fell.
  var missing: Int {
    reports.reduce(0) { $0 + $1.range.count } - closed.reduce(0) { $0 + $1.gap.range.count }
  }
}

extension IDGap {
  fileprivate var range: ClosedRange<Int> { from...to }

  fileprivate init(_ ids: ClosedRange<Int>, atMs: Int64, isAnswered: Bool) {
    self.init(from: ids.lowerBound, to: ids.upperBound, atMs: atMs, isAnswered: isAnswered)
  }
}

internal import CockpitDomain

/// What a fill has to tell once it has ended: which rows stay missing, and which gaps that were told
/// before are smaller than was said, or gone.
struct GapSettlement {
  /// Gaps told before of which rows were found, with how many.
  private(set) var closed: [(gap: IDGap, count: Int)] = []
  /// Gaps told before of which nothing was found.
  private(set) var standing: [IDGap] = []
  /// Gaps to be told now, what is left of the closed ones among them.
  private(set) var reports: [IDGap] = []

  /// - Parameters:
  ///   - holes: the ids that are missing now.
  ///   - unanswered: the gaps that were told before.
  ///   - placeMs: where holes that nobody was told of belong in time.
  ///   - isAnswered: whether the backend has said that it does not have them.
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
    let told = standing + reports
    for hole in holes {
      let new = told.reduce([hole]) { pieces, gap in pieces.flatMap { $0.without(gap.range) } }
      reports += new.map { IDGap($0, atMs: placeMs, isAnswered: isAnswered) }
    }
  }

  /// Rows that were found of what had been told as missing.
  var found: Int { closed.reduce(0) { $0 + $1.count } }

  /// By how many rows more are missing than was told; negative when they are fewer.
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

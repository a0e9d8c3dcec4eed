internal import CockpitDomain
internal import Networking

/// Rows that came live before a hole and have no id (wire contract 4.1): a batch shows that their ids are
/// missing, and they are not. The rows of a connection come in order and are not dropped (wire contract
/// 2.7), so they have the first ids after the newest one that was known.
package struct UnidentifiedRows: Sendable, Equatable {
  /// The ids that so many rows would have, and when they came.
  private struct Stretch: Sendable, Equatable {
    var ids: ClosedRange<Int>
    /// Server time, in ms since 1970.
    var times: ClosedRange<Int64>
  }

  private var stretches: [Stretch] = []

  /// Connections that end without an answer to any question; older ones are given up.
  private static let limit = 64

  package init() {}

  /// Notes that rows were told after an id that was the newest known.
  ///
  /// - Parameters:
  ///   - fromMs: server time of the newest row before them; they may be somewhat older, by the backend's
  ///     clock.
  ///   - toMs: server time after which rows belong to the next connection.
  package mutating func note(_ count: Int, after newest: Int?, fromMs: Int64, toMs: Int64) {
    guard count > 0, let newest, newest < .max - count, fromMs <= toMs else { return }
    stretches.append(Stretch(ids: newest + 1...newest + count, times: fromMs...toMs))
    if stretches.count > Self.limit { stretches.removeFirst() }
  }

  /// The holes without what was told.
  ///
  /// - Parameter unnamed: how many rows of a stretch of time still have no id: those that a list has
  ///   brought meanwhile are in no hole any more.
  package func without(
    _ holes: [ClosedRange<Int>], unnamed: (ClosedRange<Int64>) -> Int
  ) -> [ClosedRange<Int>] {
    var rest = holes
    for stretch in stretches where rest.contains(where: { $0.overlaps(stretch.ids) }) {
      var left = unnamed(stretch.times)
      rest = rest.flatMap { hole -> [ClosedRange<Int>] in
        guard left > 0, let part = hole.part(of: stretch.ids) else { return [hole] }
        let told = part.prefix(left)
        left -= told.count
        return hole.without(part.lowerBound...part.lowerBound + told.count - 1)
      }
    }
    return rest
  }

  /// Forgets what concerns none of these holes.
  package mutating func keep(for holes: [ClosedRange<Int>]) {
    stretches.removeAll { stretch in !holes.contains { $0.overlaps(stretch.ids) } }
  }
}

extension ClosedRange<Int> {
  /// What lies in both, if anything does.
  func part(of other: ClosedRange<Int>) -> ClosedRange<Int>? {
    overlaps(other) ? clamped(to: other) : nil
  }

  /// What lies outside the other: none, one or two ranges.
  func without(_ other: ClosedRange<Int>) -> [ClosedRange<Int>] {
    guard overlaps(other) else { return [self] }
    var rest: [ClosedRange<Int>] = []
    if lowerBound < other.lowerBound { rest.append(lowerBound...(other.lowerBound - 1)) }
    if upperBound > other.upperBound { rest.append((other.upperBound + 1)...upperBound) }
    return rest
  }
}

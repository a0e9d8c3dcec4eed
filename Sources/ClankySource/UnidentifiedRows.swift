internal import CockpitDomain
internal import Networking

/// Live rows before a hole that have no id (wire contract 4.1): a batch shows their ids as missing
/// although the rows are stored. A connection delivers rows in order and without drops (wire
/// contract 2.7), so they have the first ids after the newest known one.
package struct UnidentifiedRows: Sendable, Equatable {
  /// The ids that these rows would have, and when they arrived.
  private struct Stretch: Sendable, Equatable {
    var ids: ClosedRange<Int>
    /// Server time, in ms since 1970.
    var times: ClosedRange<Int64>
  }

  private var stretches: [Stretch] = []

  /// Maximum connections without an identifying list; the oldest are dropped.
  private static let limit = 64

  package init() {}

  /// Records live rows received after the newest known id.
  ///
  /// - Parameters:
  ///   - fromMs: server time of the newest row before them; by the backend's clock they may be
  ///     slightly older.
  ///   - toMs: server time after which rows belong to the next connection.
  package mutating func note(_ count: Int, after newest: Int?, fromMs: Int64, toMs: Int64) {
    guard count > 0, let newest, newest < .max - count, fromMs <= toMs else { return }
    stretches.append(Stretch(ids: newest + 1...newest + count, times: fromMs...toMs))
    if stretches.count > Self.limit { stretches.removeFirst() }
  }

  /// The holes without the ids of live rows.
  ///
  /// - Parameter unidentified: how many rows in a time range still have no id; rows that a list has
  ///   identified since are in no hole.
  package func without(
    _ holes: [ClosedRange<Int>], unidentified: (ClosedRange<Int64>) -> Int
  ) -> [ClosedRange<Int>] {
    var rest = holes
    for stretch in stretches where rest.contains(where: { $0.overlaps(stretch.ids) }) {
      var left = unidentified(stretch.times)
      rest = rest.flatMap { hole -> [ClosedRange<Int>] in
        guard left > 0, let part = hole.part(of: stretch.ids) else { return [hole] }
        let live = part.prefix(left)
        left -= live.count
        return hole.without(part.lowerBound...part.lowerBound + live.count - 1)
      }
    }
    return rest
  }

  /// Drops records that overlap none of these holes.
  package mutating func keep(for holes: [ClosedRange<Int>]) {
    stretches.removeAll { stretch in !holes.contains { $0.overlaps(stretch.ids) } }
  }
}

extension ClosedRange<Int> {
  /// The overlap, or nil.
  func part(of other: ClosedRange<Int>) -> ClosedRange<Int>? {
    overlaps(other) ? clamped(to: other) : nil
  }

  /// The range minus `other`: none, one or two ranges.
  func without(_ other: ClosedRange<Int>) -> [ClosedRange<Int>] {
    guard overlaps(other) else { return [self] }
    var rest: [ClosedRange<Int>] = []
    if lowerBound < other.lowerBound { rest.append(lowerBound...(other.lowerBound - 1)) }
    if upperBound > other.upperBound { rest.append((other.upperBound + 1)...upperBound) }
    return rest
  }
}

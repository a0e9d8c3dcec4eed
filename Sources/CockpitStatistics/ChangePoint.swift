internal import Foundation

/// The place in a series from which on its values are greater or smaller: Pettitt, Applied Statistics 28 (1979),
/// 126-135, with the correction of `Ranks.widening` for values that follow each other, by their correlation within both
/// sides.
package struct ChangePoint: Hashable, Sendable {
  /// The first value after the change.
  package var index: Int
  /// Two-sided.
  package var p: Double
  /// The values before it and from it on that belong to the comparison.
  package var range: Range<Int>

  /// Values on each side at the least.
  package static let leastSegment = 15
  /// A change is told below it.
  package static let limit = 0.01

  /// The strongest change, and one more on each side of it; in the order of the series.
  package static func all(in series: [Double], limit: Double = limit) -> [ChangePoint] {
    guard let first = strongest(in: series, 0..<series.count), first.p < limit else { return [] }
    let sides = [0..<first.index, first.index..<series.count]
    let more = sides.compactMap { strongest(in: series, $0) }.filter { $0.p < limit }
    return ([first] + more).sorted { $0.index < $1.index }
  }

  /// A change with its sides: each reaches to the next change, or to an end of the series.
  package struct Step: Hashable, Sendable {
    package var point: ChangePoint
    package var before: Range<Int>
    package var after: Range<Int>
  }

  /// Every change of a series with its sides, in the order of the series.
  package static func steps(in series: [Double]) -> [Step] {
    let found = all(in: series)
    let ends = [0] + found.map(\.index) + [series.count]
    return found.enumerated().map { place, point in
      Step(
        point: point, before: ends[place]..<point.index, after: point.index..<ends[place + 2])
    }
  }

  /// The place where the difference is greatest, whatever its p; nil for series shorter than two segments.
  static func strongest(in series: [Double], _ range: Range<Int>) -> ChangePoint? {
    let values = Array(series[range])
    let n = values.count
    guard n >= 2 * leastSegment else { return nil }
    let ranks = Ranks.of(values)
    var sum = 0.0
    var best = (place: 0, size: -1.0)
    for place in 1...(n - leastSegment) {
      sum += ranks[place - 1]
      guard place >= leastSegment else { continue }
      let size = abs(2 * sum - Double(place) * Double(n + 1))
      if size > best.size { best = (place, size) }
    }
    let rho = Ranks.serial([Array(values[..<best.place]), Array(values[best.place...])])
    let k = best.size / Ranks.widening(rho)
    let length = Double(n)
    let p = min(1, 2 * exp(-6 * k * k / (length * length * length + length * length)))
    return ChangePoint(index: range.lowerBound + best.place, p: p, range: range)
  }
}

package import CockpitDomain

extension HistoryMark {
  /// The beginning of the nearest UTC day before or after a time; nil if there is none within a stretch.
  ///
  /// - Parameters:
  ///   - span: the times of the oldest and the newest row, in ms since 1970.
  ///   - from: ms since 1970; from outside it is the nearest day inside.
  package static func day(
    in span: ClosedRange<Int64>, from: Int64, isOlder: Bool
  ) -> Int64? {
    let day = DayName.msPerDay
    let first = (from / day + (isOlder ? 0 : 1)) * day
    let begin = isOlder && first == from ? first - day : first
    if span.lowerBound < begin, begin <= span.upperBound {
      return isOlder == (begin < from) && begin != from ? begin : nil
    }
    if isOlder, begin > span.upperBound {
      let last = span.upperBound / day * day
      return last > span.lowerBound ? last : nil
    }
    if !isOlder, begin <= span.lowerBound {
      let next = (span.lowerBound / day + 1) * day
      return next <= span.upperBound ? next : nil
    }
    return nil
  }
}

/// The identity of a value: a text compares without case, as in a filter.
enum FoldKey: Hashable {
  case text([UInt8])
  case time(Int64)

  var bytes: [UInt8] {
    switch self {
    case .text(let bytes): bytes
    case .time(let ms): Array(String(ms).utf8)
    }
  }
}

/// One line of the table, updated as rows come and go.
struct FoldLine {
  let keys: [FoldKey]
  /// The first spelling in the order of the letters, so that the order of the rows does not matter.
  private(set) var spelled: [String]
  private(set) var rows = 0
  private var sum: Int64 = 0
  /// Overflow count of the 64-bit sum.
  private var carry = 0
  private var values = ValueBag()
  private var distinct: [Int32: Int] = [:]

  init(keys: [FoldKey], spelled: [String]) {
    self.keys = keys
    self.spelled = spelled
  }

  mutating func see(_ others: [String]) {
    for (index, other) in others.enumerated()
    where other.utf8.lexicographicallyPrecedes(spelled[index].utf8) {
      spelled[index] = other
    }
  }

  mutating func count(_ value: Int64, _ different: [Int32], by sign: Int, keepsValues: Bool) {
    rows += sign
    let change = sign > 0 ? value : -value
    let (next, isOver) = sum.addingReportingOverflow(change)
    sum = next
    if isOver { carry += change > 0 ? 1 : -1 }
    if keepsValues { if sign > 0 { values.add(value) } else { values.remove(value) } }
    for each in different {
      let left = distinct[each, default: 0] + sign
      distinct[each] = left == 0 ? nil : left
    }
  }

  /// nil if the sum overflows.
  mutating func figure(_ figure: QueryFigure) -> Int64? {
    switch figure {
    case .count: return Int64(rows)
    case .distinct: return Int64(distinct.count)
    case .number(let function, _):
      switch function {
      case .sum: return carry == 0 ? sum : nil
      case .avg: return carry == 0 ? Self.average(sum, rows) : nil
      case .min: return values.sortedValues().first
      case .max: return values.sortedValues().last
      case .percentile(let rank):
        let sorted = values.sortedValues()
        guard !sorted.isEmpty else { return nil }
        return sorted[(rank * sorted.count + 99) / 100 - 1]
      }
    }
  }

  /// Rounded to the nearest part, halves away from zero.
  private static func average(_ sum: Int64, _ count: Int) -> Int64? {
    guard count > 0 else { return nil }
    let (quotient, rest) = sum.quotientAndRemainder(dividingBy: Int64(count))
    guard rest.magnitude * 2 >= UInt64(count) else { return quotient }
    return quotient + (sum < 0 ? -1 : 1)
  }
}

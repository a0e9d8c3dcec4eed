import Foundation

/// Several measurements of one thing.
struct Spread {
  let values: [Double]

  init(_ values: [Double]) { self.values = values.sorted() }

  var median: Double {
    guard !values.isEmpty else { return .nan }
    let middle = values.count / 2
    return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
  }
  var low: Double { values.first ?? .nan }
  var high: Double { values.last ?? .nan }

  /// The value that 95 of 100 do not exceed (nearest rank).
  var p95: Double { percentile(0.95) }
  /// The value that 99 of 100 do not exceed (nearest rank).
  var p99: Double { percentile(0.99) }

  private func percentile(_ share: Double) -> Double {
    guard !values.isEmpty else { return .nan }
    return values[max(0, Int((Double(values.count) * share).rounded(.up)) - 1)]
  }

  /// Median and range, such as `8.1 ms [7.9 .. 8.4]`.
  func text(_ unit: String = "", digits: Int = 2) -> String {
    let range =
      values.count > 1 ? " [\(number(low, digits)) .. \(number(high, digits))]" : ""
    return "\(number(median, digits))\(unit.isEmpty ? "" : " " + unit)\(range)"
  }
}

func number(_ value: Double, _ digits: Int = 2) -> String {
  value.isFinite ? String(format: "%.\(digits)f", value) : "-"
}

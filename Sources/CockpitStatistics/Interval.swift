/// A confidence interval, its ends included.
package struct Interval: Hashable, Sendable {
  package var low: Double
  /// May be infinite: nothing bounds the value from above.
  package var high: Double

  package init(_ low: Double, _ high: Double) {
    self.low = low
    self.high = high
  }

  package func contains(_ value: Double) -> Bool { low <= value && value <= high }

  /// Both ends changed by the same rising function.
  package func map(_ change: (Double) -> Double) -> Interval { Interval(change(low), change(high)) }
}

package enum Confidence {
  /// Of the interval of a value.
  package static let level = 0.95
  /// Of the interval of a difference, which a verdict rests on: of hundred comparisons of equals one says
  /// something.
  package static let difference = 0.99
}

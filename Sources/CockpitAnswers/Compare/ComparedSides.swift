/// Two sides and what came of them, so that they can change places.
package struct ComparedSides: Hashable, Sendable {
  package let comparison: Comparison
  private let a: CompareSide
  private let b: CompareSide
  private let slots: [CompareSide]
  private let changes: [LedgerChange]

  /// - Parameters as of `CompareBuilder.compare`.
  package init(
    _ a: CompareSide, _ b: CompareSide, slots: [CompareSide] = [], changes: [LedgerChange] = []
  ) {
    (self.a, self.b, self.slots, self.changes) = (a, b, slots, changes)
    comparison = CompareBuilder.compare(a, b, slots: slots, changes: changes)
  }

  /// The other way round. The days of a baseline say nothing about its own median.
  package var swapped: ComparedSides { ComparedSides(b, a, changes: changes) }
}

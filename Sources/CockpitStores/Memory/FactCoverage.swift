/// How much of one list of facts was fetched: a request returns 500 at most, and the backend
/// reports no total (contract 3.2, 6.1).
package struct FactCoverage: Hashable, Sendable {
  /// Number of fetched facts of this list.
  package var loaded = 0
  /// Number of facts according to its subjects; nil before those arrived.
  package var expected: Int?
  /// Whether requests are under way.
  package var isLoading = false
  /// Whether everything the backend lists was fetched.
  package var isComplete = false
  /// Subjects of which the backend lists fewer than it counts, with both numbers.
  package var cut: [Cut] = []
  /// Rows of the list that are no facts, or facts without an id: each may be one that is meant.
  package var unreadable = 0
  /// Why the last request failed.
  package var failure: RequestFailure?
  /// When it was fetched, in ms since 1970 on the backend's clock; nil if never.
  package var fetchedAtMs: Int64?

  package struct Cut: Hashable, Sendable {
    package var subject: String
    package var loaded: Int
    package var counted: Int

    package init(subject: String, loaded: Int, counted: Int) {
      self.subject = subject
      self.loaded = loaded
      self.counted = counted
    }
  }

  package init() {}

  /// Why the last request failed, one sentence or two.
  package var problem: String? { failure?.sentence }
}

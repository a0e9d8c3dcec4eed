/// Limits the output of linear mode to some twenty sentences in ten seconds. The rest is counted
/// and reported in one sentence. A value without a clock.
package struct LinearPace: Hashable, Sendable {
  /// The events that were only counted.
  package struct Rest: Hashable, Sendable {
    package var actions = 0
    package var errors = 0

    package init(actions: Int = 0, errors: Int = 0) {
      self.actions = actions
      self.errors = errors
    }
  }

  /// In ms.
  package static let window: Int64 = 10_000
  /// Sentences in a window.
  package static let budget = 20
  /// Sentences more, for errors alone.
  package static let errorBudget = 5

  private var startMs: Int64
  private var told = 0
  private var toldErrors = 0
  private var rest = Rest()

  /// - Parameter nowMs: on a monotonic clock.
  package init(nowMs: Int64) { startMs = nowMs }

  /// Whether there is room for the sentence of one more action; else it is counted.
  package mutating func admits(isError: Bool) -> Bool {
    if told < Self.budget {
      told += 1
      return true
    }
    if isError, toldErrors < Self.errorBudget {
      toldErrors += 1
      return true
    }
    rest.actions += 1
    if isError { rest.errors += 1 }
    return false
  }

  /// Starts a new window when the last one has ended.
  ///
  /// - Parameter nowMs: on a monotonic clock.
  /// - Returns: the counts of the last window; nil if it is still open or empty.
  package mutating func turn(nowMs: Int64) -> Rest? {
    guard nowMs - startMs >= Self.window || nowMs < startMs else { return nil }
    defer { self = LinearPace(nowMs: nowMs) }
    return rest.actions > 0 ? rest : nil
  }

  /// Whether events are waiting to be summarised.
  package var hasRest: Bool { rest.actions > 0 }
}

/// A value fetched on request: not requested, in flight, present, or failed.
package enum Fetched<Value: Sendable>: Sendable {
  case none
  /// On its way; the value before, if there was one.
  case loading(Value?)
  case loaded(Value, atMs: Int64)
  /// The backend has no such route, as an older one (contract 3.5).
  case notServed
  /// Why; and the value before, if there was one.
  case failed(RequestFailure, Value?)

  package var value: Value? {
    switch self {
    case .none, .notServed: nil
    case .loading(let value): value
    case .loaded(let value, _): value
    case .failed(_, let value): value
    }
  }

  package var isLoading: Bool { if case .loading = self { true } else { false } }
  package var failure: RequestFailure? {
    if case .failed(let failure, _) = self { failure } else { nil }
  }
  /// Why it failed, one sentence or two.
  package var problem: String? { failure?.sentence }
}

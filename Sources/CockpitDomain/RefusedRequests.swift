package import Networking

/// Requests for Clanky's routes to a source that has none: each is answered with a refusal in the next turn of the loop.
@MainActor
package final class RefusedRequests {
  private let sentence: String
  private let clock: any LinkClock
  private var pending: [ObjectIdentifier: Pending] = [:]

  /// - Parameter sentence: what the answers say.
  package init(_ sentence: String, clock: any LinkClock) {
    self.sentence = sentence
    self.clock = clock
  }

  package func refuse(
    _ completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle {
    let request = Pending()
    let id = ObjectIdentifier(request)
    pending[id] = request
    request.forget = { [weak self] in self?.pending[id] = nil }
    request.timer = clock.schedule(afterNs: 0) { [weak self] in
      guard let self else { return }
      pending[id] = nil
      completion(.failure(RestFailure(failure: .stated(sentence), mayHaveArrived: false)))
    }
    return request
  }

  /// Ends all of them without an answer.
  package func cancelAll() {
    for request in Array(pending.values) { request.cancel() }
  }

  private final class Pending: RestHandle {
    var timer: (any LinkTimer)?
    var forget: @MainActor () -> Void = {}

    func cancel() {
      timer?.cancel()
      forget()
    }
  }
}

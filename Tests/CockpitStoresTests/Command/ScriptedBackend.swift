import CockpitDomain
import Networking

@testable import CockpitStores

/// A far side that answers when and as a test says.
@MainActor
final class ScriptedBackend: RequestChannel {
  typealias Outcome = Result<RestAnswer, RestFailure>

  private(set) var log: [RestRequest] = []
  private var waiting: [@MainActor (Outcome) -> Void] = []

  final class Handle: RestHandle { func cancel() {} }

  var waitingCount: Int { waiting.count }
  var paths: [String] { log.map(\.target.encoded) }

  func request(
    _ request: RestRequest, completion: @escaping @MainActor (Outcome) -> Void
  ) -> any RestHandle {
    log.append(request)
    waiting.append(completion)
    return Handle()
  }

  /// Answers the oldest request.
  func answer(_ body: String) { answer(200, body) }

  func answer(_ status: Int, _ body: String) {
    end(.success(RestAnswer(status: status, body: Array(body.utf8), latencyMs: 1)))
  }

  func fail(_ failure: LinkFailure, mayHaveArrived: Bool = true) {
    end(.failure(RestFailure(failure: failure, mayHaveArrived: mayHaveArrived)))
  }

  private func end(_ outcome: Outcome) { waiting.removeFirst()(outcome) }
}

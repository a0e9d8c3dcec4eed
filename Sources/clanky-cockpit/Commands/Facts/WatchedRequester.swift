import ClankyLink
import CockpitStores

/// Passes requests on and remembers what got no answer: the stores keep sentences, and a command
/// also needs the exit code of what went wrong.
@MainActor
final class WatchedRequester: RequestChannel {
  /// The first request that got no answer.
  private(set) var firstFailure: LinkFailure?
  /// A request that changes something and got no answer.
  private(set) var writeFailure: RestFailure?
  /// What was refused when it was asked for: the first few, with their statuses.
  private(set) var refusals: [RestAnswer] = []
  /// The answer to the last request that changes something.
  private(set) var writeAnswer: RestAnswer?
  /// A session may be refused one thing again and again.
  private static let refusalLimit = 50
  private let channel: any RequestChannel

  init(_ channel: any RequestChannel) { self.channel = channel }

  @discardableResult
  func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle {
    channel.request(request) { [weak self] result in
      if let self { note(result, of: request) }
      completion(result)
    }
  }

  private func note(_ result: Result<RestAnswer, RestFailure>, of request: RestRequest) {
    switch result {
    case .success(let answer):
      if request.method != .get {
        writeAnswer = answer
      } else if !answer.isSuccess, refusals.count < Self.refusalLimit {
        refusals.append(answer)
      }
    case .failure(let failure):
      if firstFailure == nil { firstFailure = failure.failure }
      if request.method != .get { writeFailure = failure }
    }
  }

  /// The failure of a question that ends a verb, with the exit code of what went wrong.
  ///
  /// - Parameter sentence: what a store says about it. Stores have such a sentence for what got no
  ///   answer, for what was refused, and for an answer that is not a Clanky backend's.
  func failure(_ sentence: String) -> Failure {
    if let firstFailure { return Failure(firstFailure) }
    guard let refusal = refusals.first(where: { sentence.contains($0.refusal) }) else {
      return Failure(.notClanky(.otherJSON))
    }
    return Failure(refusal: refusal)
  }
}

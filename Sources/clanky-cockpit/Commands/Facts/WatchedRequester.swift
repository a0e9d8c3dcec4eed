import ClankyLink
import CockpitStores

/// Passes requests on and remembers what got no answer: the stores keep sentences, and a command
/// also needs the exit code of what went wrong.
@MainActor
final class WatchedRequester: RestRequester {
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
  private let link: Link

  init(_ link: Link) { self.link = link }

  @discardableResult
  func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle {
    link.request(request) { [weak self] result in
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

/// A link that is only used for requests has nothing to tell.
@MainActor
final class SilentSink: LinkSink {
  let wantsRawEvents = false

  func activitySnapshot(_ json: UnsafeRawBufferPointer) -> RowReport { RowReport() }
  func storedRows(_ json: UnsafeRawBufferPointer, source: RowSource) -> RowReport { RowReport() }
  func liveAction(_ json: UnsafeRawBufferPointer, from stream: StreamName) {}
  func statsUpdate(_ json: UnsafeRawBufferPointer) {}
  func voiceState(_ json: UnsafeRawBufferPointer) {}
  func sse(
    _ stream: StreamName, event: String, data: UnsafeRawBufferPointer, lastEventID: String
  ) {}
  func streamEnded(_ stream: StreamName, lastEventID: String, retryMs: Int?) {}
  func linkChanged(_ status: LinkStatus) {}
  func gap(_ gap: IDGap) {}
  func gapFilled(count: Int, atMs: Int64, lostMs: Int?) {}
  func gapClosed(_ gap: IDGap, count: Int) {}
  func logReset() {}
  func eventRejected(_ stream: StreamName, name: String, reason: String) {}
}

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
  private let link: Link

  init(_ link: Link) { self.link = link }

  @discardableResult
  func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle {
    link.request(request) { [weak self] result in
      if case .failure(let failure) = result, let self {
        if firstFailure == nil { firstFailure = failure.failure }
        if request.method != .get { writeFailure = failure }
      }
      completion(result)
    }
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
  func gapFilled(count: Int, atMs: Int64) {}
  func gapClosed(_ gap: IDGap, count: Int) {}
  func logReset() {}
  func eventRejected(_ stream: StreamName, name: String, reason: String) {}
}

package import Networking

/// Sends requests: a source, or a script in tests.
@MainActor
package protocol RequestChannel: AnyObject {
  /// Sends a request, without retries. `completion` is called once on the main actor, asynchronously;
  /// it is not called after `RestHandle.cancel()` or `Source.stop()`.
  @discardableResult
  func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle
}

/// The origin of everything the stores know: a live backend or a recording.
@MainActor
package protocol Source: RequestChannel {
  /// What answers at its address.
  var kind: SourceKind { get }
  /// The current status, with rates and ages. Read on every key press, so it must be cheap.
  var status: SourceStatus { get }
  /// Starts delivering to the sink, which is held weakly. Does nothing if already started.
  func start(into sink: any SourceSink)
  /// Closes all connections and drops requests in flight without calling their completions. The source
  /// can be started again.
  func stop()
  /// Reconnects at once, without waiting for the backoff. Includes streams that have stopped retrying.
  func retryNow()
  /// Notices that time went on: the screen ticks. Cheap.
  func tick()
  /// Compares with the stored log now, for example after a change made by hand.
  func reconcileNow()
  /// Fetches rows of the past, as far as there are any; progress stands in `status.history`.
  func fetchHistory(_ request: HistoryRequest)
}

extension Source {
  package var kind: SourceKind { .clanky }
}

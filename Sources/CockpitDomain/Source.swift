package import Networking

/// Where requests go out: a source, or a script in tests.
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

/// Where everything that the stores know comes from: a live backend, or a recording of one.
@MainActor
package protocol Source: RequestChannel {
  /// The present status, rates and ages included. Asked for with every key: it has to be cheap.
  var status: LinkStatus { get }
  /// Begins to call the sink, which is held weakly. Does nothing when already started.
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
  func fetchHistory(_ wish: HistoryRequest)
}

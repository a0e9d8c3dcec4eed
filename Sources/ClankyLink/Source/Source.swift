/// Where requests go out: a source, or a script in tests.
@MainActor
package protocol RequestChannel: AnyObject {
  /// Sends a request. `completion` is called once on the main actor, never from inside this call, and not
  /// at all after `cancel` or `Source.stop()`. Nothing is repeated by itself.
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
  /// Ends everything at once; requests in flight are dropped without completion. Can be started again.
  func stop()
  /// Connects whatever is not connected without waiting, also what was given up.
  func retryNow()
  /// Notices that time went on: the screen ticks. Cheap.
  func tick()
  /// Compares with the stored log now, for example after a change made by hand.
  func reconcileNow()
  /// Fetches rows of the past, as far as there are any; progress stands in `status.history`.
  func fetchHistory(_ wish: HistoryWish)
}

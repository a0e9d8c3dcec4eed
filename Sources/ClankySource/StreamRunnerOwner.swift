internal import Networking

/// What a runner needs from its link.
@MainActor
protocol StreamRunnerOwner: AnyObject {
  /// Called before the request goes out.
  func runnerOpens(_ runner: StreamRunner)
  func runner(_ runner: StreamRunner, dispatched event: borrowing SSEEvent)
  func runner(_ runner: StreamRunner, ingested events: Int, fromNs: UInt64, toNs: UInt64)
  func runner(_ runner: StreamRunner, rejected name: String, reason: String)
  func runner(_ runner: StreamRunner, answered head: HTTPHead)
  /// The first byte of a connection.
  func runnerWentLive(_ runner: StreamRunner, isReconnect: Bool)
  func runner(_ runner: StreamRunner, endedAfter lastEventID: String, retryMs: Int?)
  /// State, failure or the need to poll changed.
  func runnerChanged(_ runner: StreamRunner)
  /// Called before any time-based decision.
  func runnerNoticesTime(_ runner: StreamRunner)
}

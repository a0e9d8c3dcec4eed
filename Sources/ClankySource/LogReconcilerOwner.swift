internal import ClankyWire
internal import CockpitDomain
internal import Networking

/// What the reconciler needs from its link.
@MainActor
protocol LogReconcilerOwner: AnyObject {
  var knownRows: (any KnownRows)? { get }
  func emit(_ event: SourceEvent)
  func ingest(_ batch: RowBatch) -> RowReport?
  var clock: any LinkClock { get }
  var skewMs: Int { get }
  /// How long the backend wants no automatic requests (`Retry-After`), nanoseconds.
  var quietNs: UInt64 { get }
  func get(
    _ target: RequestTarget,
    _ completion: @escaping @MainActor (Result<RestAnswer, LinkFailure>) -> Void)
  /// Missing rows could not be requested.
  func logReconciler(failedToFill failure: LinkFailure)
  /// Rows were recovered or declared missing.
  func logReconciler(filled: Int, missing: Int)
  /// The log was replaced: earlier counts of missing and recovered rows refer to the old one.
  func logReconcilerSawNewLog()
}

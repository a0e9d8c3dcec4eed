/// Receives everything a source learns, in order: the only entrance to the stores, so a recorder
/// can be inserted and a recording replayed.
@MainActor
package protocol SourceSink: AnyObject {
  /// Takes an event in. It may call the source, also `stop()`.
  func receive(_ event: SourceEvent, at time: ReceiveTime)
  /// Stores the rows and reports what the batch held; reconciliation depends on the report.
  func ingest(_ batch: RowBatch, at time: ReceiveTime) -> RowReport
  /// The stored rows; nil for sinks that keep no rows.
  var knownRows: (any KnownRows)? { get }
}

/// What log reconciliation needs to know about the stored rows. Times are server time, ms since
/// 1970.
@MainActor
package protocol KnownRows: AnyObject {
  /// Kinds and guilds of the rows so far; needed when an answer was full.
  var seenParts: SeenParts { get }
  /// Number of live rows in `times` that no stored list has identified yet.
  func unidentifiedRowCount(_ times: ClosedRange<Int64>) -> Int
  /// Ids that are missing, without those of rows that are shown since a log that was replaced.
  func withoutShown(_ holes: [ClosedRange<Int>]) -> [ClosedRange<Int>]
  /// The rows around each hole; `holes` must be in ascending order.
  func bounds(of holes: [ClosedRange<Int>]) -> [HoleBounds]
  /// The largest id of the rows that are not newer than a time.
  func newestID(notAfterMs ms: Int64) -> Int?
  /// The time of the newest row.
  var newestRowMs: Int64? { get }
  /// The time of the last live row.
  var lastLiveMs: Int64? { get }
  /// The time from which all rows of these kinds are stored; nil if unknown.
  func beginMs(kinds: Set<String>?, guild: String?) -> Int64?
  /// Row counts by kind over the last 24 hours, as the backend reports them; empty if unknown.
  var last24h: [String: Int] { get }
  /// Bytes of past rows that there is room for.
  var historyRoom: Int { get }
}

/// Passes everything on to a sink, and to observers that give no answer.
@MainActor
package final class TeeSink: SourceSink {
  private let sink: any SourceSink
  private let observers: [any SourceObserver]

  /// - Parameters:
  ///   - sink: answers the source.
  ///   - observers: are called after it, in this order.
  package init(_ sink: any SourceSink, _ observers: [any SourceObserver]) {
    self.sink = sink
    self.observers = observers
  }

  package func receive(_ event: SourceEvent, at time: ReceiveTime) {
    sink.receive(event, at: time)
    for observer in observers { observer.received(event, at: time) }
  }

  package func ingest(_ batch: RowBatch, at time: ReceiveTime) -> RowReport {
    let report = sink.ingest(batch, at: time)
    for observer in observers { observer.ingested(batch, report, at: time) }
    return report
  }

  package var knownRows: (any KnownRows)? { sink.knownRows }
}

/// Observes what a sink receives, for example to record it.
@MainActor
package protocol SourceObserver: AnyObject {
  /// An event was received. Its buffers are borrowed.
  func received(_ event: SourceEvent, at time: ReceiveTime)
  /// A batch was ingested, with this result. Its buffer is borrowed.
  func ingested(_ batch: RowBatch, _ report: RowReport, at time: ReceiveTime)
}

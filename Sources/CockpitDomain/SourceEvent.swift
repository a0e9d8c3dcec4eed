package import Networking

/// When something was received, on the clock of the source: a recording is played back with the times of
/// then.
package struct ReceiveTime: Hashable, Sendable {
  /// Wall clock, milliseconds since 1970.
  package var wallMs: Int64
  /// Monotonic nanoseconds.
  package var ns: UInt64

  /// A time on both clocks.
  package init(wallMs: Int64, ns: UInt64) {
    self.wallMs = wallMs
    self.ns = ns
  }

  /// Now.
  @MainActor package init(_ clock: any LinkClock) {
    self.init(wallMs: clock.wallMs, ns: clock.nowNs)
  }
}

/// Something that a source has received or derived. Buffers are borrowed: they are valid during the call
/// of `SourceSink.receive` only.
package enum SourceEvent {
  /// A live row, as JSON: the payload of `action_event` or `voice_event`.
  case row(UnsafeRawBufferPointer, from: SourceChannel)
  /// A row of a recording. It was matched with its copies when it was recorded, so it is a row of its own.
  case restored(UnsafeRawBufferPointer, actionID: Int?, origins: RowOrigins)
  /// The newest document of a kind; those that it supersedes are never reported.
  case document(DocumentName, UnsafeRawBufferPointer)
  /// The last document of a kind has come again, byte for byte.
  case repeated(DocumentName)
  /// The outcome of a request, before its sender gets it.
  indirect case answer(RestRequest, Result<RestAnswer, RestFailure>)
  /// What came of a lookup: its document (`GatewayFinding`), or the reason why there is none.
  case found(GatewayLookup, Result<[UInt8], LookupFailure>)
  /// A state, a failure or a counter changed. Byte and rate counters alone are no event.
  indirect case status(SourceStatus)
  /// A stream ended after its response had begun. Not reported on `Source.stop()`.
  case streamEnded(SourceChannel, lastEventID: String, retryMs: Int?)
  /// Rows are missing, or are no longer.
  case gap(GapEvent)
  /// From a time on no row of some kinds is missing; follows the rows that prove it.
  case proven(RowClaim)
  /// The log was replaced: ids start again. Follows the batch that showed it; its rows belong to the new
  /// log and are ingested once more, since ids of the old one may have hidden some.
  case logReplaced
  /// The rows of the last batch are of the log that is known, or of the one that `logReplaced` has
  /// announced.
  case batchAccepted
  /// An event was not usable: too large, or empty where a payload is needed.
  case rejected(SourceChannel, name: String, reason: String)
  /// An unparsed event, sent before its parsed form; only if `LinkConfiguration.passesRawEvents`.
  case raw(SourceChannel, name: String, data: UnsafeRawBufferPointer, lastEventID: String)
}

/// A document of which only the latest version matters.
package enum DocumentName: String, Hashable, Sendable, CaseIterable {
  /// The payload of `stats_update`.
  case stats
  /// The payload of `voice_state`.
  case voiceState = "voice_state"
  /// What waits for an answer and what runs (`ControlBoard`).
  case control
  /// Agents, sessions, jobs and clients of a gateway (`GatewayOverview`).
  case gateway
  /// What a service of conversations consists of, line by line (`ServiceBoard`).
  case service
  /// What an agent has drawn (`CanvasBoard`).
  case canvas
}

/// The fate of missing rows. Times are server time, ms since 1970.
package enum GapEvent: Sendable, Equatable {
  /// Rows are known to be missing and cannot be obtained, at least for now.
  case missing(IDGap)
  /// `count` new rows were recovered, those of a snapshot included. `atMs` is the position of the
  /// hole, `lostMs` how long the connection was silent; nil if no connection was lost.
  case filled(count: Int, atMs: Int64, lostMs: Int?)
  /// Rows that were reported as missing, when the backend did not answer, have been fetched: `count` of
  /// them. Those that still are missing are reported again.
  case closed(IDGap, count: Int)
  /// Rows that were reported as missing, when the backend did not answer, do not exist: it has answered.
  case confirmed(IDGap)
  /// Rows of a stretch of time may be missing, and are being fetched.
  case fetching(fromMs: Int64, toMs: Int64)
  /// They are here, or are known by their ids.
  case fetched
  /// Rows that could not be fetched, or that came live without their ids.
  case unresolved(ids: ClosedRange<Int>, fromMs: Int64, toMs: Int64)
}

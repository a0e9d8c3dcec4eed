/// The two event streams of the backend (wire contract section 2).
package enum StreamName: String, Sendable, CaseIterable {
  /// `/api/activity/events`: every action, the statistics, and a snapshot on connect.
  case activity
  /// `/api/voice/events`: voice actions and the voice state.
  case voice

  /// The path below the base URL.
  package var path: [String] { ["api", rawValue, "events"] }
}

/// Why stored rows are handed to the sink.
package enum RowSource: Sendable, Hashable, CaseIterable {
  /// The `activity_snapshot` event that opens a connection.
  case snapshot
  /// Rows fetched because ids were missing after a reconnect.
  case fill
  /// The quiet comparison every 60 s on a healthy connection.
  case reconcile
  /// Rows fetched because the stream itself is held back by a tunnel.
  case poll
  /// Rows from before our time. No later row may be given up for them.
  case history
}

/// What a sink found in a batch of stored rows.
package struct RowReport: Sendable, Equatable {
  /// Ids of all readable rows of the batch, in any order, known ones included.
  package var ids: [Int]
  /// Rows in the batch, readable or not.
  package var count: Int
  /// Rows that were new to the sink.
  package var added: Int
  /// Rows that could not be read.
  package var rejected: Int
  /// Rows with the id of another row that was seen before: the log is not the one it was.
  package var contradictions: Int
  /// Whether the batch was all there: it was a list, and ended as lists end.
  package var isComplete: Bool
  /// `created_at` of the oldest row in milliseconds since 1970.
  package var oldestMs: Int64?
  /// `created_at` of the newest row in milliseconds since 1970.
  package var newestMs: Int64?

  /// An empty report by default.
  package init(
    ids: [Int] = [], count: Int = 0, added: Int = 0, rejected: Int = 0, contradictions: Int = 0,
    isComplete: Bool = true, oldestMs: Int64? = nil, newestMs: Int64? = nil
  ) {
    self.ids = ids
    self.count = count
    self.added = added
    self.rejected = rejected
    self.contradictions = contradictions
    self.isComplete = isComplete
    self.oldestMs = oldestMs
    self.newestMs = newestMs
  }
}

/// A range of row ids that are missing.
package struct IDGap: Sendable, Equatable {
  /// First missing id.
  package let from: Int
  /// Last missing id (inclusive).
  package let to: Int
  /// Where the gap belongs in time: the newest row known before it, milliseconds since 1970
  /// (server time).
  package let atMs: Int64
  /// Whether the backend has been asked for them and does not have them; else it gave no answer and will be
  /// asked again.
  package let isAnswered: Bool
  /// Whether the backend may have them: it gives the newest 1,000 of a kind and guild, and these are older.
  package let isOutOfReach: Bool

  /// A gap from the first to the last missing id.
  package init(
    from: Int, to: Int, atMs: Int64, isAnswered: Bool = true, isOutOfReach: Bool = false
  ) {
    self.from = from
    self.to = to
    self.atMs = atMs
    self.isAnswered = isAnswered
    self.isOutOfReach = isOutOfReach
  }
}

extension IDGap {
  /// `id 998`, `ids 496 to 994`.
  package var ids: String { from == to ? "id \(from)" : "ids \(from) to \(to)" }
}

/// The times of the rows next to a hole, ms since 1970; nil where none is known.
package struct HoleBounds: Sendable, Equatable {
  package var beforeMs: Int64?
  package var afterMs: Int64?

  /// Nothing is known, by default.
  package init(beforeMs: Int64? = nil, afterMs: Int64? = nil) {
    self.beforeMs = beforeMs
    self.afterMs = afterMs
  }

  /// A moment moved between the two.
  func nearest(to ms: Int64) -> Int64 { max(min(ms, afterMs ?? ms), beforeMs ?? .min) }
}

/// By what a request for rows can be divided (wire contract 3.2): values that rows were seen with.
package struct SeenParts: Sendable, Equatable {
  package var kinds: Set<String>
  package var guilds: Set<String>

  /// Nothing was seen, by default.
  package init(kinds: Set<String> = [], guilds: Set<String> = []) {
    self.kinds = kinds
    self.guilds = guilds
  }
}

/// Receives everything the link hears. All buffers are borrowed: they are valid during the call only.
@MainActor
package protocol LinkSink: AnyObject {
  /// The payload of `activity_snapshot`: `{"actions": [...], "stats": {...}}`.
  func activitySnapshot(_ json: UnsafeRawBufferPointer) -> RowReport
  /// The body of `GET /api/actions`: a bare array of stored rows.
  func storedRows(_ json: UnsafeRawBufferPointer, source: RowSource) -> RowReport
  /// Kinds and guilds of the rows so far; asked for when an answer was full.
  var seenParts: SeenParts { get }
  /// How many live rows of a stretch of server time (ms since 1970) no list has brought, so that their
  /// ids are not known.
  func unnamedRows(_ times: ClosedRange<Int64>) -> Int
  /// Ids that are missing, without those of rows that stand on the screen since a log that was replaced.
  func withoutShown(_ holes: [ClosedRange<Int>]) -> [ClosedRange<Int>]
  /// What is known around holes, which are in order.
  func bounds(of holes: [ClosedRange<Int>]) -> [HoleBounds]
  /// The largest id of the rows that are not newer than a time (ms since 1970).
  func newestID(notAfterMs ms: Int64) -> Int?
  /// The rows that were handed over last are of the log that is known, or of the one that `logReset` has told
  /// of.
  func batchIsAccepted()
  /// The time of the newest row so far, ms since 1970.
  var newestRowMs: Int64? { get }
  /// The time of the last live row, ms since 1970.
  var lastLiveMs: Int64? { get }
  /// The payload of one `action_event` or `voice_event`.
  func liveAction(_ json: UnsafeRawBufferPointer, from stream: StreamName)
  /// The newest `stats_update`; superseded ones are never handed over.
  func statsUpdate(_ json: UnsafeRawBufferPointer)
  /// The newest `voice_state`; superseded ones are never handed over.
  func voiceState(_ json: UnsafeRawBufferPointer)
  /// Whether a `stats_update` says what the sink knows already; it is not handed over then, and
  /// nobody wakes for it.
  func repeats(stats json: UnsafeRawBufferPointer) -> Bool
  /// The same of a `voice_state`.
  func repeats(voiceState json: UnsafeRawBufferPointer) -> Bool
  /// Every dispatched event, before its own method is called; only if `wantsRawEvents`.
  func sse(_ stream: StreamName, event: String, data: UnsafeRawBufferPointer, lastEventID: String)
  /// Whether `sse` should be called.
  var wantsRawEvents: Bool { get }
  /// An answered stream ended, for whatever reason but `Link.stop()`.
  func streamEnded(_ stream: StreamName, lastEventID: String, retryMs: Int?)
  /// A state, a failure or a counter changed. Byte and rate counters alone do not cause a call.
  func linkChanged(_ status: LinkStatus)
  /// Rows known to be missing and not obtainable.
  func gap(_ gap: IDGap)
  /// Rows were recovered: `count` were new, those of a snapshot too. `atMs` is where the hole was in server
  /// time, `lostMs` how long nothing was heard; nil where no connection was lost.
  func gapFilled(count: Int, atMs: Int64, lostMs: Int?)
  /// Rows that were reported as missing, when the backend did not answer, have been fetched: `count`
  /// of them. Those that still are missing are reported again.
  func gapClosed(_ gap: IDGap, count: Int)
  /// Rows that were reported as missing, when the backend did not answer, cannot be had: it has answered.
  func gapStays(_ gap: IDGap)
  /// From a time on no row of some kinds is missing; called after the rows that say so were handed over.
  func proven(_ claim: RowClaim)
  /// Rows of a stretch of server time (ms since 1970) may be missing, and are being fetched.
  func holeOpened(fromMs: Int64, toMs: Int64)
  /// They are here, or are known by their ids.
  func holeClosed()
  /// Rows that were being fetched cannot be had, or came live without their ids.
  func holeStays(_ ids: ClosedRange<Int>, fromMs: Int64, toMs: Int64)
  /// From which server time on (ms since 1970) all rows of these kinds are here; nil while that is not
  /// known.
  func beginMs(kinds: Set<String>?, guild: String?) -> Int64?
  /// How many rows of some kinds the backend counts in its last 24 hours; empty while that is not known.
  var last24h: [String: Int] { get }
  /// Bytes of past rows that there is room for.
  var historyRoom: Int { get }
  /// The log was replaced: ids start again. Called right after the report that showed it; its rows
  /// belong to the new log and are handed over once more, by `storedRows`, since ids of the old one
  /// may have hidden some.
  func logReset()
  /// An event was not usable (too large, empty where a payload is needed).
  func eventRejected(_ stream: StreamName, name: String, reason: String)
}

extension LinkSink {
  /// Of a sink that keeps no rows.
  package var seenParts: SeenParts { SeenParts() }
  /// Of a sink that keeps no rows.
  package func unnamedRows(_ times: ClosedRange<Int64>) -> Int { 0 }
  /// Of a sink that keeps no rows.
  package var newestRowMs: Int64? { nil }
  /// Of a sink that counts no rows.
  package func proven(_ claim: RowClaim) {}
  /// Of a sink that counts no rows.
  package func holeOpened(fromMs: Int64, toMs: Int64) {}
  /// Of a sink that counts no rows.
  package func holeClosed() {}
  /// Of a sink that keeps no rows.
  package var lastLiveMs: Int64? { nil }
  /// Of a sink that keeps no rows.
  package func bounds(of holes: [ClosedRange<Int>]) -> [HoleBounds] {
    holes.map { _ in HoleBounds() }
  }
  /// Of a sink that keeps no rows.
  package func withoutShown(_ holes: [ClosedRange<Int>]) -> [ClosedRange<Int>] { holes }
  /// Of a sink that keeps no rows.
  package func newestID(notAfterMs ms: Int64) -> Int? { nil }
  /// Of a sink that takes rows as they come.
  package func batchIsAccepted() {}
  /// Of a sink that counts no rows.
  package func holeStays(_ ids: ClosedRange<Int>, fromMs: Int64, toMs: Int64) {}
  /// Of a sink that counts no rows.
  package func beginMs(kinds: Set<String>?, guild: String?) -> Int64? { nil }
  /// Of a sink that counts no rows.
  package var last24h: [String: Int] { [:] }
  /// Of a sink that keeps no rows.
  package var historyRoom: Int { 0 }
  /// Of a sink that has said what it says of a gap.
  package func gapStays(_ gap: IDGap) {}
  /// Of a sink that is told everything.
  package func repeats(stats json: UnsafeRawBufferPointer) -> Bool { false }
  /// Of a sink that is told everything.
  package func repeats(voiceState json: UnsafeRawBufferPointer) -> Bool { false }
}

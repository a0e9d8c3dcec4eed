/// A document as it was recorded: statistics, the state of voice, or the answer to a request. Times are
/// milliseconds since 1970.
package struct RecordedDocument: Hashable, Sendable {
  /// The number of the last row that arrived before it.
  package var seq: Int64
  /// `stats`, `voice_state`, or `GET` with path and query.
  package var name: String
  /// Our time of arrival corrected by the known difference of the clocks: nearly the backend's.
  package var atMs: Int64
  /// Our time of arrival.
  package var receivedMs: Int64
  package var body: [UInt8]

  package init(seq: Int64, name: String, atMs: Int64, receivedMs: Int64, body: [UInt8]) {
    self.seq = seq
    self.name = name
    self.atMs = atMs
    self.receivedMs = receivedMs
    self.body = body
  }
}

/// Something about the connection or the recorder. Times are milliseconds since 1970, as in
/// `RecordedDocument`.
package struct RecordedLink: Hashable, Sendable {
  /// The number of the last row that arrived before it.
  package var seq: Int64
  package var atMs: Int64
  package var receivedMs: Int64
  package var what: What
  /// A JSON object.
  package var value: [UInt8]

  package init(seq: Int64, atMs: Int64, receivedMs: Int64, what: What, value: [UInt8]) {
    self.seq = seq
    self.atMs = atMs
    self.receivedMs = receivedMs
    self.what = what
    self.value = value
  }

  /// The type of a link record. A later version may add others.
  package struct What: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The state of the source: `{"state": "live", "detail": "...", "channels": {"activity": "live"}, "skew_ms": 12}`.
    package static let state = What(rawValue: "state")
    /// Rows are missing: `{"from": 12, "to": 40, "at_ms": 1, "kind": "..."}`.
    package static let gap = What(rawValue: "gap")
    /// Rows of a gap were fetched, or all of them; what still is missing is a gap again:
    /// `{"from": 12, "to": 40, "at_ms": 1, "count": 3}`, by the ids and the time of that gap.
    package static let gapClosed = What(rawValue: "gap_closed")
    /// Rows were fetched: `{"count": 12, "at_ms": 1, "lost_ms": 5}`.
    package static let filled = What(rawValue: "filled")
    /// The backend's log was replaced: ids begin again. `{}`.
    package static let reset = What(rawValue: "reset")
    /// From a time on no row of some kinds is missing: `{"from_ms": 1, "kinds": ["llm_call"], "guild": "1"}`; all kinds
    /// and all guilds if they are not named.
    package static let proven = What(rawValue: "proven")
    /// A stretch without records: see `RecordedOutage`.
    package static let outage = What(rawValue: "outage")
    /// A recorder began: `{"pid": 1, "version": "...", "what": "cockpit"}`.
    package static let started = What(rawValue: "recorder_started")
    /// A recorder ended: `{"pid": 1}`.
    package static let stopped = What(rawValue: "recorder_stopped")
    /// A heartbeat of the recorder, after a minute without other records: `{}`.
    package static let heard = What(rawValue: "heard")
    /// The machine slept: `{"from_ms": 1, "to_ms": 2}`.
    package static let asleep = What(rawValue: "asleep")
    /// Our clock was set: `{"by_ms": -3600000}`.
    package static let clockStep = What(rawValue: "clock_step")
  }
}

/// A stretch of time from which records are missing. Times are milliseconds since 1970.
package struct RecordedOutage: Hashable, Sendable {
  package enum Reason: String, Hashable, Sendable, CaseIterable {
    /// No recorder ran.
    case stopped = "recorder stopped"
    /// There was no connection to the backend.
    case lineDown = "line down"
    case diskFull = "disk full"
    /// The machine slept.
    case asleep
    /// Rows came faster than the disk took them.
    case lost = "rows lost"
    /// The records exist but cannot be read.
    case damaged
    /// They became too old; only what pins protect was kept.
    case removed
  }

  package var fromMs: Int64
  package var toMs: Int64
  package var reason: Reason
  /// How many rows are missing; nil if unknown.
  package var rows: Int?

  package init(fromMs: Int64, toMs: Int64, reason: Reason, rows: Int? = nil) {
    self.fromMs = fromMs
    self.toMs = toMs
    self.reason = reason
    self.rows = rows
  }
}

/// The counts of rows in one part of a stretch of time.
package struct DensityBucket: Hashable, Sendable {
  package var rows: Int
  /// Rows that report an error, in their kind or their metadata.
  package var failures: Int
  /// Rows of voice sessions.
  package var voice: Int

  package init(rows: Int = 0, failures: Int = 0, voice: Int = 0) {
    self.rows = rows
    self.failures = failures
    self.voice = voice
  }
}

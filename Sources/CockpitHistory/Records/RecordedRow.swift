package import CockpitDomain

/// A row as it was recorded. Times are milliseconds since 1970.
package struct RecordedRow: Hashable, Sendable {
  /// Its number in the order of arrival. It grows over all runs of a recorder, with holes.
  package var seq: Int64
  /// Time of the backend.
  package var atMs: Int64
  /// Our time when it arrived.
  package var receivedMs: Int64
  /// The backend's id; nil if no list with it was seen.
  package var actionID: Int?
  /// Where it was seen.
  package var channels: RowOrigins
  /// The bytes as they came; of twins the longer one's.
  package var json: [UInt8]

  package init(
    seq: Int64, atMs: Int64, receivedMs: Int64, actionID: Int?, channels: RowOrigins,
    json: [UInt8]
  ) {
    self.seq = seq
    self.atMs = atMs
    self.receivedMs = receivedMs
    self.actionID = actionID
    self.channels = channels
    self.json = json
  }

  /// Its place in the order of display.
  package var place: HistoryPlace { HistoryPlace(atMs: atMs, seq: seq) }
}

/// A place among the rows, which are ordered by the backend's time and, within a millisecond, by arrival.
package struct HistoryPlace: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970.
  package var atMs: Int64
  package var seq: Int64

  package init(atMs: Int64, seq: Int64) {
    self.atMs = atMs
    self.seq = seq
  }

  package static func < (left: HistoryPlace, right: HistoryPlace) -> Bool {
    (left.atMs, left.seq) < (right.atMs, right.seq)
  }
}

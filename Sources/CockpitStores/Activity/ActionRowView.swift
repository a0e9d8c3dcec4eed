package import CockpitDomain
package import LenientJSON
package import ClankyWire

/// A lazily read row of the log.
///
/// A handle: valid until the log changes, so keep the `id` instead.
package struct ActionRowView {
  package let id: RowID
  let log: ActionLog
  let record: ActionRecord

  init(log: ActionLog, id: RowID, record: ActionRecord) {
    self.id = id
    self.log = log
    self.record = record
  }

  /// Milliseconds since 1970.
  package var timeMs: Int64 { record.timeMs }

  /// The id of the backend; nil while only live twins are known.
  package var actionID: Int? {
    record.actionID == ActionRecord.noID || !record.flags.isDisjoint(with: [.gap, .former])
      ? nil : Int(record.actionID)
  }

  /// Identifies the content of a row: its columns and the location of its bytes.
  package struct Version: Hashable, Sendable {
    private let timeMs: Int64
    private let actionID: Int64
    private let bytes: SIMD2<UInt32>
    private let interned: SIMD2<UInt32>
    private let label: UInt32
    private let flags: UInt16
    private let nanos: Int64

    fileprivate init(_ record: ActionRecord) {
      timeMs = record.timeMs
      actionID = record.actionID
      bytes = [record.offset, record.length]
      interned = [record.place, record.user]
      label = UInt32(record.label)
      flags = record.flags.rawValue
      nanos = Int64(record.cost.nanos)
    }
  }

  package var version: Version { Version(record) }

  package var label: ActionLabel { log.labelTable.payloads[Int(record.label)].label }
  package var kind: String { label.kind }
  package var domain: Domain { label.domain }

  /// The severity of the label, raised when the metadata reports a failure.
  package var severity: Severity { record.flags.contains(.failed) ? .error : label.severity }

  /// Whether the row counts as a failure: its label says so, or its metadata.
  package var isFailure: Bool { severity == .error }

  /// The chips the row counts under.
  package var chips: ChipSet {
    record.flags.contains(.failed) ? label.chips.union(ChipSet(.error)) : label.chips
  }

  /// US dollars; nil if the row says nothing, 0, or nothing finite. In four bytes: exact to a
  /// billionth below $2.14.
  package var costUSD: Double? {
    record.cost.nanos == 0 ? nil : Double(record.cost.nanos) / 1e9
  }

  package var userID: String? { log.userTable.payloads[Int(record.user)] }
  package var guildID: String? { log.placeTable.payloads[Int(record.place)].guild }
  package var channelID: String? { log.placeTable.payloads[Int(record.place)].channel }

  /// Read from the bytes.
  package var messageID: String? { withScan { $0.message.id(in: $1) } ?? nil }

  /// The gap of a gap row; nil for an action.
  package var gap: IDGapRow? { record.flags.contains(.gap) ? log.gaps[id] : nil }

  /// Whether the row belongs to a log that the backend has replaced: it counts in no figure.
  package var isOfFormerLog: Bool { record.flags.contains(.former) }

  package var isGap: Bool { record.flags.contains(.gap) }

  /// The channels through which the row arrived.
  package var sources: RowOrigins {
    RowOrigins(rawValue: UInt8(truncatingIfNeeded: record.flags.rawValue & 7))
  }

  package var hasContent: Bool { record.contentOffset > 0 }

  /// At most `limit` bytes of the content in UTF-8, plus the rest of the last character; nil if
  /// there is none. Untrusted text: sanitise it before drawing.
  package func content(limit: Int = .max) -> String? {
    guard record.contentOffset > 0 else { return nil }
    let body = log.contentBytes(id, record)
    if !record.flags.contains(.escaped) {
      var end = min(body.count, limit)
      while end < body.count, body[end] & 0xC0 == 0x80, end < limit + 4 { end += 1 }
      return JSONText.decode(UnsafeRawBufferPointer(rebasing: body[..<end]))
    }
    if limit >= body.count { return JSONText.decode(body) }
    var out: [UInt8] = []
    JSONText.unescape(body, into: &out, limit: limit + 3)
    return String(decoding: out, as: UTF8.self)
  }

  /// Details as a tree, parsed now; null when there are none.
  package func metadata() -> JSONValue {
    withScan { $0.metadataValue(in: $1) } ?? .null
  }

  /// The received bytes of the twin with the longest text; empty for a gap. The id may be known
  /// although the bytes have none.
  package func withRaw<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
  {
    try body(log.raw(id, record))
  }

  /// The row as Swift values; nil for a gap.
  package func action() -> Action? {
    guard !isGap, var action = try? withRaw({ try Action(json: $0) }) else { return nil }
    action.id = actionID ?? action.id
    return action
  }

  /// The row as a line of `tail --json`; nil for a gap.
  package func jsonLine() -> [UInt8]? {
    isGap ? nil : withRaw { ActionJSON.line(raw: $0, id: actionID) }
  }

  func withScan<Result>(_ body: (ActionScan, UnsafeRawBufferPointer) -> Result) -> Result? {
    withRaw { bytes in
      guard let scan = try? ActionScanner.scan(bytes) else { return nil }
      return body(scan, bytes)
    }
  }
}

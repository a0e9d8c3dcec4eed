package import ClankyWire
package import CockpitDomain
package import CockpitHistory
package import LenientJSON

/// A row as a sink gets it: redacted, with its key.
package struct SinkRow: Sendable {
  package var place: SequencePlace
  package var receivedMs: Int64
  /// 16 bytes, of the row as it was recorded.
  package var key: [UInt8]
  /// The number of rows of the same millisecond before it in the history's order, for far ends that order by time.
  package var ordinalInMs: Int
  package var actionID: Int?
  /// Where the recorder saw it.
  package var origins: RowOrigins
  /// Whether it came late, from a list that was fetched to close a gap.
  package var isLate: Bool

  /// What is read of the redacted JSON. Times are ms since 1970.
  package var atMs: Int64 = 0
  package var label = ActionLabel(kind: "")
  package var content: String?
  package var guild: String?
  package var channel: String?
  package var message: String?
  package var person: String?
  package var session: String?
  package var costNanos: Int64 = 0
  package var durationMs: Int64?
  package var isFailure = false
  package var metadata = JSONValue.null
  /// The redacted JSON.
  package var json: [UInt8]
  /// Why it cannot be sent; nil if it can.
  package var problem: String?

  /// A row that arrived this much after its time came from a list.
  private static let lateMs: Int64 = 60_000

  /// - Parameters:
  ///   - json: redacted; nil if the row cannot be read.
  ///   - key: of the row before it was redacted.
  package init(_ sequenced: SequencedRow, json: [UInt8]?, key: [UInt8]) {
    place = SequencePlace(day: sequenced.day, seq: sequenced.row.seq)
    receivedMs = sequenced.row.receivedMs
    actionID = sequenced.row.actionID
    origins = sequenced.row.channels
    isLate = sequenced.row.receivedMs &- sequenced.row.atMs > Self.lateMs
    self.key = key
    ordinalInMs = sequenced.ordinalInMs
    self.json = json ?? []
    atMs = sequenced.row.atMs
    guard let json else {
      problem = "the row cannot be read as JSON"
      return
    }
    json.withUnsafeBytes { read($0) }
  }

  private mutating func read(_ json: UnsafeRawBufferPointer) {
    guard let scan = try? ActionScanner.scan(json) else {
      problem = "the row is no action"
      return
    }
    atMs = scan.timeMs
    content = scan.content.text(in: json)
    label = ActionLabel(kind: scan.kind.text(in: json) ?? "", content: content)
    guild = scan.guild.id(in: json)
    channel = scan.channel.id(in: json)
    message = scan.message.id(in: json)
    person = scan.user.id(in: json)
    costNanos = scan.costNanos
    if scan.metadata.form == .object,
      let value = try? JSONValue.parse(scan.metadata.bytes(in: json))
    {
      metadata = value
    }
    session = metadata["sessionId"]?.string.flatMap {
      $0.isEmpty || $0.utf8.count > 128 ? nil : $0
    }
    let metadata = metadata
    durationMs = ["durationMs", "runtimeMs", "latencyMs"].lazy
      .compactMap { metadata[$0]?.double }.first
      .flatMap { $0.isFinite && abs($0) < 1e15 ? Int64($0) : nil }
    isFailure =
      label.severity == .error
      || label.mayFail && scan.metadata.form == .object
        && ActionLabel.reportsFailure(scan.metadata.bytes(in: json))
  }

  /// The severity, as logs spell it.
  package var level: String {
    if isFailure { return "error" }
    return label.severity == .warning ? "warn" : "info"
  }

  package var keyText: String { RowFingerprint.hexadecimal(key) }
}

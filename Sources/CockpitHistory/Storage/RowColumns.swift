internal import ClankyWire
internal import LenientJSON

/// The columns of the table `row` that are read from the JSON of an action.
struct RowColumns {
  var atMs: Int64
  var actionID: Int64?
  var kind: String
  var event: String?
  var guild: String?
  var channel: String?
  var person: String?
  var session: String?
  var costNanos: Int64
  var durationMs: Int64?
  var flags: Int64

  /// nil if the bytes are not an action.
  init?(_ json: UnsafeRawBufferPointer) {
    guard let scan = try? ActionScanner.scan(json) else { return nil }
    atMs = scan.timeMs
    actionID = scan.id.map(Int64.init)
    kind = scan.kind.text(in: json) ?? ""
    let label = ActionLabel(kind: kind, content: scan.content.text(in: json))
    event = label.event
    guild = scan.guild.id(in: json)
    channel = scan.channel.id(in: json)
    person = scan.user.id(in: json)
    costNanos = scan.costNanos
    let metadata = scan.metadata(Self.wanted, in: json)
    session = metadata["sessionId"]?.string.flatMap {
      $0.isEmpty || $0.utf8.count > 128 ? nil : $0
    }
    durationMs = Self.durations.lazy.compactMap { metadata[$0]?.double }.first
      .flatMap { $0.isFinite && abs($0) < 1e15 ? Int64($0) : nil }
    flags = 0
    let isFailure =
      label.severity == .error
      || label.mayFail && scan.metadata.form == .object
        && ActionLabel.reportsFailure(scan.metadata.bytes(in: json))
    if isFailure { flags |= DayFormat.failedFlag }
    if label.domain == .voice { flags |= DayFormat.voiceFlag }
  }

  private static let durations = ["durationMs", "runtimeMs", "latencyMs"]
  private static let wanted = Set(durations + ["sessionId"])
}

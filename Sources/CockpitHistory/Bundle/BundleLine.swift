internal import ClankyWire
internal import CockpitDomain
internal import LenientJSON

/// Records as JSON lines. A row is a line of `tail --json`, with its number, time of arrival and channels after it.
enum BundleLine {
  /// nil for bytes that are no action.
  static func line(_ record: BundleRecord) -> [UInt8]? {
    switch record {
    case .row(let row):
      let line = row.json.withUnsafeBytes { ActionJSON.line(raw: $0, id: row.actionID) }
      guard var line, line.last == UInt8(ascii: "}") else { return nil }
      line.removeLast()
      line += Array(
        ",\"seq\":\(row.seq),\"received_ms\":\(row.receivedMs),\"channels\":\(row.channels.rawValue)}"
          .utf8)
      return line
    case .document(let document):
      return object(
        "document", document.seq, document.atMs, document.receivedMs,
        ("name", .string(document.name)), body: document.body)
    case .link(let link):
      return object(
        "link", link.seq, link.atMs, link.receivedMs, ("what", .string(link.what.rawValue)),
        body: link.value)
    }
  }

  static func line(_ mark: HistoryNotes.Mark) -> [UInt8] {
    serialized(
      JSONValue.body([
        ("type", .string("mark")), ("at_ms", .integer(mark.atMs)), ("note", .string(mark.note)),
      ]))
  }

  private static func object(
    _ type: String, _ seq: Int64, _ atMs: Int64, _ receivedMs: Int64,
    _ name: (key: String, value: JSONValue?), body: [UInt8]
  ) -> [UInt8]? {
    guard let json = body.withUnsafeBytes({ try? JSONValue.parse($0) }) else { return nil }
    return serialized(
      JSONValue.body([
        ("type", .string(type)), name, ("seq", .integer(seq)), ("at_ms", .integer(atMs)),
        ("received_ms", .integer(receivedMs)), ("body", json),
      ]))
  }

  private static func serialized(_ json: JSONValue) -> [UInt8] {
    var out: [UInt8] = []
    json.write(to: &out, ascii: true)
    return out
  }

  // MARK: reading

  /// What a line holds; nil for lines of other types, such as those of a stream.
  enum Parsed {
    case record(BundleRecord)
    case mark(HistoryNotes.Mark)
    case manifest(BundleManifest)
  }

  /// - Parameter number: for rows without one: lines of `tail --json`.
  static func parse(_ json: JSONValue, number: Int64) -> Parsed? {
    let seq = json["seq"]?.int.map(Int64.init) ?? number
    let atMs = json["at_ms"]?.int.map(Int64.init) ?? 0
    let receivedMs = json["received_ms"]?.int.map(Int64.init)
    switch json["type"]?.string {
    case "manifest": return BundleManifest(json: json).map { .manifest($0) }
    case "mark": return .mark(.init(id: 0, atMs: atMs, note: json["note"]?.string ?? ""))
    case "document":
      guard let name = json["name"]?.string, let body = json["body"] else { return nil }
      return .record(
        .document(
          RecordedDocument(
            seq: seq, name: name, atMs: atMs, receivedMs: receivedMs ?? atMs,
            body: Array(body.serialized().utf8))))
    case "link":
      guard let what = json["what"]?.string, let body = json["body"] else { return nil }
      return .record(
        .link(
          RecordedLink(
            seq: seq, atMs: atMs, receivedMs: receivedMs ?? atMs,
            what: RecordedLink.What(rawValue: what), value: Array(body.serialized().utf8))))
    case "action": return row(json, seq, receivedMs).map { .record(.row($0)) }
    default: return nil
    }
  }

  private static func row(
    _ json: JSONValue, _ seq: Int64, _ receivedMs: Int64?
  ) -> RecordedRow? {
    guard case .object(var object) = json else { return nil }
    let channels = json["channels"]?.int.flatMap { UInt8(exactly: $0) }
    object.members.removeAll { ["type", "seq", "received_ms", "channels"].contains($0.key) }
    // A live row has no id.
    object.members.removeAll { $0.key == "id" && $0.value.isNull }
    let bytes = Array(JSONValue.object(object).serialized().utf8)
    guard let columns = bytes.withUnsafeBytes({ RowColumns($0) }) else { return nil }
    return RecordedRow(
      seq: seq, atMs: columns.atMs, receivedMs: receivedMs ?? columns.atMs,
      actionID: columns.actionID.flatMap { Int(exactly: $0) },
      channels: channels.map(RowOrigins.init(rawValue:)) ?? .stored, json: bytes)
  }
}

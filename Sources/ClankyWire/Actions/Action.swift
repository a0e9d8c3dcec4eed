import LenientJSON

/// One action as Swift values: for a detail view, a copy, a line of `tail`. Feeds do not build
/// these; they draw from the bytes.
package struct Action: Hashable, Sendable {
  /// The row id of the backend; nil until the stored twin of a live action is known.
  package var id: Int?
  package var time: WireTime
  package var kind: String
  /// The text; nil if absent or empty, which the backend stores as null.
  package var content: String?
  package var guildID: String?
  package var channelID: String?
  package var messageID: String?
  package var userID: String?
  /// US dollars; nil if the wire says nothing, or nothing finite.
  package var costUSD: Double?
  /// The cost as the wire spells it, such as `0.10595600000000001`.
  package var costText: String?
  /// The action as it came, in either shape.
  package let raw: [UInt8]

  private let scan: ActionScan

  /// Reads one action, in either shape.
  package init(json: [UInt8]) throws(ActionRejection) {
    let result = json.withUnsafeBytes { bytes in
      Result { () throws(ActionRejection) in try Action(json: bytes) }
    }
    self = try result.get()
  }

  /// Reads one action, in either shape, and copies its bytes.
  package init(json bytes: UnsafeRawBufferPointer) throws(ActionRejection) {
    let scan = try ActionScanner.scan(bytes)
    self.scan = scan
    raw = Array(bytes)
    id = scan.id
    time = WireTime(milliseconds: scan.timeMs)
    kind = scan.kind.text(in: bytes) ?? ""
    content = scan.content.text(in: bytes).flatMap { $0.isEmpty ? nil : $0 }
    guildID = scan.guild.id(in: bytes)
    channelID = scan.channel.id(in: bytes)
    messageID = scan.message.id(in: bytes)
    userID = scan.user.id(in: bytes)
    if scan.costText.form != .missing {
      let text = JSONText.decode(scan.costText.bytes(in: bytes))
      costText = text
      costUSD = Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
  }

  /// Details as a tree, parsed now; null when there are none.
  package func metadata() -> JSONValue {
    raw.withUnsafeBytes { scan.metadataValue(in: $0) }
  }

  /// The label of the row.
  package var label: ActionLabel { ActionLabel(kind: kind, content: content) }
}

extension ActionScan {
  /// The metadata as a tree, parsed now; null when there is none.
  package func metadataValue(in action: UnsafeRawBufferPointer) -> JSONValue {
    guard metadata.form == .object || metadata.form == .array else {
      return metadata.text(in: action).map(JSONValue.string) ?? .null
    }
    do {
      return try JSONValue.parse(metadata.bytes(in: action))
    } catch {
      return .string("\(error)")  // cannot happen: the scan has checked the grammar
    }
  }
}

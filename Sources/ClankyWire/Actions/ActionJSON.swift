import LenientJSON

/// Actions as lines of `tail --json`. Live and stored shapes come out alike.
package enum ActionJSON {
  /// One line, without its line end.
  package static func line(_ action: Action) -> [UInt8] {
    action.raw.withUnsafeBytes { line(raw: $0, id: action.id) } ?? []
  }

  /// One line for the bytes of an action; `id` is used if the bytes contain none. nil if the bytes
  /// are no action.
  package static func line(raw: UnsafeRawBufferPointer, id: Int? = nil) -> [UInt8]? {
    let scan: ActionScan
    do { scan = try ActionScanner.scan(raw) } catch { return nil }
    // The row's own members, and at most 192 bytes of keys that it may lack.
    var line = JSONObjectWriter(capacity: raw.count + 192)
    line.string("type", "action")
    line.int("id", scan.id ?? id)
    line.valid("created_at", quoted(scan.createdAt, in: raw))
    line.valid("kind", quoted(scan.kind, in: raw))
    line.valid("content", scan.content.count > 0 ? quoted(scan.content, in: raw) : nil)
    cost(scan, in: raw, to: &line)
    writeID("guild_id", scan.guild, in: raw, to: &line)
    writeID("channel_id", scan.channel, in: raw, to: &line)
    writeID("message_id", scan.message, in: raw, to: &line)
    writeID("user_id", scan.user, in: raw, to: &line)
    line.valid("metadata", metadata(scan.metadata, in: raw))
    return line.finish()
  }

  /// A number in place of an id keeps its digits, as text.
  private static func writeID(
    _ key: StaticString, _ field: ActionField, in raw: UnsafeRawBufferPointer,
    to line: inout JSONObjectWriter
  ) {
    if field.form == .number {
      line.string(key, field.id(in: raw))
    } else {
      line.valid(key, field.form == .missing ? nil : quoted(field, in: raw))
    }
  }

  /// The string with its quotes.
  private static func quoted(
    _ field: ActionField, in raw: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: raw[Int(field.offset) - 1..<Int(field.offset) + Int(field.count) + 1])
  }

  private static func metadata(
    _ field: ActionField, in raw: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    switch field.form {
    case .missing: nil
    case .text, .escapedText: quoted(field, in: raw)
    default: field.bytes(in: raw)
    }
  }

  /// A missing cost is 0 (contract 4.1); a number keeps its digits, numeric text loses its quotes.
  /// An invalid amount is null, because it is not known to be zero.
  private static func cost(
    _ scan: ActionScan, in raw: UnsafeRawBufferPointer, to line: inout JSONObjectWriter
  ) {
    if scan.costText.form == .missing {
      return scan.isCostOdd ? line.int("usd_cost", nil) : line.int("usd_cost", 0)
    }
    if scan.costText.form == .number {
      return line.raw("usd_cost", scan.costText.bytes(in: raw))
    }
    line.double("usd_cost", Double(JSONText.decode(scan.costText.bytes(in: raw))))
  }
}

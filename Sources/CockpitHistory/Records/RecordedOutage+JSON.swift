internal import LenientJSON

extension RecordedOutage {
  /// As the value of a link record.
  var value: [UInt8] {
    let text = JSONValue.body([
      ("from_ms", .integer(fromMs)),
      ("to_ms", .integer(toMs)),
      ("why", .string(reason.rawValue)),
      ("rows", rows.map { .integer($0) }),
    ])
    return Array(text.serialized().utf8)
  }

  /// From a link record; nil if it is not an outage.
  package init?(_ link: RecordedLink) { self.init(value: link.value) }

  /// From the value of a link record; nil if it is not an outage.
  init?(value: [UInt8]) {
    guard let json = value.withUnsafeBytes({ try? JSONValue.parse($0) }),
      let from = json["from_ms"]?.int, let to = json["to_ms"]?.int,
      let reason = json["why"]?.string.flatMap(Reason.init(rawValue:))
    else { return nil }
    self.init(fromMs: Int64(from), toMs: Int64(to), reason: reason, rows: json["rows"]?.int)
  }
}

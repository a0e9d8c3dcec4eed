internal import ClankyWire

/// Facts as comma-separated values (RFC 4180): a header line, CRLF line ends, quotes doubled.
struct FactCSV {
  var isForSpreadsheet: Bool
  var clean: @Sendable (String) -> String

  private struct Column {
    var name: String
    var value: @Sendable (FactRecord) -> String?
    /// A number that is meant as one.
    var isNumber = false
  }

  private static let columns: [Column] = [
    Column(name: "id", value: { $0.fact.id.map(String.init) }, isNumber: true),
    Column(name: "created_at", value: { $0.fact.createdAt?.iso }),
    Column(name: "updated_at", value: { $0.fact.updatedAt?.iso }),
    Column(name: "scope", value: { $0.fact.scope?.rawValue }),
    Column(name: "guild_id", value: { $0.fact.guildID }),
    Column(name: "guild_name", value: { $0.guildName }),
    Column(name: "channel_id", value: { $0.fact.channelID }),
    Column(name: "user_id", value: { $0.fact.userID }),
    Column(name: "subject", value: { $0.fact.subject }),
    Column(name: "subject_name", value: { $0.subjectName }),
    Column(name: "fact", value: { $0.fact.fact }),
    Column(name: "fact_type", value: { $0.fact.factType?.rawValue }),
    Column(name: "evidence_text", value: { $0.fact.evidenceText }),
    Column(name: "source_message_id", value: { $0.fact.sourceMessageID }),
    Column(
      name: "confidence",
      value: { $0.fact.confidence.flatMap { $0.isFinite ? "\($0)" : nil } }, isNumber: true),
  ]

  func bytes(_ records: [FactRecord]) -> [UInt8] {
    var out = Self.columns.map(\.name).joined(separator: ",") + "\r\n"
    for record in records {
      out += Self.columns.map { cell($0, record) }.joined(separator: ",") + "\r\n"
    }
    return Array(out.utf8)
  }

  private func cell(_ column: Column, _ record: FactRecord) -> String {
    guard let value = column.value(record) else { return "" }
    var text = clean(value)
    if isForSpreadsheet, !column.isNumber, Self.isMisread(text) { text = "'" + text }
    let isPlain = text.unicodeScalars.allSatisfy { !"\",\r\n".unicodeScalars.contains($0) }
    // Some readers cut spaces at the ends of cells without quotes.
    let isTight = !text.hasPrefix(" ") && !text.hasSuffix(" ")
    return isPlain && isTight ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// Whether a spreadsheet would run the text as a formula (also one in full-width signs), or keep
  /// only the first 15 digits of an id.
  private static func isMisread(_ text: String) -> Bool {
    let first = text.unicodeScalars.first { $0 != " " }
    if let first, "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(first) {
      return true
    }
    return text.utf8.count > 15 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}

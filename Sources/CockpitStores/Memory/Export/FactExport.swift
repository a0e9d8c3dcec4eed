/// Facts as a file for other programs.
package struct FactExport: Sendable {
  package enum Format: String, CaseIterable, Sendable {
    /// One JSON object a line; the only format with the exact texts.
    case jsonl
    /// RFC 4180.
    case csv
    /// A readable list, by subject.
    case markdown
  }

  package var format: Format
  /// Whether cells of a CSV that a spreadsheet would take for a formula or shorten to a number are
  /// marked as text.
  package var isForSpreadsheet: Bool
  /// Makes a text one line that cannot act on a terminal: people look at these files with `cat`
  /// (contract 9.5).
  private let clean: @Sendable (String) -> String

  package init(
    _ format: Format, isForSpreadsheet: Bool = false, clean: @escaping @Sendable (String) -> String
  ) {
    self.format = format
    self.isForSpreadsheet = isForSpreadsheet
    self.clean = clean
  }

  /// The whole file.
  package func bytes(_ records: [FactRecord]) -> [UInt8] {
    switch format {
    case .jsonl: records.reduce(into: []) { $0 += $1.json + [0x0A] }
    case .csv: FactCSV(isForSpreadsheet: isForSpreadsheet, clean: clean).bytes(records)
    case .markdown: FactMarkdown(clean: clean).bytes(records)
    }
  }
}

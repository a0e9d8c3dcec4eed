/// Redacts rows for a receiver, row after row, with pseudonyms that stay the same in all runs. Not thread-safe.
package final class SinkRedactor {
  private let level: RedactionLevel
  private let keepsPrompts: Bool
  private let keyed: @Sendable (String) -> UInt64
  private let history: HistoryFolder
  private var known = KnownIdentities()
  private var isChanged = true
  private var redactor: Redactor?
  private var documentsReadMs: Int64?

  /// How many of the newest rows are searched for names at the start.
  private static let searchedRows = 50_000
  private static let documentIntervalMs: Int64 = 60_000

  /// - Parameters:
  ///   - folder: of the history whose names are replaced.
  ///   - keyed: a number for each identity (`Pseudonyms`).
  package init(
    folder: String, _ level: RedactionLevel, keepsPrompts: Bool,
    keyed: @escaping @Sendable (String) -> UInt64
  ) throws(HistoryError) {
    self.level = level
    self.keepsPrompts = keepsPrompts
    self.keyed = keyed
    history = try HistoryFolder(folder)
  }

  /// The rows without what is left out; nil for one that cannot be read.
  package func redacted(_ rows: [[UInt8]], nowMs: Int64) throws(HistoryError) -> [[UInt8]?] {
    guard level != .none else { return rows }
    try learn(rows, nowMs)
    if isChanged || redactor == nil {
      redactor = Redactor(level, keepsPrompts: keepsPrompts, known: known, keyed: keyed)
      isChanged = false
    }
    return rows.map { redactor?.action($0) }
  }

  /// A text that is no part of a row, such as the name of a file.
  package func masked(_ text: String) -> String {
    level == .none ? text : redactor?.masked(text) ?? ""
  }

  private func learn(_ rows: [[UInt8]], _ nowMs: Int64) throws(HistoryError) {
    let before = known
    if documentsReadMs.map({ abs(nowMs - $0) >= Self.documentIntervalMs }) ?? true {
      if documentsReadMs == nil {
        var found = known
        _ = try history.eachRow(limit: Self.searchedRows) { row in
          row.json.withUnsafeBytes { found.learn(namesOf: $0) }
        }
        known = found
      }
      documentsReadMs = nowMs
      for name in try history.documentNames(notAfterMs: .max) {
        guard let document = try history.document(name, notAfterMs: .max) else { continue }
        document.body.withUnsafeBytes { known.learn(document: name, $0) }
      }
    }
    for row in rows { row.withUnsafeBytes { known.learn(action: $0) } }
    if known != before { isChanged = true }
  }
}

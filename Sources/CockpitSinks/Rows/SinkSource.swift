package import CockpitHistory

/// Reads rows of a history for one sink: in the order of arrival, redacted, with their keys. Not thread-safe.
package final class SinkSource {
  private let sequence: RowSequence
  private let redactor: SinkRedactor
  private let bot: [UInt8]

  /// The rows and the bytes of a batch.
  package static let batchRows = 1000
  package static let batchBytes = 1 << 20

  package init(
    folder: String, bot: HistoryNotes.SinkBot, level: RedactionLevel, keepsPrompts: Bool
  ) throws(HistoryError) {
    sequence = try RowSequence(folder) { RowFingerprint.identity($0) }
    redactor = try SinkRedactor(
      folder: folder, level, keepsPrompts: keepsPrompts,
      keyed: RowFingerprint.pseudonyms(secret: bot.secret))
    self.bot = RowFingerprint.bot(bot.name)
  }

  /// The next batch, and whether there may be more rows already.
  package func page(
    after place: SequencePlace, nowMs: Int64
  ) throws(HistoryError) -> (rows: [SinkRow], isWhole: Bool) {
    let (found, isFull) = try sequence.rows(
      after: place, limit: Self.batchRows, bytes: Self.batchBytes)
    let redacted = try redactor.redacted(found.map(\.row.json), nowMs: nowMs)
    var rows: [SinkRow] = []
    for (row, json) in zip(found, redacted) {
      let key = RowFingerprint.key(
        bot: bot, identity: RowFingerprint.identity(row.row.json), ordinal: row.ordinal)
      rows.append(SinkRow(row, json: json, key: key))
    }
    return (rows, isFull)
  }

  package func place(beforeReceivedMs ms: Int64) throws(HistoryError) -> SequencePlace {
    try sequence.place(beforeReceivedMs: ms)
  }

  package func newest() throws(HistoryError) -> (place: SequencePlace, receivedMs: Int64)? {
    try sequence.newest()
  }

  /// A text that is no part of a row, as the rows have it.
  package func masked(_ text: String) -> String { redactor.masked(text) }
}

package import CockpitHistory

/// Reads rows of a history for one sink: in the order of arrival, redacted, with their keys. Not thread-safe.
package final class SinkSource {
  private let sequence: RowSequence
  private let redactor: SinkRedactor
  private let bot: [UInt8]
  private let folder: String

  /// The rows and the bytes of a batch.
  package static let batchRows = 1000
  package static let batchBytes = 1 << 20
  /// The learned ids of a batch, and the findings.
  package static let batchIDs = 500

  package init(
    folder: String, bot: HistoryNotes.SinkBot, level: RedactionLevel, keepsPrompts: Bool
  ) throws(HistoryError) {
    self.folder = folder
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
    return (try sinkRows(found, nowMs: nowMs), isFull)
  }

  private func sinkRows(
    _ found: [SequencedRow], nowMs: Int64
  ) throws(HistoryError) -> [SinkRow] {
    let redacted = try redactor.redacted(found.map(\.row.json), nowMs: nowMs)
    var rows: [SinkRow] = []
    for (row, json) in zip(found, redacted) {
      let key = RowFingerprint.key(
        bot: bot, identity: RowFingerprint.identity(row.row.json), ordinal: row.ordinal)
      rows.append(SinkRow(row, json: json, key: key))
    }
    return rows
  }

  /// A row by its number; nil if it is gone or damaged.
  package func row(_ seq: Int64, nowMs: Int64) throws(HistoryError) -> SinkRow? {
    guard let found = try sequence.row(seq) else { return nil }
    return try sinkRows([found], nowMs: nowMs).first
  }

  /// The next rows whose ids became known after they were recorded.
  ///
  /// - Parameters:
  ///   - places: how far they were sent.
  ///   - seq: the last row that was read: those after it are read with their ids.
  package func learned(
    after places: HistoryNotes.SidePlaces, through seq: Int64, nowMs: Int64
  ) throws(HistoryError) -> (rows: [SinkRow], places: HistoryNotes.SidePlaces) {
    var places = places
    guard seq > places.beginSeq else {
      places.files = try sequence.learnedPlaces()
      return ([], places)
    }
    let (found, files) = try sequence.learned(
      after: places.files, of: places.beginSeq + 1...seq, limit: Self.batchIDs)
    places.files = files
    return (try sinkRows(found, nowMs: nowMs), places)
  }

  /// Where a sink begins to send later ids and findings.
  ///
  /// - Parameters:
  ///   - place: of the last row before its first.
  ///   - sinceMs: what rules find before it is not sent, in ms since 1970.
  package func sidePlaces(
    beginningAfter place: SequencePlace, sinceMs: Int64
  ) throws(HistoryError) -> HistoryNotes.SidePlaces {
    var places = HistoryNotes.SidePlaces(
      beginSeq: place.seq, files: try sequence.learnedPlaces())
    places.sinceMs = sinceMs
    return places
  }

  /// The next findings of rules.
  package func incidents(
    after places: HistoryNotes.SidePlaces, nowMs: Int64
  ) throws(HistoryError) -> (incidents: [SinkIncident], places: HistoryNotes.SidePlaces) {
    let found = try HistoryNotes.findings(
      after: places.finding, limit: Self.batchIDs, in: folder)
    var places = places
    if let last = found.last { places.finding = last.number }
    let wanted = found.filter { $0.fromMs >= places.sinceMs && !$0.body.isEmpty }
    let redacted = try redactor.redacted(wanted.map { Array($0.body.utf8) }, nowMs: nowMs)
    let incidents = zip(wanted, redacted).compactMap { finding, json in
      SinkIncident(finding, redacted: json, bot: bot, nowMs: nowMs)
    }
    return (incidents, places)
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

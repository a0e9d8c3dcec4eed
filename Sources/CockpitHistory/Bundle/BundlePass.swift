/// One run over the records of an export.
struct BundlePass {
  private let contents: BundleContents
  private var redaction: BundleRedaction
  let known: KnownIdentities
  private(set) var manifest = BundleManifest()
  private(set) var marks: [HistoryNotes.Mark] = []
  private(set) var failure: HistoryError?
  /// The number of the first record.
  private(set) var firstSeq: Int64 = 1
  private let history: HistoryFolder
  private let request: BundleRequest

  init(
    _ history: HistoryFolder, _ request: BundleRequest, samples: Int
  ) throws(HistoryError) {
    self.history = history
    self.request = request
    contents = try BundleContents(history, request)
    let searched: Int
    if request.redaction == .none {
      (known, searched) = (KnownIdentities(), 0)
    } else {
      (known, searched) = try contents.identities()
    }
    redaction = BundleRedaction(request, known, samples: samples)
    firstSeq = try contents.firstSeq()
    manifest.fromMs = request.fromMs
    manifest.toMs = request.toMs
    manifest.contextFromMs = request.contextMs.lowerBound
    manifest.contextToMs = request.contextMs.upperBound
    manifest.createdMs = request.createdMs
    manifest.version = request.version
    manifest.redaction = request.redaction
    manifest.hasPrompts = request.keepsPrompts || request.redaction == .none
    manifest.session = request.session
    manifest.searchedRows = searched
    manifest.privateDocuments = contents.privateDocuments
  }

  var samples: [String: [RedactionCounts.Sample]] { redaction.counts.samples }

  /// Calls back with each redacted record, and completes the manifest.
  mutating func run(_ take: (BundleRecord) throws(HistoryError) -> Void) throws(HistoryError) {
    var redaction = redaction
    var (rows, documents, links, read) = (0, 0, 0, 0)
    try contents.each { record throws(HistoryError) in
      if case .row = record { read += 1 }
      guard let new = redaction.redacted(record) else { return }
      switch new {
      case .row: rows += 1
      case .document: documents += 1
      case .link: links += 1
      }
      try take(new)
    }
    marks = contents.marks.map { mark in
      var mark = mark
      mark.note = redaction.text(mark.note)
      return mark
    }
    manifest.note = redaction.text(request.note)
    manifest.bot = bot(&redaction)
    manifest.rows = rows
    manifest.documents = documents
    manifest.links = links
    manifest.marks = marks.count
    manifest.dialect = redaction.dialect
    manifest.replaced = redaction.counts.replaced
    manifest.unlisted = redaction.counts.unlisted
    // Those that could not be read from the disk, and those that are no JSON.
    manifest.unreadable = redaction.unreadable + contents.rowCount - read
    manifest.wordlikeNames = redaction.wordlikeNames
    self.redaction = redaction
  }

  /// Its pseudonym; without redaction its name.
  private func bot(_ redaction: inout BundleRedaction) -> String {
    if request.redaction == .none {
      return history.path.split(separator: "/").last.map(String.init) ?? ""
    }
    let id = known.sorts.filter { $0.value == .bot }.map(\.key).min()
    return id.map { redaction.text($0) } ?? ""
  }

  /// Writes all records, marks and the manifest, and finishes the file.
  mutating func write(
    into writer: DayWriter, _ batch: inout RecorderBatch
  ) throws(DatabaseFailure) {
    var pending = RecorderBatch()
    let result = Result { () throws(HistoryError) in
      try run { record throws(HistoryError) in
        pending.add(record)
        guard pending.weight > 1 << 20 else { return }
        try Self.flush(&pending, into: writer)
      }
      try Self.flush(&pending, into: writer)
    }
    if case .failure(let error) = result {
      failure = error
      return
    }
    let (manifest, marks) = (manifest, marks)
    try writer.database.transaction { () throws(DatabaseFailure) in
      try manifest.write(to: writer.database)
      try writer.database.run(
        "CREATE TABLE mark (id INTEGER PRIMARY KEY, at_ms INTEGER, note TEXT);")
      let insert = try writer.database.statement("INSERT INTO mark VALUES (NULL, ?, ?)")
      for mark in marks {
        insert.bind(mark.atMs, at: 1)
        insert.bind(mark.note, at: 2)
        try insert.run()
      }
    }
    try writer.finish()
  }

  private static func flush(
    _ batch: inout RecorderBatch, into writer: DayWriter
  ) throws(HistoryError) {
    defer { batch = RecorderBatch() }
    guard !batch.isEmpty else { return }
    do throws(DatabaseFailure) {
      try writer.write(batch, base: 0)
    } catch {
      throw HistoryError(error.isDamage ? .damaged : .disk, error.words(writer.path))
    }
  }
}

extension RecorderBatch {
  mutating func add(_ record: BundleRecord) {
    switch record {
    case .row(let row):
      row.json.withUnsafeBytes { bytes in
        add(bytes) {
          .row(number: row.seq, receivedMs: row.receivedMs, row.channels, $0)
        }
      }
      guard let id = row.actionID else { return }
      add(UnsafeRawBufferPointer(start: nil, count: 0)) { _ in
        .learned(number: row.seq, actionID: id, row.channels)
      }
    case .document(let document):
      document.body.withUnsafeBytes { bytes in
        add(bytes) {
          .document(
            name: document.name, atMs: document.atMs, receivedMs: document.receivedMs, $0)
        }
      }
    case .link(let link):
      link.value.withUnsafeBytes { bytes in
        add(bytes) {
          .link(link.what, atMs: link.atMs, receivedMs: link.receivedMs, $0)
        }
      }
    }
  }
}

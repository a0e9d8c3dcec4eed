package import CockpitHistory

/// Documents, and what recorders heard of the connection.
extension SharedHistory {
  private var documentColumns: String {
    """
    seq, name, \(dialect.ms("at")), \(dialect.ms("arrived")), \(dialect.base), recorder, body
    """
  }

  /// Documents that others are packed on, by name, recorder and time.
  private typealias Bases = [String: [UInt8]]

  package func document(
    _ name: String, notAfterMs: Int64
  ) throws(HistoryError) -> RecordedDocument? {
    // If one is damaged, the one before it.
    let rows = try database.rows(
      """
      SELECT \(documentColumns) FROM \(dialect.document)
      WHERE \(bot) AND name = \(dialect.text(name)) AND at <= \(dialect.time(notAfterMs))
      ORDER BY at DESC, recorder, id DESC LIMIT 2
      """)
    var bases: Bases = [:]
    for row in rows { if let document = try document(row, &bases) { return document } }
    return nil
  }

  package func documentNames(notAfterMs: Int64) throws(HistoryError) -> [String] {
    try database.rows(
      """
      SELECT DISTINCT name FROM \(dialect.document)
      WHERE \(bot) AND at <= \(dialect.time(notAfterMs))
      """
    ).map { $0.text(0) }.sorted()
  }

  package func documents(
    after: Int64, through: Int64
  ) throws(HistoryError) -> [RecordedDocument] {
    let rows = try database.rows(
      """
      SELECT \(documentColumns) FROM \(dialect.document)
      WHERE \(bot) AND at > \(dialect.time(after)) AND at <= \(dialect.time(through))
      ORDER BY at, recorder, id
      """)
    var bases: Bases = [:]
    var last: [String: [UInt8]] = [:]
    var documents: [RecordedDocument] = []
    for row in rows {
      guard let document = try document(row, &bases) else { continue }
      // Two recorders have heard the same one.
      guard last.updateValue(document.body, forKey: document.name) != document.body else {
        continue
      }
      documents.append(document)
    }
    return documents
  }

  /// The document of a row of `documentColumns`; nil if it, or one that it is packed on, is damaged or missing.
  private func document(
    _ row: [[UInt8]?], _ bases: inout Bases
  ) throws(HistoryError) -> RecordedDocument? {
    let name = row.text(1)
    var document = RecordedDocument(
      seq: row.int(0), name: name, atMs: row.int(2), receivedMs: row.int(3), body: [])
    guard dialect == .postgres else {
      document.body = row[6] ?? []
      return document
    }
    guard let packed = Hexadecimal.bytes(row[6] ?? []) else { return nil }
    var base: [UInt8] = []
    if let baseMs = row.number(4) {
      guard baseMs < document.atMs,
        let found = try self.base(name, row.text(5), baseMs, &bases)
      else { return nil }
      base = found
    }
    guard let body = PackedDocument.unpack(packed, on: base) else { return nil }
    document.body = body
    if base.isEmpty { bases["\(name)\n\(row.text(5))\n\(document.atMs)"] = body }
    return document
  }

  private func base(
    _ name: String, _ recorder: String, _ ms: Int64, _ bases: inout Bases
  ) throws(HistoryError) -> [UInt8]? {
    let key = "\(name)\n\(recorder)\n\(ms)"
    if let known = bases[key] { return known }
    let row = try database.rows(
      """
      SELECT \(documentColumns) FROM \(dialect.document)
      WHERE \(bot) AND name = \(dialect.text(name)) AND at = \(dialect.time(ms))
      AND recorder = \(dialect.text(recorder))
      """
    ).first
    guard let row else { return nil }
    let body = try document(row, &bases)?.body
    if let body { bases[key] = body }
    return body
  }

  // MARK: links

  private func links(
    _ rest: String
  ) throws(HistoryError) -> [(recorder: String, link: RecordedLink)] {
    try database.rows(
      """
      SELECT seq, \(dialect.ms("at")), \(dialect.ms("arrived")), what, value, recorder
      FROM \(dialect.link) WHERE \(bot) AND \(rest)
      """
    ).map { row in
      let link = RecordedLink(
        seq: row.int(0), atMs: row.int(1), receivedMs: row.int(2),
        what: RecordedLink.What(rawValue: row.text(3)), value: row[4] ?? [])
      return (row.text(5), link)
    }
  }

  package func links(after: Int64, through: Int64) throws(HistoryError) -> [RecordedLink] {
    // In the order of its recorder, and of several in that of their arrival; clocks may have been set back.
    let found = try links(
      """
      at > \(dialect.time(after)) AND at <= \(dialect.time(through)) ORDER BY recorder, seq, id
      """)
    var ordered: [(arrivedMs: Int64, index: Int, link: RecordedLink)] = []
    for (index, (recorder, link)) in found.enumerated() {
      let isSame = index > 0 && found[index - 1].recorder == recorder
      let beforeMs = isSame ? ordered[index - 1].arrivedMs : .min
      ordered.append((max(beforeMs, link.receivedMs), index, link))
    }
    return ordered.sorted { ($0.arrivedMs, $0.index) < ($1.arrivedMs, $1.index) }.map(\.link)
  }

  package func link(
    _ what: RecordedLink.What, notAfterMs: Int64
  ) throws(HistoryError) -> RecordedLink? {
    let found = try links(
      """
      what = \(dialect.text(what.rawValue)) AND at <= \(dialect.time(notAfterMs))
      ORDER BY at DESC, part DESC, id DESC LIMIT 50
      """)
    var newest: [(recorder: String, link: RecordedLink)] = []
    for link in found where !newest.contains(where: { $0.recorder == link.recorder }) {
      newest.append(link)
    }
    guard what == .state, newest.count > 1 else { return newest.first?.link }
    // One recorder that hears the bot is enough.
    let coverage = try coverage(after: notAfterMs - 1)
    let live = newest.first { known in
      coverage.contains { $0.recorder == known.recorder && $0.covers(notAfterMs) }
        && String(decoding: known.link.value, as: UTF8.self).contains(#""state":"live""#)
    }
    return (live ?? newest.first)?.link
  }

  package func outages(after: Int64, through: Int64) throws(HistoryError) -> [RecordedOutage] {
    RecorderCoverage.missing(try coverage(after: after))
      .filter { $0.toMs > after && $0.fromMs <= through }
      .sorted { ($0.fromMs, $0.toMs) < ($1.fromMs, $1.toMs) }
  }

  /// What each recorder has of the time after another.
  private func coverage(after: Int64) throws(HistoryError) -> [RecorderCoverage] {
    var found: [RecorderCoverage] = []
    let spans = try database.rows(
      """
      SELECT recorder, \(dialect.ms("min(at)")), \(dialect.ms("max(at)")) FROM (
        SELECT recorder, at FROM \(dialect.link) WHERE \(bot)
        UNION ALL SELECT recorder, at FROM \(dialect.document) WHERE \(bot)) t
      GROUP BY recorder ORDER BY recorder
      """)
    for row in spans {
      found.append(
        RecorderCoverage(recorder: row.text(0), fromMs: row.int(1), toMs: row.int(2)))
    }
    // An outage is recorded at its end.
    for (recorder, link) in try links("what = 'outage' AND at > \(dialect.time(after)) ORDER BY at")
    {
      guard let outage = RecordedOutage(link),
        let index = found.firstIndex(where: { $0.recorder == recorder })
      else { continue }
      found[index].outages.append(outage)
    }
    return found
  }

  package func gaps(after: Int64, through: Int64) throws(HistoryError) -> [RecordedGap] {
    let links = try links(
      "what IN ('gap', 'gap_closed') AND at > \(dialect.time(after)) ORDER BY at")
    let gaps = try RecordedGap.gaps(links.map(\.link), in: self, after: after, through: through)
    var open: [RecordedGap] = []
    for gap in gaps where try !isFilled(gap) { open.append(gap) }
    return open
  }

  /// Whether another recorder has had the rows.
  private func isFilled(_ gap: RecordedGap) throws(HistoryError) -> Bool {
    guard gap.ids.count <= 100_000 else { return false }
    let row = try database.rows(
      """
      SELECT count(DISTINCT action_id) FROM \(dialect.action) WHERE \(bot)
      AND action_id BETWEEN \(gap.ids.lowerBound) AND \(gap.ids.upperBound)
      """
    ).first
    return Int(row?.int(0) ?? 0) >= gap.ids.count
  }
}

/// PostgreSQL's `bytea` as text: `\x…`.
enum Hexadecimal {
  static func bytes(_ text: [UInt8]) -> [UInt8]? {
    guard text.count >= 2, text.count % 2 == 0, text[0] == UInt8(ascii: "\\"),
      text[1] == UInt8(ascii: "x")
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    for index in stride(from: 2, to: text.count, by: 2) {
      guard let high = digit(text[index]), let low = digit(text[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x61...0x66: byte - 0x57
    case 0x41...0x46: byte - 0x37
    default: nil
    }
  }
}

extension DayReader {
  private static var documentColumns: String {
    "id, seq, name, at_ms, received_ms, base, body, sum"
  }

  /// The last document of a name that is not after a time.
  func document(_ name: String, notAfterMs ms: Int64) throws(DatabaseFailure) -> RecordedDocument? {
    guard let number = try number("document", name) else { return nil }
    let rows = try database.statement(
      """
      SELECT id FROM document WHERE name = ? AND at_ms <= ?
      ORDER BY at_ms DESC, id DESC LIMIT 20
      """)
    rows.bind(number, at: 1)
    rows.bind(ms, at: 2)
    var ids: [Int64] = []
    while try rows.step() { ids.append(rows.int(0)) }
    rows.reset()
    // If one is damaged, the one before it.
    for id in ids {
      if let document = try document(id, name, number), document.atMs <= ms { return document }
    }
    return nil
  }

  /// The documents after one time and not after another, in order of arrival, one at a time: a day of them may be
  /// larger than memory.
  func documents(
    after: Int64, through: Int64, _ take: (RecordedDocument) -> Void
  ) throws(DatabaseFailure) {
    let found = try documentPlaces(after, through)
    var last: [Int64: (id: Int64, body: [UInt8])] = [:]
    for (id, number, name) in found {
      guard let document = try document(id, name, number, last: last[number]) else { continue }
      last[number] = (id, document.body)
      if document.atMs > after, document.atMs <= through { take(document) }
    }
  }

  /// The documents after an id, in order of arrival.
  ///
  /// - Parameter take: given the id and the document, nil if it is damaged; false ends the reading.
  func documents(
    afterID id: Int64, limit: Int, _ take: (Int64, RecordedDocument?) -> Bool
  ) throws(DatabaseFailure) {
    let rows = try database.statement(
      """
      SELECT d.id, d.name, n.text FROM document d JOIN name n ON n.id = d.name
      WHERE d.id > ? ORDER BY d.id LIMIT ?
      """)
    rows.bind(id, at: 1)
    rows.bind(Int64(limit), at: 2)
    var found: [(id: Int64, number: Int64, name: String)] = []
    while try rows.step() { found.append((rows.int(0), rows.int(1), rows.text(2))) }
    rows.reset()
    var last: [Int64: (id: Int64, body: [UInt8])] = [:]
    for (id, number, name) in found {
      let document = try document(id, name, number, last: last[number])
      if let document { last[number] = (id, document.body) }
      guard take(id, document) else { return }
    }
  }

  /// The ids and names of documents, past damaged pages.
  private func documentPlaces(
    _ after: Int64, _ through: Int64
  ) throws(DatabaseFailure) -> [(id: Int64, number: Int64, name: String)] {
    let sql = "SELECT d.id, d.name, n.text, d.at_ms FROM document d JOIN name n ON n.id = d.name"
    var found: [(id: Int64, number: Int64, name: String)] = []
    do throws(DatabaseFailure) {
      let rows = try database.statement("\(sql) WHERE d.at_ms > ? AND d.at_ms <= ? ORDER BY d.id")
      rows.bind(after, at: 1)
      rows.bind(through, at: 2)
      defer { rows.reset() }
      while try rows.step() { found.append((rows.int(0), rows.int(1), rows.text(2))) }
    } catch {
      guard error.isDamage else { throw error }
      damage.note(file: path, "a page of it is damaged")
      found = []
      var scan = DayScan(database)
      try scan.read(sql, key: "d.id", 1...Int64.max) { row in
        guard row.int(3) > after, row.int(3) <= through else { return }
        found.append((row.int(0), row.int(1), row.text(2)))
      }
    }
    return found
  }

  func documentNames(notAfterMs ms: Int64) throws(DatabaseFailure) -> [String] {
    let rows = try database.statement(
      """
      SELECT text FROM name WHERE sort = 'document' AND
      EXISTS (SELECT 1 FROM document WHERE name = name.id AND at_ms <= ?)
      """)
    rows.bind(ms, at: 1)
    defer { rows.reset() }
    var names: [String] = []
    while try rows.step() { names.append(rows.text(0)) }
    return names
  }

  private struct Link {
    var document: RecordedDocument
    var base: Int64
  }

  /// Restores a document from its chain; nil if it, or one before it in the chain, is damaged.
  ///
  /// - Parameter last: a document of the chain that is unpacked already.
  private func document(
    _ id: Int64, _ name: String, _ number: Int64, last: (id: Int64, body: [UInt8])? = nil
  ) throws(DatabaseFailure) -> RecordedDocument? {
    var chain: [Link] = []
    var next = id
    while next != 0, next != last?.id {
      guard chain.count <= DayFormat.keyframeInterval, next <= chain.last?.base ?? next,
        let link = try readableLink(next, name, number)
      else {
        damage.note(record: "\(path) document \(id)")
        return nil
      }
      chain.append(link)
      guard link.base < next else { return nil }
      next = link.base
    }
    var body = next == 0 ? [] : last?.body ?? []
    for link in chain.reversed() {
      let raw = link.document.body.withUnsafeBytes {
        Compression.unpack($0, prefix: body, limit: DayFormat.maxDocumentBytes)
      }
      guard let raw else {
        damage.note(record: "\(path) document \(id)")
        return nil
      }
      body = raw
    }
    var document = chain.first?.document
    document?.body = body
    return document
  }

  /// The document's record; nil if it, or its page, is damaged.
  private func readableLink(
    _ id: Int64, _ name: String, _ number: Int64
  ) throws(DatabaseFailure) -> Link? {
    do throws(DatabaseFailure) {
      return try link(id, name, number)
    } catch {
      guard error.isDamage else { throw error }
      return nil
    }
  }

  private func link(
    _ id: Int64, _ name: String, _ number: Int64
  ) throws(DatabaseFailure) -> Link? {
    let row = try database.statement("SELECT \(Self.documentColumns) FROM document WHERE id = ?")
    row.bind(id, at: 1)
    defer { row.reset() }
    guard try row.step(), row.int(2) == number,
      UInt32(truncatingIfNeeded: row.int(7))
        == Checksum.of(id, row.int(1), row.int(2), row.int(3), row.int(4), row.int(5))
    else { return nil }
    return Link(
      document: RecordedDocument(
        seq: row.int(1), name: name, atMs: row.int(3), receivedMs: row.int(4), body: row.bytes(6)),
      base: row.int(5))
  }

  /// Link records.
  ///
  /// - Parameters:
  ///   - rest: the SQL from WHERE on.
  ///   - what: the value of its last parameter, if there is one.
  func links(
    _ rest: String, _ values: [Int64], what: RecordedLink.What? = nil
  ) throws(DatabaseFailure) -> [RecordedLink] {
    try numberedLinks(rest, values, what: what).map(\.link)
  }

  /// The link records after an id, with their ids.
  func numberedLinks(
    afterID id: Int64, limit: Int
  ) throws(DatabaseFailure) -> [(id: Int64, link: RecordedLink)] {
    try numberedLinks("WHERE id > ? ORDER BY id LIMIT ?", [id, Int64(limit)])
  }

  private func numberedLinks(
    _ rest: String, _ values: [Int64], what: RecordedLink.What? = nil
  ) throws(DatabaseFailure) -> [(id: Int64, link: RecordedLink)] {
    let rows = try database.statement(
      "SELECT id, seq, at_ms, received_ms, what, value, sum FROM link \(rest)")
    for (index, value) in values.enumerated() { rows.bind(value, at: index + 1) }
    if let what { rows.bind(what.rawValue, at: values.count + 1) }
    defer { rows.reset() }
    var links: [(id: Int64, link: RecordedLink)] = []
    do throws(DatabaseFailure) {
      while try rows.step() {
        let what = rows.text(4)
        let value = rows.bytes(5)
        let sum =
          Checksum.of(rows.int(0), rows.int(1), rows.int(2), rows.int(3))
          ^ (Array(what.utf8) + value).withUnsafeBytes { Checksum.of($0) }
        guard sum == UInt32(truncatingIfNeeded: rows.int(6)) else {
          damage.note(record: "\(path) link \(rows.int(0))")
          continue
        }
        let link = RecordedLink(
          seq: rows.int(1), atMs: rows.int(2), receivedMs: rows.int(3),
          what: RecordedLink.What(rawValue: what), value: value)
        links.append((rows.int(0), link))
      }
    } catch {
      // What comes before the damaged page is good.
      guard error.isDamage else { throw error }
      damage.note(file: path, "a page of it is damaged")
    }
    return links
  }
}

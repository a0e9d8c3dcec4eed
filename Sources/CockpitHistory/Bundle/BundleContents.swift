internal import CockpitDomain
internal import LenientJSON

/// The records of an export, before they are redacted.
struct BundleContents {
  let request: BundleRequest
  private let history: HistoryFolder
  /// In the order of arrival.
  private let rows: [HistoryFolder.Found]
  private let documents: [RecordedDocument]
  let links: [RecordedLink]
  let marks: [HistoryNotes.Mark]
  private(set) var privateDocuments = 0

  private static let chunk = 500

  init(_ history: HistoryFolder, _ request: BundleRequest) throws(HistoryError) {
    self.history = history
    self.request = request
    rows = try history.bundleRows(request)
    guard !rows.isEmpty else {
      throw HistoryError(.missing, "nothing is recorded in that time")
    }
    guard rows.count <= BundleRequest.maxRows else {
      throw HistoryError(
        .refused,
        "there are \(rows.count) rows in that time, and a bundle has \(BundleRequest.maxRows) at most; name a shorter one"
      )
    }
    let context = request.contextMs
    var documents: [RecordedDocument] = []
    for name in try history.documentNames(notAfterMs: context.lowerBound) {
      if let document = try history.document(name, notAfterMs: context.lowerBound) {
        documents.append(document)
      }
    }
    documents += try history.documents(after: context.lowerBound, through: context.upperBound)
    let isPrivate = { (document: RecordedDocument) in
      document.name.hasPrefix("GET /api/memory/owner-private")
    }
    privateDocuments = documents.lazy.filter(isPrivate).count
    documents.removeAll(where: isPrivate)
    self.documents = documents
    links = try Self.links(history, context)
    marks = try history.marks().filter { context.contains($0.atMs) }
  }

  /// Link records of the time, the last states before it, what was proven by then, and outages that reach into it.
  private static func links(
    _ history: HistoryFolder, _ context: ClosedRange<Int64>
  ) throws(HistoryError) -> [RecordedLink] {
    let reachMs: Int64 = 2 * DayName.msPerDay
    var links: [RecordedLink] = []
    if let state = try history.link(.state, notAfterMs: context.lowerBound) { links.append(state) }
    let around = try history.links(
      after: context.lowerBound - reachMs, through: context.upperBound + reachMs)
    for var link in around {
      switch link.what {
      case .proven:
        guard let claim = raised(link.value, to: context.lowerBound, through: context.upperBound)
        else { continue }
        link.value = claim
        links.append(link)
      case .outage:
        guard let outage = RecordedOutage(value: link.value), outage.toMs > context.lowerBound,
          outage.fromMs <= context.upperBound
        else { continue }
        links.append(link)
      default:
        if context.contains(link.atMs), link.atMs > context.lowerBound { links.append(link) }
      }
    }
    return links
  }

  /// A claim about the rows of the file, of which older ones are not there.
  private static func raised(_ value: [UInt8], to beginMs: Int64, through endMs: Int64) -> [UInt8]?
  {
    guard let json = value.withUnsafeBytes({ try? JSONValue.parse($0) }),
      case .object(var object) = json, let fromMs = json["from_ms"]?.int, fromMs <= Int(endMs)
    else { return nil }
    for index in object.members.indices where object.members[index].key == "from_ms" {
      object.members[index].value = .integer(max(Int64(fromMs), beginMs))
    }
    return Array(JSONValue.object(object).serialized().utf8)
  }

  var rowCount: Int { rows.count }

  /// The number of the first row.
  func firstSeq() throws(HistoryError) -> Int64 { rows.first?.key.seq ?? 1 }

  /// Calls back with all records, in the order of arrival.
  func each(_ take: (BundleRecord) throws(HistoryError) -> Void) throws(HistoryError) {
    var others: [BundleRecord] = documents.map { .document($0) } + links.map { .link($0) }
    others.sort { $0.seq < $1.seq }
    var next = others[...]
    for start in stride(from: 0, to: rows.count, by: Self.chunk) {
      let part = Array(rows[start..<min(start + Self.chunk, rows.count)])
      for row in try history.load(part) {
        while let other = next.first, other.seq < row.seq {
          try take(other)
          next.removeFirst()
        }
        try take(.row(row))
      }
    }
    for other in next { try take(other) }
  }

  /// The ids and names to replace: those of the exported records, and of the part of the history that is searched.
  func identities() throws(HistoryError) -> (known: KnownIdentities, searchedRows: Int) {
    var known = KnownIdentities()
    for name in try history.documentNames(notAfterMs: .max) {
      guard let document = try history.document(name, notAfterMs: .max) else { continue }
      document.body.withUnsafeBytes { known.learn(document: name, $0) }
    }
    try each { record throws(HistoryError) in
      switch record {
      case .row(let row): row.json.withUnsafeBytes { known.learn(action: $0) }
      case .document(let document):
        document.body.withUnsafeBytes { known.learn(document: document.name, $0) }
      case .link(let link): link.value.withUnsafeBytes { known.learn(document: "", $0) }
      }
    }
    let searched = try history.eachRow(limit: Self.searchedRows) { row in
      row.json.withUnsafeBytes { known.learn(namesOf: $0) }
    }
    return (known, searched)
  }

  /// How many of the newest rows are searched for names.
  private static let searchedRows = 300_000
}

/// One record of an export.
enum BundleRecord {
  case row(RecordedRow)
  case document(RecordedDocument)
  case link(RecordedLink)

  var seq: Int64 {
    switch self {
    case .row(let row): row.seq
    case .document(let document): document.seq
    case .link(let link): link.seq
    }
  }
}

extension HistoryFolder {
  /// The newest voice session whose id begins with a text.
  package func session(beginning text: String) throws(HistoryError) -> String? {
    for file in try pool.files().reversed() {
      let found = try pool.with(file) { reader throws(DatabaseFailure) -> String? in
        let names = try reader.database.statement(
          "SELECT text FROM name WHERE sort = 'session' ORDER BY id DESC")
        defer { names.reset() }
        while try names.step() {
          let name = names.text(0)
          if name.hasPrefix(text) { return name }
        }
        return nil
      }
      if let session = found ?? nil { return session }
    }
    return nil
  }

  /// The rows of the time of an export and of the voice sessions in it, in the order of arrival.
  func bundleRows(_ request: BundleRequest) throws(HistoryError) -> [Found] {
    let context = request.contextMs
    var found: [Int64: Found] = [:]
    var sessions: Set<String> = []
    let files = try pool.files()
    for (index, file) in files.enumerated() {
      let part = try pool.with(file) { reader throws(DatabaseFailure) -> ([RowKey], [String]) in
        let keys = try reader.keys(
          "WHERE at_ms >= ? AND at_ms <= ?", [context.lowerBound, context.upperBound]
        ) { context.contains($0.atMs) }
        let names = try reader.database.statement(
          """
          SELECT DISTINCT n.text FROM row r JOIN name n ON n.id = r.session
          WHERE r.at_ms >= ? AND r.at_ms <= ?
          """)
        names.bind(context.lowerBound, at: 1)
        names.bind(context.upperBound, at: 2)
        defer { names.reset() }
        var texts: [String] = []
        while try names.step() { texts.append(names.text(0)) }
        return (keys, texts)
      }
      for key in part?.0 ?? [] { found[key.seq] = Found(key: key, file: index) }
      sessions.formUnion(part?.1 ?? [])
    }
    for (index, file) in files.enumerated() {
      for session in sessions.sorted() {
        let keys = try pool.with(file) { reader throws(DatabaseFailure) -> [RowKey] in
          guard let number = try reader.number("session", session) else { return [] }
          return try reader.keys(
            "WHERE at_ms < ? AND session = ? ORDER BY at_ms DESC, seq DESC LIMIT ?",
            [context.lowerBound, number, Int64(BundleRequest.sessionRows)])
        }
        for key in keys ?? [] { found[key.seq] = Found(key: key, file: index) }
      }
    }
    return found.values.sorted { $0.key.seq < $1.key.seq }
  }

  /// Calls back with the newest rows, newest first.
  ///
  /// - Returns: how many there were.
  func eachRow(limit: Int, _ take: (RecordedRow) -> Void) throws(HistoryError) -> Int {
    var count = 0
    for (index, file) in try pool.files().enumerated().reversed() {
      var below = Int64.max
      while count < limit {
        let keys = try pool.with(file) { reader throws(DatabaseFailure) in
          try reader.keys("WHERE seq < ? ORDER BY seq DESC LIMIT 1000", [below])
        }
        guard let keys, let last = keys.last else { break }
        // In the order of the blocks.
        for row in try load(keys.reversed().map { Found(key: $0, file: index) }) { take(row) }
        count += keys.count
        below = last.seq
      }
    }
    return count
  }
}

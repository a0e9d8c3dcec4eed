/// The table of a query, updated row by row: a new row has constant cost, and an evicted row is
/// subtracted. The order of the rows does not matter.
struct QueryFold {
  /// Lines that are kept; rows that would make another are counted.
  static let maximumLines = 20_000

  private let pipeline: QueryPipeline
  private let zone: QueryZone
  private let readsMetadata: Bool

  private var lines: [FoldLine] = []
  private var lineOf: [[FoldKey]: Int] = [:]
  private var values: [[UInt8]: Int32] = [:]
  private var parts: [RowID: RowPart] = [:]
  /// Rows that lack the number, and those that lack each key.
  private var withoutNumber = 0
  private var tooLarge = 0
  private var withoutKey: [Int]
  private var inSeveral = 0
  private var beyond = 0
  private var hasNegative = false
  /// Totals of all rows, for the last line.
  private var total = FoldLine(keys: [], spelled: [])

  /// A row's contribution to the table, kept so that it can be subtracted.
  private struct RowPart {
    var outcome: Outcome
    var line: Int32 = -1
    var moreLines: [Int32] = []
    var value: Int64 = 0
    var distinct: [Int32] = []
  }

  private enum Outcome: Hashable {
    case counted, withoutNumber, tooLarge, beyond
    case withoutKey(Int)
  }

  init(_ pipeline: QueryPipeline, zone: QueryZone) {
    self.pipeline = pipeline
    self.zone = zone
    withoutKey = Array(repeating: 0, count: pipeline.keys.count + 1)
    var fields = pipeline.keys.compactMap(\.field)
    switch pipeline.figure {
    case .count: break
    case .distinct(let key): key.field.map { fields.append($0) }
    case .number(_, let number): fields.append(number.field)
    }
    readsMetadata = fields.contains(where: RowValues.isInMetadata)
  }

  /// Adds a row that passes the filter. Gaps, and rows of a log that the backend has replaced, are in no
  /// figure.
  mutating func add(_ row: ActionRowView) {
    guard !row.isGap, !row.isOfFormerLog, parts[row.id] == nil else { return }
    let part = part(of: row)
    parts[row.id] = part
    count(part, by: 1)
  }

  /// Subtracts a row; no effect if it is in no figure.
  mutating func remove(_ row: RowID) {
    guard let part = parts.removeValue(forKey: row) else { return }
    count(part, by: -1)
  }

  private mutating func part(of row: ActionRowView) -> RowPart {
    let read = RowValues(row, readsMetadata: readsMetadata)
    var part = RowPart(outcome: .counted)
    switch pipeline.figure {
    case .count: break
    case .number(_, let number):
      switch read.amount(number) {
      case .value(let value): part.value = value
      case .none: return RowPart(outcome: .withoutNumber)
      case .tooLarge: return RowPart(outcome: .tooLarge)
      }
    case .distinct(let key):
      for text in keys(key, read) {
        let number = values[text.key.bytes] ?? Int32(values.count)
        values[text.key.bytes] = number
        part.distinct.append(number)
      }
      if part.distinct.isEmpty { return RowPart(outcome: .withoutKey(pipeline.keys.count)) }
    }
    var lines: [(keys: [FoldKey], spelled: [String])] = [([], [])]
    for (index, key) in pipeline.keys.enumerated() {
      let found = keys(key, read)
      if found.isEmpty { return RowPart(outcome: .withoutKey(index)) }
      lines = lines.flatMap { line in
        found.map { (line.keys + [$0.key], line.spelled + [$0.text]) }
      }
    }
    for line in lines {
      guard let number = self.line(line.keys, line.spelled) else {
        return RowPart(outcome: .beyond)
      }
      if part.line < 0 { part.line = number } else { part.moreLines.append(number) }
    }
    return part
  }

  /// The different values of a key that a row has, with their spelling.
  private func keys(_ key: QueryKey, _ read: RowValues) -> [(key: FoldKey, text: String)] {
    switch key {
    case .time(let bucket): return [(.time(bucket.start(of: read.row.timeMs, in: zone)), "")]
    case .field(let field, let path):
      var found: [(key: FoldKey, text: String)] = []
      for text in read.texts(field, path) {
        let key = FoldKey.text(Array(text.lowercased().utf8))
        if !found.contains(where: { $0.key == key }) { found.append((key, text)) }
      }
      return found
    }
  }

  private mutating func line(_ keys: [FoldKey], _ spelled: [String]) -> Int32? {
    if let known = lineOf[keys] {
      lines[known].see(spelled)
      return Int32(known)
    }
    guard lines.count < Self.maximumLines else { return nil }
    lineOf[keys] = lines.count
    lines.append(FoldLine(keys: keys, spelled: spelled))
    return Int32(lines.count - 1)
  }

  private mutating func count(_ part: RowPart, by sign: Int) {
    switch part.outcome {
    case .withoutNumber: withoutNumber += sign
    case .tooLarge: tooLarge += sign
    case .beyond: beyond += sign
    case .withoutKey(let index): withoutKey[index] += sign
    case .counted:
      if !part.moreLines.isEmpty { inSeveral += sign }
      if part.value < 0 { hasNegative = true }
      let keeps = keepsValues
      for line in [part.line] + part.moreLines {
        lines[Int(line)].count(part.value, part.distinct, by: sign, keepsValues: keeps)
      }
      total.count(part.value, part.distinct, by: sign, keepsValues: keeps)
    }
  }

  private var keepsValues: Bool {
    if case .number(let function, _) = pipeline.figure { return function.needsValues }
    return false
  }

  // MARK: the table

  /// - Parameter names: of people and places.
  mutating func table(names: any NameDirectory) -> QueryTable {
    var made: [QueryTable.Line] = []
    made.reserveCapacity(lines.count)
    for index in lines.indices where lines[index].rows > 0 {
      let keys = zip(pipeline.keys, zip(lines[index].keys, lines[index].spelled)).map {
        key($0, $1.0, $1.1, names)
      }
      made.append(
        QueryTable.Line(
          keys: keys, figure: lines[index].figure(pipeline.figure), rows: lines[index].rows))
    }
    if pipeline.keys.isEmpty, made.isEmpty {
      made.append(QueryTable.Line(keys: [], figure: pipeline.figure.ofNoRows, rows: 0))
    }
    let terms = LineTerms(
      pipeline, zone: zone, hasNegative: hasNegative, hasTooLarge: tooLarge > 0, lines: made)
    let (shown, leftOut) = QueryOrder(pipeline, zone).lines(made)
    var missing: [QueryTable.Missing] = []
    if case .number(_, let number) = pipeline.figure {
      if withoutNumber > 0 { missing.append(.init(what: number.noun, rows: withoutNumber)) }
      if tooLarge > 0 {
        missing.append(.init(what: "a \(number.name) that can be added", rows: tooLarge))
      }
    }
    for (index, rows) in withoutKey.enumerated() where rows > 0 {
      let key = index < pipeline.keys.count ? pipeline.keys[index] : distinctKey
      missing.append(.init(what: key?.noun ?? "a value", rows: rows))
    }
    return QueryTable(
      keyNames: pipeline.keys.map(\.name), buckets: pipeline.keys.map(\.bucket),
      figureName: pipeline.figure.name, unit: pipeline.figure.unit, lines: shown, rows: parts.count,
      total: total.rows > 0 ? total.figure(pipeline.figure) : nil, missing: missing,
      inSeveral: inSeveral, leftOut: leftOut, beyond: beyond, terms: terms)
  }

  private var distinctKey: QueryKey? {
    if case .distinct(let key) = pipeline.figure { return key }
    return nil
  }

  private func key(
    _ key: QueryKey, _ value: FoldKey, _ spelled: String, _ names: any NameDirectory
  ) -> QueryTable.Key {
    switch (key, value) {
    case (.time(let bucket), .time(let start)):
      return .time(start..<max(start, bucket.next(after: start, in: zone)))
    case (.field(.user, _), _): return .text(spelled, name: names.userName(spelled))
    case (.field(.channel, _), _): return .text(spelled, name: names.channelName(spelled))
    case (.field(.guild, _), _): return .text(spelled, name: names.guildName(spelled))
    default: return .text(spelled, name: nil)
    }
  }
}

extension QueryKey {
  var field: QueryField? {
    if case .field(let field, _) = self { return field }
    return nil
  }

  var bucket: QueryBucket? {
    if case .time(let bucket) = self { return bucket }
    return nil
  }

  /// The missing value, as a noun.
  var noun: String {
    switch self {
    case .time: "a time"
    case .field(.event, _): "an event"
    case .field(.id, _): "an id"
    case .field(.meta, _): "a value in \(name)"
    case .field(let field, _): "a \(field.rawValue)"
    }
  }
}

extension Query {
  /// The table of rows that pass the filter; nil if the query has no stages.
  package func table(
    of rows: some Sequence<ActionRowView>, names: any NameDirectory
  ) -> QueryTable? {
    guard let pipeline else { return nil }
    var fold = QueryFold(pipeline, zone: zone)
    for row in rows { fold.add(row) }
    return fold.table(names: names)
  }
}

internal import ClankyWire

extension Query {
  /// Reads a filter of rows. Stages are refused: they make a table of the rows.
  ///
  /// - Parameter zone: in which its times of day and its dates are meant: that in which times are
  ///   shown.
  package static func parse(
    _ text: String, in zone: QueryZone = .utc
  ) throws(QueryError) -> Query {
    var parser = QueryParser(text)
    return try parser.query().shown(in: zone)
  }

  /// Parses a query with its stages, if it has any.
  ///
  /// - Parameter views: named queries, referenced with `@`.
  package static func parse(
    piped text: String, in zone: QueryZone = .utc, views: QueryViews = QueryViews()
  ) throws(QueryError) -> Query {
    try views.query(text).shown(in: zone)
  }
}

/// One term as it is written, in queries of actions and in filters of facts.
struct SplitTerm<Field> {
  var isNegated: Bool
  /// nil for words without a field.
  var field: Field?
  var comparison = QueryComparison.equal
  /// The alternatives.
  var values: [Pattern]
  /// Where the values stand, in characters from the start.
  var valueOffset: Int
  var valueLength: Int

  /// Why the values cannot be read.
  func error(_ message: String) -> QueryError {
    QueryError(offset: valueOffset, length: max(1, valueLength), message: message)
  }
}

/// Reads the terms of a query one after the other.
struct QueryParser {
  private let text: String
  private let characters: [Character]
  private var at = 0
  /// Whether a `|` with a blank before it begins a stage.
  private let hasStages: Bool

  /// - Parameter start: where to begin, in characters.
  init(_ text: String, from start: Int = 0, hasStages: Bool = false) {
    self.text = text
    self.hasStages = hasStages
    characters = Array(text)
    at = start
  }

  mutating func query() throws(QueryError) -> Query {
    let terms = try terms()
    guard at < characters.count else { return Query(text: text, terms: terms) }
    throw QueryError(
      offset: at, length: 1,
      message:
        "a filter of rows has no stages: | with a blank before it makes a table, in 'actions' and in PULSE; \"or\" is a|b, without blanks"
    )
  }

  /// - Parameter view: the view that replaces the text before `start`, if any.
  mutating func pipedQuery(after view: Query? = nil) throws(QueryError) -> Query {
    let start = at
    let own = try terms()
    let filter = String(characters[start..<at]).trimmed
    let stages = at < characters.count ? String(characters[at...]).trimmed : ""
    var parser = StageParser(characters, from: at)
    let pipeline = try parser.pipeline(text: stages, after: view?.pipeline)
    let filters = [view?.filterText ?? "", filter].filter { !$0.isEmpty }
    return Query(
      text: text, filterText: filters.joined(separator: " "), terms: (view?.terms ?? []) + own,
      pipeline: pipeline)
  }

  /// The terms up to the first stage, or to the end.
  private mutating func terms() throws(QueryError) -> [Query.Term] {
    var terms: [Query.Term] = []
    // A nested closure would have to borrow the parser while it is being mutated.
    let fields = self
    while !isAtStage,
      let split = try next({ (name, offset) throws(QueryError) in
        try fields.field(name, offset)
      })
    {
      terms.append(try term(split))
    }
    return terms
  }

  private var isAtStage: Bool {
    mutating get {
      skipSpace()
      return peek() == "|"
    }
  }

  private mutating func skipSpace() {
    while at < characters.count, characters[at].isWhitespace { at += 1 }
  }

  private func peek(_ offset: Int = 0) -> Character? {
    at + offset < characters.count ? characters[at + offset] : nil
  }

  private func term(
    _ split: SplitTerm<(field: QueryField, path: [String])>
  ) throws(QueryError) -> Query.Term {
    guard let (field, path) = split.field else {
      let words = split.values.map { TextNeedle($0.text) }
      return Query.Term(field: .word, isNegated: split.isNegated, test: .words(words))
    }
    var builder = TermBuilder(
      field: field, comparison: split.comparison, offset: split.valueOffset,
      length: split.valueLength)
    let test = try builder.test(split.values)
    return Query.Term(field: field, path: path, isNegated: split.isNegated, test: test)
  }

  private func field(
    _ name: String, _ offset: Int
  ) throws(QueryError) -> (field: QueryField, path: [String]) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let field = QueryField(name: parts[0]),
      field == .meta ? parts.count > 1 : parts.count == 1
    else { throw unknownField(name, offset) }
    return (field, Array(parts.dropFirst()))
  }

  /// The next term; nil at the end. `resolve` receives the name of its field and its position.
  mutating func next<Field>(
    _ resolve: (String, Int) throws(QueryError) -> Field
  ) throws(QueryError) -> SplitTerm<Field>? {
    skipSpace()
    guard at < characters.count else { return nil }
    var isNegated = false
    if peek() == "-", let next = peek(1), !next.isWhitespace {
      isNegated = true
      at += 1
    }
    let start = at
    let name = fieldName()
    guard !name.isEmpty, let (comparison, negates) = comparisonSign() else {
      at = start
      let values = try values(of: nil) { (try? resolve($0, 0)) != nil }
      return SplitTerm(
        isNegated: isNegated, field: nil, values: values, valueOffset: start,
        valueLength: at - start)
    }
    let field = try resolve(name, start)
    let valueStart = at
    let values = try values(of: name) { (try? resolve($0, 0)) != nil }
    return SplitTerm(
      isNegated: isNegated != negates, field: field, comparison: comparison, values: values,
      valueOffset: valueStart, valueLength: at - valueStart)
  }

  private mutating func fieldName() -> String {
    let start = at
    while let next = peek(), next.isASCII, next.isLetter || next.isNumber || "._-".contains(next) {
      at += 1
    }
    return String(characters[start..<at])
  }

  private mutating func comparisonSign() -> (QueryComparison, negates: Bool)? {
    for (sign, comparison, negates) in Self.signs where starts(with: sign) {
      at += sign.count
      return (comparison, negates)
    }
    return nil
  }

  private static let signs: [(String, QueryComparison, Bool)] = [
    (":>=", .greaterOrEqual, false), (":<=", .lessOrEqual, false), (":>", .greater, false),
    (":<", .less, false), (">=", .greaterOrEqual, false), ("<=", .lessOrEqual, false),
    ("!=", .equal, true), ("!:", .equal, true), (">", .greater, false), ("<", .less, false),
    (":", .equal, false), ("=", .equal, false),
  ]

  private func starts(with sign: String) -> Bool {
    characters[at...].starts(with: sign)
  }

  /// The alternatives of a value.
  ///
  /// - Parameter isField: whether a name is that of a field.
  private mutating func values(
    of field: String?, isField: (String) -> Bool
  ) throws(QueryError) -> [Pattern] {
    var values: [Pattern] = []
    while true {
      let start = at
      values.append(try value(of: field))
      if values.count > 1 {
        try refuseField(at: start, isField: isField)
        try refuseStage(at: start, isLast: peek() != "|", isWord: field == nil)
      }
      guard peek() == "|" else { return values }
      if hasStages, peek(1)?.isWhitespace ?? true {
        throw QueryError(
          offset: at, length: 1,
          message:
            "a value is missing behind | (or); for a stage type a blank before |"
        )
      }
      at += 1
    }
  }

  /// `is:error|kind:llm_*` would look for an odd value of the first field, and find nothing.
  private func refuseField(at start: Int, isField: (String) -> Bool) throws(QueryError) {
    var reader = self
    reader.at = start
    let name = reader.fieldName()
    guard !name.isEmpty, reader.comparisonSign() != nil, isField(name) else { return }
    let written = String(characters[start..<at])
    throw QueryError(
      offset: start, length: at - start,
      message:
        "| works inside one field; \(written) is another (a blank between: both must hold)"
    )
  }

  /// `kind:llm_call|count by model` would look for a kind `count`.
  private func refuseStage(at start: Int, isLast: Bool, isWord: Bool) throws(QueryError) {
    guard hasStages, isLast, StageParser.names.contains(String(characters[start..<at])) else {
      return
    }
    let isAlone = at == characters.count && !isWord
    guard isAlone || StageParser.looksLikeStage(characters, at: start) else { return }
    let name = String(characters[start..<at])
    throw QueryError(
      offset: start - 1, length: name.count + 1,
      message:
        "| without a blank before it means \"or\"; a stage is \" | \(name)\", a value |\"\(name)\"")
  }

  /// The closing quotes for each opening quote: phones and word processors use typographic ones.
  private static let closingQuotes: [Character: Set<Character>] = [
    "\"": ["\""], "\u{201C}": ["\u{201D}", "\u{201C}", "\""], "\u{201D}": ["\u{201D}", "\""],
    "\u{201E}": ["\u{201C}", "\u{201D}", "\u{201F}", "\""], "\u{201F}": ["\u{201D}", "\""],
    "\u{AB}": ["\u{BB}"], "\u{BB}": ["\u{AB}"], "\u{FF02}": ["\u{FF02}"],
    "\u{2018}": ["\u{2019}", "\u{2018}"], "\u{201A}": ["\u{2018}", "\u{2019}"],
    "\u{2039}": ["\u{203A}"], "\u{203A}": ["\u{2039}"],
  ]
  /// An apostrophe looks like these.
  private static let singleQuotes: Set<Character> = ["\u{2018}", "\u{2019}"]

  /// The quotes that close a value opened by `character`; empty if it opens none.
  static func closings(of character: Character) -> Set<Character> {
    closingQuotes[character] ?? []
  }

  private mutating func value(of field: String?) throws(QueryError) -> Pattern {
    let start = at
    if let closings = peek().map(Self.closings), !closings.isEmpty {
      at += 1
      var value = ""
      while let next = peek() {
        at += 1
        if closings.contains(next), !Self.singleQuotes.contains(next) || isValueEnd {
          return Pattern(value, isQuoted: true)
        }
        if next == "\\", let escaped = peek(), closings.contains(escaped) || escaped == "\\" {
          value.append(escaped)
          at += 1
        } else {
          value.append(next)
        }
      }
      throw QueryError(
        offset: start, length: at - start, message: "the quote at \(start + 1) is not closed",
        suggestion: String(characters[start...])
          + (closings.contains("\"") ? "\"" : closings.map(String.init).sorted().last ?? ""))
    }
    while let next = peek(), !next.isWhitespace, next != "|" { at += 1 }
    guard at > start else {
      throw QueryError(
        offset: start, length: 1,
        message: field.map { "there is no value for \($0)" } ?? "a word is missing beside |")
    }
    return Pattern(String(characters[start..<at]))
  }

  private var isValueEnd: Bool { peek().map { $0.isWhitespace || $0 == "|" } ?? true }

  private func unknownField(_ name: String, _ start: Int) -> QueryError {
    let nearest =
      name.hasPrefix("meta") ? "meta.PATH" : nearest(name, in: QueryField.allCases.map(\.rawValue))
    return QueryError(
      offset: start, length: name.count, message: "there is no field \"\(name)\"",
      suggestion: nearest)
  }
}

extension String {
  /// Without the white space around it.
  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.first?.isWhitespace ?? false { text.removeFirst() }
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return String(text)
  }
}

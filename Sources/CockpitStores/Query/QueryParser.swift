internal import ClankyWire

extension Query {
  /// Reads a query.
  ///
  /// - Parameter zone: in which its times of day and its dates are meant: that in which times are
  ///   shown.
  package static func parse(
    _ text: String, in zone: QueryZone = .utc
  ) throws(QueryError) -> Query {
    var parser = QueryParser(text)
    return try parser.query().shown(in: zone)
  }
}

/// One term as it is written, in queries of actions and in filters of facts.
struct SplitTerm<Field> {
  var isNegated: Bool
  /// Nil for words without a field.
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

  init(_ text: String) {
    self.text = text
    characters = Array(text)
  }

  mutating func query() throws(QueryError) -> Query {
    var terms: [Query.Term] = []
    // A closure of its own would have to borrow the parser while it is changed.
    let fields = self
    while let split = try next({ (name, offset) throws(QueryError) in
      try fields.field(name, offset)
    }) {
      terms.append(try term(split))
    }
    return Query(text: text, terms: terms)
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

  /// The next term; nil at the end. `resolve` gets the name of its field and where it stands.
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
      if values.count > 1 { try refuseField(at: start, isField: isField) }
      guard peek() == "|" else { return values }
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

  /// What closes a value that a quote opens: phones and word processors write typographic ones.
  private static let closingQuotes: [Character: Set<Character>] = [
    "\"": ["\""], "\u{201C}": ["\u{201D}", "\u{201C}", "\""], "\u{201D}": ["\u{201D}", "\""],
    "\u{201E}": ["\u{201C}", "\u{201D}", "\u{201F}", "\""], "\u{201F}": ["\u{201D}", "\""],
    "\u{AB}": ["\u{BB}"], "\u{BB}": ["\u{AB}"], "\u{FF02}": ["\u{FF02}"],
    "\u{2018}": ["\u{2019}", "\u{2018}"], "\u{201A}": ["\u{2018}", "\u{2019}"],
    "\u{2039}": ["\u{203A}"], "\u{203A}": ["\u{2039}"],
  ]
  /// An apostrophe looks like these.
  private static let singleQuotes: Set<Character> = ["\u{2018}", "\u{2019}"]

  /// What closes the quote that opens a value; empty where none does.
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

/// The word of a list that is most like another; nil when none is.
package func nearest(_ word: String, in list: [String]) -> String? {
  // What is compared, and so what may differ: the whole length would let every word be near a long one.
  let word = String(word.lowercased().prefix(comparedLength))
  let candidates = list.filter { !$0.isEmpty }.map { ($0, distance(word, $0)) }
  guard let best = candidates.min(by: { $0.1 < $1.1 }) else { return nil }
  if best.1 <= (word.count < 4 ? 1 : max(2, word.count / 3)) { return best.0 }
  return list.first { !$0.isEmpty && word.count >= 2 && ($0.hasPrefix(word) || word.hasPrefix($0)) }
}

/// How many characters of a word are compared.
private let comparedLength = 40

/// Edits between two short words (Levenshtein).
private func distance(_ left: String, _ right: String) -> Int {
  let (left, right) = (Array(left.prefix(comparedLength)), Array(right.prefix(comparedLength)))
  var row = Array(0...right.count)
  for (i, character) in left.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, other) in right.enumerated() {
      let cost = diagonal + (character == other ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(cost, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[right.count]
}

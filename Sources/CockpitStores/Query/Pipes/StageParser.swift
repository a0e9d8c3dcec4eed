/// Reads the stages of a query, from its first `|` on.
struct StageParser {
  /// A word or a sign, with its position in the query, in characters.
  struct Token: Hashable {
    var text: String
    var offset: Int
    /// Whether a blank stands before it.
    var isApart: Bool

    var length: Int { max(1, text.count) }
  }

  private let tokens: [Token]
  private var at = 0
  private let end: Int

  static let names = [
    "count", "sum", "avg", "min", "max", "p50", "p95", "p99", "distinct", "top", "bottom", "sort",
    "head",
  ]
  private static let tableStages = "count, sum, avg, min, max, p50, p95, p99 or distinct"

  init(_ characters: [Character], from start: Int) {
    var tokens: [Token] = []
    var at = start
    var isApart = true
    while at < characters.count {
      let character = characters[at]
      if character.isWhitespace {
        isApart = true
        at += 1
      } else if character == "|" || character == "," {
        tokens.append(Token(text: String(character), offset: at, isApart: isApart))
        isApart = false
        at += 1
      } else {
        let first = at
        while at < characters.count, !characters[at].isWhitespace, characters[at] != "|",
          characters[at] != ","
        { at += 1 }
        tokens.append(
          Token(text: String(characters[first..<at]), offset: first, isApart: isApart))
        isApart = false
      }
    }
    self.tokens = tokens
    end = characters.count
  }

  /// The stages behind those of a view, if one precedes them; nil if there are none.
  mutating func pipeline(
    text: String, after known: QueryPipeline?
  ) throws(QueryError) -> QueryPipeline? {
    var table = known.map { ($0.figure, $0.keys) }
    var steps = known?.steps ?? []
    while at < tokens.count {
      let bar = tokens[at]
      guard bar.text == "|" else { throw unexpected() }
      at += 1
      guard let name = peek, name.text != "|", name.text != "," else {
        throw QueryError(
          offset: bar.offset, length: 1,
          message: "a stage is missing behind |, such as count by kind")
      }
      at += 1
      if let (figure, keys) = try makesTable(name) {
        guard table == nil else {
          throw error(
            name, "\(name.text) cannot follow: only the first stage makes a table of the rows")
        }
        table = (figure, keys)
      } else {
        guard let (figure, keys) = table else {
          throw error(
            name, "\(name.text) needs a table before it: \(Self.tableStages)",
            suggestion: "| count by kind | \(name.text)")
        }
        steps.append(try step(name, figure, keys))
      }
      if let next = peek, next.text != "|" { throw unexpected() }
    }
    guard let (figure, keys) = table else { return known }
    let joined = [known?.text, text.isEmpty ? nil : text].compactMap { $0 }.joined(separator: " ")
    return QueryPipeline(text: joined, figure: figure, keys: keys, steps: steps)
  }

  /// Whether the text starts a valid stage that has arguments or ends the text; decides how to read
  /// a `|` without a blank before it.
  static func looksLikeStage(_ characters: [Character], at start: Int) -> Bool {
    var parser = StageParser(["|"] + characters[start...], from: 0)
    guard parser.tokens.count > 2, parser.tokens[2].text != "|" else { return false }
    parser.at = 1
    let name = parser.tokens[1]
    parser.at = 2
    do throws(QueryError) {
      if try parser.makesTable(name) == nil {
        _ = try parser.step(name, .count, [.field(.kind, path: [])])
      }
      return parser.peek.map { $0.text == "|" } ?? true
    } catch { return false }
  }

  private var peek: Token? { at < tokens.count ? tokens[at] : nil }

  /// The next word; nil at the end of the stage.
  private mutating func word() -> Token? {
    guard let token = peek, token.text != "|", token.text != "," else { return nil }
    at += 1
    return token
  }

  private func unexpected() -> QueryError {
    let token = tokens[at]
    return error(
      token,
      token.text == ","
        ? "a comma stands between two fields"
        : "\"\(token.text)\" is too much here: fields have commas between, stages a |")
  }

  private func error(
    _ token: Token, _ message: String, suggestion: String? = nil
  ) -> QueryError {
    QueryError(
      offset: token.offset, length: token.length, message: message, suggestion: suggestion)
  }

  /// Something is missing where the parser stands.
  private func missing(_ message: String) -> QueryError {
    QueryError(
      offset: peek?.offset ?? max(0, end - 1), length: peek?.length ?? 1, message: message)
  }

  // MARK: the stage that makes a table

  /// nil if the name is another stage's.
  private mutating func makesTable(
    _ name: Token
  ) throws(QueryError) -> (QueryFigure, [QueryKey])? {
    switch name.text {
    case "count": return (.count, try keys())
    case "distinct":
      guard let field = word() else { throw missing("distinct what? such as distinct user") }
      return (.distinct(try key(field)), try keys())
    case "top", "bottom", "sort", "head": return nil
    default:
      guard let function = NumberFunction(name: name.text) else { throw noStage(name) }
      guard let field = word() else {
        throw missing("\(name.text) of what? cost, ms, tokens or meta.PATH")
      }
      return (.number(function, try number(field)), try keys())
    }
  }

  private func noStage(_ name: Token) -> QueryError {
    let near = nearest(name.text, in: Self.names)
    let hint =
      near == nil
      ? ": stages are \(Self.names.joined(separator: ", ")); \"or\" is a|b, without blanks" : ""
    return error(name, "there is no stage \"\(name.text)\"" + hint, suggestion: near)
  }

  /// `by A,B`, or nothing.
  private mutating func keys() throws(QueryError) -> [QueryKey] {
    guard let by = peek, by.text == "by" else { return [] }
    at += 1
    var keys: [QueryKey] = []
    repeat {
      guard let name = word() else { throw missing("by what? such as by model, or by hour") }
      let key = try key(name)
      guard !keys.contains(key) else { throw error(name, "\(name.text) is there twice") }
      keys.append(key)
      guard keys.count <= 4 else { throw error(name, "a table is by four fields at the most") }
      guard let comma = peek, comma.text == "," else { return keys }
      at += 1
    } while true
  }

  private func field(_ name: String) -> (field: QueryField, path: [String])? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let field = QueryField(name: parts[0]),
      field == .meta
        ? parts.count > 1 && parts.dropFirst().allSatisfy(Self.isPathPart) : parts.count == 1
    else { return nil }
    return (field, Array(parts.dropFirst()))
  }

  /// A path component that a filter can name too.
  private static func isPathPart(_ text: String) -> Bool {
    !text.isEmpty
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
  }

  private func key(_ name: Token) throws(QueryError) -> QueryKey {
    if let bucket = QueryBucket(name: name.text) {
      guard bucket.dividesDay else {
        throw error(name, "a day is not made of stretches of \(name.text)", suggestion: "1h")
      }
      return .time(bucket)
    }
    guard let (field, path) = field(name.text) else { throw noField(name) }
    guard QueryKey.fields.contains(field) else {
      throw error(
        name,
        field.isNumeric
          ? "\(field.rawValue) is a number: sum \(field.rawValue), p95 \(field.rawValue) and others make a figure of it"
          : "there are no lines by \(field.rawValue)", suggestion: field.isTime ? "hour" : nil)
    }
    return .field(field, path: path)
  }

  private func number(_ name: Token) throws(QueryError) -> QueryNumber {
    guard let (field, path) = field(name.text) else { throw noField(name) }
    guard field == .meta || (field.isNumeric && field != .id) else {
      throw error(name, "\(field.rawValue) is no number: cost, ms, tokens and meta.PATH are")
    }
    return QueryNumber(field: field, path: path)
  }

  private func noField(_ name: Token) -> QueryError {
    let names = QueryKey.fields.map(\.rawValue) + ["cost", "ms", "tokens"] + QueryBucket.names
    return error(
      name, "there is no field \"\(name.text)\"",
      suggestion: name.text.hasPrefix("meta") ? "meta.PATH" : nearest(name.text, in: names))
  }

  // MARK: stages on the table

  private mutating func step(
    _ name: Token, _ figure: QueryFigure, _ keys: [QueryKey]
  ) throws(QueryError) -> QueryPipeline.Step {
    switch name.text {
    case "top": return .top(try amount(name))
    case "bottom": return .bottom(try amount(name))
    case "head": return .head(try amount(name))
    default: return try sort(figure, keys)
    }
  }

  private mutating func amount(_ name: Token) throws(QueryError) -> Int {
    guard let word = word() else { throw missing("\(name.text) how many? such as \(name.text) 5") }
    guard let count = Int(word.text), (1...100_000).contains(count) else {
      throw error(word, "\"\(word.text)\" is no number from 1 to 100000")
    }
    return count
  }

  private mutating func sort(
    _ figure: QueryFigure, _ keys: [QueryKey]
  ) throws(QueryError) -> QueryPipeline.Step {
    let columns = keys.map(\.name) + [figure.name.split(separator: " ").map(String.init)[0]]
    guard let name = word() else {
      throw missing("sort by what? \(columns.joined(separator: " or "))")
    }
    let column: QueryPipeline.Column
    if let index = keys.firstIndex(where: { $0.name == canonical(name.text) }) {
      column = .key(index)
    } else if figureNames(figure).contains(canonical(name.text)) {
      column = .figure
    } else {
      throw error(
        name, "the table has no column \"\(name.text)\"",
        suggestion: nearest(name.text, in: columns) ?? columns.last)
    }
    guard let direction = word() else { return .sort(column, isDescending: column == .figure) }
    switch direction.text {
    case "asc": return .sort(column, isDescending: false)
    case "desc": return .sort(column, isDescending: true)
    default:
      throw error(
        direction, "\"\(direction.text)\" is no order: asc or desc",
        suggestion: nearest(direction.text, in: ["asc", "desc"]))
    }
  }

  /// `duration` is `ms`.
  private func canonical(_ name: String) -> String {
    guard let (field, path) = field(name) else { return name }
    return ([field.rawValue] + path).joined(separator: ".")
  }

  /// The names of the figure's column.
  private func figureNames(_ figure: QueryFigure) -> [String] {
    switch figure {
    case .count: ["count"]
    case .distinct: ["distinct"]
    case .number(let function, let number): [function.name, number.name]
    }
  }
}

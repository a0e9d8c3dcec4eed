extension FactFilter {
  /// Reads a filter.
  static func parse(_ text: String) throws(QueryError) -> FactFilter {
    var reader = QueryParser(text)
    var terms: [Term] = []
    while let term = try reader.next(resolve) {
      let test = try Self.test(term)
      terms.append(Term(isNegated: term.isNegated, test: test))
    }
    return FactFilter(terms: terms)
  }

  private static func resolve(_ name: String, _ offset: Int) throws(QueryError) -> FactField {
    if let field = FactField(name: name) { return field }
    throw QueryError(
      offset: offset, length: name.count, message: "there is no field \"\(name)\"",
      suggestion: nearest(name, in: FactField.allCases.map(\.rawValue)))
  }

  private static func test(_ term: SplitTerm<FactField>) throws(QueryError) -> Term.Test {
    guard let field = term.field else {
      return .words(nil, term.values.map { FoldedText($0.text) })
    }
    func builder(_ like: QueryField) -> TermBuilder {
      TermBuilder(
        field: like, comparison: term.comparison, offset: term.valueOffset,
        length: term.valueLength)
    }
    switch field {
    case .conf, .id:
      var numbers = builder(.id)
      let values = field == .conf ? term.values.map(fraction) : term.values
      guard case .numbers(let tests) = try numbers.test(values) else { break }
      return .numbers(field, tests)
    case .age:
      guard term.values.count == 1, let ms = TermBuilder.duration(term.values[0].text) else {
        throw term.error("an age is a duration such as 30m, 12h, 7d or 2w")
      }
      // Users write "age:7d" for "at most seven days old".
      return .age(term.comparison == .equal ? .lessOrEqual : term.comparison, ms)
    case .updated, .created:
      var times = TermBuilder(
        field: .at, comparison: .equal, offset: term.valueOffset,
        length: term.valueLength)
      guard term.values.count == 1 else { throw term.error("\(field.rawValue) takes one time") }
      guard case .time(let found) = try times.test(term.values), let time = found.first else {
        break
      }
      return .time(field, term.comparison, time)
    case .fact, .evidence, .type, .subject, .user, .scope, .guild, .channel, .source: break
    }
    guard term.comparison == .equal else {
      throw term.error("\(field.rawValue) cannot be compared with \(term.comparison.rawValue)")
    }
    if field == .fact || field == .evidence {
      return .words(field, term.values.map { FoldedText($0.text) })
    }
    return .patterns(field, term.values.map(folded))
  }

  /// `80%` is 0.8.
  private static func fraction(_ value: Pattern) -> Pattern {
    guard value.text.hasSuffix("%"), let number = Double(value.text.dropLast()) else {
      return value
    }
    return Pattern("\(number / 100)")
  }

  private static func folded(_ value: Pattern) -> Pattern {
    Pattern(FoldedText(value.text).text, isQuoted: value.isQuoted)
  }
}

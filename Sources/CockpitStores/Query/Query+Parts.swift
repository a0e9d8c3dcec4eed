/// The parts of a query for readers that have an index of their own.
extension Query {
  /// The words without a field: the texts of which one must be in a row, or none if they are excluded.
  package var wordTerms: [(anyOf: [String], isExcluded: Bool)] {
    terms.compactMap { term in
      guard case .words(let needles) = term.test else { return nil }
      return (needles.map(\.lowered), term.isNegated)
    }
  }

  /// The same without the words that have no field.
  package var withoutWords: Query {
    Query(
      text: text, filterText: filterText, terms: terms.filter { $0.field != .word }, zone: zone,
      pipeline: pipeline)
  }

  /// What the terms on people name, without wildcards.
  package var namedPeople: [String] {
    terms.flatMap { term -> [String] in
      guard term.field == .user, case .patterns(let patterns) = term.test else { return [] }
      return patterns.compactMap(\.literal)
    }
  }

  /// The kinds of which a row must have one; nil if others may match.
  package var onlyKinds: Set<String>? {
    for term in terms where term.field == .kind && !term.isNegated {
      guard case .patterns(let patterns) = term.test else { continue }
      let literals = patterns.compactMap(\.literal)
      if literals.count == patterns.count { return Set(literals.map { $0.lowercased() }) }
    }
    return nil
  }

  /// The times outside of which no row matches, in ms since 1970.
  package func timeBounds(nowMs: Int64) -> ClosedRange<Int64> {
    var (from, through) = (Int64.min, Int64.max)
    for term in terms where !term.isNegated {
      guard case .time(let times) = term.test else { continue }
      let spans = times.flatMap { $0.spans(nowMs: nowMs, in: zone) }
      guard let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max()
      else { continue }
      switch term.field {
      case .since: from = max(from, first)
      case .before: through = min(through, first - 1)
      case .at: (from, through) = (max(from, first), min(through, last))
      default: break
      }
    }
    return from...max(from, through)
  }

  /// The rows of a log that match, in its order.
  package func rows(
    of log: ActionLog, names: any NameDirectory, nowMs: Int64
  ) -> [ActionRowView] {
    var matcher = QueryMatcher(self, names: names, nowMs: nowMs)
    return (0..<log.count).map(log.row(at:)).filter { matcher.matches($0) }
  }
}

package import ClankyWire

/// A filter of actions: terms that must all hold, such as
/// `kind:llm_* cost>0.01 user:"the name" since:15m -event:x`.
///
/// `-` negates a term, `|` separates alternatives within a value, `*` and `?` stand for any text
/// and any character, quotes keep a value as it is. A word without a field is looked for in the
/// content and in the name of the row.
package struct Query: Hashable, Sendable {
  /// One condition.
  struct Term: Hashable, Sendable {
    enum Test: Hashable, Sendable {
      case patterns([Pattern])
      case words([TextNeedle])
      case numbers([NumberTest])
      /// One or more; several of `at` only.
      case time([QueryTime])
      case domains(Set<Domain>)
      case chips(ChipSet)
      case severity(QueryComparison, Set<Severity>)
      case states(Set<QueryState>)
    }

    var field: QueryField
    /// The path of `meta.a.b`.
    var path: [String] = []
    var isNegated = false
    var test: Test
  }

  /// As it was written.
  package let text: String
  /// The filter without stages, with views expanded.
  package let filterText: String
  let terms: [Term]
  /// In which its times of day and its dates are meant.
  let zone: QueryZone
  /// The stages that make a table of the rows; nil if the query lists rows.
  package let pipeline: QueryPipeline?

  init(
    text: String, filterText: String? = nil, terms: [Term], zone: QueryZone = .utc,
    pipeline: QueryPipeline? = nil
  ) {
    self.text = text
    self.filterText = filterText ?? text
    self.terms = terms
    self.zone = zone
    self.pipeline = pipeline
  }

  /// A query whose text is parsed later.
  package init(unread text: String) { self.init(text: text, terms: []) }

  /// The query that every row matches.
  package static let everything = Query(text: "", terms: [])

  /// The query of a quick filter.
  package init(chip: ChipGroup) {
    guard chip != .all else {
      self = .everything
      return
    }
    self.init(
      text: "chip:\(chip.name)",
      terms: [Term(field: .chip, test: .chips(ChipSet(chip)))])
  }

  /// Whether every row matches.
  package var isEmpty: Bool { terms.isEmpty }

  /// The conjunction of both; times in the zone of this one, and its stages if it has any.
  package func and(_ other: Query) -> Query {
    if isEmpty, pipeline == nil { return other }
    if other.isEmpty, other.pipeline == nil { return self }
    let filter = [filterText, other.filterText].filter { !$0.isEmpty }.joined(separator: " ")
    let pipeline = pipeline ?? other.pipeline
    return Query(
      text: [filter, pipeline?.text].compactMap { $0 }.joined(separator: " "), filterText: filter,
      terms: terms + other.terms, zone: zone, pipeline: pipeline)
  }

  /// The same where times are shown in this zone.
  package func shown(in zone: QueryZone) -> Query {
    Query(text: text, filterText: filterText, terms: terms, zone: zone, pipeline: pipeline)
  }

  /// The rows that the stages make a table of.
  package var rowsOnly: Query { Query(text: filterText, terms: terms, zone: zone) }

  /// Whether rows of a kind may match; nil stands for an unknown kind.
  package func mayMatch(kind: String?) -> Bool {
    terms.allSatisfy { term in
      guard term.field == .kind, case .patterns(let patterns) = term.test else { return true }
      if let kind { return patterns.contains { $0.matches(kind) } != term.isNegated }
      return term.isNegated
        ? !patterns.contains(where: \.isAnything) : patterns.contains { $0.literal == nil }
    }
  }

  /// The kinds that the query names; rows of others cannot match when it names any.
  package var namedKinds: [String] {
    terms.flatMap { term -> [String] in
      guard term.field == .kind, !term.isNegated, case .patterns(let patterns) = term.test else {
        return []
      }
      return patterns.compactMap(\.literal)
    }
  }

  /// Rows before this moment cannot match; nil if there is no such bound.
  package func lowerBound(nowMs: Int64) -> Int64? {
    terms.compactMap { term -> Int64? in
      guard term.field == .since, !term.isNegated, case .time(let times) = term.test else {
        return nil
      }
      return times.first?.spans(nowMs: nowMs, in: zone).first?.lowerBound
    }.max()
  }

  /// Whether rows can start to match merely because time passes.
  var movesWithTime: Bool {
    terms.contains { term in
      guard case .time(let times) = term.test else { return false }
      return times.contains(where: \.moves) && (term.field != .since || term.isNegated)
    }
  }

  /// Whether a row matches. For many rows use a `FilteredLog`.
  package func matches(
    _ row: ActionRowView, names: any NameDirectory = NoNames(), nowMs: Int64
  ) -> Bool {
    var matcher = QueryMatcher(self, names: names, nowMs: nowMs)
    return matcher.matches(row)
  }
}

/// Why a query cannot be read, for the line under the filter bar.
package struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where, in characters from the start.
  package var offset: Int
  package var length: Int
  /// The error message.
  package var message: String
  /// A suggested correction.
  package var suggestion: String?

  package init(offset: Int, length: Int, message: String, suggestion: String? = nil) {
    self.offset = offset
    self.length = length
    self.message = message
    self.suggestion = suggestion
  }

  /// One sentence.
  package var description: String {
    message + (suggestion.map { "; did you mean \($0)?" } ?? ".")
  }
}

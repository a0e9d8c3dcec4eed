internal import ClankyWire

/// The part of a filter that the backend can apply: exact kinds and a guild. It returns the newest
/// 1,000 matching rows, so rare rows are found only if requested by kind.
package struct QueryScope: Hashable, Sendable {
  /// The known kinds of which rows may match; nil if the filter names none.
  package var kinds: [String]?
  /// Whether rows of unknown kinds may match too, as with `kind:llm_*`.
  package var isOpen = true
  /// The kinds the filter mainly concerns: error kinds if it asks for errors. Others may match.
  package var likely: [String] = []
  /// The guild of all rows that match.
  package var guild: String?

  package init() {}

  /// The kinds that are all that can match; empty where others may.
  package var exact: [String] { isOpen ? [] : kinds ?? [] }
}

extension Query {
  /// The request scope of this filter.
  ///
  /// - Parameter names: of guilds, which a filter refers to by name.
  package func scope(names: NameTable = NameTable()) -> QueryScope {
    var scope = QueryScope()
    let namesKinds = terms.contains { !$0.isNegated && $0.field == .kind }
    if namesKinds {
      let known = Set(ActionKind.known.keys).union(namedKinds)
      scope.kinds = known.filter { mayMatch(kind: $0) }.sorted()
      scope.isOpen = mayMatch(kind: nil)
    } else if asksForErrors {
      scope.likely = ActionKind.known.keys.filter {
        ActionLabel(kind: $0).severity == .error && mayMatch(kind: $0)
      }.sorted()
    }
    scope.guild = guild(names)
    return scope
  }

  /// Whether the filter searches text: contents, names and speech, never prompts.
  package var looksForWords: Bool { terms.contains { $0.field == .word || $0.field == .text } }

  /// Whether a guild is named.
  package var namesGuild: Bool { terms.contains { $0.field == .guild && !$0.isNegated } }

  private var asksForErrors: Bool {
    terms.contains { term in
      guard !term.isNegated else { return false }
      switch term.test {
      case .states(let states): return states.isSubset(of: [.error, .failure])
      case .severity(_, let severities): return severities == [.error]
      case .chips(let chips): return chips == ChipSet(.error)
      default: return false
      }
    }
  }

  private func guild(_ names: NameTable) -> String? {
    for term in terms where term.field == .guild && !term.isNegated {
      guard case .patterns(let patterns) = term.test, patterns.count == 1, let one = patterns.first
      else { continue }
      let found = names.guilds.filter { one.matches($0.key) || one.matches($0.value) }
      if found.count == 1 { return found.first?.key }
      if found.isEmpty, let id = one.literal, id.count > 4, id.allSatisfy(\.isNumber) { return id }
    }
    return nil
  }
}

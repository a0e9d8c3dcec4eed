package import ClankyWire
internal import CockpitDomain
internal import Networking

/// Which rows a query can match, for asking whether they are all here.
extension Query {
  /// The kinds that matching rows can have; nil if any kind may match, unknown ones included.
  ///
  /// - Parameter seen: kinds of the stored rows, in addition to those of a release.
  package func rowKinds(seen: Set<String>) -> Set<String>? {
    var result: Set<String>?
    for term in terms where !term.isNegated {
      guard let kinds = Self.kinds(of: term, seen) else { continue }
      result = result.map { $0.intersection(kinds) } ?? kinds
    }
    return result
  }

  private static func kinds(of term: Term, _ seen: Set<String>) -> Set<String>? {
    switch term.test {
    case .patterns(let patterns) where term.field == .kind:
      let literals = patterns.compactMap(\.literal)
      if literals.count == patterns.count { return Set(literals) }
      guard !patterns.contains(where: \.isAnything) else { return nil }
      return all(seen) { kind in patterns.contains { $0.matches(kind) } }.union(literals)
    case .chips(let chips):
      return chips.contains(ChipSet(.all)) ? nil : all(seen) { mayHave($0, chips) }
    case .domains(let domains):
      return all(seen) { domains.contains(ActionKind(rawValue: $0).domain) }
    case .states(let states) where states.isSubset(of: [.error, .failure]):
      return all(seen) { mayHave($0, ChipSet(.error)) }
    default: return nil
    }
  }

  /// The kinds of rows that can count under one of these chips: those of a release, and those that were
  /// seen.
  package static func kinds(of chips: ChipSet, seen: Set<String>) -> Set<String> {
    all(seen) { mayHave($0, chips) }
  }

  private static func all(_ seen: Set<String>, where isMeant: (String) -> Bool) -> Set<String> {
    Set(releaseKinds.filter(isMeant)).union(seen.filter(isMeant))
  }

  private static let releaseKinds = ActionsRoute.kindGroups.joined().map { $0 }

  /// Whether rows of a kind can belong to one of these chips, for some event or metadata.
  private static func mayHave(_ kind: String, _ chips: ChipSet) -> Bool {
    let label = ActionLabel(kind: kind)
    if !label.chips.isDisjoint(with: chips) { return true }
    let isDecidedByRow = label.mayFail || ActionKind(rawValue: kind).isContainer
    return isDecidedByRow && !chips.isDisjoint(with: [ChipSet(.error), ChipSet(.tool)])
  }

  /// Rows before this moment (ms since 1970) cannot match, by `since:` and `at:`; nil if the query names
  /// none.
  package func earliestMs(nowMs: Int64) -> Int64? {
    terms.compactMap { term -> Int64? in
      guard term.field == .since || term.field == .at, !term.isNegated,
        case .time(let times) = term.test
      else { return nil }
      return times.compactMap { $0.spans(nowMs: nowMs, in: zone).first?.lowerBound }.min()
    }.max()
  }
}

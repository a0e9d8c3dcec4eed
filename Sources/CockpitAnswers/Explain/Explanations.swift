internal import CockpitStores

/// All texts, and the ways of finding one. Screen, verb and palette have their texts from here.
package enum Explanations {
  /// In table order.
  package static let all: [Explanation] = [
    kindsOfAnswers, kindsOfVoice, kindsOfWork, kindsOfTheBot, textEvents, voiceEvents, reasons,
    stages, states, fieldsOfRows, fieldsOfWork, fieldsOfVoice, fieldsOfMemory, fieldsOfTheBot,
    screenWords, ruleNames,
  ].flatMap(\.explanations)

  /// The result of looking up a name.
  package enum Found: Hashable, Sendable {
    /// The meanings of the name, those that are spelled the same first.
    case exact([Explanation])
    /// Texts of longer names that begin with it, in the order of the names.
    case beginning([Explanation])
    /// Names that are like it, the nearest first; empty when none is.
    case near([String])
  }

  /// Looks a name up; capitals and underscores make no difference.
  package static func find(_ name: String) -> Found {
    guard name.utf8.count <= maxNameLength else { return .near([]) }
    let meanings = meanings(of: name)
    if !meanings.isEmpty { return .exact(meanings) }
    let folded = fold(name)
    guard !folded.isEmpty else { return .near([]) }
    let longer = byName.keys.filter { $0.hasPrefix(folded) }.sorted()
    if !longer.isEmpty { return .beginning(longer.flatMap { byName[$0] ?? [] }) }
    return .near(near(folded))
  }

  /// The meanings of a name, exact spellings first; empty if it has no text.
  ///
  /// - Parameter families: the wanted categories; nil means all.
  package static func meanings(
    of name: String, as families: Set<Explanation.Family>? = nil
  ) -> [Explanation] {
    guard name.utf8.count <= maxNameLength else { return [] }
    let meanings = (byName[fold(name)] ?? []).filter { families?.contains($0.family) ?? true }
    let same = meanings.filter { $0.name == name }
    return same + meanings.filter { $0.name != name }
  }

  /// Longer names have no text, and are not looked for.
  private static let maxNameLength = 120
  private static let nearLimit = 4

  private static let byName = Dictionary(grouping: all) { fold($0.name) }

  /// `created_at` and `createdAt` are one name.
  private static func fold(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
  }

  private static func near(_ folded: String) -> [String] {
    var rest = Set(byName.keys)
    var found: [String] = []
    while found.count < nearLimit, let next = nearest(folded, in: rest.sorted()) {
      rest.remove(next)
      if let name = byName[next]?.first?.name { found.append(name) }
    }
    if found.count < nearLimit {
      let inside = rest.filter { folded.count >= 4 && $0.contains(folded) }.sorted()
      found += inside.prefix(nearLimit - found.count).compactMap { byName[$0]?.first?.name }
    }
    return found
  }
}

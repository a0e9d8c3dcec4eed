import CockpitHistory
import CockpitStores
import CockpitDomain

/// The names of now, and those under which people were known at any time that is on record.
package struct HistoryNames: NameDirectory {
  private let base: any NameDirectory
  private let known: [String: Set<String>]

  fileprivate init(base: any NameDirectory, known: [String: Set<String>]) {
    self.base = base
    self.known = known
  }

  package func userName(_ id: String) -> String? { base.userName(id) ?? known[id]?.min() }
  package func userNames(_ id: String) -> Set<String> {
    base.userNames(id).union(known[id] ?? [])
  }
  package func channelName(_ id: String) -> String? { base.channelName(id) }
  package func guildName(_ id: String) -> String? { base.guildName(id) }
  package var sourceName: String? { base.sourceName }
  package var revision: Int { base.revision }
}

extension HistoryFind {
  /// Rows that are read for one name.
  private static let rowsPerName = 1_000

  /// The names that the query needs: for each person that it names, all ids that ever had that name.
  ///
  /// - Parameter base: the names of now.
  package func names(
    in history: any HistoryReading, base: any NameDirectory
  ) throws(HistoryError) -> HistoryNames {
    var identities = KnownIdentities()
    for name in namedPeople where name.contains(where: { !$0.isNumber }) {
      guard let term = HistorySearch.Term(anyOf: [name], isExcluded: false) else { continue }
      // Who has a name says it in the rows about speech and in prompts, both of which are indexed by it.
      let hits = try history.search(HistorySearch(terms: [term]), limit: Self.rowsPerName)
      for row in hits.rows { row.json.withUnsafeBytes { identities.learn(action: $0) } }
    }
    guard !namedPeople.isEmpty else { return HistoryNames(base: base, known: [:]) }
    for name in try history.documentNames(notAfterMs: .max) where name != "stats" {
      guard let document = try history.document(name, notAfterMs: .max) else { continue }
      document.body.withUnsafeBytes { identities.learn(document: name, $0) }
    }
    return HistoryNames(base: base, known: identities.namesByID)
  }
}

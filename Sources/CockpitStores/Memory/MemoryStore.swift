package import ClankyWire
import Observation

/// What the bot remembers, as far as it was fetched.
@MainActor
@Observable
package final class MemoryStore {
  /// The facts of one guild, as the backend listed them last.
  package private(set) var pages: [String: FactPage] = [:]
  /// The subjects of one guild.
  package private(set) var subjects: [String: SubjectPage] = [:]

  package init() {}

  /// Takes the answer of `GET /api/memory/facts` for a guild.
  package func apply(_ page: FactPage, guild: String) { pages[guild] = page }

  /// Takes the answer of `GET /api/memory/subjects` for a guild.
  package func apply(_ page: SubjectPage, guild: String) { subjects[guild] = page }
}

package import ClankyLink
package import ClankyWire

/// Where requests of MEMORY go out: `Link` in the program, a script in tests.
@MainActor
package protocol RestRequester: AnyObject {
  @discardableResult
  func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle
}

extension Link: RestRequester {}

/// Where drafts and the journal are kept. Errors are one sentence each.
@MainActor
package protocol MemoryStorage: AnyObject {
  /// Writes a draft whole, or leaves the one before.
  func saveDraft(_ bytes: [UInt8], name: String) throws
  func removeDraft(name: String) throws
  func drafts() throws -> [(name: String, bytes: [UInt8])]
  /// Puts a draft that cannot be read out of the way, never away.
  func setDraftAside(name: String) throws
  /// Appends one line and does not return before it is on the disk.
  func appendToJournal(_ line: [UInt8]) throws
  /// The last lines, oldest first.
  func journal(last count: Int) throws -> [[UInt8]]
}

/// Carries out what MEMORY asks for: fetches, keeps drafts, sends edits and deletions one at a
/// time for each fact, and writes the journal. The only writer of `MemoryStore`; the `facts`
/// commands use it too.
@MainActor
package final class MemoryDesk {
  package let store: MemoryStore
  let requester: any RestRequester
  let clock: any LinkClock
  let storage: (any MemoryStorage)?
  let backend: String

  /// Guilds whose facts are being fetched.
  var loaders: [String: FactLoader] = [:]
  /// When each of them was begun, in ns: what was changed since is newer than what they bring.
  var loadStarts: [String: UInt64] = [:]
  var loadOrder: [String] = []
  var listsUnderWay = 0
  var isLoadingGuilds = false
  /// The last question of each kind: only its answer counts.
  var questions: [Question: Int] = [:]
  /// When a fact was changed or deleted from here, in ns.
  var touched: [Int: UInt64] = [:]

  /// - Parameters:
  ///   - storage: nil when there is no state directory; then drafts live in memory only, writes go
  ///     out without a journal, and `MemoryStore.diskProblem` says so.
  ///   - backend: the address, for the journal.
  package init(
    store: MemoryStore, requester: any RestRequester, clock: any LinkClock,
    storage: (any MemoryStorage)?, backend: String
  ) {
    self.store = store
    self.requester = requester
    self.clock = clock
    self.storage = storage
    self.backend = backend
  }

  /// Starts what is asked for; the store shows how it goes.
  package func perform(_ request: MemoryRequest) {
    switch request {
    case .load(let guild): load(guild)
    case .search(let text, let guild): search(text, guild)
    case .loadOwnerPrivate: loadOwnerPrivate()
    case .loadReflections(let guild): ask(.reflections, .reflections(guild: guild), \.reflections)
    case .loadMarkdown(let guild): ask(.markdown, .markdown(guild: guild), \.markdown)
    case .loadProfile(let guild, let user):
      ask(.profile, .profile(guild: guild, user: user), \.profile)
    case .recall(let guild, let user, let text): recall(guild, user, text)
    default: break
    }
  }
}

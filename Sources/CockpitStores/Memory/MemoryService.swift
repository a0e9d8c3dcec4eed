package import CockpitDomain
package import Networking

/// Where drafts and the journal are kept. Errors are one sentence each.
@MainActor
package protocol MemoryStorage: AnyObject {
  /// Writes a draft whole, or leaves the one before.
  func saveDraft(_ bytes: [UInt8], name: String) throws
  func removeDraft(name: String) throws
  func drafts() throws -> [(name: String, bytes: [UInt8])]
  /// The content stored under a name; nil if there is none.
  func draft(name: String) throws -> [UInt8]?
  /// Puts a draft that cannot be read out of the way, never away.
  func setDraftAside(name: String) throws
  /// Appends one line and does not return before it is on the disk.
  func appendToJournal(_ line: [UInt8]) throws
  /// The last lines, oldest first.
  func journal(last count: Int) throws -> [[UInt8]]
  /// Begins a change that no other run of the program may make meanwhile; false while one does.
  func takeTurn(_ name: String) throws -> Bool
  /// Ends it.
  func endTurn(_ name: String)
}

/// Performs the operations of MEMORY: fetches facts, saves drafts, sends edits and deletions one at
/// a time per fact, and writes the journal. The only writer of `MemoryStore`; the `facts` commands
/// use it too.
@MainActor
package final class MemoryService {
  package let store: MemoryStore
  let requester: any RequestChannel
  let clock: any LinkClock
  let storage: (any MemoryStorage)?
  let backend: String

  /// The running fact requests, by guild.
  var loaders: [String: FactLoader] = [:]
  /// When each load started, in ns: later changes are newer than its answers.
  var loadStarts: [String: UInt64] = [:]
  var loadOrder: [String] = []
  var listsUnderWay = 0
  var isLoadingGuilds = false
  /// The last question of each kind: only its answer counts.
  var questions: [Question: Int] = [:]
  /// When a fact was changed or deleted from here, in ns.
  var touched: [Int: UInt64] = [:]

  /// The names in the journal of the changes that are under way.
  var writeNames: [Int: String] = [:]
  var writes = 0
  /// Facts that no other run of the program may change now, as this one does.
  var turns: Set<Int> = []
  var turnTimers: [Int: any LinkTimer] = [:]
  /// The files of the drafts in the store.
  var draftFiles: [Int: DraftOnDisk] = [:]
  /// Whether the store has drafts of other runs.
  var hasOtherDrafts = false
  /// When the drafts on the disk were read last, in ns.
  var draftsReadNs: UInt64 = 0
  /// The remaining facts of a bulk change, and the current one.
  var bulkWaiting: [Int] = []
  var bulkType = ""
  var bulkChange: FactChange?
  /// How long a deletion is held, in ns.
  let holdNs: UInt64
  var deletionTimers: [Int: any LinkTimer] = [:]
  var deletionCount = 0
  private var requestsUnderWay = 0
  private var whenIdle: [@MainActor () -> Void] = []
  private var whenSettled: [@MainActor () -> Void] = []

  /// How long a deletion can be undone, in ns: 30 s.
  package static let holdNs = Nanoseconds.seconds(30)

  /// - Parameters:
  ///   - storage: nil if there is no state directory; then drafts live in memory only, writes have
  ///     no journal, and `MemoryStore.diskProblem` says so.
  ///   - backend: its address; drafts and the journal belong to it.
  ///   - holdNs: how long a deletion can be undone, in ns.
  package init(
    store: MemoryStore, requester: any RequestChannel, clock: any LinkClock,
    storage: (any MemoryStorage)?, backend: String, holdNs: UInt64 = MemoryService.holdNs
  ) {
    self.store = store
    self.requester = requester
    self.clock = clock
    self.storage = storage
    self.backend = backend
    self.holdNs = holdNs
    loadDrafts()
    findDoubtfulEdits()
  }

  /// Starts an operation; the store shows its progress.
  package func perform(_ request: MemoryRequest) {
    switch request {
    case .load(let guild): load(guild)
    case .search(let text, let guild): search(text, guild)
    case .loadOwnerPrivate: loadOwnerPrivate()
    case .loadReflections(let guild): ask(.reflections, .reflections(guild: guild), \.reflections)
    case .loadMarkdown(let guild): ask(.markdown, .markdown(guild: guild), \.markdown)
    case .loadProfile(let guild, let user):
      ask(.profile, .profile(guild: guild, user: user), \.profile)
    case .recall(let question): recall(question)
    case .loadJournal: loadJournal()
    case .count(let part): count(part)
    case .keep(let draft): keep(draft)
    case .dropDraft(let id): dropDraft(id)
    case .send(let draft, let overwriting): send(draft, overwriting)
    case .dismiss(let id): dismiss(id)
    case .delete(let ids): delete(ids)
    case .deletePart(let part, let counted): delete(part, counted)
    case .undoDeletion: undoDeletion()
    case .deleteNow: deleteNow()
    case .retype(let ids, let type): retype(ids, type)
    case .stopBulk: stopBulk()
    }
  }

  // MARK: Leaving

  /// Number of facts and parts of the memory held for deletion.
  package var heldCount: Int {
    store.deletions.reduce(0) { $0 + ($1.state == .held ? $1.count : 0) }
  }

  /// Whether quitting now would lose a confirmed change: held deletions, or requests with an
  /// unknown outcome. Drafts are on disk.
  package var hasUnsent: Bool { heldCount > 0 || isWriting }

  private var isWriting: Bool {
    store.changes.values.contains(where: \.isUnderWay) || bulkChange != nil
      || store.deletions.contains { $0.state == .sending }
  }

  /// Sends held deletions, stops a bulk change and calls back once every write has an outcome,
  /// possibly at once. The caller limits the wait.
  package func finishForQuit(_ done: @escaping @MainActor () -> Void) {
    stopBulk()
    deleteNow()
    whenSettled.append(done)
    checkIdle()
  }

  /// Calls back when no request is in flight, possibly at once.
  package func onIdle(_ done: @escaping @MainActor () -> Void) {
    whenIdle.append(done)
    checkIdle()
  }

  func checkIdle() {
    guard !isWriting else { return }
    let waiting = whenSettled + (requestsUnderWay == 0 ? whenIdle : [])
    whenSettled = []
    if requestsUnderWay == 0 { whenIdle = [] }
    for done in waiting { done() }
  }

  /// Every request of the service is sent here.
  func send(
    _ request: RestRequest,
    then take: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) {
    requestsUnderWay += 1
    requester.request(request) { [weak self] result in
      // Handling the answer may send the next request: check only afterwards whether work is left.
      take(result)
      guard let self else { return }
      requestsUnderWay -= 1
      checkIdle()
    }
  }
}

package import CockpitDomain
internal import LenientJSON
package import Networking
internal import ClankyWire

/// Where the journal and the drafts of the settings are kept. Errors are one sentence each.
@MainActor
package protocol SettingsStorage: AnyObject {
  /// Appends one line and does not return before it is on the disk.
  func appendToSettingsJournal(_ line: [UInt8]) throws
  /// The last lines, oldest first.
  func settingsJournal(last count: Int) throws -> [[UInt8]]
  /// Writes a draft whole, or leaves the one before.
  func saveSettingsDraft(_ bytes: [UInt8], name: String) throws
  func removeSettingsDraft(name: String) throws
  func settingsDrafts() throws -> [[UInt8]]
  /// Begins a change that no other run of the program may make meanwhile; false while one does.
  func takeTurn(_ name: String) throws -> Bool
  /// Ends it.
  func endTurn(_ name: String)
}

/// Reads and saves the settings of the bot, one save at a time, and writes the journal. The only
/// writer of `SettingsStore`; the `settings` commands use it too.
@MainActor
package final class SettingsService {
  package let store: SettingsStore
  let requester: any RequestChannel
  let clock: any LinkClock
  let storage: (any SettingsStorage)?
  let backend: String
  let isReadOnly: Bool

  /// Whether the draft that was kept last is on the disk.
  package internal(set) var hasDraftFile = false
  private var requestsUnderWay = 0
  private var writes = 0
  private var write = ""
  private var hasTurn = false
  /// When the last answer to a save was made, in ms since 1970 on the backend's clock.
  private var answeredAtMs: Int64?
  private var turnTimer: (any LinkTimer)?
  private var whenIdle: [@MainActor () -> Void] = []
  private var whenSettled: [@MainActor () -> Void] = []

  /// Lines of the journal that are read.
  static let journalLimit = 500

  /// - Parameters:
  ///   - storage: nil if there is no state directory; then there is no journal and no undo, and
  ///     `SettingsStore.diskProblem` says so.
  ///   - backend: its address; the journal belongs to it.
  ///   - isReadOnly: whatever changes something on the backend is refused.
  package init(
    store: SettingsStore, requester: any RequestChannel, clock: any LinkClock,
    storage: (any SettingsStorage)?, backend: String, isReadOnly: Bool
  ) {
    self.store = store
    self.requester = requester
    self.clock = clock
    self.storage = storage
    self.backend = backend
    self.isReadOnly = isReadOnly
  }

  /// Starts an operation; the store shows its progress.
  package func perform(_ request: SettingsRequest) {
    switch request {
    case .load: load()
    case .preview(let preset): preview(preset)
    case .loadJournal:
      loadJournal()
      loadDrafts()
    case .keepDraft(let path, let text): keepDraft(path, text)
    case .dropDraft(let path): dropDraft(path)
    case .save(let edit): save(edit)
    case .dismiss:
      if store.change?.isUnderWay == false { store.change = nil }
    case .refresh: refresh()
    }
  }

  /// Whether quitting now would leave a save with an unknown outcome.
  package var isWriting: Bool { store.change?.isUnderWay == true }

  /// The newest save at this backend that was not taken back yet, as far as the journal was read.
  package var lastToUndo: SettingsJournalEntry? {
    store.journal?.lastToUndo(at: backend, in: store.document.value)
  }

  /// Calls back when no save is under way, possibly at once.
  package func onSettled(_ done: @escaping @MainActor () -> Void) {
    whenSettled.append(done)
    checkIdle()
  }

  /// Calls back when no request is in flight, possibly at once.
  package func onIdle(_ done: @escaping @MainActor () -> Void) {
    whenIdle.append(done)
    checkIdle()
  }

  private func checkIdle() {
    guard !isWriting else { return }
    let waiting = whenSettled + (requestsUnderWay == 0 ? whenIdle : [])
    whenSettled = []
    if requestsUnderWay == 0 { whenIdle = [] }
    for done in waiting { done() }
  }

  private func send(
    _ request: RestRequest,
    then take: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) {
    requestsUnderWay += 1
    requester.request(request) { [weak self] result in
      take(result)
      guard let self else { return }
      requestsUnderWay -= 1
      checkIdle()
    }
  }

  // MARK: Reading

  private func load() {
    guard !store.document.isLoading else { return }
    let before = store.document.value
    store.document = .loading(before)
    send(.settings) { [weak self] result in
      self?.store.document = Self.fetched(result, before, nowMs: self?.clock.wallMs ?? 0)
    }
  }

  private func preview(_ preset: String?) {
    guard !store.preview.isLoading else { return }
    store.preview = .loading(nil)
    send(.settingsPreview(preset: preset)) { [weak self] result in
      guard let self else { return }
      store.preview = Self.fetched(result, nil, nowMs: clock.wallMs)
      store.previewCount += 1
    }
  }

  private static func fetched(
    _ result: Result<RestAnswer, RestFailure>, _ before: BotSettings?, nowMs: Int64
  ) -> Fetched<BotSettings> {
    switch SettingsRead(result) {
    case .settings(let settings): .loaded(settings, atMs: result.serverTimeMs ?? nowMs)
    case .failed(let failure):
      failure.isMissingRoute ? .notServed : .failed(failure, before)
    }
  }

  private func loadJournal() {
    guard let storage else {
      store.diskProblem = Self.noJournal
      store.journal = []
      return
    }
    do {
      store.journal = try storage.settingsJournal(last: Self.journalLimit)
        .compactMap(SettingsJournalEntry.init(line:))
    } catch {
      store.diskProblem = "The journal of the settings could not be read: \(error)"
    }
  }

  // MARK: Live sessions

  private func refresh() {
    guard !store.refresh.isUnderWay else { return }
    guard !isReadOnly else {
      return store.refresh = .failed(
        ChangeFailure(.other(OperationsService.readOnlyRefusal)), atMs: clock.wallMs)
    }
    store.refresh = .underWay(sinceMs: clock.wallMs)
    send(.refreshSettings) { [weak self] result in
      guard let self else { return }
      let atMs = clock.wallMs
      switch ChangeAnswer(result) {
      case .answered(let json, _) where json["ok"]?.bool == true:
        store.refresh = .ended(json["activeVoiceSessions"]?.int, atMs: atMs)
      case .answered(_, let status):
        store.refresh = .failed(
          ChangeFailure(.refused(status: status, words: nil)), atMs: atMs)
      case .refused(let status, let words):
        store.refresh = .failed(
          ChangeFailure(.refused(status: status, words: words)), atMs: atMs)
      case .notSent(let failure):
        store.refresh = .failed(ChangeFailure(.unanswered(failure)), atMs: atMs)
      case .unknown(let doubt, let cause):
        store.refresh = .failed(
          ChangeFailure(
            doubt
              + " Whether live sessions have the settings now is unknown; asking again does no harm "
              + "but for their time limits.", cause), atMs: atMs)
      }
    }
  }

  // MARK: Saving

  private func save(_ edit: SettingsEdit) {
    guard store.change?.isUnderWay != true else { return }
    var change = SettingsChange(edit, base: store.document.value)
    if isReadOnly { change.hold(OperationsService.readOnlyRefusal) }
    store.change = change
    guard change.isUnderWay else { return checkIdle() }
    writes += 1
    write = "\(clock.wallMs)-\(clock.nowNs)-\(writes)-settings"
    takeTurn(untilNs: clock.nowNs &+ MemoryService.turnNs)
  }

  /// Goes on while there is a next request, with a journal line before the PUT and after the end.
  private func drive() {
    guard var change = store.change else { return }
    guard let step = change.next else {
      if !change.isUnderWay { finish(change) }
      return
    }
    if step == .put, let problem = record(change, outcome: .sending) {
      change.hold(problem + " Without a journal nothing is sent.")
      store.change = change
      return finish(change)
    }
    let request = change.request(step)
    store.change = change
    guard let request else { return }
    send(request) { [weak self] result in
      guard let self, var change = store.change else { return }
      answeredAtMs = result.serverTimeMs ?? clock.wallMs
      change.take(result, of: step)
      store.change = change
      drive()
    }
  }

  private func finish(_ change: SettingsChange) {
    if change.wasSent, let outcome = change.outcome { _ = record(change, outcome: outcome) }
    if case .stored = change.state {
      for step in change.edit.steps { dropDraft(step.path) }
    }
    if let latest = change.latest {
      store.document = .loaded(latest, atMs: answeredAtMs ?? clock.wallMs)
    }
    endTurn()
    checkIdle()
  }

  /// Appends a line; the problem when it could not be written.
  private func record(
    _ change: SettingsChange, outcome: SettingsJournalEntry.Outcome
  ) -> String? {
    let entry = entry(change, outcome: outcome)
    if store.journal != nil { store.journal?.append(entry) }
    guard let storage else {
      store.diskProblem = Self.noJournal
      return nil
    }
    do {
      try storage.appendToSettingsJournal(entry.line)
      store.diskProblem = nil
      return nil
    } catch {
      let problem = "The journal of the settings could not be written: \(error)"
      store.diskProblem = problem
      return problem
    }
  }

  private func entry(
    _ change: SettingsChange, outcome: SettingsJournalEntry.Outcome
  ) -> SettingsJournalEntry {
    var stored: SettingsStored?
    if case .stored(let outcome) = change.state { stored = outcome }
    var undoes: String?
    if case .undo(let write) = change.edit.verb { undoes = write }
    let isFirst = outcome == .sending
    return SettingsJournalEntry(
      write: write, atMs: clock.wallMs, backend: backend, verb: change.edit.verb.word,
      undoes: undoes, outcome: outcome, detail: isFirst ? nil : change.sentence,
      version: change.before?.version ?? change.edit.version,
      newVersion: stored?.settings.version,
      changes: change.edit.steps.map { step in
        .init(
          path: step.path, before: change.before?.intent.value(at: step.path), after: step.after,
          stored: stored?.settings.effective.value(at: step.path))
      }, before: isFirst ? change.before?.intent : nil)
  }

  static let noJournal =
    "There is no state directory, so saves of the settings have no journal and cannot be undone; set "
    + "XDG_STATE_HOME to a directory of yours."

  // MARK: One save at a time, whichever run of the program makes it

  private var turnName: String { "settings@\(backend)" }

  private func takeTurn(untilNs: UInt64) {
    guard let storage else { return drive() }
    do {
      if try storage.takeTurn(turnName) {
        hasTurn = true
        store.change?.begin()
        return drive()
      }
    } catch {
      store.change?.hold(
        "The journal and its lock could not be written: \(error) Without a journal nothing is sent."
      )
      if let change = store.change { finish(change) }
      return
    }
    guard clock.nowNs < untilNs else {
      store.change?.hold(
        "Another clanky-cockpit has been changing the settings for too long, so nothing was sent; end "
          + "it, then try again.")
      if let change = store.change { finish(change) }
      return
    }
    store.change?.wait()
    turnTimer = clock.schedule(afterNs: 50_000_000) { [weak self] in
      self?.turnTimer = nil
      self?.takeTurn(untilNs: untilNs)
    }
  }

  private func endTurn() {
    guard hasTurn else { return }
    hasTurn = false
    storage?.endTurn(turnName)
  }
}

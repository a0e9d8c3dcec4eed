import CockpitPanes
import CockpitStores
import TerminalCore

/// A MEMORY command that is waiting for data.
enum WaitingInMemory: Hashable, Sendable {
  /// For the fact that is looked for.
  case command(KeyAction)
  /// For the guilds: the backend searches one.
  case search(String)
}

/// Lines entered after `:`, and their execution.
extension CockpitShell {
  /// Earlier lines that are kept for a session.
  private static let historyLimit = 100

  /// Opens the command line, with some words in it.
  mutating func openLine(_ text: String = "") {
    layers.push(PromptLine(text, history: lineHistory))
  }

  /// Executes a line as if it had been typed; an invalid one stays open for editing.
  @MainActor mutating func run(line: String, _ facts: ViewContext) -> [Effect] {
    openLine(line)
    return layers.handle(.key(KeyPress(.enter)), context(facts)) ?? []
  }

  private mutating func remember(_ line: String) {
    lineHistory.removeAll { $0 == line }
    lineHistory.insert(line, at: 0)
    if lineHistory.count > Self.historyLimit { lineHistory.removeLast() }
  }

  @MainActor mutating func carryOut(
    _ action: LineAction, line: String, _ facts: ViewContext
  ) -> [Effect] {
    remember(line)
    switch action {
    case .command(let command): return perform(command, facts)
    case .tab(let tab): self.tab = tab
    case .filter(let text, let inPulse):
      if inPulse { tab = .pulse }
      selection.isPlaced = true
      return write(text, into: .filter, facts)
    case .find(let text):
      if tab == .voice || tab == .cmd { tab = .pulse }
      return write(text, into: .find, facts)
    case .goToRow(let id):
      if facts.replay == nil, let row = facts.activity.log.rowID(actionID: id) {
        return followed([.show(row: row)], facts)
      }
      return [.replay(.seekRow(id: id))]
    case .goTo(let ms) where facts.replay != nil: return [.replay(.seek(ms: ms))]
    case .goTo(let ms):
      tab = .pulse
      let (body, screen) = place()
      return pulse.go(toMs: ms, facts, body: body, screen: screen)
    case .goToMark(let letter):
      tab = .pulse
      let (body, screen) = place()
      pulse.go(toMark: letter, facts, body: body, screen: screen)
    case .level(let level):
      tab = .pulse
      pulse.show(level: level)
    case .guild(let guild):
      setScope(GuildScope(guild))
      noteScope(facts)
    case .facts(let request): return showFacts(request, facts)
    case .fact(let id, let command):
      tab = .memory
      selection.isPlaced = true
      memory.reveal(FactReference(id: id, subject: nil, fact: "number \(id)"))
      waitingInMemory = command.map(WaitingInMemory.command)
    case .sessions:
      tab = .voice
      selection.isPlaced = true
      return voice.show(.history, facts)
    case .session(let id): return [.showSession(id: id)]
    case .saveView(let name):
      guard !pulse.query.text.isEmpty else {
        note("there is no filter to save: " + keys.text(.filter) + " in PULSE writes one")
        return []
      }
      return [.saveView(name: name, query: pulse.query.text)]
    case .theme(let name): return [.setTheme(name: name, isKept: true)]
    case .profile(let name): return [.switchProfile(name: name)]
    case .source(let name?): return [.showSource(.named(name))]
    case .source(nil):
      tab = .pulse
      return [.showSource(.all)]
    case .slash(let command):
      keys = keys.assigning("/", to: command)
      note(
        command == .filter
          ? "/ filters from now on; :find TEXT finds" : "/ finds from now on; f filters")
    case .digest(let sinceMs): return openDigest(fromMs: sinceMs)
    case .alarm(let wish): return [.alarm(wish)]
    case .searchHistory(let text): return openHistorySearch(text, facts)
    case .bundle(let lengthMs, let note): return openBundle(lengthMs: lengthMs, note: note)
    case .keep(let wish): return [.keep(wish)]
    case .why(let text):
      return why(about: text, facts)
    case .verb(let words):
      layers.push(VerbOutput(words, nowNs: facts.monotonicNs))
      return [.verb(words)]
    }
    return []
  }

  /// Opens a bar of the tab, writes a text into it and accepts it, as a person would.
  @MainActor private mutating func write(
    _ text: String, into bar: KeyAction, _ facts: ViewContext
  ) -> [Effect] {
    let effects = performInTab(bar, facts) ?? []
    guard pane.isTyping else { return effects }
    _ = type(KeyPress(.char("a"), .ctrl), facts)
    _ = type(KeyPress(.char("k"), .ctrl), facts)
    return effects + paste(text, facts) + type(KeyPress(.enter), facts)
  }

  @MainActor private mutating func showFacts(
    _ request: LineAction.FactListRequest, _ facts: ViewContext
  ) -> [Effect] {
    tab = .memory
    selection.isPlaced = true
    waitingInMemory = nil
    // MEMORY of a gateway searches too; it has no facts.
    guard !facts.isGateway else {
      return request.search.map { write($0, into: .search, facts) } ?? []
    }
    memory.showList()
    if let guild = request.guild { memory.query.guild = guild }
    if let text = request.search {
      guard memory.guildToAsk(facts) != nil else {
        waitingInMemory = .search(text)
        return []
      }
      return write(text, into: .search, facts)
    }
    memory.query.subject = request.subject
    if let filter = request.filter { memory.query.filter = filter }
    return []
  }

  /// Runs MEMORY commands that were waiting for a fact, or for the guilds, once the data has
  /// arrived.
  @MainActor mutating func doWhatWaits(_ facts: ViewContext) -> [Effect] {
    // A layer over the tab keeps its keys until it is closed.
    guard !layers.hasKeys else { return [] }
    switch waitingInMemory {
    case nil: return []
    case .command(let command):
      guard memory.wantedFact == nil else { return [] }
      waitingInMemory = nil
      // Its notice says that the fact is not there.
      guard memory.message == nil else { return [] }
      return performInTab(command, facts) ?? []
    case .search(let text):
      guard memory.guildToAsk(facts) != nil else { return [] }
      waitingInMemory = nil
      return write(text, into: .search, facts)
    }
  }

  // MARK: Output of verbs

  /// Receives the result of `Effect.verb`; ignored if its overlay was closed meanwhile.
  ///
  /// - Parameters:
  ///   - output: both of its streams, interleaved.
  ///   - end: how it ended.
  package mutating func verbEnded(_ words: [String], output: [UInt8], end: VerbOutput.End) {
    layers.change(VerbOutput.self) { shown in
      guard shown.words == words, shown.isRunning else { return }
      shown.take(output, end)
    }
  }
}

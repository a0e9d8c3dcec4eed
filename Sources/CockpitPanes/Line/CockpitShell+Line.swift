import CockpitStores
import TerminalCore

/// What a line wants of MEMORY that cannot be done yet.
enum WaitingInMemory: Hashable, Sendable {
  /// For the fact that is looked for.
  case command(CockpitCommand)
  /// For the guilds: the backend searches one.
  case search(String)
}

/// Lines that were typed after `:`, and what they do.
extension CockpitShell {
  /// Earlier lines that are kept for a session.
  private static let historyLimit = 100

  /// Opens the command line, with some words in it.
  mutating func openLine(_ text: String = "") {
    layers.push(CommandLine(text, history: lineHistory))
  }

  /// Carries out a line as if it had been typed; one that cannot be read stays to be mended.
  @MainActor mutating func run(line: String, _ facts: Facts) -> [Effect] {
    openLine(line)
    return layers.handle(.key(KeyPress(.enter)), context(facts)) ?? []
  }

  private mutating func remember(_ line: String) {
    lineHistory.removeAll { $0 == line }
    lineHistory.insert(line, at: 0)
    if lineHistory.count > Self.historyLimit { lineHistory.removeLast() }
  }

  @MainActor mutating func carryOut(
    _ action: LineAction, line: String, _ facts: Facts
  ) -> [Effect] {
    remember(line)
    switch action {
    case .command(let command): return perform(command, facts)
    case .tab(let tab): self.tab = tab
    case .filter(let text, let inPulse):
      if inPulse { tab = .pulse }
      return write(text, into: .filter, facts)
    case .find(let text):
      if tab == .voice || tab == .cmd { tab = .pulse }
      return write(text, into: .find, facts)
    case .facts(let wish): return showFacts(wish, facts)
    case .fact(let id, let command):
      tab = .memory
      memory.reveal(FactReference(id: id, subject: nil, fact: "number \(id)"))
      waitingInMemory = command.map(WaitingInMemory.command)
    case .sessions:
      tab = .voice
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
    case .slash(let command):
      keys = keys.assigning("/", to: command)
      note(
        command == .filter
          ? "/ filters from now on; :find TEXT finds" : "/ finds from now on; f filters")
    case .why(let text):
      // What is not among the rows here the program looks for on the backend.
      guard !why(about: text, facts) else { return [] }
      layers.push(VerbOutput(["why", text]))
      return [.verb(["why", text])]
    case .verb(let words):
      layers.push(VerbOutput(words))
      return [.verb(words)]
    }
    return []
  }

  /// Opens a bar of the tab, writes a text into it and accepts it, as a person would.
  @MainActor private mutating func write(
    _ text: String, into bar: CockpitCommand, _ facts: Facts
  ) -> [Effect] {
    let effects = performInTab(bar, facts) ?? []
    guard pane.isTyping else { return effects }
    _ = type(KeyPress(.char("a"), .ctrl), facts)
    _ = type(KeyPress(.char("k"), .ctrl), facts)
    return effects + paste(text, facts) + type(KeyPress(.enter), facts)
  }

  @MainActor private mutating func showFacts(
    _ wish: LineAction.FactsWish, _ facts: Facts
  ) -> [Effect] {
    tab = .memory
    waitingInMemory = nil
    memory.showList()
    if let guild = wish.guild { memory.query.guild = guild }
    if let text = wish.search {
      guard memory.guildToAsk(facts) != nil else {
        waitingInMemory = .search(text)
        return []
      }
      return write(text, into: .search, facts)
    }
    memory.query.subject = wish.subject
    if let filter = wish.filter { memory.query.filter = filter }
    return []
  }

  /// Does in MEMORY what had to wait for a fact, or for the guilds, once they are here.
  @MainActor mutating func doWhatWaits(_ facts: Facts) -> [Effect] {
    // What lies over the tab keeps its keys until it is closed.
    guard !layers.hasKeys else { return [] }
    switch waitingInMemory {
    case nil: return []
    case .command(let command):
      guard memory.wantedFact == nil else { return [] }
      waitingInMemory = nil
      // Its notice says that the fact is not there.
      guard memory.notice == nil else { return [] }
      return performInTab(command, facts) ?? []
    case .search(let text):
      guard memory.guildToAsk(facts) != nil else { return [] }
      waitingInMemory = nil
      return write(text, into: .search, facts)
    }
  }

  // MARK: What the program itself says

  /// Takes what came of `Effect.verb`; ignored when its overlay was closed meanwhile.
  ///
  /// - Parameters:
  ///   - output: both of its streams, as they came.
  ///   - end: how it ended, as words of ours.
  package mutating func verbEnded(_ words: [String], output: [UInt8], end: VerbOutput.End) {
    layers.change(VerbOutput.self) { shown in
      guard shown.words == words, shown.isRunning else { return }
      shown.take(output, end)
    }
  }
}

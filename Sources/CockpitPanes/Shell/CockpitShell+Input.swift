import LenientJSON
import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension CockpitShell {
  /// Takes a key, a paste or a click and says what the program has to do.
  ///
  /// - Parameters:
  ///   - frame: the frame that is on the screen; clicks refer to it.
  ///   - read: which reading of the terminal it came with; nil is one of its own.
  @MainActor package mutating func handle(
    _ event: InputEvent, on facts: Facts, frame: Frame, read: Int? = nil
  ) -> [Effect] {
    guard !isTooEarly(read) else { return [] }
    let wasAsking = isAsking
    let facts = withKeys(facts)
    size = frame.canvas.size
    let inner = effects(of: event, on: facts, frame: frame) + wantedByCommand(facts)
    let effects = asked(followed(inner, facts), facts)
    settle(facts)
    if !wasAsking, isAsking { readOfQuestion = read }
    return effects
  }

  /// Carries out what an action on CMD wants of the shell.
  @MainActor private mutating func wantedByCommand(_ facts: Facts) -> [Effect] {
    if let overlay = command.wantedOverlay { self.overlay = overlay }
    let commands = command.wantedCommands
    command.wantedOverlay = nil
    command.wantedCommands = []
    return commands.flatMap { perform($0, facts) }
  }

  /// Quitting was not possible after all: something is left that the user should know.
  package mutating func stayed(_ why: PlainText) {
    quitPrompt = nil
    note(why)
  }

  /// Does itself what concerns several tabs, and leaves the rest to the program.
  @MainActor private mutating func followed(_ effects: [Effect], _ facts: Facts) -> [Effect] {
    effects.flatMap { effect -> [Effect] in
      switch effect {
      case .show(let row):
        tab = .pulse
        pulse.reveal(row, facts)
        return []
      case .showSession(let id):
        tab = .voice
        return voice.reveal(session: id, facts)
      default: return [effect]
      }
    }
  }

  @MainActor private mutating func effects(
    of event: InputEvent, on facts: Facts, frame: Frame
  ) -> [Effect] {
    switch event {
    case .key(let key, let modifiers):
      note(nil)
      guard !isTooSmall else { return pressUnseen(KeyPress(key, modifiers), facts) }
      return press(KeyPress(key, modifiers), facts)
    case .paste(let text):
      note(nil)
      pending = []
      guard !isTooSmall, help == nil, quitPrompt == nil else { return [] }
      if commandLine != nil {
        let reader = lineReader(facts)
        commandLine?.paste(text, reader)
        return []
      }
      if var overlay {
        overlay.paste(text, on: facts)
        self.overlay = overlay
        return []
      }
      return paste(text, facts)
    case .pasteStalled:
      note("a paste has not ended; Ctrl-C ends it")
      return []
    case .mouse(let kind, let column, let row, _):
      guard !isTooSmall else { return [] }
      return click(kind, frame.targets(x: column, y: row), facts)
    case .focus, .reply, .unknown: return []
    }
  }

  /// Pasted text into the open tab.
  @MainActor mutating func paste(_ text: String, _ facts: Facts) -> [Effect] {
    withPane { $0.paste(text, on: facts) }
  }

  @MainActor private mutating func settle(_ facts: Facts) {
    let (keys, size) = (keys, size)
    help?.settle(keys, screen: size)
    if var overlay {
      overlay.settle(facts, screen: size)
      self.overlay = overlay
    }
    if let fact = brain.wantedFact {
      brain.wantedFact = nil
      memory.reveal(fact)
      tab = .memory
    }
    if tab != .memory { memory.leave() }
    let body = body(facts)
    withPane { [size] in $0.settle(facts, body: body, screen: size) }
  }

  /// Adapts the shell to new data before a frame of this size: clamps cursors, opens the setup form, and runs commands
  /// that waited for data.
  @MainActor package mutating func update(_ facts: Facts, size: Size) -> [Effect] {
    let facts = withKeys(facts)
    self.size = size
    guard !isTooSmall else { return [] }
    offerSetup(facts)
    if var overlay {
      overlay.settle(facts, screen: size)
      self.overlay = overlay
    }
    guard tab == .memory else { return [] }
    memory.settle(facts, body: body(facts), screen: size)
    return doWhatWaits(facts)
  }

  /// What the screen shows and the backend has to be asked for; nothing without a connection.
  @MainActor package func needs(_ facts: Facts) -> [Need] {
    guard !isTooSmall, facts.isHeard else { return [] }
    let facts = withKeys(facts)
    return (overlay?.needs(facts) ?? []) + pane.needs(facts)
  }

  @MainActor func body(_ facts: Facts) -> Rect { body(alert: alert(facts)?.text) }

  /// Takes what came back from the user's editor; nil when it was left without saving.
  @MainActor package mutating func edited(_ text: String?, on facts: Facts) -> [Effect] {
    let facts = withKeys(facts)
    defer { settle(facts) }
    return memory.edited(text, on: facts)
  }

  /// What the editor left that could not be read, while its form is open; nil when there is none.
  package var unreadText: String? { memory.unreadText }

  // MARK: Keys

  @MainActor private mutating func press(_ press: KeyPress, _ facts: Facts) -> [Effect] {
    if pending.isEmpty, let command = throughWindows(press) { return perform(command, facts) }
    if quitPrompt != nil { return answer(press, facts) }
    if help != nil {
      let keys = keys
      if help?.press(press, keys) == .close { help = nil }
      return []
    }
    if commandLine != nil { return typeCommand(press, facts) }
    if var overlay {
      let outcome = overlay.press(press, on: facts)
      self.overlay = overlay
      return follow(outcome, facts)
    }
    if isTyping { return type(press, facts) }
    // Esc leaves a started sequence; any other key that does not continue it is read anew.
    if !pending.isEmpty, press.key == .escape, press.modifiers.isEmpty {
      pending = []
      return []
    }
    guard let command = sequence(press) else {
      if pending.isEmpty, let words = Self.meansNothing(press) { note(words) }
      return []
    }
    return perform(command, facts)
  }

  /// What to say of a key that no command has; nil for keys that type nothing.
  private static func meansNothing(_ press: KeyPress) -> PlainText? {
    guard case .char(let character) = press.key, press.modifiers.isEmpty,
      let scalar = character.unicodeScalars.first
    else { return nil }
    let words = PlainText(press.description) + " does nothing here"
    // From Greek on there are no Latin letters: most probably the layout is another one.
    guard character.isLetter, scalar.value >= 0x370 else { return words }
    return words + "; the keys are Latin letters, so switch the keyboard layout"
  }

  /// Takes a key into the sequence that was started: the command that is complete with it, if one is. A key
  /// that does not continue the sequence is read anew.
  mutating func sequence(_ press: KeyPress) -> CockpitCommand? {
    let wasPending = !pending.isEmpty
    pending.append(press)
    switch keys.match(pending) {
    case .prefix: return nil
    case .command(let command):
      pending = []
      return command
    case .none:
      pending = []
      return wasPending ? sequence(press) : nil
    }
  }

  /// Does what an overlay asked for.
  @MainActor mutating func follow(
    _ outcome: OverlayOutcome, _ facts: Facts
  ) -> [Effect] {
    switch outcome {
    case .stay: return []
    case .close:
      overlay = nil
      return []
    case .effects(let effects): return effects
    case .done(let effects):
      overlay = nil
      return effects
    case .run(let command):
      overlay = nil
      return perform(command, facts)
    case .line(let text, let isWhole):
      overlay = nil
      if isWhole { return run(line: text, facts) }
      openLine(text)
      return []
    }
  }

  /// What works whatever is open or typed into: a screen that something else has written over, and a
  /// shell that is needed now. Only with Ctrl: everything else may be meant as text.
  private func throughWindows(_ press: KeyPress) -> CockpitCommand? {
    guard press.modifiers == .ctrl, case .command(let command) = keys.match([press]),
      command == .repaint || command == .suspend
    else { return nil }
    return command
  }

  @MainActor mutating func type(_ press: KeyPress, _ facts: Facts) -> [Effect] {
    let body = body(facts)
    return withPane { [size] in $0.type(press, on: facts, body: body, screen: size) }
  }

  @MainActor mutating func performInTab(
    _ command: CockpitCommand, _ facts: Facts
  ) -> [Effect]? {
    let body = body(facts)
    return withPane { [size] in $0.perform(command, on: facts, body: body, screen: size) }
  }

  /// Carries out a command, wherever it came from: a key, a click on a hint.
  @MainActor package mutating func perform(_ command: CockpitCommand, _ facts: Facts) -> [Effect] {
    switch command {
    case .theme: overlay = ThemeMenu(facts.setup)
    case .pulse: tab = .pulse
    case .voice: tab = .voice
    case .brain: tab = .brain
    case .memory: tab = .memory
    case .cmd: tab = .cmd
    case .nextTab: tab = tab.stepped(by: 1)
    case .previousTab: tab = tab.stepped(by: -1)
    case .help: help = HelpOverlay(words: pane.glossary, group: tab.keyGroup)
    case .commandLine: openLine()
    case .palette: openPalette(facts)
    case .journal:
      tab = .memory
      return performInTab(command, facts) ?? []
    case .setup: overlay = SetupForm(facts)
    case .profiles: overlay = ProfileList(facts)
    case .clientLog:
      tab = .cmd
      self.command.showAlone(.log)
    case .joinVoice: raise(JoinOverlay(facts), facts)
    case .refreshMemory: raise(ActionPrompt(.refreshMemory), facts)
    case .suspend: return [.suspend]
    case .repaint: return [.repaint]
    case .mouse:
      noteMouse(facts)
      return [.toggleMouse]
    case .refresh: return performInTab(command, facts) ?? [.reconnect]
    case .copy: openCopyMenu(facts)
    case .copyJSON: return copyJSON(facts)
    case .plain: return plain(facts)
    case .notifyTest: return [.notifyTest]
    case .pager where tab == .pulse: return openLinks(facts)
    case .uses where tab == .pulse: showFact(of: pulse.selectedRow(facts), facts)
    default:
      if let effects = performInTab(command, facts) { return effects }
      // `q` closes one level, at the root it quits; Esc never quits (ux.md D).
      if command == .quit || command == .interrupt { return [.quit] }
      if let words = keys.notHere(command, on: tab) { note(words) }
    }
    return []
  }

  /// Shows the form of something that changes the backend, where that is allowed.
  @MainActor private mutating func raise(_ overlay: any Overlay, _ facts: Facts) {
    guard !facts.isReadOnly else {
      note("this profile is read-only: nothing is changed from here")
      return
    }
    self.overlay = overlay
  }

  /// Goes from a row to the fact that it wrote, lists, or rests on the same message as.
  @MainActor private mutating func showFact(of row: ActionRowView?, _ facts: Facts) {
    guard let row, !row.isGap else { return }
    if let id = Provenance.facts(of: row, in: facts.memory.facts).first,
      let fact = facts.memory.facts[id]?.fact
    {
      memory.reveal(FactReference(id: id, subject: fact.subject, fact: fact.fact ?? ""))
    } else if row.kind == "memory_fact", let text = row.content() {
      memory.reveal(
        FactReference(
          id: row.metadata()["factId"]?.int, subject: row.metadata()["subject"]?.string, fact: text)
      )
    } else {
      note("no fact that is loaded hangs on this row")
      return
    }
    tab = .memory
  }
}

import CockpitPanes
import LenientJSON
import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension CockpitShell {
  /// Handles a key, paste or click and returns the effects.
  ///
  /// - Parameters:
  ///   - frame: the frame on screen; clicks refer to it.
  ///   - read: the number of the terminal read that delivered it; nil means a separate one.
  @MainActor package mutating func handle(
    _ event: InputEvent, on facts: ViewContext, frame: Frame, read: Int? = nil
  ) -> [Effect] {
    guard !isTooEarly(read) else { return [] }
    let wasAsking = isAsking
    let facts = withKeys(facts)
    size = frame.canvas.size
    alertRows = frame.alertRows
    cardRows = frame.cardRows
    selection.isPlaced = false
    let before = choices
    let said = message
    let inner = effects(of: event, on: facts, frame: frame)
    var effects = confirmingQuit(followed(inner, facts), facts)
    followMemory(facts)
    noteChoice(since: before, facts)
    if message != said { measureAlert(facts) }
    clampSelection(withKeys(facts))
    effects += standOnAnswer(since: before, facts)
    if !wasAsking, isAsking { readOfQuestion = read }
    return effects
  }

  /// Quitting was not possible after all: something is left that the user should know.
  package mutating func stayed(_ why: PlainText) {
    layers.remove(QuitPrompt.self)
    note(why)
  }

  /// Handles effects that concern several tabs or layers, and returns the rest.
  @MainActor mutating func followed(_ effects: [Effect], _ facts: ViewContext) -> [Effect] {
    effects.flatMap { effect -> [Effect] in
      switch effect {
      case .show(let row):
        tab = .pulse
        pulse.reveal(row, facts)
        return []
      case .rows(let query) where facts.isMerged: return [.showSource(.rows(query))]
      case .rows(let query):
        tab = .pulse
        pulse.showRows(query, facts)
        selection.isPlaced = true
        return []
      case .showRun(let run):
        showRun(run, facts)
        return []
      case .say(let words):
        note(words)
        return []
      case .press(let target): return press(target, facts)
      case .showSession(let id, let asReport):
        tab = .voice
        selection = Selection()
        selection.isPlaced = true
        return voice.reveal(session: id, asReport: asReport, facts)
      case .perform(let command): return perform(command, facts)
      case .line(let text, let isWhole):
        if isWhole { return followed(run(line: text, facts), facts) }
        openLine(text)
        return []
      case .carryOut(let action, let line):
        return followed(carryOut(action, line: line, facts), facts)
      case .memory(let request):
        memory.sent(request)
        return [effect]
      case .open(let new):
        layers.push(new.layer)
        return []
      default: return [effect]
      }
    }
  }

  @MainActor private mutating func effects(
    of event: InputEvent, on facts: ViewContext, frame: Frame
  ) -> [Effect] {
    switch event {
    case .key(let key, let modifiers):
      note(nil)
      // Whoever goes on does not wait for the answer any more.
      waitingWhy = nil
      guard !isTooSmall else { return pressUnseen(KeyPress(key, modifiers), facts) }
      return press(KeyPress(key, modifiers), facts)
    case .paste(let text):
      note(nil)
      pending = []
      guard !isTooSmall else { return [] }
      return layers.handle(.paste(text), context(facts)) ?? paste(text, facts)
    case .pasteStalled:
      note("a paste has not ended; Ctrl-C ends it")
      return []
    case .mouse(let kind, let column, let row, _):
      guard !isTooSmall else { return [] }
      return click(kind, frame.targets(x: column, y: row), facts)
    case .keyRepeated, .keyReleased, .focus, .reply, .unknown: return []
    }
  }

  /// Pasted text into the open tab.
  @MainActor mutating func paste(_ text: String, _ facts: ViewContext) -> [Effect] {
    withPane { $0.paste(text, on: facts) }
  }

  @MainActor private mutating func clampSelection(_ facts: ViewContext) {
    clampLayers(facts)
    if let fact = brain.wantedFact {
      brain.wantedFact = nil
      memory.reveal(fact)
      tab = .memory
      selection.isPlaced = true
    }
    if tab != .memory { memory.leave() }
    let (body, screen) = place()
    withPane { $0.clampSelection(facts, body: body, screen: screen) }
  }

  /// Adapts the shell to new data before a frame of this size: clamps cursors, opens the setup form, and runs commands
  /// that waited for data.
  ///
  /// - Parameter isAfterKey: a key has asked for the frame. What it shows of missing routes waits for the next
  ///   one, since looking for them reads all of the stores.
  @MainActor package mutating func update(
    _ facts: ViewContext, size: Size, isAfterKey: Bool = false
  ) -> [Effect] {
    self.size = size
    fitTabs(facts)
    guard !isTooSmall else { return [] }
    findWantedGuild(facts)
    let facts = withKeys(facts)
    refreshAnswer(facts)
    let placed = lookUpWhatWaits(facts)
    let offered = offerSetup(facts) + beginChat(facts)
    if !isAfterKey { sayUnserved(facts) }
    let answered = offered + placed + answerWhatWaits(facts)
    fitChat(facts)
    measureAlert(facts)
    clampLayers(facts)
    let (body, screen) = place()
    guard tab == .memory, gateway.isEmpty else {
      withPane { $0.prepare(facts, body: body, screen: screen) }
      return answered
    }
    memory.clampSelection(facts, body: body, screen: screen)
    return answered + followed(doWhatWaits(facts), facts)
  }

  /// Prepares the open tab for a frame that no `update` precedes.
  @MainActor package mutating func prepare(_ facts: ViewContext) {
    fitTabs(facts)
    guard !isTooSmall else { return }
    let facts = withKeys(facts)
    measureAlert(facts)
    let (body, screen) = place()
    withPane { $0.prepare(facts, body: body, screen: screen) }
  }

  /// Says once of each route that this backend does not have it. One that answers later may go missing again.
  @MainActor private mutating func sayUnserved(_ facts: ViewContext) {
    let unserved = facts.unserved
    guard unserved != saidUnserved else { return }
    // No backend has a route for leaving voice so far, and none of March one for accounts: that is no news.
    let news = unserved.subtracting(saidUnserved).subtracting([.leave, .accounts])
    saidUnserved = unserved
    if let route = news.min(by: { $0.rawValue < $1.rawValue }) {
      note(facts.words(unserved: route, pane.routes(of:)))
    }
  }

  /// The data to request from the backend; none without a connection.
  @MainActor package func needs(_ facts: ViewContext) -> [Need] {
    guard !isTooSmall, facts.isHeard else { return [] }
    let facts = withKeys(facts)
    var needs = pane.needs(facts)
    if !layers.isEmpty { needs += layers.needs(context(facts)) }
    let answer =
      tab == .brain && !conversations.isOpen
      ? brain.subject(facts) : tab == .memory ? selectedAnswer : nil
    if let answer { needs += facts.needs(of: answer) }
    return needs
  }

  /// The open tab's rectangle, and the screen size that selects its layout.
  func place() -> (body: Rect, screen: Size) {
    let layout = layout(alertRows: alertRows)
    return (layout.tab, layout.screen(size))
  }

  /// Notes how many rows the alert takes. Wording it costs more than most keys, and few keys change it.
  @MainActor private mutating func measureAlert(_ facts: ViewContext) {
    alertRows = alert(facts)?.lines.count ?? 0
    cardRows = dockedCard(facts)?.rows ?? 0
  }

  @MainActor private mutating func clampLayers(_ facts: ViewContext) {
    guard !layers.isEmpty else { return }
    layers.clampSelection(context(facts), layout(alertRows: alertRows))
  }

  /// The context for layers.
  @MainActor func context(_ facts: ViewContext) -> LayerContext {
    LayerContext(facts: facts, tab: tab, screen: size, verbs: verbs)
  }

  /// Receives the text from the user's editor; nil if it exited without saving.
  @MainActor package mutating func edited(_ text: String?, on facts: ViewContext) -> [Effect] {
    let facts = withKeys(facts)
    defer { clampSelection(facts) }
    let ofSettings = layers.change(SettingsDialog.self) { $0.edited(text) } ?? []
    let ofMemory = layers.change(MemoryDialog.self) { $0.edited(text, on: facts) } ?? []
    return followed(ofSettings + ofMemory, facts)
  }

  /// The editor's unreadable output while its form is open; nil if there is none.
  package var unreadText: String? {
    if case .form(let form)? = layers.first(MemoryDialog.self) { form.unreadable } else { nil }
  }

  // MARK: Keys

  @MainActor private mutating func press(_ press: KeyPress, _ facts: ViewContext) -> [Effect] {
    if pending.isEmpty, let command = throughWindows(press) { return perform(command, facts) }
    if !layers.isEmpty, let effects = layers.handle(.key(press), context(facts)) {
      return effects
    }
    if pane.isTyping { return type(press, facts) }
    // Esc cancels a started sequence; any other key that does not continue it starts over.
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

  /// The message for an unbound key; nil for keys that type nothing.
  private static func meansNothing(_ press: KeyPress) -> PlainText? {
    guard case .char(let character) = press.key, press.modifiers.isEmpty,
      let scalar = character.unicodeScalars.first
    else { return nil }
    let words = PlainText(press.description) + " does nothing here"
    // From Greek on there are no Latin letters: most probably the layout is another one.
    guard character.isLetter, scalar.value >= 0x370 else { return words }
    return words + "; the keys are Latin letters, so switch the keyboard layout"
  }

  /// Adds a key to the started sequence; returns the command if it is complete. A key that does not
  /// continue the sequence starts over.
  mutating func sequence(_ press: KeyPress) -> KeyAction? {
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

  /// Commands that work in every state: repairing an overwritten screen, and suspending to a shell.
  /// Only with Ctrl, because any other key may be text.
  private func throughWindows(_ press: KeyPress) -> KeyAction? {
    guard press.modifiers == .ctrl, case .command(let command) = keys.match([press]),
      command == .repaint || command == .suspend
    else { return nil }
    return command
  }

  @MainActor mutating func type(_ press: KeyPress, _ facts: ViewContext) -> [Effect] {
    let (body, screen) = place()
    return withPane { $0.type(press, on: facts, body: body, screen: screen) }
  }

  @MainActor mutating func performInTab(
    _ command: KeyAction, _ facts: ViewContext
  ) -> [Effect]? {
    let (body, screen) = place()
    return withPane { $0.perform(command, on: facts, body: body, screen: screen) }
  }
}

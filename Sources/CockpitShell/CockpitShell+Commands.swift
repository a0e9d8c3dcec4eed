import CockpitDomain
import CockpitPanes
import LenientJSON
import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension CockpitShell {
  /// Performs a command from a key or a click on a hint.
  @MainActor package mutating func perform(_ command: KeyAction, _ facts: ViewContext) -> [Effect] {
    followed(effects(of: command, facts), facts)
  }

  @MainActor private mutating func effects(
    of command: KeyAction, _ facts: ViewContext
  ) -> [Effect] {
    if facts.isGateway, command.isOfBotAlone {
      note(
        PlainText(
          (facts.kind == .elevenlabs
            ? "a service of conversations" : facts.kind.noun) + " has nothing of the kind"))
      return []
    }
    switch command {
    case .chat, .chatToggle: return chat(command, facts)
    case .canvas, .canvasDraw: openCanvas(draws: command == .canvasDraw, facts)
    case .theme: layers.push(ThemeMenu(facts.setup))
    case .pulse: tab = .pulse
    case .voice: tab = .voice
    case .brain:
      // Once more goes back to the calls.
      if tab == .brain { showConversations(false, facts) }
      tab = .brain
    case .conversations:
      let isShown = tab == .brain && conversations.isOpen
      tab = .brain
      showConversations(!isShown, facts)
    case .memory: tab = .memory
    case .cmd:
      // Once more goes back to the overview.
      if tab == .cmd { settings.hide() }
      tab = .cmd
    case .settings where facts.isGateway:
      guard facts.replay == nil else {
        note(facts.readOnlyWords)
        return []
      }
      return [.profileSettings(.load)]
    case .settings, .runtime:
      tab = .cmd
      settings.open(command == .settings ? .list : .runtime)
    case .settingsPreset, .settingsReset, .settingsApply:
      tab = .cmd
      settings.open(.list)
      return performInTab(command, facts) ?? []
    case .nextTab: tab = tab.stepped(by: 1)
    case .previousTab: tab = tab.stepped(by: -1)
    case .help:
      layers.push(
        HelpOverlay(
          words: pane.glossary, group: tab.keyGroup,
          pastKeys: facts.replay == nil ? [] : TimeLine.glossary(keys),
          routes: pane.routes(of:)))
    case .explain: explain(facts)
    case .triage where facts.isChatServer && facts.sources == nil:
      note("nothing waits at a chat server")
    case .triage where facts.isGateway || facts.sources?.hasGateway ?? false:
      layers.push(ControlCard(nowNs: facts.monotonicNs))
    case .triage where facts.sources != nil: layers.push(FleetList())
    case .triage: layers.push(TriageList())
    case .compare where tab == .pulse || tab == .cmd && !settings.isOpen:
      return openCompare(facts)
    case .digest: return openDigest(fromMs: nil)
    case .incidents: layers.push(IncidentList())
    case .nextIncident: return goToIncident(isOlder: true, facts)
    case .previousIncident: return goToIncident(isOlder: false, facts)
    case .bundle: return openBundle(lengthMs: BundleDialog.standardMs, note: "")
    case .figures: openFigures(facts)
    case .search where tab != .memory: return openHistorySearch("", facts)
    // In VOICE the first press opens the steps beside the turns.
    case .why where tab != .voice || voice.isWhyOpen || voice.view == .report: return why(facts)
    case .commandLine: openLine()
    case .guild: openLine("guild ")
    case .timeLine:
      guard let replay = facts.replay else { return [.replay(.open)] }
      layers.change(TimeLine.self) { $0.hasFocus.toggle() }
      if layers.first(TimeLine.self) == nil { layers.push(TimeLine(hasFocus: !replay.isPlaying)) }
    case .nextError where facts.replay != nil: return [.replay(.jump(.error, isOlder: true))]
    case .previousError where facts.replay != nil: return [.replay(.jump(.error, isOlder: false))]
    case .nextGap where facts.replay != nil: return [.replay(.jump(.gap, isOlder: true))]
    case .previousGap where facts.replay != nil: return [.replay(.jump(.gap, isOlder: false))]
    case .nextDay where facts.replay != nil: return [.replay(.jump(.day, isOlder: true))]
    case .previousDay where facts.replay != nil: return [.replay(.jump(.day, isOlder: false))]
    case .nextMark: return [.replay(.jump(.mark, isOlder: true))]
    case .previousMark: return [.replay(.jump(.mark, isOlder: false))]
    case .note: openLine("note ")
    case .pin: openLine("pin 10m ")
    // In the past the playhead goes along.
    case .nextTurn where facts.replay != nil && tab.hasTurns:
      return [.replay(.jump(.turn, isOlder: true))]
    case .previousTurn where facts.replay != nil && tab.hasTurns:
      return [.replay(.jump(.turn, isOlder: false))]
    case .pause where facts.replay != nil: return [.replay(.playOrPause)]
    case .follow where facts.replay != nil: return [.replay(.live)]
    case .palette: openPalette(facts)
    case .report where tab != .voice:
      tab = .voice
      return voice.showReport(facts)
    case .events where tab != .voice, .anomalies where tab != .voice:
      tab = .voice
      selection.isPlaced = true
      return performInTab(command, facts) ?? []
    case .journal:
      tab = .memory
      selection.isPlaced = true
      return performInTab(command, facts) ?? []
    case .purgeMemory:
      tab = .memory
      return performInTab(command, facts) ?? []
    case .setup: return openSetup(facts)
    case .nextSource: return facts.sources == nil ? [] : [.showSource(.next)]
    case .profiles: layers.push(ProfileList(facts))
    case .clientLog:
      tab = .cmd
      settings.hide()
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
      if command == .quit, let replay = facts.replay, replay.file == nil { return [.replay(.live)] }
      // `q` closes one level, at the root it quits; Esc never quits.
      if command == .quit || command == .interrupt { return [.quit] }
      if command == .back, selection.answer != nil || selection.moved != nil {
        letGo()
        return []
      }
      if let words = keys.notHere(command, on: tab) { note(words) }
    }
    return []
  }

  /// Lists the figures of the screen that have rows behind them.
  @MainActor private mutating func openFigures(_ facts: ViewContext) {
    let list = FigureList(render(facts, size: size))
    guard !list.figures.isEmpty else {
      note("no figure here has rows behind it")
      return
    }
    layers.push(list)
  }

  /// Shows the form of something that changes the backend, where that is allowed.
  @MainActor private mutating func raise(_ layer: any Layer, _ facts: ViewContext) {
    guard !facts.isReadOnly else {
      note(facts.readOnlyWords)
      return
    }
    layers.push(layer)
  }

  /// Goes from a row to the fact that it wrote, lists, or rests on the same message as.
  @MainActor private mutating func showFact(of row: ActionRowView?, _ facts: ViewContext) {
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
    selection.isPlaced = true
  }
}

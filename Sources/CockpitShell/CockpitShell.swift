import CockpitAnswers
import CockpitPanes
import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

/// The whole screen: header, one tab, alert, hints, help; and the handling of keys and clicks.
///
/// A value without I/O: events go in, effects come out, and a frame is a function of the shell and
/// the view context.
package struct CockpitShell: Sendable {
  package internal(set) var tab: Tab
  package internal(set) var pulse = PulsePane()
  package internal(set) var voice = VoicePane()
  package internal(set) var brain = BrainPane()
  package internal(set) var memory: MemoryPane
  package internal(set) var command = CommandPane()
  /// A view of CMD, in place of the other while it is open.
  package internal(set) var settings = SettingsPane()
  package internal(set) var conversations = ConversationsPane()
  /// Tabs of a gateway, in place of those of a Clanky bot; empty for one.
  package internal(set) var gateway: [Tab: any TabPane] = [:]
  /// Whether the conversation with a chat server was shown once.
  var hasBegunChat = false
  /// The guild that the screen is about.
  package internal(set) var scope: GuildScope
  /// The name of a guild that is to be found among those of the backend.
  var wantedGuild: String?
  /// The answer that all tabs stand on.
  var selection = Selection()
  /// The layers over or beside the tab.
  package internal(set) var layers = LayerStack()
  /// The terminal read that opened the question on screen; nil once another has arrived.
  var readOfQuestion: Int?
  /// What quitting does with held deletions.
  package var heldAtQuit = HeldAtQuit.ask
  /// The initial layout.
  var layout = LayoutChoices()
  /// Whether the last row shows key hints when it is otherwise empty.
  package internal(set) var hasHints = true
  /// The program's message about the last effect, until the next key.
  private(set) var note: PlainText?
  /// What the program says where nothing more important is to be said, until the next key.
  private var news: PlainText?
  /// Keys of a sequence that is not complete yet, such as `g`.
  package internal(set) var pending: [KeyPress] = []
  package internal(set) var keys: KeyTable
  /// Whether the form for address and token has opened by itself.
  var hasOfferedSetup = false
  /// The verbs of the program, worked out when they are first needed.
  let verbs: @Sendable () -> VerbTable
  /// Lines that were typed after `:`, newest first.
  var lineHistory: [String] = []
  /// The MEMORY command that is waiting for its data.
  var waitingInMemory: WaitingInMemory?
  /// Missing routes that were said.
  var saidUnserved: Set<BackendRoute> = []
  /// The question that is waiting for rows of voice sessions.
  var waitingWhy: WaitingWhy?
  /// The size of the last frame: pages and clicks refer to it.
  package internal(set) var size: Size
  /// The rows of the alert in the last frame.
  var alertRows = 0
  /// The rows of the docked card in the last frame.
  var cardRows = 0

  /// - Parameter guild: the guild to begin with, by id or name; nil begins with all.
  package init(
    tab: Tab = .pulse, keys: KeyTable = .standard, guild: String? = nil, size: Size,
    verbs: @escaping @Sendable () -> VerbTable = { VerbTable() }
  ) {
    self.tab = tab
    self.verbs = verbs
    scope = GuildScope(guild)
    wantedGuild = guild.flatMap { GuildScope.isID($0) ? nil : $0 }
    memory = MemoryPane(guild: guild)
    self.keys = keys
    self.size = size
  }

  /// Filters of earlier runs, the newest first; those of this run stay before them.
  package mutating func adopt(earlierFilters: [String]) {
    let known = pulse.filterHistory
    pulse.filterHistory = known + earlierFilters.filter { !known.contains($0) }
  }

  /// Shows one line about an effect that could not be carried out.
  package mutating func note(_ text: PlainText?) {
    note = text
    if text == nil { news = nil }
  }

  /// Says something until the next key, unless something is wrong.
  package mutating func tell(news text: PlainText) { news = text }

  /// The pane of a tab, to look at; everything that depends on the tab uses this or `withPane`.
  func pane(_ tab: Tab) -> any TabPane {
    if let pane = gateway[tab] { return pane }
    return switch tab {
    case .pulse: pulse
    case .voice: voice
    case .brain: conversations.isOpen ? conversations : brain
    case .memory: memory
    case .cmd: settings.isOpen ? settings : command
    }
  }

  /// The pane of the open tab, to look at.
  var pane: any TabPane { pane(tab) }

  /// Changes the pane of the open tab.
  mutating func withPane<Result>(_ body: (inout any TabPane) -> Result) -> Result {
    var open = pane
    defer { put(back: open) }
    return body(&open)
  }

  private mutating func put(back pane: any TabPane) {
    switch pane {
    case let pane as PulsePane: pulse = pane
    case let pane as VoicePane: voice = pane
    case let pane as BrainPane: brain = pane
    case let pane as ConversationsPane: conversations = pane
    case let pane as MemoryPane: memory = pane
    case let pane as CommandPane: command = pane
    case let pane as SettingsPane: settings = pane
    case is GatewayPane, is GatewayMemoryPane, is ChatServerPane, is ServicePane:
      gateway[tab] = pane
    default: assertionFailure("a pane without a place")
    }
  }

  /// Whether keys are text or go to a layer, and are not commands.
  package var isTyping: Bool { layers.hasKeys || pane.isTyping }

  package var isTooSmall: Bool {
    size.width < LayoutClass.minimum.width || size.height < LayoutClass.minimum.height
  }

  /// The view context with the effective keys and the selected answer.
  @MainActor func withKeys(_ facts: ViewContext) -> ViewContext {
    var facts = facts
    facts.keys = keys
    facts.scope = scope
    facts.selected = selectedAnswer
    return facts
  }

  // MARK: Drawing

  /// The rows above the hints.
  struct Alert {
    var lines: [PlainText]
    var role: Role

    var text: PlainText { lines.joined(separator: " ") }
  }

  /// Where the layers and the tab stand.
  func layout(alertRows: Int) -> LayerLayout {
    var rest = Rect(width: size.width, height: size.height)
    _ = rest.takeTop(1)
    let lastRow = rest.takeBottom(hintRows)
    _ = rest.takeBottom(alertRows)
    _ = rest.takeBottom(cardRows)
    return LayerLayout(layers.placements, body: rest, lastRow: lastRow)
  }

  /// Rows of an alert: two unless the screen is short, so that the advice, which comes last, is not cut off.
  var alertLimit: Int { LayoutClass(size).height > .short ? 2 : 1 }

  /// Columns of an alert beside its mark.
  var alertColumns: Int { max(1, size.width - 3) }

  /// A sentence as an alert.
  private func alert(_ text: PlainText, _ role: Role) -> Alert {
    let isWhole = alertLimit == 1 || text.columns <= alertColumns
    return Alert(
      lines: isWhole
        ? [text.cut(to: alertColumns)] : text.wrapped(to: alertColumns, limit: alertLimit),
      role: role)
  }

  /// Short screens keep the hints only while they help to finish a sequence.
  private var hintRows: Int {
    if !pending.isEmpty || layers.hasLine { return 1 }
    guard size.height >= 12 else { return 0 }
    return hasHints || layers.hasKeyLine || pane.isTyping ? 1 : 0
  }

  /// Draws everything.
  ///
  /// - Parameter last: the previous frame; unchanged parts of it are reused.
  @MainActor package func render(
    _ facts: ViewContext, size: Size, symbols: SymbolSet = .unicode, reusing last: Frame? = nil
  ) -> Frame {
    let facts = withKeys(facts)
    var shell = self
    shell.size = size
    var frame = Frame(size: size, symbols: symbols, after: last)
    if shell.isTooSmall {
      shell.renderTooSmall(facts, into: &frame)
    } else {
      let card = shell.dockedCard(facts)
      shell.cardRows = card?.rows ?? 0
      shell.draw(facts, card, into: &frame)
    }
    frame.finish()
    return frame
  }

  /// Draws a screen that is large enough.
  @MainActor private func draw(
    _ facts: ViewContext, _ card: DockedCard?, into frame: inout Frame
  ) {
    let alert = self.alert(facts)
    frame.drawHeader { $0.draw(header(facts), in: Rect(width: size.width, height: 1)) }
    let layout = self.layout(alertRows: alert?.lines.count ?? 0)
    frame.layoutSize = layout.screen(size)
    frame.owner = facts.sources.map { PlainText($0.current.name, limit: 40) }
    drawTab(facts, in: layout.tab, into: &frame)
    let cardArea = Rect(x: 0, y: layout.body.maxY, width: size.width, height: cardRows)
    if let card {
      frame.draw(card, in: cardArea)
      frame.mark(cardArea, .hint(.triage))
      frame.needsSecond = true
    }
    if let alert {
      let lines = alert.lines
      let area = Rect(x: 0, y: cardArea.maxY, width: size.width, height: lines.count)
      frame.canvas.inside(area) { canvas in
        // As in this program's log, `!` is reserved for errors.
        let mark: PlainText =
          alert.role == .negative ? "!" : alert.role == .warning ? "~" : " "
        canvas.write(mark, x: 0, role: alert.role, attributes: .bold)
        for (y, line) in lines.enumerated() { canvas.write(line, x: 2, y: y, role: alert.role) }
      }
      if !facts.triage.open.isEmpty || facts.control != nil || facts.sources?.hasTrouble == true
        || facts.isGateway && !facts.isChatServer
      {
        frame.mark(area, .hint(.triage))
      }
    }
    if hintRows > 0, !layers.hasLine {
      renderHints(facts, y: size.height - 1, into: &frame)
    }
    // Frames of the past have another colour, whatever a layer covers.
    if facts.replay != nil { frame.canvas.recolor(layout.tab, from: .border, to: .warning) }
    if facts.replay == nil, facts.control?.hasControl ?? false {
      markControl(layout.tab, in: &frame.canvas)
    }
    if !layers.isEmpty { layers.render(context(facts), layout, into: &frame) }
    frame.alert = alert?.text
    frame.alertRows = alert?.lines.count ?? 0
    frame.cardRows = cardRows
    frame.minuteMs = facts.minuteMs
    // The other tabs and layers show ages and this program's own figures; a filter may depend on
    // the time, and so does the sentence about a connection that is not live.
    if facts.replay != nil || facts.sources?.areAllLive == false || tab != .pulse
      || layers.placements.contains(where: { $0 != .line })
      || facts.status.overall != .live
      || pulse.isFiltering
    {
      frame.needsSecond = true
    }
  }

  @MainActor private func header(_ facts: ViewContext) -> Header {
    let answer = selectedAnswer?.why.name(facts.clock, nowMs: facts.minuteMs)
    return Header(
      tab: tab, facts, layout: LayoutClass(size).width, answer: answer,
      isOfAll: isOfAll(facts))
  }

  /// Whether the screen is about all sources, and not about the one of a row.
  @MainActor private func isOfAll(_ facts: ViewContext) -> Bool {
    tab == .pulse && facts.isMerged && pulse.cursor == nil
  }

  /// The frame for a later time if only the time has changed: the last one with a new header. On a
  /// quiet backend most frames are of this kind.
  ///
  /// - Returns: nil if a full redraw is needed.
  @MainActor package func render(_ facts: ViewContext, size: Size, tickAfter last: Frame) -> Frame?
  {
    guard !last.needsSecond, last.minuteMs == facts.minuteMs, last.canvas.size == size,
      !isTooSmall, facts.status.overall == .live, alert(facts)?.text == last.alert,
      dockedCard(facts)?.rows ?? 0 == last.cardRows
    else { return nil }
    var frame = last
    frame.redrawHeader {
      header(facts).render(in: Rect(width: size.width, height: 1), into: &$0)
    }
    return frame
  }

  /// Draws the open tab alone.
  @MainActor func drawTab(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    pane.render(facts, in: body, into: &frame)
  }

  /// The message of the last key or command; nil when there is none.
  var message: PlainText? { note ?? pane.message }

  /// What stands above the hints: the message of the last command, else the current trouble.
  @MainActor func alert(_ facts: ViewContext) -> Alert? {
    if let message { return alert(message, .info) }
    if !isControlOpen, dockedCard(facts) == nil, let words = ControlText(facts).attention {
      return alert(words + " - " + keys.text(.triage) + " answers", .warning)
    }
    if isOfAll(facts), let alert = alertOfAll(facts) { return alert }
    // What was acknowledged or silenced stays in the list and leaves the line.
    let report = facts.triage.without(facts.silences, nowMs: facts.nowMs)
    let triage = TriageText(report, clock: facts.clock, listKey: keys.text(.triage))
    let isCurrent = facts.triage.asOfMs == nil
    let lines = isCurrent ? triage.lines(columns: alertColumns, limit: alertLimit) : []
    let line = lines.isEmpty ? nil : Alert(lines: lines, role: triage.lineRole)
    // A connection that works in part does not hide what is wrong with the bot.
    if let line, report.open.first.map({ !$0.isOfConnection }) ?? false { return line }
    if let away = facts.sources?.firstAway, facts.status.overall == .live {
      let words = ConnectionWords(
        status: away.facts.status, monotonicNs: away.facts.monotonicNs)
      if let sentence = words.sentence {
        return alert(PlainText(away.name, limit: 40) + ": " + sentence, words.role)
      }
    }
    let words = ConnectionWords(status: facts.status, monotonicNs: facts.monotonicNs)
    if let sentence = words.sentence {
      return alert(setupHint(facts) ?? sentence, words.role)
    }
    if let line { return line }
    let rejected = facts.connection.rejectedEvents + facts.activity.log.totals.rejected
    if rejected > 0, let reason = facts.connection.lastRejection ?? facts.activity.lastRejection {
      let count = rejected == 1 ? "1 event" : "\(rejected) events"
      return alert(
        PlainText("\(count) could not be read and were left out: \(reason)", limit: 300), .warning)
    }
    if let words = ControlText(facts).event { return alert(words, .info) }
    return news.map { alert($0, .info) }
  }
}

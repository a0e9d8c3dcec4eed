import CockpitPanes
import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

/// The whole screen: header, one tab, alert, hints, help; and what each key and click means.
///
/// A value without I/O: events go in, effects come out, and a frame is a function of it and of
/// the facts.
package struct CockpitShell: Sendable {
  package internal(set) var tab: Tab
  package internal(set) var pulse = PulsePane()
  package internal(set) var voice = VoicePane()
  package internal(set) var brain = BrainPane()
  package internal(set) var memory: MemoryPane
  package internal(set) var command = CommandPane()
  /// What stands over the tab or beside it.
  package internal(set) var layers = LayerStack()
  /// Which reading of the terminal opened the question on the screen; nil once another has come.
  var readOfQuestion: Int?
  /// What quitting does with held deletions.
  package var heldAtQuit = HeldAtQuit.ask
  /// What the screen began with.
  var layout = LayoutChoices()
  /// Whether the last row hints at keys while nothing else needs it.
  package internal(set) var hasHints = true
  /// What the program had to say about the last effect, until the next key.
  private(set) var note: PlainText?
  /// Keys of a sequence that is not complete yet, such as `g`.
  package internal(set) var pending: [KeyPress] = []
  package internal(set) var keys: KeyTable
  /// Whether the form for address and token has opened by itself.
  var hasOfferedSetup = false
  /// The verbs of the program, worked out when they are first needed.
  let verbs: @Sendable () -> VerbTable
  /// Lines that were typed after `:`, newest first.
  var lineHistory: [String] = []
  /// What is to be done in MEMORY once what it needs has come.
  var waitingInMemory: WaitingInMemory?
  /// The size of the last frame: pages and clicks refer to it.
  package internal(set) var size: Size

  /// - Parameter guild: the guild that MEMORY begins with; nil begins with all.
  package init(
    tab: Tab = .pulse, keys: KeyTable = .standard, guild: String? = nil, size: Size,
    verbs: @escaping @Sendable () -> VerbTable = { VerbTable() }
  ) {
    self.tab = tab
    self.verbs = verbs
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
  package mutating func note(_ text: PlainText?) { note = text }

  /// The pane of the open tab, to look at.
  var pane: any TabPane {
    var copy = self
    return copy.withPane { $0 }
  }

  /// Changes the pane of the open tab. What depends on which tab is open goes this way.
  mutating func withPane<Result>(_ body: (inout any TabPane) -> Result) -> Result {
    func change<Pane: TabPane>(_ pane: inout Pane) -> Result {
      var open: any TabPane = pane
      defer { if let changed = open as? Pane { pane = changed } }
      return body(&open)
    }
    return switch tab {
    case .pulse: change(&pulse)
    case .voice: change(&voice)
    case .brain: change(&brain)
    case .memory: change(&memory)
    case .cmd: change(&command)
    }
  }

  /// Whether keys are text, or an answer to what lies over the tab, and no commands.
  package var isTyping: Bool { layers.hasKeys || pane.isTyping }

  package var isTooSmall: Bool {
    size.width < LayoutClass.minimum.width || size.height < LayoutClass.minimum.height
  }

  /// What a pane says about keys is what they do here.
  @MainActor func withKeys(_ facts: ViewContext) -> ViewContext {
    var facts = facts
    facts.keys = keys
    return facts
  }

  // MARK: Drawing

  /// Where the layers and the tab stand.
  func layout(alert: PlainText?) -> LayerLayout {
    var rest = Rect(width: size.width, height: size.height)
    _ = rest.takeTop(1)
    let lastRow = rest.takeBottom(hintRows)
    _ = rest.takeBottom(alertLines(alert).count)
    return LayerLayout(layers.placements, body: rest, lastRow: lastRow)
  }

  /// The alert in one row, or in two where the screen is not short: what to do comes last in a
  /// sentence and must not be cut off.
  private func alertLines(_ alert: PlainText?) -> [PlainText] {
    guard let alert else { return [] }
    let room = max(1, size.width - 3)
    guard LayoutClass(size).height > .short, alert.columns > room else {
      return [alert.cut(to: room)]
    }
    return alert.wrapped(to: room, limit: 2)
  }

  /// Short screens keep the hints only while they help to finish a sequence.
  private var hintRows: Int {
    if !pending.isEmpty || layers.hasLine { return 1 }
    guard size.height >= 12 else { return 0 }
    return hasHints || layers.hasKeyLine || pane.isTyping ? 1 : 0
  }

  /// Draws everything.
  ///
  /// - Parameter last: the frame before: parts of it that are still the same are taken over.
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
      shell.draw(facts, into: &frame)
    }
    frame.finish()
    return frame
  }

  /// Draws a screen that is large enough.
  @MainActor private func draw(_ facts: ViewContext, into frame: inout Frame) {
    let alert = self.alert(facts)
    frame.drawHeader { header(facts).render(into: &$0) }
    let layout = self.layout(alert: alert?.text)
    frame.layoutSize = layout.screen(size)
    drawTab(facts, in: layout.tab, into: &frame)
    if let alert {
      let lines = alertLines(alert.text)
      let area = Rect(x: 0, y: layout.body.maxY, width: size.width, height: lines.count)
      frame.canvas.inside(area) { canvas in
        // As in the log of this program: `!` is left for what is wrong.
        let mark: PlainText =
          alert.role == .negative ? "!" : alert.role == .warning ? "~" : " "
        canvas.write(mark, x: 0, role: alert.role, attributes: .bold)
        for (y, line) in lines.enumerated() { canvas.write(line, x: 2, y: y, role: alert.role) }
      }
    }
    if hintRows > 0, !layers.hasLine {
      HintRow(shell: self).render(facts, y: size.height - 1, into: &frame)
    }
    layers.render(context(facts), layout, into: &frame)
    frame.alert = alert?.text
    frame.minuteMs = facts.minuteMs
    // The other tabs, and what lies over a tab, show ages and what this program measures; a filter may
    // depend on the time, and so does the sentence about a connection that is not live.
    if tab != .pulse || layers.placements.contains(where: { $0 != .line })
      || facts.status.overall != .live
      || pulse.isFiltering
    {
      frame.needsSecond = true
    }
  }

  @MainActor private func header(_ facts: ViewContext) -> Header {
    Header(tab: tab, facts, layout: LayoutClass(size).width)
  }

  /// The frame of a later moment at which nothing has changed but the time: the last one with a new header.
  ///
  /// On a quiet backend most frames are of this kind.
  ///
  /// - Returns: nil where all has to be drawn.
  @MainActor package func render(_ facts: ViewContext, size: Size, tickAfter last: Frame) -> Frame?
  {
    guard !last.needsSecond, last.minuteMs == facts.minuteMs, last.canvas.size == size,
      !isTooSmall, facts.status.overall == .live, alert(facts)?.text == last.alert
    else { return nil }
    var frame = last
    frame.drawHeader { header(facts).render(into: &$0) }
    return frame
  }

  /// Draws the open tab alone.
  @MainActor func drawTab(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    pane.render(facts, in: body, into: &frame)
  }

  /// What stands above the hints: what was asked for last, else what is wrong.
  @MainActor func alert(_ facts: ViewContext) -> (text: PlainText, role: Role)? {
    if let notice = note ?? pane.notice { return (notice, .info) }
    let words = ConnectionWords(status: facts.status, monotonicNs: facts.monotonicNs)
    if let sentence = words.sentence {
      return (setupHint(facts) ?? sentence, words.role)
    }
    let bot = BotText(facts.bot, clock: facts.clock, names: facts.names)
    if bot.bot.asOfMs == nil, let sentence = bot.alert { return (sentence, bot.role) }
    let rejected = facts.connection.rejectedEvents + facts.activity.log.totals.rejected
    if rejected > 0, let reason = facts.connection.lastRejection ?? facts.activity.lastRejection {
      let count = rejected == 1 ? "1 event" : "\(rejected) events"
      return (
        PlainText("\(count) could not be read and were left out: \(reason)", limit: 300), .warning
      )
    }
    return nil
  }
}

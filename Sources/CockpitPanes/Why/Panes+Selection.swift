import CockpitAnswers
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// How each tab stands on the selected answer. What it shows of it is chosen by a pure function; the cursor goes
/// there when the tab is opened.

extension PulsePane {
  package var chosen: AnyHashable? { cursor }

  package func isIn(_ answer: SelectedAnswer) -> Bool {
    cursor.map { answer.rows.contains(SourceRow($0)?.row ?? $0) } ?? false
  }

  /// The row to show of an answer: the cursor's if it is one of it, else the outcome, else the last that is in
  /// the list. nil if the list has none of them.
  @MainActor func row(of answer: SelectedAnswer, _ facts: ViewContext) -> RowID? {
    if let own = selectedRow(facts)?.id, cursor != nil, answer.rows.contains(own) { return own }
    let exchange = answer.exchange
    let outcomes = [exchange.sent, exchange.skips, exchange.reactions].compactMap(\.last?.source)
    let candidates =
      outcomes + exchange.calls.reversed().map(\.source) + exchange.sources.reversed()
    return candidates.lazy.compactMap(\.row).first {
      facts.feed.index(of: $0, in: facts.activity.log) != nil
    }
  }

  @MainActor package mutating func stand(
    on answer: SelectedAnswer, _ facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    guard feedQuery.pipeline == nil else { return [] }
    guard let row = row(of: answer, facts) else {
      message =
        isFiltering
        ? "the filter hides the rows of this answer" : "no row of this answer is kept any more"
      return []
    }
    let id = facts.feedID(row)
    guard id != cursor else { return [] }
    isPaused = false
    pausedAtMs = nil
    holdNew(facts)
    cursor = id
    anchor = id
    focus = .feed
    if isDetailOpen { detail.show(id) }
    return []
  }

  /// The row that is being read stays in sight.
  package mutating func letGo() {}
}

extension BrainPane {
  /// The cursor's place.
  private struct Choice: Hashable {
    var cursor: CallID?
    var answer: AnswerID?
  }

  package var chosen: AnyHashable? {
    cursor == nil && answer == nil ? nil : Choice(cursor: cursor, answer: answer)
  }

  package func isIn(_ selected: SelectedAnswer) -> Bool {
    guard case .row(let row)? = cursor, answer == nil else { return false }
    return selected.rows.contains(row)
  }

  @MainActor package mutating func stand(
    on answer: SelectedAnswer, _ facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    if case .row(let row)? = cursor, answer.rows.contains(row) { return [] }
    follow()
    source = nil
    if case .detail = side { side = .prompt }
    promptCursor = TextCursor()
    factCursor = TextCursor()
    contextScroll = 0
    chainScroll = 0
    if let session = answer.exchange.sessionID, facts.voice.isLive(session) { sessionID = session }
    if let call = selectedCall(facts) {
      let page = max(1, layout(facts, in: body, of: screen).content(.calls).height)
      select(.row(call.row), in: callLines(facts), page: page)
    }
    return []
  }

  package mutating func letGo() {
    follow()
    source = nil
  }
}

extension MemoryPane {
  package var chosen: AnyHashable? { view == .facts ? cursor.id : nil }

  package func isIn(_ answer: SelectedAnswer) -> Bool { isOfAnswer }

  /// The facts of an answer that can be listed: those in front of the model, and those that it taught.
  @MainActor static func facts(of answer: SelectedAnswer, in facts: ViewContext) -> Set<Int> {
    let log = facts.activity.log
    let learned = answer.exchange.learned.compactMap { note in
      note.source.row.flatMap { log.row($0) }.map {
        Provenance.facts(of: $0, in: facts.memory.facts)
      }
    }
    return Set(answer.exchange.facts.compactMap(\.id)).union(learned.joined())
  }

  @MainActor package mutating func stand(
    on answer: SelectedAnswer, _ facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    showList()
    isOfAnswer = true
    list(of: answer, facts)
    cursor = ListCursor()
    forgetDetail()
    return []
  }

  /// Lists the facts of the answer, as far as they are known; all where none is.
  @MainActor package mutating func list(of answer: SelectedAnswer, _ facts: ViewContext) {
    guard isOfAnswer else { return }
    let ids = Self.facts(of: answer, in: facts)
    query.among = ids.isEmpty ? nil : ids
  }

  /// Lists all facts again.
  package mutating func letGo() {
    isOfAnswer = false
    query.among = nil
  }
}

extension CommandPane {
  /// The panels whose rows are about answers.
  private static let panels: Set<Panel> = [.history, .automations]

  package var chosen: AnyHashable? {
    Self.panels.contains(focus) ? cursors[focus]?.id.map { AnyHashable($0) } : nil
  }

  /// The row of an answer: its session, or its automation.
  static func item(of answer: SelectedAnswer) -> (panel: Panel, item: Item)? {
    let exchange = answer.exchange
    if let run = exchange.run, let id = Int(run.automationID), let guild = exchange.guildID {
      return (.automations, .automation(id, guild: guild))
    }
    return exchange.sessionID.map { (.history, .session($0)) }
  }

  @MainActor package mutating func stand(
    on answer: SelectedAnswer, _ facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    guard let (panel, item) = Self.item(of: answer) else { return [] }
    let layout = layout(facts, in: body, of: screen)
    let rows = content(panel, facts, layout).rows
    guard let line = rows.firstIndex(where: { $0.item == item }) else { return [] }
    cursors[panel, default: ListCursor()].select(
      line: line, in: rows.list(height: layout.content(panel).height))
    focus = panel
    return []
  }

  package mutating func letGo() {}
}

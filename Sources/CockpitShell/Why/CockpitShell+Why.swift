import CockpitAnswers
import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore

/// A question that waits until the rows of voice sessions are read. A key reads none: frames do, a few rows each.
enum WaitingWhy: Hashable, Sendable {
  case selection
  case text(String)
}

/// The answer to "why" about what is selected.
extension CockpitShell {
  /// Answers for the selection, at once if the rows that it needs are read.
  @MainActor mutating func why(_ facts: ViewContext) -> [Effect] {
    let (body, screen) = place()
    // A whole session is answered turn by turn.
    if tab == .cmd, let id = command.selectedSession(facts, body: body, screen: screen) {
      return followed([.showSession(id: id, asReport: true)], facts)
    }
    guard !mustWait(for: tab, facts) else { return wait(.selection, facts) }
    let rows = facts.exchanges
    let key: Exchange.Key? =
      if pane.chosen == nil, let answer = selectedAnswer {
        answer.key
      } else if tab == .pulse, pane.chosen == nil, !pulse.isFiltering {
        // Nothing was chosen: the newest row often belongs to nothing that anybody would ask about. A filter
        // chooses.
        rows.newestAnswer()?.key
      } else {
        pane.exchange(facts, in: rows, body: body, screen: screen)
      }
    guard let exchange = key.flatMap(rows.exchange) else {
      note(
        pane.noExchange(facts, body: body, screen: screen)
          ?? "nothing on record of why: this belongs to no answer or silence")
      return []
    }
    layers.push(WhyCard(Why(exchange)))
    return []
  }

  /// Answers a line after `:`. What is not among the rows here is looked for on the backend.
  @MainActor mutating func why(about text: String, _ facts: ViewContext) -> [Effect] {
    guard facts.voice.unreadRows(in: facts.activity.log) == 0 else {
      return wait(.text(text), facts)
    }
    guard let exchange = facts.exchanges.find(WhySubject(text), facts.clock) else {
      layers.push(VerbOutput(["why", text], nowNs: facts.monotonicNs))
      return [.verb(["why", text])]
    }
    layers.push(WhyCard(Why(exchange)))
    return []
  }

  /// Answers the question that waited, once the rows are read; before every frame.
  @MainActor mutating func answerWhatWaits(_ facts: ViewContext) -> [Effect] {
    guard let waiting = waitingWhy else { return [] }
    guard facts.voice.unreadRows(in: facts.activity.log) == 0 else { return wait(waiting, facts) }
    waitingWhy = nil
    note(nil)
    switch waiting {
    case .selection: return why(facts)
    case .text(let text): return why(about: text, facts)
    }
  }

  @MainActor private mutating func wait(_ what: WaitingWhy, _ facts: ViewContext) -> [Effect] {
    waitingWhy = what
    let rows = facts.voice.unreadRows(in: facts.activity.log)
    note("reading the rows of voice sessions, " + Figures.count(rows) + " to go")
    return []
  }

  /// Whether the selection of a tab may belong to a voice session some rows of which were not read yet.
  @MainActor func mustWait(for tab: Tab, _ facts: ViewContext) -> Bool {
    guard tab != .cmd, facts.voice.unreadRows(in: facts.activity.log) > 0 else { return false }
    guard tab == .pulse, pulse.chosen != nil, let row = pulse.selectedRow(facts) else {
      return true
    }
    return VoiceStore.mayRead(row.kind)
  }
}

import CockpitStores
import TerminalCore
import CockpitPanes
import CockpitAnswers
import CockpitText

/// The answer to "why" about what is selected.
extension CockpitShell {
  @MainActor mutating func why(_ facts: ViewContext) {
    // Other tabs read voice rows a few per frame; this answer needs all of them.
    facts.voice.follow(facts.activity.log)
    let rows = facts.exchanges
    let (body, screen) = place(facts)
    let key: Exchange.Key? =
      if pane.chosen == nil, let answer = selectedAnswer {
        answer.key
      } else if tab == .pulse, pane.chosen == nil {
        // Nothing was chosen: the newest row often belongs to nothing that anybody would ask about.
        rows.newestAnswer()?.key
      } else {
        pane.exchange(facts, in: rows, body: body, screen: screen)
      }
    guard let exchange = key.flatMap(rows.exchange) else {
      note("nothing on record of why: this belongs to no answer or silence")
      return
    }
    layers.push(WhyCard(Why(exchange)))
  }

  /// The answer to a line after `:`; false where the rows that are here do not have it.
  @MainActor mutating func why(about text: String, _ facts: ViewContext) -> Bool {
    facts.voice.follow(facts.activity.log)
    guard let exchange = facts.exchanges.find(WhySubject(text), facts.clock) else { return false }
    layers.push(WhyCard(Why(exchange)))
    return true
  }
}

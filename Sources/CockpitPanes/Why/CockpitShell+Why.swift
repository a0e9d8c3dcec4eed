import ClankyWire
import CockpitAnswers
import CockpitStores
import CockpitText
import TerminalCore

extension Facts {
  /// The rows that answers are made of.
  var exchanges: ExchangeRows {
    ExchangeRows(
      activity.log, voice: voice, names: names.directory,
      facts: memory.facts.entries.values.map(\.fact), coverage: activity.coverage, nowMs: nowMs)
  }
}

/// The answer to "why" about what is selected.
extension CockpitShell {
  @MainActor mutating func why(_ facts: Facts) {
    // Tabs without voice read its rows a few with each frame; this answer needs them all.
    facts.voice.follow(facts.activity.log)
    let rows = facts.exchanges
    guard let key = exchangeKey(facts, rows), let exchange = rows.exchange(key) else {
      note("nothing on record of why: this belongs to no answer or silence")
      return
    }
    layers.push(WhyCard(Why(exchange)))
  }

  /// The answer to a line after `:`; false where the rows that are here do not have it.
  @MainActor mutating func why(about text: String, _ facts: Facts) -> Bool {
    facts.voice.follow(facts.activity.log)
    guard let exchange = facts.exchanges.find(WhySubject(text), facts.clock) else { return false }
    layers.push(WhyCard(Why(exchange)))
    return true
  }

  /// The exchange of what the cursor of the open tab stands on.
  @MainActor private func exchangeKey(_ facts: Facts, _ rows: ExchangeRows) -> Exchange.Key? {
    let (body, screen) = place(facts)
    switch tab {
    case .pulse: return pulse.selectedRow(facts).flatMap { rows.key(of: $0.id) }
    case .voice:
      guard let scene = voice.scene(facts), let record = scene.record,
        let turn = voice.shownTurn(scene)
      else { return nil }
      return .turn(session: record.sessionID, turn: turn.id)
    case .brain:
      if case .turn(let session, let turn) = brain.answer {
        return .turn(session: session, turn: turn)
      }
      return brain.selectedRow(facts).flatMap { rows.key(of: $0.id) }
    case .memory: return memory.current(facts).flatMap { key(ofFact: $0.fact, facts, rows) }
    case .cmd:
      let layout = command.layout(in: body, of: screen)
      guard case .session(let id) = command.current(facts, layout)?.item,
        let record = facts.voice.record(id), let turn = record.turns.last
      else { return nil }
      return .turn(session: record.sessionID, turn: turn.id)
    }
  }

  /// The exchange that taught a fact: by the row that wrote it, else by the message that it rests on.
  @MainActor private func key(
    ofFact fact: Fact, _ facts: Facts, _ rows: ExchangeRows
  ) -> Exchange.Key? {
    let origin = Provenance(of: fact, in: facts.activity.log)
    if let row = origin.writes.last?.row, let key = rows.key(of: row) { return key }
    return fact.sourceMessageID.flatMap(rows.key(ofMessage:))
  }
}

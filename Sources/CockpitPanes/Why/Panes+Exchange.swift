import ClankyWire
import CockpitAnswers
import CockpitStores
import CockpitText
import TerminalCore

extension ViewContext {
  /// The rows that answers are made of.
  package var exchanges: ExchangeRows {
    ExchangeRows(
      activity.log, voice: voice, names: names.directory,
      facts: memory.facts.entries.values.map(\.fact), coverage: activity.coverage, nowMs: nowMs)
  }
}

extension PulsePane {
  @MainActor package func exchange(
    _ facts: ViewContext, in rows: ExchangeRows, body: Rect, screen: Size
  ) -> Exchange.Key? {
    selectedRow(facts).flatMap { rows.key(of: $0.id) }
  }
}

extension VoicePane {
  @MainActor package func exchange(
    _ facts: ViewContext, in rows: ExchangeRows, body: Rect, screen: Size
  ) -> Exchange.Key? {
    guard let scene = scene(facts), let record = scene.record, let turn = shownTurn(scene) else {
      return nil
    }
    return .turn(session: record.sessionID, turn: turn.id)
  }
}

extension BrainPane {
  @MainActor package func exchange(
    _ facts: ViewContext, in rows: ExchangeRows, body: Rect, screen: Size
  ) -> Exchange.Key? {
    if case .turn(let session, let turn) = answer { return .turn(session: session, turn: turn) }
    return selectedRow(facts).flatMap { rows.key(of: $0.id) }
  }
}

extension MemoryPane {
  /// The exchange that taught a fact: by the row that wrote it, else by the message that it rests on.
  @MainActor package func exchange(
    _ facts: ViewContext, in rows: ExchangeRows, body: Rect, screen: Size
  ) -> Exchange.Key? {
    guard let fact = current(facts)?.fact else { return nil }
    let origin = Provenance(of: fact, in: facts.activity.log)
    if let row = origin.writes.last?.row, let key = rows.key(of: row) { return key }
    return fact.sourceMessageID.flatMap(rows.key(ofMessage:))
  }
}

extension CommandPane {
  /// The last turn of a selected session, or the last run of an automation.
  @MainActor package func exchange(
    _ facts: ViewContext, in rows: ExchangeRows, body: Rect, screen: Size
  ) -> Exchange.Key? {
    let layout = layout(facts, in: body, of: screen)
    switch current(facts, layout)?.item {
    case .session(let id):
      guard let record = facts.voice.record(id), let turn = record.turns.last else { return nil }
      return .turn(session: record.sessionID, turn: turn.id)
    case .automation(let id, _): return rows.lastRun(ofAutomation: id)
    default: return nil
    }
  }
}

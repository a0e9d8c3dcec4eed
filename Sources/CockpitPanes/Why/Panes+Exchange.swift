import ClankyWire
import CockpitAnswers
import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore

extension ViewContext {
  /// The rows that answers are made of.
  package var exchanges: ExchangeRows {
    var rows = ExchangeRows(
      activity.log, voice: voice, names: names.directory,
      facts: memory.facts.entries.values.map(\.fact), coverage: activity.coverage,
      isLost: dataEndMs(.activity) != nil, nowMs: dataEndMs(.activity) ?? nowMs)
    rows.scope = scope
    return rows
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
  /// The newest run of a selected automation, or the selected run.
  @MainActor package func exchange(
    _ facts: ViewContext, in rows: ExchangeRows, body: Rect, screen: Size
  ) -> Exchange.Key? {
    switch current(facts, layout(facts, in: body, of: screen))?.item {
    case .automation(let id, _): return rows.key(ofAutomation: id)
    case .run(let run, let id):
      let ran = facts.command.runs[id]?.value?.rows.first { $0.id == run }
      guard let ms = (ran?.finishedAt ?? ran?.createdAt ?? ran?.startedAt)?.milliseconds else {
        return nil
      }
      return rows.key(ofAutomation: id, nearMs: ms)
    default: return nil
    }
  }

  @MainActor package func noExchange(
    _ facts: ViewContext, body: Rect, screen: Size
  ) -> PlainText? {
    let oldest =
      facts.activity.log.isEmpty
      ? nil : facts.activity.log.row(at: facts.activity.log.count - 1).timeMs
    let since = oldest.map { ", which begin at " + facts.clock.time(ms: $0) } ?? ""
    switch current(facts, layout(facts, in: body, of: screen))?.item {
    case .automation(let id, _):
      let runs = facts.keys.text(.open)
      return PlainText("no run of automation #\(id) is among the rows here") + since + "; "
        + runs + " lists its runs"
    case .run: return "this run has no row among those here" + since
    default: return nil
    }
  }

  /// The selected voice session; nil if none is selected.
  @MainActor package func selectedSession(
    _ facts: ViewContext, body: Rect, screen: Size
  ) -> String? {
    guard case .session(let id)? = current(facts, layout(facts, in: body, of: screen))?.item else {
      return nil
    }
    return id
  }
}

/// For the hints.
extension PulsePane {
  @MainActor package func mayHaveExchange(_ facts: ViewContext) -> Bool {
    selectedRow(facts).map { !$0.isGap && !$0.kind.hasPrefix("bot_") } ?? false
  }
}

extension BrainPane {
  @MainActor package func mayHaveExchange(_ facts: ViewContext) -> Bool {
    if case .turn = answer { return true }
    return selectedRow(facts) != nil
  }
}

internal import ClankyWire
internal import CockpitStores
internal import LenientJSON

/// Reads the ledger of changes out of rows.
@MainActor
package enum ChangeLedger {
  /// Everything that changed, oldest first. Rows say so themselves, or a value that was the same in several rows
  /// before is another one in all that follow.
  package static func changes(in rows: ExchangeRows) -> [LedgerChange] {
    var reading = LedgerReading()
    for place in (0..<rows.log.count).reversed() {
      let view = rows.log.row(at: place)
      guard !view.isGap, !view.isOfFormerLog, isWanted(view), let row = rows.row(view.id),
        rows.scope.holds(row.guildID) || row.guildID == nil
      else { continue }
      reading.take(row)
    }
    return reading.changes.sorted { ($0.timeMs, $0.kind.rawValue) < ($1.timeMs, $1.kind.rawValue) }
  }

  private static func isWanted(_ view: ActionRowView) -> Bool {
    switch view.kind {
    case "llm_call", "bot_lifecycle", "memory_fact": true
    case "text_runtime", "voice_runtime": view.label.event.map(events.contains) ?? false
    default: false
    }
  }

  private static let events: Set<String> = [
    "reply_tool_availability", "reply_admission_decision", "voice_session_settings_reconciled",
  ]
}

/// What the rows so far have shown. A value: the same rows give the same changes.
struct LedgerReading {
  private var told: [LedgerChange] = []
  private var models: [String: SettledValue<String>] = [:]
  private var offers: [String: SettledValue<[String]>] = [:]
  private var deployments: [String: SettledValue<String>] = [:]
  private var prompts: [String: PromptSeries] = [:]
  private var dialects = SettledValue<BackendDialect>()

  /// `memory_fact.reason` of a fact that took another's place.
  private static let replacing: Set<String> = ["updated_existing", "merged_superseded"]
  /// Characters of a fact that are kept.
  private static let shownFact = 120

  mutating func take(_ row: ExchangeRow) {
    if let deployment = row.string("deployment") {
      deployments["", default: .init()].take(deployment, at: mark(row))
    }
    switch row.kind {
    case "bot_lifecycle":
      guard row.content == "bot_logged_in" else { return }
      told.append(change(.login, row))
    case "llm_call": call(row)
    case "memory_fact": fact(row)
    default: event(row)
    }
  }

  private func mark(_ row: ExchangeRow) -> Answer.Evidence {
    Answer.Evidence(
      rowID: row.row, actionID: row.actionID, timeMs: row.timeMs, kind: row.kind,
      claim: "the first row that shows it")
  }

  private func change(_ kind: LedgerChange.Kind, _ row: ExchangeRow) -> LedgerChange {
    LedgerChange(
      kind: kind, timeMs: row.timeMs, role: "", from: "", to: "", evidence: mark(row))
  }

  private mutating func call(_ row: ExchangeRow) {
    let role = row.string("source") ?? "calls"
    if let model = row.string("model") {
      models[role, default: .init()].take(model, at: mark(row))
    }
    let system =
      row.metadata["systemPrompt"]?.string ?? row.metadata["replyPrompts"]?["systemPrompt"]?.string
    if let system, !system.isEmpty {
      prompts[role, default: .init()].take(
        PromptSeries.sentences(system), person: row.userID, at: mark(row))
    }
  }

  private mutating func fact(_ row: ExchangeRow) {
    // Only the newer code writes the scope (contract 4.3).
    dialects.take(row.metadata["memoryScope"] == nil ? .march : .may, at: mark(row))
    guard let reason = row.string("reason"), Self.replacing.contains(reason) else { return }
    var replaced = change(.memory, row)
    let former =
      row.string("supersededFact") ?? row.metadata["supersededFact"]?["fact"]?.string ?? ""
    replaced.from = String(former.prefix(Self.shownFact))
    replaced.to = String((row.string("fact") ?? row.content ?? "").prefix(Self.shownFact))
    told.append(replaced)
  }

  private mutating func event(_ row: ExchangeRow) {
    if row.event == "voice_session_settings_reconciled" {
      told.append(change(.settings, row))
    } else if row.event == "reply_tool_availability" {
      let names = (row.metadata["includedTools"]?.array ?? []).prefix(200).compactMap(\.string)
      guard !names.isEmpty else { return }
      let role = row.kind == "voice_runtime" ? "voice" : "text"
      offers[role, default: .init()].take(names.sorted(), at: mark(row))
    }
  }

  private static func shown(_ sentences: [String]) -> [String] {
    sentences.prefix(20).map { String($0.prefix(200)) }
  }

  private static func name(_ dialect: BackendDialect) -> String {
    switch dialect {
    case .march: "March"
    case .may: "May"
    }
  }

  var changes: [LedgerChange] {
    func list<Value>(
      _ series: [String: SettledValue<Value>], _ kind: LedgerChange.Kind,
      _ words: (Value, Value) -> (from: String, to: String)
    ) -> [LedgerChange] {
      series.flatMap { role, values in
        values.changes.map { step in
          let (from, to) = words(step.from, step.to)
          return LedgerChange(
            kind: kind, timeMs: step.mark.timeMs ?? 0, role: role, from: from, to: to,
            evidence: step.mark)
        }
      }
    }
    let offered = list(offers, .tools) { before, now in
      let (added, removed) = (Set(now).subtracting(before), Set(before).subtracting(now))
      let parts = added.sorted().map { "+" + $0 } + removed.sorted().map { "-" + $0 }
      return ("\(before.count)", parts.prefix(8).joined(separator: " "))
    }
    let prompted = prompts.flatMap { role, series in
      series.changes.map { step in
        LedgerChange(
          kind: .prompt, timeMs: step.mark.timeMs ?? 0, role: role, from: "", to: step.words,
          added: Self.shown(step.added), removed: Self.shown(step.removed), evidence: step.mark)
      }
    }
    let spoken = list(["": dialects], .dialect) { before, now in
      (Self.name(before), Self.name(now))
    }
    return told + spoken + list(models, .model) { ($0, $1) }
      + list(deployments, .deployment) { ($0, $1) } + offered + prompted
  }
}

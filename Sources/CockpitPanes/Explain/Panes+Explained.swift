import ClankyWire
import CockpitAnswers
import CockpitStores
import CockpitText
import LenientJSON
import TerminalCore
import TerminalUI

extension PulsePane {
  @MainActor package func explained(
    _ facts: ViewContext, body: Rect, screen: Size
  ) -> [ExplainedName] {
    if isDetailOpen, focus == .detail {
      let names = detail.explained
      if !ExplainedName.texts(of: names).isEmpty { return names }
    }
    return selectedRow(facts).map(ExplainedName.all(of:)) ?? []
  }
}

extension VoicePane {
  @MainActor package func explained(
    _ facts: ViewContext, body: Rect, screen: Size
  ) -> [ExplainedName] {
    let layout = layout(facts, in: body, of: screen)
    let panel = focused(layout)
    if panel == .lanes { return [ExplainedName(lanes.lane.rawValue, [.stage])] }
    let line = line(panel, facts, layout)
    var names = line?.item.map { self.names(of: $0, facts) } ?? []
    if let line {
      let text = line.spans.map(\.text.description)
      names += ExplainedName.all(label: text.first, line: text.joined(separator: " "))
    }
    guard ExplainedName.texts(of: names).isEmpty, let scene = scene(facts) else { return names }
    return shownTurn(scene).map { Self.names(of: $0) } ?? []
  }

  @MainActor private func names(of item: VoiceItem, _ facts: ViewContext) -> [ExplainedName] {
    guard let scene = scene(facts) else {
      guard case .past(let id) = item else { return [] }
      return Self.names(past: facts.pastSessions.first { $0.sessionID == id })
    }
    switch item {
    case .turn(let id): return scene.turn(id).map { Self.names(of: $0) } ?? []
    case .step(let index):
      guard let turn = shownTurn(scene),
        let verdict = scene.record?.verdict(turn.id, nowMs: scene.nowMs),
        verdict.items.indices.contains(index)
      else { return [] }
      let step = verdict.items[index]
      var names = [ExplainedName(step.step.rawValue, [.stage])]
      if step.step == verdict.stop { names += Self.names(of: turn) }
      if let event = step.event.flatMap({ scene.record?.event($0) }) {
        names.append(ExplainedName(event.name, [.event, .kind]))
      }
      return names
    case .tool(let id):
      guard let tool = scene.tools.first(where: { $0.id == id }) else { return [] }
      return [ExplainedName("tools", [.stage])]
        + (tool.error == nil ? [] : [ExplainedName("toolFailed", [.state])])
    case .past(let id):
      return Self.names(past: facts.pastSessions.first { $0.sessionID == id })
    case .event(let id):
      guard let event = scene.record?.event(id) else { return [] }
      return [ExplainedName(event.name, [.event, .kind]), ExplainedName(event.kind, [.kind])]
    case .anomaly(let id, _): return scene.turn(id).map { Self.names(of: $0) } ?? []
    case .spoken, .figure: return []
    }
  }

  private static func names(past session: HistorySession?) -> [ExplainedName] {
    [ExplainedName(value: session?.endReason), ExplainedName(value: session?.mode?.rawValue)]
      .compactMap { $0 } + [ExplainedName("voice_session_end", [.kind])]
  }

  /// Why a turn ended as it did.
  private static func names(of turn: VoiceTurnRecord) -> [ExplainedName] {
    [turn.skippedReason, turn.decision?.reason].compactMap { ExplainedName(value: $0) }
      + [ExplainedName(turn.outcome.rawValue, [.state])]
  }
}

extension BrainPane {
  @MainActor package func explained(
    _ facts: ViewContext, body: Rect, screen: Size
  ) -> [ExplainedName] {
    switch focus {
    case .calls, .chain: return selectedRow(facts).map(ExplainedName.all(of:)) ?? []
    case .prompt:
      if side == .detail {
        let names = detail.explained
        if !ExplainedName.texts(of: names).isEmpty { return names }
        return selectedRow(facts).map(ExplainedName.all(of:)) ?? []
      }
      if case .live(let kind) = shownSource(facts) {
        return [ExplainedName(kind.rawValue, [.field, .stage]), ExplainedName("promptTiers")]
      }
      return [ExplainedName("replyPrompts"), ExplainedName("systemPrompt")]
    case .facts:
      let used = usedFacts(facts).facts
      return used.indices.contains(factCursor.line)
        ? ExplainedName.all(of: used[factCursor.line].fact) : []
    case .budget: return ["GEN", "TRACKED", "DECIDER"].map { ExplainedName($0, [.word]) }
    case .context:
      return contextLines(facts, width: 100).flatMap { line -> [ExplainedName] in
        let text = line.spans.map(\.text.description)
        return ExplainedName.all(label: text.first, line: "")
      }
    }
  }
}

extension ExplainedName {
  /// The names in a fact: its type, scope and subject.
  static func all(of fact: Fact) -> [ExplainedName] {
    [fact.factType?.rawValue, fact.scope?.rawValue].compactMap { $0 }
      .map { ExplainedName($0, [.state]) }
      + [fact.subject].compactMap { $0 }.filter { FactSubject(special: $0) != nil }
      .map { ExplainedName($0, [.state]) } + [ExplainedName("confidence", [.field])]
  }
}

extension MemoryPane {
  @MainActor package func explained(
    _ facts: ViewContext, body: Rect, screen: Size
  ) -> [ExplainedName] {
    let panel: Panel = view == .facts ? focus : .document
    var names: [ExplainedName] = []
    if panel != .facts, panel != .subjects {
      let lines = lines(panel, facts, layout(facts, in: body, of: screen))
      let line = scrollPositions[panel]?.line ?? 0
      if lines.indices.contains(line) {
        let text = lines[line].spans.map(\.text.description)
        names = ExplainedName.all(label: text.first, line: text.joined(separator: " "))
      }
    }
    if panel == .subjects, let subject = query.subject {
      names = [ExplainedName(value: subject), ExplainedName("subject", [.field])].compactMap { $0 }
    }
    guard view == .facts, ExplainedName.texts(of: names).isEmpty, let row = current(facts),
      !isMasked(row.fact)
    else { return names }
    return ExplainedName.all(of: row.fact)
  }
}

extension CommandPane {
  @MainActor package func explained(
    _ facts: ViewContext, body: Rect, screen: Size
  ) -> [ExplainedName] {
    guard let row = current(facts, layout(facts, in: body, of: screen)) else { return [] }
    var names: [ExplainedName] = []
    switch row.item {
    case .session(let id):
      let past = facts.pastSessions.first { $0.sessionID == id }
      names =
        [ExplainedName(value: past?.endReason)].compactMap { $0 }
        + [ExplainedName("voice_session_end", [.kind])]
    case .automation: names = [ExplainedName("schedule", [.field])]
    case .browser: names = [ExplainedName("browser_browse_call", [.kind])]
    default: break
    }
    let text = row.line.spans.map(\.text.description)
    return names + ExplainedName.all(label: text.first, line: text.joined(separator: " "))
  }
}

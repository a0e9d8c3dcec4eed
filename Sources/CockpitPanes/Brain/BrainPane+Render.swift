import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitAnswers
import CockpitStores
import TerminalCore

extension BrainPane {
  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let facts = facts.atDataEnd(of: .voice)
    let layout = layout(facts, in: body, of: frame.layoutSize)
    defer { if facts.dataEndMs(.voice) != nil { frame.canvas.fade(body) } }
    ContextStrip(pane: self).render(facts, in: layout.strip, into: &frame)
    for divider in layout.dividers {
      frame.canvas.inside(divider) { $0.verticalRule(x: 0) }
    }
    callsPanel(facts, layout).render(facts, layout, into: &frame)
    switch side {
    case .prompt: PromptPanel(pane: self).render(facts, layout, into: &frame)
    case .detail, .raw:
      if !layout.prompt.isEmpty { sidePanel(facts, layout).render(layout, into: &frame) }
    }
    if !layout.chain.isEmpty {
      ChainPanel(
        shown: chain(facts), hasCall: selectedCall(facts) != nil,
        answer: subject(facts)?.name(facts), scroll: chainScroll, hasFocus: focus == .chain
      ).render(facts, layout, into: &frame)
    }
    if !layout.budget.isEmpty {
      BudgetPanel(
        session: session(facts), answer: subject(facts), isOfSession: isOfSession(facts),
        hasFocus: focus == .budget
      ).render(facts, layout, into: &frame)
    }
    if !layout.facts.isEmpty {
      let (used, isOfGeneration) = usedFacts(facts)
      let subject = subject(facts)
      let none: PlainText =
        isOfSession(facts)
        ? session(facts) == nil ? facts.noSession : "none was given"
        : subject.map(Self.noFacts) ?? Self.nothingOnRecord
      let title = FactsPanel.title(used, isOfGeneration: isOfGeneration, facts)
      FactsPanel(
        used: used, isOfGeneration: isOfGeneration, none: none,
        trailing: trailing(
          facts, title: title, used.isEmpty ? "" : facts.keys.text(.open) + " -> MEMORY",
          width: layout.facts.width),
        scroll: factCursor.scroll, line: factCursor.line, hasFocus: focus == .facts,
        behind: behindFacts(facts)
      ).render(facts, layout, into: &frame)
    }
    if !layout.context.isEmpty {
      let age =
        generation(facts)?.capturedAt.map {
          Figures.age(ms: facts.nowMs - $0.milliseconds) + " old"
        } ?? ""
      GenerationPanel(
        trailing: trailing(
          facts, title: GenerationPanel.title, age, width: layout.context.width),
        lines: contextLines(facts, width: layout.content(.context).width), scroll: contextScroll,
        hasFocus: focus == .context
      ).render(facts, layout, into: &frame)
    }
  }

  @MainActor private func callsPanel(_ facts: ViewContext, _ layout: Layout) -> CallsPanel {
    let lines = callLines(facts)
    let shown = shownCursor(facts, in: lines)
    return CallsPanel(
      lines: lines, order: order, isGrouped: isGrouped, closedModels: closedModels,
      selected: shown == nil && facts.selected != nil ? nil : index(of: shown, in: lines),
      top: callTop(lines, height: layout.content(.calls).height), hasFocus: focus == .calls)
  }
}

/// The first line: the last generation in short, and a pill for each session when there are
/// several.
struct ContextStrip {
  let pane: BrainPane

  @MainActor func render(_ facts: ViewContext, in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    var x = area.x + 1
    let sessions = facts.liveSessions
    let shown = pane.session(facts)
    if sessions.count > 1 {
      for (index, session) in sessions.prefix(9).enumerated() {
        let isShown = session.sessionID == shown?.sessionID
        let name = session.voiceChannelID.map { "#" + facts.names.channel($0) } ?? "session"
        let text = PlainText(" \(index + 1) ") + PlainText(name, limit: 16) + " "
        guard x + text.columns < area.maxX - 20 else { break }
        frame.canvas.write(
          text, x: x, y: area.y, role: isShown ? .chipActive : .chip,
          attributes: isShown ? .bold : [])
        frame.mark(
          Rect(x: x, y: area.y, width: text.columns, height: 1),
          .brain(.session(session.sessionID)))
        x += text.columns + 1
      }
    }
    guard pane.isOfSession(facts) else {
      let asOf = facts.asOf(.voice).map { $0 + "  " } ?? ""
      let ended = pane.ended(facts, isWide: area.width >= 120).map { $0 + "  " } ?? ""
      let text =
        asOf + ended
        + (pane.subject(facts).map { recorded($0, facts) } ?? BrainPane.nothingOnRecord)
      frame.canvas.write(text.cut(to: area.maxX - x - 1), x: x, y: area.y)
      let rows = pane.subject(facts)?.exchange.sources.map(\.row) ?? []
      // Beside the sessions, which a click chooses.
      let place = Rect(x: x, y: area.y, width: max(0, area.maxX - x), height: 1)
      if !rows.isEmpty { frame.mark(place, .figure(RowsBehind(rows, "steps"))) }
      return
    }
    guard let session = shown else {
      frame.canvas.write(
        (facts.isUnheard
          ? facts.noSession
          : facts.asOf(.voice).map { $0 + ": no live voice session" }
            ?? (pane.ended(facts, isWide: true) ?? facts.noSession)
              + ": prompts and budget come with a live one")
          .cut(
            to: area.maxX - x - 1), x: x,
        y: area.y, role: .muted)
      return
    }
    for (label, value, role) in words(session, facts) {
      var text = PlainText(value, limit: 400)
      // The quote comes last and gets the remaining width; keep its end visible.
      if value.first == "\"" {
        let room = area.maxX - x - 1
        guard room >= 12 else { break }
        if text.columns > room { text = text.cut(to: room - 1) + "\"" }
      } else {
        text = text.cut(to: 40)
      }
      let columns = label.columns + (label.isEmpty ? 0 : 1) + text.columns
      guard x + columns < area.maxX else { continue }
      if !label.isEmpty { x = frame.canvas.write(label, x: x, y: area.y, role: .muted) + 1 }
      x = frame.canvas.write(text, x: x, y: area.y, role: role) + 2
    }
  }

  /// An answer that is not the last generation of the live session, in short.
  @MainActor private func recorded(_ answer: SelectedAnswer, _ facts: ViewContext) -> PlainText {
    let exchange = answer.exchange
    var words = [answer.name(facts), PlainText(exchange.medium.rawValue)]
    if let ms = exchange.totalMs { words.append(Figures.duration(ms: Double(ms))) }
    words.append(exchange.costUSD.map(WhyText.money) ?? "no cost on record")
    if let step = exchange.slowest {
      words.append(
        "slowest " + step.name + " " + Figures.duration(ms: Double(step.ms)))
    }
    if let said = exchange.words { words.append("\"" + PlainText(said, limit: 300) + "\"") }
    return words.joined(separator: "  ")
  }

  @MainActor private func words(
    _ session: VoiceSession, _ facts: ViewContext
  ) -> [(PlainText, String, Role)] {
    var words: [(PlainText, String, Role)] = []
    if let asOf = facts.asOf(.voice) { words.append(("", asOf.description, .heading)) }
    guard let context = session.lastGenerationContext else {
      return words + [("", "no generation yet", .muted)]
    }
    let age = context.capturedAt.map { Figures.age(ms: facts.nowMs - $0.milliseconds).description }
    words.append(("ctx", age.map { $0 + " ago" } ?? "-", .text))
    if let source = context.source { words.append(("", source, .text)) }
    words.append(("speaker", context.speakerName ?? "-", .voice))
    switch context.directAddressed {
    case true?: words.append(("", "addressed", .positive))
    case false?: words.append(("", "not addressed", .muted))
    case nil: break
    }
    if context.isEagerTurn == true { words.append(("", "unasked", .info)) }
    if let config = context.llmConfig {
      let name = [config.provider, config.model].compactMap { $0 }.joined(separator: "/")
      words.append(("", name.isEmpty ? "-" : name, .llm))
      if let temperature = config.temperature {
        words.append(("t", Figures.fixed(temperature, 1), .number))
      }
      if let limit = config.maxOutputTokens { words.append(("max", "\(limit)", .number)) }
    }
    if let mode = context.mode { words.append(("", mode.rawValue, .text)) }
    if let attention = context.conversationContext?.attentionMode {
      words.append(("", attention.rawValue, .info))
    }
    if let said = context.incomingTranscript, !said.isEmpty {
      words.append(("", "\"\(said)\"", .text))
    }
    return words
  }
}

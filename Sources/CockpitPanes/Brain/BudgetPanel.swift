import LenientJSON
import TerminalUI
import CockpitAnswers
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// How full the model's context is: turns sent of the maximum, characters, and the trend of both.
/// Values that the backend omits are called unknown, not drawn as empty.
struct BudgetPanel {
  let session: VoiceSession?
  /// The answer that is shown; nil if none is.
  let answer: SelectedAnswer?
  /// Whether it is the last generation of the session.
  let isOfSession: Bool
  let hasFocus: Bool

  @MainActor func render(_ facts: ViewContext, _ layout: BrainLayout, into frame: inout Frame) {
    guard !layout.budget.isEmpty else { return }
    guard isOfSession else {
      renderRecorded(facts, layout, into: &frame)
      return
    }
    let captures = session.map { facts.voice.brain.budgets(of: $0.sessionID) } ?? []
    let count: PlainText =
      captures.isEmpty
      ? "" : captures.count == 1 ? "1 generation" : "\(captures.count) generations"
    let name = answer?.name(facts) ?? ""
    let area = layout.draw(
      .budget, "context budget",
      trailing: Self.trailing([name, count], width: layout.budget.width), hasFocus: hasFocus,
      behind: (.voiceState, captures.isEmpty ? nil : .voiceState), into: &frame)
    guard !area.isEmpty else { return }
    guard let session else {
      frame.canvas.inside(area) { $0.write(facts.noSession, role: .muted) }
      return
    }
    let content = facts.voice.brain.prompts.versions(of: session.sessionID, .generation).last?
      .content
    frame.canvas.inside(area) { canvas in
      draw(
        session.conversation.modelContext, captures, content,
        facts.voice.brain.prompts.firstLength(of: session.sessionID, .generation), into: &canvas)
    }
  }

  /// Those of the words that fit beside the title.
  private static func trailing(_ words: [PlainText], width: Int) -> PlainText {
    let words = words.filter { !$0.isEmpty }
    let whole = words.joined(separator: "  ")
    let room = max(0, width - 22)
    return whole.columns <= room ? whole : (words.first ?? "").cut(to: room)
  }

  /// The budget is the session's; of other answers the tokens of the calls are known.
  @MainActor private func renderRecorded(
    _ facts: ViewContext, _ layout: BrainLayout, into frame: inout Frame
  ) {
    let name = answer?.name(facts) ?? ""
    let area = layout.draw(
      .budget, "context budget", trailing: Self.trailing([name], width: layout.budget.width),
      hasFocus: hasFocus, into: &frame)
    guard !area.isEmpty else { return }
    let calls = answer?.exchange.calls ?? []
    frame.canvas.inside(area) { canvas in
      guard !calls.isEmpty else {
        canvas.write(BrainPane.nothingOnRecord, role: .muted)
        return
      }
      for (y, call) in calls.prefix(area.height).enumerated() {
        let spans = [
          StyledText("CALL \(y + 1)", .muted),
          StyledText(Figures.short(call.inputTokens.map(Double.init)) + " in", .number),
          StyledText(Figures.short(call.outputTokens.map(Double.init)) + " out", .number),
          StyledText(PlainText((call.model ?? "-").without(prefix: "claude-"), limit: 40), .llm),
        ]
        canvas.write(PromptDocument.spaced(spans), x: 0, y: y)
      }
    }
    for (y, call) in calls.prefix(area.height).enumerated() {
      frame.mark(
        Rect(x: area.x, y: area.y + y, width: area.width, height: 1),
        .figure(RowsBehind([call.source.row], "calls")))
    }
  }

  private func draw(
    _ context: ModelContext, _ captures: [BudgetCapture], _ prompt: PromptContent?,
    _ firstLength: Int?, into canvas: inout Canvas
  ) {
    let height = canvas.bounds.height
    let isWide = canvas.bounds.width >= 76 && height <= 3
    var y = 0
    generation(context.generation, y: y, half: isWide, into: &canvas)
    if isWide {
      canvas.inside(
        Rect(x: canvas.bounds.width / 2 + 1, y: 0, width: canvas.bounds.width / 2 - 1, height: 1)
      ) { tracked(context, y: 0, into: &$0) }
    }
    y += 1
    if !isWide, y < height {
      tracked(context, y: y, into: &canvas)
      y += 1
    }
    if y < height {
      promptLine(prompt, firstLength, y: y, into: &canvas)
      y += 1
    }
    if y < height, !isWide {
      // Nothing upstream fills it (contract 5.2.6): a bar would be an invention.
      let text: PlainText =
        context.decider.map { $0.isNull } ?? true
        ? "DECIDER not filled by the backend" : "DECIDER filled, in a form not known here"
      canvas.write(text, y: y, role: .faint)
      y += 1
    }
    guard y < height else { return }
    trend(captures, top: y, into: &canvas)
  }

  private func generation(
    _ budget: GenerationBudget?, y: Int, half: Bool, into canvas: inout Canvas
  ) {
    guard let budget else {
      let room = half ? canvas.bounds.width / 2 - 1 : canvas.bounds.width
      let text: PlainText = "GEN     not reported"
      canvas.write(text.cut(to: room), y: y, role: .muted)
      return
    }
    let width = half ? canvas.bounds.width / 2 : canvas.bounds.width
    var x = bar(
      "GEN", budget.sentTurns, budget.maxTurns, "turns", barWidth: min(20, width / 4), y: y,
      into: &canvas)
    for (label, value) in [("context", budget.contextChars), ("said", budget.transcriptChars)] {
      guard let value, x + 14 < width else { continue }
      x = canvas.write(PlainText(label), x: x, y: y, role: .muted) + 1
      x = canvas.write(Figures.short(Double(value)) + " ch", x: x, y: y, role: .number) + 2
    }
    if let available = budget.availableTurns, x + 13 < width, available != budget.sentTurns {
      canvas.write("of \(available) kept", x: x, y: y, role: .muted)
    }
  }

  private func tracked(_ context: ModelContext, y: Int, into canvas: inout Canvas) {
    let x = bar(
      "TRACKED", context.trackedTurns, context.trackedTurnLimit, "turns",
      barWidth: min(20, canvas.bounds.width / 4), y: y, into: &canvas)
    guard x + 14 < canvas.bounds.width else { return }
    canvas.write(
      "transcript \(Figures.count(context.trackedTranscriptTurns))", x: x, y: y, role: .muted)
  }

  /// `GEN     8/50 ████░░░░░░  16%`, and the column after it.
  private func bar(
    _ label: PlainText, _ value: Int?, _ limit: Int?, _ unit: PlainText, barWidth: Int, y: Int,
    into canvas: inout Canvas
  ) -> Int {
    canvas.write(label, y: y, role: .muted)
    let figures = Figures.count(value) + "/" + Figures.count(limit)
    var x = canvas.write(figures.leftPadded(to: 6), x: 8, y: y, role: .number) + 1
    guard let value, let limit, limit > 0, value >= 0 else {
      return canvas.write(unit, x: x, y: y, role: .muted) + 2
    }
    let share = Double(value) / Double(limit)
    let eighths = Int((min(1, share) * Double(barWidth * 8)).rounded())
    let role: Role = share >= 0.9 ? .negative : share >= 0.7 ? .warning : .positive
    for cell in 0..<barWidth {
      let part = min(8, max(0, eighths - cell * 8))
      canvas.symbol(
        part > 0 ? .block(part) : .shade, x: x + cell, y: y, role: part > 0 ? role : .faint)
    }
    x += barWidth + 1
    return canvas.write(Figures.percent(share).leftPadded(to: 4), x: x, y: y, role: role) + 2
  }

  private func promptLine(
    _ content: PromptContent?, _ firstLength: Int?, y: Int, into canvas: inout Canvas
  ) {
    canvas.write("PROMPT", y: y, role: .muted)
    guard let content else {
      canvas.write("-", x: 8, y: y, role: .faint)
      return
    }
    var spans = [StyledText(Figures.short(Double(content.length)) + " ch", .number, .bold)]
    for part in content.parts where part.key != .output {
      let name: PlainText? =
        switch part.key {
        case .system: "sys"
        case .user: "user"
        case .tools: "tools"
        case .followup, .output: nil
        }
      if let name {
        spans.append(StyledText(name + " " + Figures.short(Double(part.length)), .muted))
      }
    }
    if let firstLength, firstLength > 0 {
      let growth = Double(content.length - firstLength) / Double(firstLength)
      spans.append(
        StyledText((growth >= 0.005 ? "+" : "") + Figures.percent(growth) + " vs start", .info))
    }
    canvas.write(PromptDocument.spaced(spans), x: 8, y: y)
  }

  /// The trend of prompt and context: lines of block eighths, or columns by part if there is room.
  private func trend(_ captures: [BudgetCapture], top: Int, into canvas: inout Canvas) {
    let rest = canvas.bounds.height - top
    guard captures.count > 1 else {
      canvas.write("trend   after the next generation", y: top, role: .faint)
      return
    }
    let room = max(4, canvas.bounds.width - 16)
    let shown = Array(captures.suffix(room))
    func line(_ label: PlainText, _ values: [Int], y: Int, _ role: Role) {
      canvas.write(label, y: y, role: .muted)
      Sparkline(values: values).render(width: room, x: 8, y: y, role: role, into: &canvas)
      canvas.writeRight(Figures.short(values.last.map(Double.init)), y: y, role: .number)
    }
    if rest >= 5, shown.contains(where: { $0.promptChars > 0 }) {
      stacked(shown, top: top, height: rest - 1, into: &canvas)
      line("context", shown.map { $0.contextChars ?? 0 }, y: canvas.bounds.height - 1, .info)
      return
    }
    line("context", shown.map { $0.contextChars ?? 0 }, y: top, .info)
    if rest > 1 { line("prompt", shown.map(\.promptChars), y: top + 1, .llm) }
    if rest > 2 { line("turns", shown.map { $0.sentTurns ?? 0 }, y: top + 2, .voice) }
  }

  private func stacked(
    _ captures: [BudgetCapture], top: Int, height: Int, into canvas: inout Canvas
  ) {
    let peak = max(1, captures.map(\.promptChars).max() ?? 1)
    canvas.write("prompt", y: top, role: .muted)
    canvas.write("tools", y: top + 1, role: .tool)
    canvas.write("user", y: top + 2, role: .textDomain)
    if height > 3 { canvas.write("system", y: top + 3, role: .llm) }
    canvas.writeRight(Figures.short(Double(peak)), y: top, role: .number)
    for (index, capture) in captures.enumerated() {
      let parts: [(Int, Role)] = [
        (capture.systemChars, .llm), (capture.userChars, .textDomain), (capture.toolChars, .tool),
      ]
      for level in 0..<height {
        let threshold = Double(level) / Double(height) * Double(peak)
        guard Double(capture.promptChars) > threshold else { break }
        var sum = 0
        let role = parts.first { part in
          sum += part.0
          return Double(sum) > threshold
        }?.1
        let eighths =
          (Double(capture.promptChars) / Double(peak) * Double(height) - Double(level)) * 8
        canvas.symbol(
          .spark(min(8, max(1, Int(eighths.rounded())))), x: 8 + index, y: top + height - 1 - level,
          role: role ?? .llm)
      }
    }
  }
}

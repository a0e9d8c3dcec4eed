import ClankyWire
import CockpitAnswers
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// The one answer that all panels of BRAIN show: the selected one; while none is, that of the newest call or
/// generation.
extension BrainPane {
  /// What is said where a panel has nothing of the answer.
  static let nothingOnRecord: PlainText = "nothing on record for this answer"

  /// The answer of the newest call, prepared.
  struct Newest {
    var key: Exchange.Key
    var answer: SelectedAnswer?
  }

  /// The answer that the panels show; nil if there is none.
  @MainActor package func subject(_ facts: ViewContext) -> SelectedAnswer? {
    if let selected = facts.selected { return selected }
    guard let key = newestKey(facts) else { return nil }
    if let newest, newest.key == key { return newest.answer }
    return facts.answer(key)
  }

  /// Looks the newest answer up once, and again as more of it comes.
  @MainActor mutating func prepareSubject(_ facts: ViewContext) {
    guard facts.selected == nil, let key = newestKey(facts) else {
      newest = nil
      return
    }
    guard let known = newest, known.key == key, known.answer != nil else {
      newest = Newest(key: key, answer: facts.answer(key))
      return
    }
    newest?.answer?.refresh(facts)
  }

  /// The answer of the call under the cursor; at rest of the newest call, or of the last generation where that
  /// has no call.
  @MainActor private func newestKey(_ facts: ViewContext) -> Exchange.Key? {
    let call = selectedCall(facts)
    if cursor == nil, let session = session(facts), let context = session.lastGenerationContext,
      let atMs = context.capturedAt?.milliseconds, atMs > call?.timeMs ?? 0,
      let turn = Self.turn(of: context, facts.voice.record(session.sessionID))
    {
      return .turn(session: session.sessionID, turn: turn)
    }
    return call.flatMap { call in
      if case .turn(let session, let turn)? = answerID(of: call.row, facts) {
        return .turn(session: session, turn: turn)
      }
      return facts.exchanges.key(of: call.row)
    }
  }

  /// The turn that a generation context was captured for: of the same words, else the last that had begun. The
  /// context has no id.
  @MainActor static func turn(
    of context: GenerationContext, _ record: VoiceSessionRecord?
  ) -> VoiceTurnRecord.ID? {
    guard let atMs = context.capturedAt?.milliseconds else { return nil }
    let begun = (record?.turns ?? []).suffix(40).reversed().filter { $0.startedAt <= atMs + 1000 }
    let said = context.incomingTranscript?.collapsingWhitespace ?? ""
    let spoken = said.isEmpty ? nil : begun.first { $0.words.collapsingWhitespace == said }
    return (spoken ?? begun.first { $0.generation != nil || $0.reply != nil })?.id
  }

  /// The live session's last generation, if it made the shown answer, or if there is no answer.
  @MainActor func generation(_ facts: ViewContext) -> GenerationContext? {
    let context = session(facts)?.lastGenerationContext
    guard isOfSession(facts) else { return nil }
    return context
  }

  /// Whether the panels show the live session's last generation: it made the shown answer, or there is no
  /// answer and none is selected.
  @MainActor func isOfSession(_ facts: ViewContext) -> Bool {
    guard let subject = subject(facts) else { return facts.selected == nil }
    guard case .turn(let id, let turn) = subject.key, let session = session(facts),
      session.sessionID == id, let context = session.lastGenerationContext
    else { return false }
    return Self.turn(of: context, facts.voice.record(id)) == turn
  }

  /// That the voice session is over, while its place is taken by an older answer, and a while longer; nil if there
  /// is nothing to say.
  @MainActor func ended(_ facts: ViewContext, isWide: Bool) -> PlainText? {
    guard facts.selected == nil, let (record, atMs) = facts.voice.lastEnded(in: facts.scope) else {
      return nil
    }
    let isNews =
      facts.nowMs - atMs < Self.endedMs
      || subject(facts).map { $0.exchange.startMs <= atMs } ?? true
    guard isNews else { return nil }
    let channel: PlainText =
      isWide
      ? record.voiceChannelID.map { "#" + PlainText(facts.names.channel($0), limit: 30) } ?? "voice"
      : "voice"
    let reason: PlainText =
      isWide ? record.endReason.map { " (" + PlainText($0, limit: 40) + ")" } ?? "" : ""
    let time = facts.clock.time(ms: atMs)
    return record.endedAt == nil
      ? channel + " is over, last event " + time : channel + " ended " + time + reason
  }

  /// How long that a session has ended is news, in ms.
  private static let endedMs: Int64 = 600_000

  /// The name of the answer for the titles, such as `answer 02:14 to Mira`; empty if there is none.
  @MainActor func subjectName(_ facts: ViewContext) -> PlainText {
    subject(facts)?.name(facts) ?? ""
  }

  /// The right end of a title: the answer, and further words if there is room for them.
  ///
  /// - Parameter width: of the panel.
  @MainActor func trailing(
    _ facts: ViewContext, title: PlainText, _ more: PlainText = "", width: Int
  ) -> PlainText {
    let name = subjectName(facts)
    guard !name.isEmpty else { return more }
    let room = width - title.columns - 8
    guard !more.isEmpty else { return name.cut(to: max(0, room)) }
    let both = name + "  " + more
    return both.columns <= room ? both : name.cut(to: max(0, room))
  }

  // MARK: Of the rows

  /// The facts in front of the model, according to the prompt on record.
  @MainActor func recordedFacts(_ answer: SelectedAnswer, _ facts: ViewContext) -> [UsedFact] {
    answer.exchange.facts.map { used in
      let known = used.id.flatMap { facts.memory.facts[$0]?.fact }
      return UsedFact(fact: known ?? Fact(id: used.id, fact: used.text), use: "in prompt")
    }
  }

  /// What the number of facts is of: the row of the prompt that they were found in, or the last generation.
  @MainActor func behindFacts(_ facts: ViewContext) -> RowsBehind {
    guard !isOfSession(facts), let prompt = subject(facts)?.exchange.prompt, let row = prompt.row
    else {
      return RowsBehind(none: "what the bot gave its last generation, of its voice state; no row")
    }
    var behind = RowsBehind([row], "prompts")
    behind.remark = "they were found in the prompt of this row"
    return behind
  }

  /// Why there are no facts of an answer.
  static func noFacts(_ answer: SelectedAnswer) -> PlainText {
    if answer.exchange.prompt == nil { return nothingOnRecord }
    return WhyText(answer.why, clock: .local).facts
  }

  /// What is on record about an answer besides its prompts and facts.
  @MainActor func recordLines(
    _ answer: SelectedAnswer, _ facts: ViewContext, width: Int
  ) -> [DetailLine] {
    var lines: [DetailLine] = []
    func add(_ label: PlainText, _ value: PlainText?, _ role: Role = .text) {
      guard let value, !value.isEmpty else { return }
      let parts = value.wrapped(to: max(8, width - 10), limit: 12)
      for (index, part) in parts.enumerated() {
        lines.append(DetailLine(index == 0 ? label : "", part, role))
      }
    }
    let exchange = answer.exchange
    let text = WhyText(answer.why, clock: facts.clock)
    add("WHY", PlainText(answer.why.answer.sentence, limit: 600))
    add("BY", exchange.author.map { PlainText($0, limit: 60) }, .voice)
    add("SAID", exchange.words.map { "\"" + PlainText($0, limit: 600) + "\"" })
    for call in exchange.calls {
      var words = PlainText(call.model ?? "-", limit: 60)
      if let tokens = call.inputTokens { words += PlainText("  \(tokens) in") }
      if let tokens = call.outputTokens { words += PlainText("  \(tokens) out") }
      if !call.tools.isEmpty {
        words += "  asks for " + PlainText(call.tools.joined(separator: ", "), limit: 200)
      }
      add("MODEL", words, .llm)
    }
    for tool in exchange.tools {
      let end: PlainText =
        tool.isSuccess == false
        ? "  failed " + PlainText(tool.error ?? "", limit: 200)
        : tool.durationMs.map { "  " + Figures.duration(ms: Double($0)) } ?? ""
      add(
        "TOOL", PlainText(tool.name, limit: 60) + end, tool.isSuccess == false ? .negative : .tool)
    }
    add("COST", text.cost, exchange.costs.isEmpty ? .muted : .cost)
    add("SLOWEST", text.slowest, exchange.slowest == nil ? .muted : .number)
    let steps = exchange.steps.map { step in
      step.name + " " + Figures.duration(ms: Double(step.ms))
    }
    if steps.count > 1 { add("STEPS", steps.joined(separator: ", "), .number) }
    return lines
  }
}

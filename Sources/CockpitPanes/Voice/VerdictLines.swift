import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// Why the bot said something or stayed silent: the sentence, then each step up to where it
/// stopped, with its evidence.
@MainActor
struct VerdictLines {
  let scene: VoiceScene
  var turn: VoiceTurnRecord
  var isFull: Bool
  var width: Int

  private var facts: ViewContext { scene.facts }
  private var figures: VoiceFigures { VoiceFigures(facts: facts) }

  static func dot(_ turn: VoiceTurnRecord, at nowMs: Int64) -> VoiceLine.Span {
    switch turn.outcome {
    case .responded: .symbol(.dot, .positive)
    case .denied: .symbol(.ring, .warning)
    case .dropped: .symbol(.ring, .muted)
    case .failed: .symbol(.cross, .negative)
    case .interrupted: .symbol(.dot, .warning)
    case .pending: .symbol(turn.isOpen(at: nowMs) ? .running : .separator, .llm)
    }
  }

  var lines: [VoiceLine] {
    guard let verdict = scene.record?.verdict(turn.id, nowMs: scene.nowMs) else {
      return [.note("no verdict: the events of this turn are not on record")]
    }
    var lines = PlainText(verdict.sentence, limit: 2000).wrapped(to: max(8, width)).map {
      VoiceLine([.init(text: $0, role: .heading, attributes: .bold)])
    }
    for (index, item) in verdict.items.enumerated() {
      lines += step(item, index: index, isStop: item.step == verdict.stop)
    }
    lines += turn.anomalies.map {
      VoiceLine([.label("!"), .init(text: $0.words, role: .warning)])
    }
    if isFull {
      lines += details(besides: verdict.sentence + verdict.items.map(\.detail).joined())
    }
    return lines
  }

  /// The lines for a number of rows: where they leave room, everything known of the turn, and then its events.
  ///
  /// - Parameter rows: rows of the panel.
  func lines(filling rows: Int) -> [VoiceLine] {
    var whole = self
    whole.isFull = true
    let unfolded = whole.lines
    let shown = isFull || unfolded.count <= rows ? unfolded : lines
    let left = isFull ? Int.max : rows - shown.count - 2
    guard left >= 3, !turn.events.isEmpty else { return shown }
    return shown + [VoiceLine()] + events(atMost: left)
  }

  /// The first events of the turn, below a line with their number.
  private func events(atMost limit: Int) -> [VoiceLine] {
    let events = turn.events.compactMap { scene.record?.event($0) }
    let more = events.count - limit
    let title: PlainText = "EVENTS " + Figures.count(events.count)
    var lines = [
      VoiceLine(
        [.init(text: title, role: .heading)]
          + (more > 0 ? [.label(PlainText("the first \(limit); z shows all"))] : []),
        item: .figure(RowsBehind(events.map { scene.row(of: $0.id) }, "events")))
    ]
    for event in events.prefix(limit) {
      let after = Double(max(0, event.timeMs - turn.startedAt))
      let role: Role =
        event.severity == .error ? .negative : event.severity == .warning ? .warning : .text
      lines.append(
        VoiceLine(
          [
            .label(("+" + Figures.duration(ms: after)).leftPadded(to: 7)),
            .init(text: PlainText(event.name, limit: 80), role: role),
          ],
          trailing: width >= 60
            ? [.label(facts.clock.timeWithMilliseconds(ms: event.timeMs))] : [],
          item: .event(event.id)))
    }
    return lines
  }

  private func step(_ item: Verdict.Item, index: Int, isStop: Bool) -> [VoiceLine] {
    let state = mark(item.state)
    var trailing: [VoiceLine.Span] = []
    if let time = item.timeMs {
      trailing.append(
        .label(
          width >= 48
            ? facts.clock.timeWithMilliseconds(ms: time) : facts.clock.time(ms: time)))
      if width >= 60, let id = actionID(item) { trailing.append(.label(PlainText("#\(id)"))) }
    }
    let rightColumns = trailing.reduce(0) { $0 + $1.columns + 1 }
    let room = max(8, width - 13 - rightColumns - (isStop ? 5 : 0))
    var detail = PlainText(item.detail, limit: 4000)
    // Unknown steps are called unknown, inferred ones are marked.
    if item.state == .inferred { detail = "inferred: " + detail }
    if detail.isEmpty { detail = item.state == .unknown ? "unknown" : "-" }
    return detail.wrapped(to: room).enumerated().map { row, part in
      var spans: [VoiceLine.Span] =
        row == 0
        ? [
          state,
          .init(
            text: PlainText(item.step.rawValue).padded(to: 10),
            role: item.state == .skipped ? .muted : .text),
        ] : [.init(text: .spaces(12))]
      if row == 0, isStop {
        spans.append(.init(text: "STOP", role: .warning, attributes: .reverse))
      }
      spans.append(.init(text: part, role: item.state == .failed ? .negative : state.role))
      return VoiceLine(spans, trailing: row == 0 ? trailing : [], item: .step(index))
    }
  }

  /// The backend's id: live rows learn theirs later.
  private func actionID(_ item: Verdict.Item) -> Int? {
    item.actionID ?? item.rowID.flatMap { facts.activity.log.row($0)?.actionID }
  }

  private func mark(_ state: Verdict.State) -> VoiceLine.Span {
    switch state {
    case .passed: .symbol(.check, .positive)
    case .failed: .symbol(.cross, .negative)
    case .stopped: .symbol(.cross, .warning)
    case .skipped: .symbol(.separator, .muted)
    case .unknown: .init(text: "?", role: .muted)
    case .inferred: .init(text: "~", role: .info)
    case .running: .symbol(.running, .llm)
    }
  }

  // MARK: Everything known of the turn

  /// - Parameter shown: the text above, so that an utterance is not repeated.
  private func details(besides shown: String) -> [VoiceLine] {
    var lines: [VoiceLine] = [
      VoiceLine(
        "turn",
        "\(turn.id)  " + PlainText(turn.outcomeWord(at: scene.nowMs))
          + (turn.isOutcomeInferred ? " (inferred)" : "")),
      VoiceLine("speaker", PlainText(scene.speaker(of: turn), limit: 60), .voice),
    ]
    lines += VoiceLine.wrapped(
      "from",
      facts.clock.timeWithMilliseconds(ms: turn.startedAt)
        + (turn.isStartKnown ? "" : " (first event known)") + "  to "
        + facts.clock.timeWithMilliseconds(ms: turn.lastAt), .number, width: width)
    if turn.words.isEmpty || !shown.contains(turn.words) {
      lines += VoiceLine.wrapped(
        "heard", turn.words.isEmpty ? "-" : PlainText(turn.words, limit: 4000), width: width)
    }
    if let reply = turn.reply, !shown.contains(reply) {
      lines += VoiceLine.wrapped("reply", PlainText(reply, limit: 4000), .tts, width: width)
    }
    if let person = turn.replyTo {
      lines += VoiceLine.wrapped("reply to", PlainText(person, limit: 60), .voice, width: width)
    }
    for decision in turn.decisions {
      let allow: PlainText = decision.allow.map { $0 ? "yes" : "no" } ?? "-"
      lines += VoiceLine.wrapped(
        "decision",
        allow + "  " + figures.text(decision.reason, limit: 60) + "  to "
          + figures.text(decision.talkingTo, limit: 40) + " "
          + Figures.unit(decision.confidence) + "  direct "
          + figures.yesNo(decision.directAddressed)
          + "  lock " + figures.text(decision.outputLockReason, limit: 40) + "  queue "
          + figures.ms(decision.queueWaitMs), .info, width: width)
    }
    for tool in turn.tools {
      lines.append(
        VoiceLine(
          "tool",
          PlainText(tool.name, limit: 60) + "  " + figures.ms(tool.durationMs) + "  "
            + (tool.error.map { PlainText($0, limit: 200) } ?? ""),
          tool.isSuccess == false ? .negative : .tool))
    }
    lines.append(
      VoiceLine(
        "models",
        turn.models.isEmpty ? "-" : PlainText(turn.models.joined(separator: ", "), limit: 200), .llm
      ))
    lines += VoiceLine.wrapped(
      "cost",
      Figures.cost(turn.costUSD) + "  request " + Figures.count(turn.requestID)
        + "  capture " + figures.ms(turn.captureMs) + "  promoted after "
        + figures.ms(turn.promotionDelayMs) + "  plays " + figures.ms(turn.playbackMs), .number,
      width: width)
    return lines
  }
}

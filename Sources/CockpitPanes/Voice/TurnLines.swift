import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The turns of a session, newest first: outcome, speaker, reason of silence.
@MainActor
struct TurnLines {
  let scene: VoiceScene
  /// Only those that ended in silence.
  var isOnlySkips: Bool
  var width: Int

  private var facts: ViewContext { scene.facts }

  /// Maximum number of lines: a session keeps more turns than a user scrolls through.
  static let limit = 2000

  static func isSkip(_ turn: VoiceTurnRecord) -> Bool {
    turn.outcome == .denied || turn.outcome == .dropped || turn.outcome == .failed
  }

  var turns: [VoiceTurnRecord] {
    let all = scene.turns.suffix(Self.limit)
    return (isOnlySkips ? all.filter(Self.isSkip) : Array(all)).reversed()
  }

  var lines: [VoiceLine] {
    var lines: [VoiceLine] = []
    // Missing turns are reported at their position, or below the last turn.
    var missing = scene.missing
    var gapEnd = Int64.min
    if case .broken(_, let to) = scene.extent { gapEnd = to }
    for turn in turns {
      if let text = missing, turn.startedAt < gapEnd {
        lines += text.wrapped(to: max(8, width), limit: 4).map(VoiceLine.note)
        missing = nil
      }
      lines.append(line(turn))
    }
    if let missing { lines += missing.wrapped(to: max(8, width), limit: 4).map(VoiceLine.note) }
    return (isOnlySkips ? reasons : []) + lines
  }

  /// Counts of the reasons of silence.
  private var reasons: [VoiceLine] {
    var counts: [String: Int] = [:]
    var ends: [String: [RowID?]] = [:]
    for turn in turns {
      let reason = turn.skippedReason ?? "unknown"
      counts[reason, default: 0] += 1
      ends[reason, default: []].append(scene.end(of: turn))
    }
    guard !counts.isEmpty else { return [] }
    let largest = max(1, counts.values.max() ?? 1)
    let window: PlainText = scene.window.map { " " + $0 } ?? ""
    var lines = [
      VoiceLine(
        scene.skips.spans + [.label("of what was decided" + window + "; by reason:")],
        item: scene.behindDecisions.map(VoiceItem.figure))
    ]
    for (reason, count) in counts.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }).prefix(6)
    {
      let bar = max(1, count * 12 / largest)
      lines.append(
        VoiceLine(
          [
            .init(text: PlainText("\(count)").leftPadded(to: 4), role: .number),
            .init(
              text: PlainText(String(repeating: "=", count: bar)).padded(to: 12), role: .warning),
            .init(text: PlainText(reason, limit: 80)),
          ], item: .figure(RowsBehind(ends[reason] ?? [], "turns"))))
    }
    lines.append(VoiceLine())
    return lines
  }

  private func line(_ turn: VoiceTurnRecord) -> VoiceLine {
    let isWide = width >= 60
    var spans = [VerdictLines.dot(turn, at: scene.nowMs)]
    spans.append(.label(facts.clock.time(ms: turn.startedAt)))
    if isWide { spans.append(outcome(turn)) }
    let name = PlainText(scene.speaker(of: turn), limit: 40)
    let nameWidth = isWide ? 10 : 7
    spans.append(.init(text: name.cut(to: nameWidth).padded(to: nameWidth), role: .voice))
    let isMadeUp = turn.areWordsDiscarded && !turn.words.isEmpty
    let words: PlainText =
      turn.words.isEmpty
      ? turn.reply.map { PlainText($0, limit: 300) } ?? "(no words)"
      : (isMadeUp ? "(discarded) " : "") + PlainText(turn.words, limit: 300)
    spans.append(
      .init(
        text: words, role: turn.words.isEmpty || isMadeUp ? .muted : .text,
        attributes: turn.isPartial || isMadeUp ? .italic : []))
    var trailing: [VoiceLine.Span] = []
    if let reason = turn.skippedReason {
      trailing.append(
        .init(text: PlainText(reason, limit: 40).cut(to: isWide ? 26 : 14), role: .warning))
    }
    if !turn.anomalies.isEmpty {
      trailing.append(.init(text: "!", role: .negative, attributes: .bold))
    }
    if let total = turn.latency?.totalMs {
      trailing.append(.init(text: Figures.duration(ms: Double(total)), role: .number))
    }
    return VoiceLine(spans, trailing: trailing, item: .turn(turn.id))
  }

  private func outcome(_ turn: VoiceTurnRecord) -> VoiceLine.Span {
    let role: Role =
      switch turn.outcome {
      case .responded: .positive
      case .denied, .interrupted: .warning
      case .failed: .negative
      case .dropped, .pending: .muted
      }
    return .init(text: PlainText(turn.outcomeWord(at: scene.nowMs)).padded(to: 11), role: role)
  }
}

import ClankyWire
import CockpitStores
import TerminalCore

/// The turns of a session, newest first: how each ended, who spoke, why the bot was silent.
@MainActor
struct TurnLines {
  let scene: VoiceScene
  /// Only those that ended in silence.
  var isOnlySkips: Bool
  var width: Int

  private var facts: Facts { scene.facts }

  /// Lines that are looked at: a session keeps more turns than anybody scrolls through.
  static let limit = 2000

  static func isSkip(_ turn: VoiceTurnRecord) -> Bool {
    turn.outcome == .denied || turn.outcome == .dropped || turn.outcome == .failed
  }

  var turns: [VoiceTurnRecord] {
    let all = scene.turns.suffix(Self.limit)
    return (isOnlySkips ? all.filter(Self.isSkip) : Array(all)).reversed()
  }

  var lines: [VoiceLine] {
    (isOnlySkips ? reasons : []) + turns.map(line)
  }

  /// How often each reason silenced the bot.
  private var reasons: [VoiceLine] {
    var counts: [String: Int] = [:]
    for turn in turns { counts[turn.skippedReason ?? "unknown", default: 0] += 1 }
    guard !counts.isEmpty else { return [] }
    let largest = max(1, counts.values.max() ?? 1)
    var lines = [VoiceLine(scene.skips.spans + [.label("of what was decided; by reason:")])]
    for (reason, count) in counts.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }).prefix(6)
    {
      let bar = max(1, count * 12 / largest)
      lines.append(
        VoiceLine([
          .init(text: PlainText("\(count)").leftPadded(to: 4), role: .number),
          .init(
            text: PlainText(String(repeating: "=", count: bar)).padded(to: 12), role: .warning),
          .init(text: PlainText(reason, limit: 80)),
        ]))
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
    let words: PlainText =
      turn.words.isEmpty
      ? turn.reply.map { PlainText($0, limit: 300) } ?? "(no words)"
      : PlainText(turn.words, limit: 300)
    spans.append(
      .init(
        text: words, role: turn.words.isEmpty ? .muted : .text,
        attributes: turn.isPartial ? .italic : []))
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
    return .init(text: PlainText(turn.outcome.rawValue).padded(to: 11), role: role)
  }
}

/// The past sessions, and what is known of one of them.
@MainActor
struct HistoryLines {
  let facts: Facts
  var width: Int

  private var figures: VoiceFigures { VoiceFigures(facts: facts) }

  var placeholder: PlainText {
    if let problem = facts.voice.historyProblem {
      return "The history could not be had: " + PlainText(problem, limit: 300)
    }
    return facts.voice.isHistoryLoaded
      ? "No past session on record." : "Asking for the past sessions…"
  }

  var lines: [VoiceLine] {
    facts.voice.history.map { past in
      var spans: [VoiceLine.Span] = [
        .symbol(.bullet, .voice), .label(day(past.startedAt)),
        .init(text: figures.time(past.startedAt), role: .number),
        .init(
          text: Figures.duration(ms: past.durationSeconds.map { Double($0) * 1000 })
            .leftPadded(to: 7), role: .number),
      ]
      if width >= 50 {
        spans.append(
          .init(
            text: past.guildID.flatMap { $0.isEmpty ? nil : $0 }
              .map { PlainText(facts.names.guild($0), limit: 30).cut(to: 18) } ?? "-"))
      }
      if let replay = facts.voice.replays[past.sessionID], replay.problem == nil {
        spans.append(.init(text: Figures.count(replay.turnCount), role: .number))
        spans.append(.label("turns"))
        spans += replay.skipRate.spans
      } else if width >= 76 {
        spans.append(.label(figures.text(past.mode?.description, limit: 22)))
      }
      return VoiceLine(
        spans, trailing: [.label(figures.text(past.endReason, limit: 24))],
        item: .past(past.sessionID))
    }
  }

  private func day(_ time: WireTime?) -> PlainText {
    time.map { facts.clock.day(ms: $0.milliseconds).dropFirst(columns: 5) } ?? "-"
  }

  /// What can be derived of a past session; what needs its events says how to get them.
  func summary(_ id: String) -> [VoiceLine] {
    guard let past = facts.voice.history.first(where: { $0.sessionID == id }) else {
      return [.note("-")]
    }
    let record = facts.voice.record(id)
    let replay = facts.voice.replays[id]
    var lines = [
      VoiceLine("began", day(past.startedAt) + " " + figures.time(past.startedAt), .number),
      VoiceLine("ended", day(past.endedAt) + " " + figures.time(past.endedAt), .number),
      VoiceLine(
        "length", Figures.duration(ms: past.durationSeconds.map { Double($0) * 1000 }), .number),
      VoiceLine("because", figures.text(past.endReason)),
      VoiceLine("mode", figures.text(past.mode?.description, limit: 60)),
      VoiceLine(
        "guild",
        past.guildID.flatMap { $0.isEmpty ? nil : $0 }.map {
          PlainText(facts.names.guild($0), limit: 60)
        } ?? "-"),
      VoiceLine(
        "channel",
        record?.voiceChannelID.map { "#" + PlainText(facts.names.channel($0), limit: 60) } ?? "-",
        .voice),
    ]
    if let problem = replay?.problem {
      lines += VoiceLine.wrapped(
        "events", "could not be had: " + PlainText(problem, limit: 300), .negative, width: width)
    } else if let replay {
      lines += VoiceLine.wrapped(
        "people",
        replay.people.isEmpty ? "-" : PlainText(replay.people.joined(separator: ", "), limit: 600),
        .voice, width: width, limit: 4)
      lines += [
        VoiceLine("at most", Figures.count(replay.peakHeadCount) + " people", .number),
        VoiceLine("turns", Figures.count(replay.turnCount), .number),
        VoiceLine([.label("silence   ")] + replay.skipRate.spans),
        VoiceLine(
          "anomalies", Figures.count(replay.anomalyCount),
          replay.anomalyCount > 0 ? .warning : .number),
        VoiceLine(
          "events",
          replay.isCapped
            ? PlainText("first \(Replay.cap): the backend gives no more, the end is missing")
            : Figures.count(replay.rows), replay.isCapped ? .warning : .number),
      ]
      lines.append(.note("Enter opens the session"))
    } else {
      lines += ("Enter fetches its events: people, turns, skip rate, anomalies" as PlainText)
        .wrapped(to: max(8, width)).map(VoiceLine.note)
    }
    lines.append(VoiceLine("id", figures.text(id, limit: 60), .faint))
    return lines
  }
}

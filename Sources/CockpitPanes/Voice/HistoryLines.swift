import ClankyWire
import CockpitStores
import TerminalCore

/// The past sessions, newest first: when, how long, who, how many turns, how often silent, what
/// was odd, why it ended.
@MainActor
struct HistoryLines {
  let facts: Facts
  /// Those whose events are on their way.
  var awaited: Set<String> = []
  var width: Int

  private var figures: VoiceFigures { VoiceFigures(facts: facts) }

  /// Columns from which words stand beside the figures.
  private static let wordy = 56
  /// Columns from which guild and mode have a place.
  private static let wide = 92

  var placeholder: PlainText {
    if let problem = facts.voice.historyProblem {
      return "The list of past sessions could not be had: "
        + PlainText(problem: problem, limit: 300)
        + ". ]] comes back here and asks again."
    }
    if facts.voice.isHistoryLoaded { return "No past session is on record at the backend." }
    if facts.isUnheard {
      return facts.whyNothingCame
        + " The live session stands here when there is one, and past ones when there is none."
    }
    return facts.isHeard
      ? "Asking for the past sessions…" : "Not known: the backend is not heard."
  }

  var lines: [VoiceLine] {
    let omitted = facts.voice.historyOmitted
    return facts.voice.history.map(line)
      + (omitted == 0
        ? [] : [VoiceLine([.init(text: "\(omitted) could not be read", role: .warning)])])
  }

  private func line(_ past: HistorySession) -> VoiceLine {
    var spans: [VoiceLine.Span] = width < Self.wordy ? [] : [.symbol(.bullet, .voice)]
    spans += [
      .label(figures.day(past.startedAt)),
      .init(text: figures.time(past.startedAt).padded(to: 8), role: .number),
      .init(text: figures.length(of: past).leftPadded(to: 6), role: .number),
    ]
    spans += derived(past)
    if width >= Self.wide {
      let guild = past.guildID.flatMap { $0.isEmpty ? nil : $0 }
      spans.append(
        .init(text: guild.map { PlainText(facts.names.guild($0), limit: 30) }?.cut(to: 18) ?? "-"))
    }
    // Its length and figures come first; the reason has what they leave.
    let left = spans.reduce(0) { $0 + $1.columns + 1 }
    let room = min(24, width - left - 1)
    let reason = figures.text(past.endReason, limit: 24)
    return VoiceLine(
      spans, trailing: room >= 8 ? [.label(reason.cut(to: room))] : [],
      item: .past(past.sessionID))
  }

  /// `4p 43 turns skip 70% 3!`: what follows from the events.
  private func derived(_ past: HistorySession) -> [VoiceLine.Span] {
    let isWordy = width >= Self.wordy
    guard let summary = facts.voice.summaries[past.sessionID] else {
      let sign: PlainText = awaited.contains(past.sessionID) ? "…" : "-"
      return [.label(isWordy ? sign.leftPadded(to: 3).padded(to: 29) : sign)]
    }
    if let problem = summary.problem {
      let text = ("no events: " as PlainText) + PlainText(problem, limit: 80)
      return [.init(text: text.cut(to: isWordy ? 29 : 14), role: .warning)]
    }
    guard summary.rows > 0 else { return [.label("no event is kept")] }
    let more: PlainText = summary.isCapped ? "+" : ""
    let share = summary.skipRate.share
    let silent = Figures.percent(share)
    let role: Role = (share ?? 0) > 0.5 ? .warning : .number
    let odd = VoiceLine.Span(
      text: (Figures.count(summary.anomalyCount) + "!").leftPadded(to: isWordy ? 4 : 2),
      role: summary.anomalyCount > 0 ? .warning : .muted)
    let people = Figures.count(summary.peopleCount) + "p"
    let turns = Figures.count(summary.turnCount) + more
    guard isWordy else {
      // There is no room for what is not known, and for what is nothing.
      let unit: PlainText = width >= 36 ? (summary.turnCount == 1 ? " turn" : " turns") : "t"
      return [.init(text: people, role: .voice), .init(text: turns + unit, role: .number)]
        + (share == nil ? [] : [.init(text: silent, role: role)])
        + (summary.anomalyCount > 0 ? [odd] : [])
    }
    return [
      .init(text: people.leftPadded(to: 3), role: .voice),
      .init(text: turns.leftPadded(to: 4), role: summary.isCapped ? .warning : .number),
      .label("turns"), .label("skip"), .init(text: silent.leftPadded(to: 4), role: role), odd,
    ] + (summary.isCapped && width >= Self.wide ? [.init(text: Self.capped, role: .warning)] : [])
  }

  static let capped = PlainText("first \(SessionSummary.cap)")

  static func unread(_ summary: SessionSummary) -> PlainText {
    "\(Figures.count(summary.unreadable)) of \(Figures.count(summary.rows)) could not be read"
  }
}

/// One past session: what the list says of it, and what follows from its events.
@MainActor
struct PastSummary {
  let facts: Facts
  var awaited: Set<String> = []
  var width: Int

  private var figures: VoiceFigures { VoiceFigures(facts: facts) }

  func lines(_ id: String) -> [VoiceLine] {
    guard let past = facts.voice.history.first(where: { $0.sessionID == id }) else {
      return [.note("It is not in the list of past sessions any more.")]
    }
    let channel = facts.voice.record(id)?.voiceChannelID
    let guild = past.guildID.flatMap { $0.isEmpty ? nil : $0 }
    let places = [
      channel.map { "#" + PlainText(facts.names.channel($0), limit: 60) },
      guild.map { PlainText(facts.names.guild($0), limit: 60) },
    ].compactMap(\.self)
    return times(past) + [
      VoiceLine("length", figures.length(of: past), .number),
      VoiceLine("because", figures.text(past.endReason)),
    ] + derived(id) + [
      VoiceLine("mode", figures.text(past.mode?.description, limit: 60)),
      VoiceLine("where", places.isEmpty ? "-" : places.joined(separator: ", "), .voice),
      VoiceLine("id", figures.text(id, limit: 60), .faint, labelWidth: width < 48 ? 2 : 10),
    ]
  }

  private func times(_ past: HistorySession) -> [VoiceLine] {
    let began = figures.day(past.startedAt) + " " + figures.time(past.startedAt)
    let ended = figures.day(past.endedAt) + " " + figures.time(past.endedAt)
    return width >= 44
      ? [VoiceLine("when", began + " to " + ended, .number)]
      : [VoiceLine("began", began, .number), VoiceLine("ended", ended, .number)]
  }

  private func derived(_ id: String) -> [VoiceLine] {
    guard let summary = facts.voice.summaries[id] else {
      let text: PlainText =
        awaited.contains(id)
        ? "its events are on their way…"
        : facts.keys.text(.open) + " fetches its events: people, turns, skip rate, anomalies"
      return text.wrapped(to: max(8, width)).map(VoiceLine.note)
    }
    if let problem = summary.problem {
      return VoiceLine.wrapped(
        "events",
        "could not be had: " + PlainText(problem: problem, limit: 300) + ". "
          + facts.keys.text(.open)
          + " asks again.", .negative, width: width)
    }
    var people = PlainText(summary.people.joined(separator: ", "), limit: 600)
    if summary.peopleCount > summary.people.count {
      people += PlainText(", and \(summary.peopleCount - summary.people.count) more")
    }
    var lines = VoiceLine.wrapped(
      "people", summary.people.isEmpty ? "nobody is named" : people, .voice, width: width, limit: 4)
    if let peak = summary.peakHeadCount {
      lines.append(VoiceLine("at most", Figures.count(peak) + " at once", .number))
    }
    lines += [
      VoiceLine(
        [
          .label(("turns" as PlainText).padded(to: 10)),
          .init(text: Figures.count(summary.turnCount), role: .number),
        ] + summary.skipRate.spans),
      VoiceLine(
        "anomalies", Figures.count(summary.anomalyCount),
        summary.anomalyCount > 0 ? .warning : .number),
    ]
    if summary.isCapped {
      lines += VoiceLine.wrapped(
        "events",
        PlainText("first \(SessionSummary.cap): the backend gives no more, the end is missing"),
        .warning, width: width)
    } else {
      lines.append(VoiceLine("events", Figures.count(summary.rows), .number))
    }
    if summary.unreadable > 0 {
      lines.append(VoiceLine("unread", HistoryLines.unread(summary), .warning))
    }
    return lines
  }
}

extension VoiceFigures {
  /// `03-01`.
  func day(_ time: WireTime?) -> PlainText {
    time.map { facts.clock.monthDay(ms: $0.milliseconds) } ?? "-    "
  }

  func length(of past: HistorySession) -> PlainText {
    Figures.duration(ms: past.durationSeconds.map { Double($0) * 1000 })
  }
}

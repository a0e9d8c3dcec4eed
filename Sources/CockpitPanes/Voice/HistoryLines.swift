import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The past sessions, newest first: time, duration, users, number of turns, share of silence,
/// anomalies, reason of the end.
@MainActor
struct HistoryLines {
  let facts: ViewContext
  /// Sessions whose events are being fetched.
  var awaited: Set<String> = []
  var width: Int

  private var figures: VoiceFigures { VoiceFigures(facts: facts) }

  var placeholder: PlainText {
    if let problem = facts.voice.historyProblem {
      return "The list of past sessions could not be had: "
        + PlainText(problem: problem, limit: 300)
        + ". ]] comes back here and asks again."
    }
    if facts.voice.isHistoryLoaded { return "No past session is on record at the backend." }
    if facts.isUnheard {
      return facts.whyNothingCame
        + (facts.replay != nil
          ? ""
          : " The live session stands here when there is one, and past ones when there is none.")
    }
    return facts.isHeard
      ? "Asking for the past sessions…" : "Not known: the backend is not heard."
  }

  var lines: [VoiceLine] {
    let omitted = facts.voice.historyOmitted
    return facts.pastSessions.map(line)
      + (omitted == 0
        ? [] : [VoiceLine([.init(text: "\(omitted) could not be read", role: .warning)])])
  }

  private func line(_ past: HistorySession) -> VoiceLine {
    var spans: [VoiceLine.Span] = columns.contains(.bullet) ? [.symbol(.bullet, .voice)] : []
    // Of one whose start is on no record the day is that of its first event.
    let firstMs = past.startedAt == nil ? facts.voice.firstEventMs(of: past.sessionID) : nil
    spans += [
      .label(figures.day(past.startedAt ?? firstMs.map(WireTime.init(milliseconds:)))),
      .init(text: figures.time(past.startedAt).padded(to: 8), role: .number),
      .init(text: figures.length(of: past).leftPadded(to: 6), role: .number),
    ]
    if let place = placeColumns {
      let text = figures.place(of: past, width: place) ?? "-"
      spans.append(.init(text: text.cut(to: place).padded(to: place), role: .voice))
    }
    spans += derived(past)
    // Duration and figures have priority; the reason gets the remaining width.
    let left = spans.reduce(0) { $0 + $1.columns + 1 }
    return VoiceLine(
      spans, trailing: reason(past, room: width - left - 1), item: .past(past.sessionID))
  }

  /// Why it ended; of one without an end, that it was cut off and when its last event was.
  private func reason(_ past: HistorySession, room: Int) -> [VoiceLine.Span] {
    guard facts.voice.cutOff.contains(past.sessionID) else {
      guard room >= 8 else { return [] }
      return [.label(figures.text(past.endReason, limit: 24).cut(to: min(24, room)))]
    }
    let texts = facts.voice.cutOffEvidence(of: past.sessionID).texts(facts.clock)
    return texts.first { $0.columns <= room }.map { [.init(text: $0, role: .warning)] } ?? []
  }

  /// Optional columns of a row beside time and duration, by priority.
  private enum Column: CaseIterable {
    case people, turns, odd, place, skip, turnsWord, skipWord, bullet

    /// Columns with the space before it.
    var width: Int {
      switch self {
      case .people: 4
      case .turns: 6
      case .place: HistoryLines.leastPlace + 1
      case .odd: 5
      case .skip: 5
      case .turnsWord: 6
      case .skipWord: 5
      case .bullet: 2
      }
    }
  }

  /// Columns that a place can be cut to.
  private nonisolated static let leastPlace = 12
  /// Day, time and length.
  private static let heads = 21
  /// Columns that a reason should have before a place grows.
  private static let reasonRoom = 16

  /// Those that fit: all rows have the same, so that they stand below each other.
  private var columns: Set<Column> {
    var left = width - Self.heads
    var chosen: Set<Column> = []
    for column in Column.allCases where column.width <= left {
      chosen.insert(column)
      left -= column.width
    }
    return chosen
  }

  /// The width of the place column; nil if it does not fit.
  private var placeColumns: Int? {
    let columns = columns
    guard columns.contains(.place) else { return nil }
    let used = columns.reduce(Self.heads) { $0 + $1.width }
    return Self.leastPlace + min(24, max(0, width - used - Self.reasonRoom - 1))
  }

  /// `4p 43 turns skip 70% 3!`: derived from the events.
  private func derived(_ past: HistorySession) -> [VoiceLine.Span] {
    var columns = columns
    // When it was cut off is worth more than how the bot did in it.
    if facts.voice.cutOff.contains(past.sessionID) { columns.subtract([.odd, .skip, .skipWord]) }
    let room = columns.subtracting([.place, .bullet]).reduce(-1) { $0 + $1.width }
    guard let summary = facts.voice.summaries[past.sessionID] else {
      let sign: PlainText = awaited.contains(past.sessionID) ? "…" : "-"
      return [.label(sign.leftPadded(to: 3))]
    }
    if let problem = summary.problem {
      let text = ("no events: " as PlainText) + PlainText(problem, limit: 80)
      return [.init(text: text.cut(to: max(14, room)), role: .warning)]
    }
    guard summary.rows > 0 else { return [.label("no event is kept")] }
    let more: PlainText = summary.isCapped ? "+" : ""
    let share = summary.skipRate.share
    let people = summary.knownPeople.map { Figures.count($0) + "p" } ?? "-"
    let isWordy = columns.contains(.turnsWord)
    var turns = Figures.count(summary.turnCount) + more
    if !isWordy { turns += "t" }
    var spans: [VoiceLine.Span] = []
    if columns.contains(.people) {
      spans.append(.init(text: people.leftPadded(to: 3), role: .voice))
    }
    if columns.contains(.turns) {
      spans.append(
        .init(text: turns.leftPadded(to: 5), role: summary.isCapped ? .warning : .number))
    }
    if isWordy {
      spans.append(.label(summary.turnCount == 1 && !summary.isCapped ? "turn " : "turns"))
    }
    if columns.contains(.skipWord) { spans.append(.label("skip")) }
    if columns.contains(.skip) {
      let role: Role = (share ?? 0) > 0.5 ? .warning : .number
      spans.append(.init(text: Figures.percent(share).leftPadded(to: 4), role: role))
    }
    if columns.contains(.odd) {
      let isOdd = summary.anomalyCount > 0
      spans.append(
        .init(
          text: (Figures.count(summary.anomalyCount) + "!").leftPadded(to: 4),
          role: isOdd ? .warning : .muted))
    }
    return spans
  }

  static let capped = PlainText("first \(SessionSummary.cap)")

  static func unread(_ summary: SessionSummary) -> PlainText {
    "\(Figures.count(summary.unreadable)) of \(Figures.count(summary.rows)) could not be read"
  }
}

/// One past session: its list entry, and figures derived from its events.
@MainActor
struct PastSummary {
  let facts: ViewContext
  var awaited: Set<String> = []
  var width: Int

  private var figures: VoiceFigures { VoiceFigures(facts: facts) }

  func lines(_ id: String) -> [VoiceLine] {
    guard let past = facts.pastSessions.first(where: { $0.sessionID == id }) else {
      return [.note("It is not in the list of past sessions any more.")]
    }
    return times(past) + ending(past) + derived(id) + [
      VoiceLine("mode", figures.text(past.mode?.description, limit: 60)),
      VoiceLine("where", figures.place(of: past) ?? "-", .voice),
      VoiceLine("id", figures.text(id, limit: 60), .faint, labelWidth: width < 48 ? 2 : 10),
    ]
  }

  /// Its duration and reason of the end; for a session without an end, the available facts.
  private func ending(_ past: HistorySession) -> [VoiceLine] {
    var length = VoiceLine("length", figures.length(of: past), .number)
    if past.startedAt == nil, let first = facts.voice.firstEventMs(of: past.sessionID),
      let last = facts.voice.lastEventMs(of: past.sessionID)
    {
      length = VoiceLine(
        "length", "at least " + Figures.duration(ms: Double(last - first)), .number)
    }
    guard facts.voice.cutOff.contains(past.sessionID) else {
      return [length, VoiceLine("because", figures.text(past.endReason))]
    }
    return [length]
      + VoiceLine.wrapped(
        "because",
        facts.voice.cutOffEvidence(of: past.sessionID).ending(facts.clock)
          + ": no end is on record, as after a crash or a kill of the bot",
        .warning, width: width)
  }

  private func times(_ past: HistorySession) -> [VoiceLine] {
    let began = figures.day(past.startedAt) + " " + figures.time(past.startedAt)
    if past.startedAt == nil, facts.voice.cutOff.contains(past.sessionID) {
      let evidence = facts.voice.cutOffEvidence(of: past.sessionID)
      let first = evidence.firstMs.map {
        facts.clock.monthDay(ms: $0) + " " + facts.clock.time(ms: $0)
      }
      let start: PlainText =
        evidence.isFirstOnRecord ? "no start on record" : "its start was not read"
      return VoiceLine.wrapped(
        "began", start + (first.map { "; first event " + $0 } ?? ""), .warning, width: width)
    }
    if facts.voice.cutOff.contains(past.sessionID) {
      return [VoiceLine("began", began, .number)]
    }
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
      "people", summary.people.isEmpty ? "not known: no event names anybody" : people, .voice,
      width: width, limit: 4)
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
}

import CockpitStores
import TerminalCore

/// A voice session in words: facts about it, and a paragraph a turn. The verb `session` prints it, and VOICE
/// shows it.
@MainActor
package struct SessionReport {
  /// The kinds of which the backend gives all rows of a session (contract 7.1).
  static let replayedKinds: Set<String> = [
    "voice_session_start", "voice_session_end", "voice_runtime", "voice_turn_in", "voice_turn_out",
    "voice_error",
  ]

  package let record: VoiceSessionRecord
  package let summary: SessionSummary
  /// Whether all events are here, as far as the backend has them.
  package let isWhole: Bool
  /// Whether a session without an end is still running; nil if it has ended, or if unknown.
  package let isLive: Bool?
  package let names: Names
  package let clock: ClockFormat
  /// In ms since 1970.
  package let nowMs: Int64

  package init(
    record: VoiceSessionRecord, summary: SessionSummary, isWhole: Bool, isLive: Bool?,
    names: Names, clock: ClockFormat, nowMs: Int64
  ) {
    self.record = record
    self.summary = summary
    self.isWhole = isWhole
    self.isLive = isLive
    self.names = names
    self.clock = clock
    self.nowMs = nowMs
  }

  /// Columns of the names of facts, and of the indentation of a paragraph.
  package nonisolated static let indent = 10

  /// The lines of the verb.
  package var text: [PlainText] {
    facts.map { name, value in name.padded(to: Self.indent) + value } + [""]
      + record.turns.flatMap { paragraph($0).lines }
  }

  // MARK: The session

  /// Each with its name.
  package var facts: [(PlainText, PlainText)] {
    var facts: [(PlainText, PlainText)] = [
      ("session", PlainText(record.sessionID, limit: 200)),
      ("began", moment(record.startedAt)), ("ended", ending),
      ("length", Figures.duration(ms: lengthMs)),
    ]
    if let reason = record.endReason { facts.append(("because", PlainText(reason, limit: 200))) }
    if let mode = record.mode { facts.append(("mode", PlainText(mode, limit: 100))) }
    if let guild = record.guildID {
      facts.append(("guild", PlainText(names.guild(guild), limit: 200)))
    }
    if let channel = record.voiceChannelID {
      facts.append(("channel", PlainText("#" + names.channel(channel), limit: 100)))
    }
    let more = summary.peopleCount - summary.people.count
    facts.append(
      (
        "people",
        summary.people.isEmpty
          ? "-"
          : PlainText(summary.people.joined(separator: ", "), limit: 600)
            + (more > 0 ? " and \(more) more" : "")
      ))
    if let peak = summary.peakHeadCount {
      facts.append(("at most", Figures.count(peak) + " at once"))
    }
    facts.append(("turns", Figures.count(record.turns.count)))
    facts.append(
      (
        "skipped",
        Figures.percent(record.skipRate.share)
          + " (\(record.skipRate.skipped) of \(record.skipRate.decisions) decided)"
      ))
    if let p50 = record.latency.total.p50 {
      facts.append(("latency", "p50 " + Figures.duration(ms: Double(p50))))
    }
    facts.append(("anomalies", Figures.count(record.anomalies.count)))
    facts.append(("events", Figures.count(countedEvents.count) + (isWhole ? "" : "+")))
    return facts
  }

  /// The events that are counted. Rows of other kinds, such as model calls, and rows that do not name the session
  /// come from the log and depend on what is here.
  package var countedEvents: [VoiceEvent] {
    record.events.filter {
      SessionReport.replayedKinds.contains($0.kind) && $0.string("sessionId") == record.sessionID
    }
  }

  /// To the end, or to the last event where there is none.
  package var lengthMs: Double? {
    guard let start = record.startedAt,
      let end = record.endedAt ?? (isLive == true ? nowMs : record.span?.upperBound)
    else { return nil }
    return Double(max(0, end - start))
  }

  private var ending: PlainText {
    if record.endedAt != nil { return moment(record.endedAt) }
    let last = moment(record.span?.upperBound)
    return switch isLive {
    case true?: "not yet, it is live"
    case false?: (isWhole ? "cut off, last event " : "cut off after ") + last
    case nil: "not on record, last event " + last
    }
  }

  private func moment(_ ms: Int64?) -> PlainText {
    ms.map { clock.day(ms: $0) + " " + clock.time(ms: $0) } ?? "-"
  }

  // MARK: Turns

  /// Who spoke, what the bot replied, and why or why not.
  package func paragraph(_ turn: VoiceTurnRecord) -> TurnParagraph {
    let words: PlainText =
      turn.words.isEmpty ? "" : ": \"" + PlainText(turn.words, limit: 400) + "\""
    var notes: [TurnParagraph.Note] = []
    if let reply = turn.reply, !reply.isEmpty {
      notes.append(.init(kind: .reply, text: "bot: \"" + PlainText(reply, limit: 400) + "\""))
    }
    if let verdict = record.verdict(turn.id, nowMs: nowMs) {
      notes.append(.init(kind: .why, text: "why: " + PlainText(verdict.sentence, limit: 400)))
    }
    notes += troubles(turn.anomalies.map(\.words))
    return TurnParagraph(
      turn: turn.id, time: clock.time(ms: turn.startedAt), outcome: turn.outcome,
      word: PlainText(turn.outcomeWord(at: nowMs)), said: speaker(turn) + words, notes: notes)
  }

  /// A line for each trouble; one that comes again is counted.
  private func troubles(_ words: [PlainText]) -> [TurnParagraph.Note] {
    var counts: [(text: PlainText, count: Int)] = []
    for text in words {
      if let index = counts.firstIndex(where: { $0.text == text }) {
        counts[index].count += 1
      } else {
        counts.append((text, 1))
      }
    }
    return counts.map { entry in
      let times: PlainText = entry.count > 1 ? " x\(entry.count)" : ""
      return .init(kind: .trouble, text: "! " + entry.text + times)
    }
  }

  private func speaker(_ turn: VoiceTurnRecord) -> PlainText {
    switch turn.origin {
    case .speech:
      PlainText(
        turn.speaker ?? record.name(turn.speakerID) ?? turn.speakerID.map(names.user) ?? "somebody",
        limit: 100)
    case .roomEvent: "something in the room"
    case .thought: "a thought of the bot"
    }
  }
}

/// What is told of one turn.
package struct TurnParagraph: Hashable, Sendable {
  /// A line below the first.
  package struct Note: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case reply, why, trouble }

    package var kind: Kind
    /// With its label.
    package var text: PlainText
  }

  package var turn: VoiceTurnRecord.ID
  package var time: PlainText
  package var outcome: VoiceTurnRecord.Outcome
  /// The outcome as it is written.
  package var word: PlainText
  /// Who, and the words.
  package var said: PlainText
  package var notes: [Note]

  /// Columns of the outcome.
  package static let outcomeColumns = 11

  /// As the verb prints it.
  package var lines: [PlainText] {
    [time + "  " + word.padded(to: Self.outcomeColumns) + "  " + said]
      + notes.map { .spaces(SessionReport.indent) + $0.text }
  }
}

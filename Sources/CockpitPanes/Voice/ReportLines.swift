import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore

/// A voice session to read: facts about it, then a paragraph a turn, the newest at the end. Its words are those
/// of the verb `session`.
@MainActor
struct ReportLines {
  let scene: VoiceScene
  let report: SessionReport
  var width: Int
  /// Whether it begins with the facts about the session.
  let hasFacts: Bool

  /// The newest turns that the screen shows: the lines are laid out anew for each frame. The verb prints all.
  static let limit = 500

  /// nil without a record.
  init?(_ scene: VoiceScene, width: Int, hasFacts: Bool = true) {
    self.hasFacts = hasFacts
    guard let report = scene.report else { return nil }
    self.scene = scene
    self.report = report
    self.width = width
  }

  /// At least the last `limit` lines, if there are that many.
  func lines(limit: Int) -> [VoiceLine] {
    var parts: [[VoiceLine]] = []
    var count = 0
    func add(_ lines: [VoiceLine]) {
      count += lines.count
      parts.append(lines)
    }
    var missing = scene.missing
    var gapEnd = Int64.min
    if case .broken(_, let to) = scene.extent { gapEnd = to }
    let turns = report.record.turns.suffix(Self.limit)
    for turn in turns.reversed() {
      if let text = missing, turn.startedAt < gapEnd {
        add(note(text))
        missing = nil
      }
      guard count < limit else { break }
      add(paragraph(turn))
    }
    if count < limit {
      if let missing { add(note(missing)) }
      let left = report.record.turns.count - turns.count
      if left > 0 { add(note(Figures.count(left) + " earlier turns: 'session' prints them.")) }
      if hasFacts { add(facts + [VoiceLine()]) }
    }
    return parts.reversed().flatMap(\.self)
  }

  private func note(_ text: PlainText) -> [VoiceLine] {
    text.wrapped(to: max(8, width), limit: 4).map(VoiceLine.note)
  }

  private var facts: [VoiceLine] {
    report.facts.flatMap { name, value in
      VoiceLine.wrapped(name, value, width: width, labelWidth: SessionReport.indent).map {
        var line = $0
        line.item = figure(name).map(VoiceItem.figure)
        return line
      }
    }
  }

  /// What stands behind a fact; nil where it is no figure.
  private func figure(_ name: PlainText) -> RowsBehind? {
    switch name.description {
    case "turns": scene.behind(report.record.turns)
    case "skipped": scene.behindDecisions
    case "latency": scene.behindLatency
    case "anomalies":
      scene.behindAnomalies()
    case "events":
      RowsBehind(report.countedEvents.map { scene.row(of: $0.id) }, "events")
    default: nil
    }
  }

  // MARK: Turns

  func paragraph(_ turn: VoiceTurnRecord) -> [VoiceLine] {
    let paragraph = report.paragraph(turn)
    let item = VoiceItem.turn(turn.id)
    let rest = max(8, width - indent - 1)
    let head: [VoiceLine.Span] = [
      .label(paragraph.time + " "),
      .init(
        text: paragraph.word.padded(to: TurnParagraph.outcomeColumns),
        role: Self.role(paragraph.outcome), attributes: .bold),
    ]
    let first = width - head.reduce(0) { $0 + $1.columns + 1 }
    var lines: [VoiceLine]
    if first >= 16 {
      let said = paragraph.said.wrapped(first: first, rest: rest, limit: 60)
      lines = said.enumerated().map { index, part in
        VoiceLine((index == 0 ? head : [margin]) + [.init(text: part)], item: item)
      }
    } else {
      // Too narrow for words beside the outcome.
      lines = [VoiceLine(head, item: item)]
      lines += paragraph.said.wrapped(to: rest, limit: 60).map {
        VoiceLine([margin, .init(text: $0)], item: item)
      }
    }
    for note in paragraph.notes {
      lines += note.text.wrapped(to: rest, limit: 60).map {
        VoiceLine([margin, .init(text: $0, role: Self.role(note.kind))], item: item)
      }
    }
    return lines
  }

  /// As the verb indents; less where words need the room.
  private var indent: Int { width >= 60 ? SessionReport.indent : 2 }

  /// A space follows every span.
  private var margin: VoiceLine.Span { .init(text: .spaces(indent - 1)) }

  private static func role(_ outcome: VoiceTurnRecord.Outcome) -> Role {
    switch outcome {
    case .responded: .positive
    case .denied, .interrupted: .warning
    case .failed: .negative
    case .dropped, .pending: .muted
    }
  }

  private static func role(_ kind: TurnParagraph.Note.Kind) -> Role {
    switch kind {
    case .reply: .tts
    case .why: .muted
    case .trouble: .negative
    }
  }
}

extension VoiceScene {
  /// The session in words; nil if no event of it is on record.
  var report: SessionReport? {
    guard let record else { return nil }
    var summary = SessionSummary(record)
    // People who said nothing are known from while it was live.
    if !isLive, let known = facts.voice.summaries[id], known.problem == nil { summary = known }
    var isWhole = !summary.isCapped
    if isLive, case .whole = extent {} else if isLive { isWhole = false }
    return SessionReport(
      record: record, summary: summary, isWhole: isWhole,
      isLive: isLive
        ? (facts.asOf(.voice) == nil ? true : nil) : record.endedAt == nil ? false : nil,
      names: facts.names,
      clock: facts.clock, nowMs: facts.nowMs)
  }
}

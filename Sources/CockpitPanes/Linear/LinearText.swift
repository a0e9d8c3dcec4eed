import CockpitAnswers
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitAnswers
import CockpitStores
import TerminalCore

/// The text of linear mode: one sentence per event, without glyphs, borders or colours, for screen
/// readers. A function of the view context.
@MainActor
package struct LinearText {
  let facts: ViewContext

  package init(_ facts: ViewContext) { self.facts = facts }

  /// Maximum width of untrusted text per action, in columns.
  private static let textLimit = 400

  // MARK: Rows

  /// Whether a row is reported at all: partial transcripts are skipped, because the final one
  /// follows.
  package static func isReported(_ row: ActionRowView) -> Bool {
    row.isGap || row.label.event?.contains("asr_partial") != true
  }

  /// One row, as `14:32:05 voice turn in, james: speaks.`; nil if it can no longer be read.
  ///
  /// - Parameter isLate: whether it belongs before rows already reported.
  package func row(_ row: ActionRowView, isLate: Bool = false) -> PlainText? {
    let late: PlainText = isLate ? "late, " : ""
    if let gap = row.gap {
      return facts.clock.time(ms: gap.atMs) + " " + late + Self.gap(gap)
    }
    guard let action = row.action() else { return nil }
    let summary = ActionSummary(of: action, metadata: action.metadata(), names: facts.names)
    let label = summary.label.description.lowercased().replacing("_", with: " ")
    var line =
      facts.clock.time(ms: row.timeMs) + " " + late
      + PlainText(label.hasPrefix("rt ") ? "realtime " + label.dropFirst(3) : label)
    var spans = summary.spans[...]
    if let first = spans.first, first.role == .voice, spans.count > 1 {
      line += ", " + first.text + ":"
      spans.removeFirst()
    } else if !spans.isEmpty {
      line += ","
    }
    for span in spans { line += " " + span.text }
    line = line.cut(to: Self.textLimit)
    if summary.outcome == .failed { line += ", failed" }
    if row.isOfFormerLog { line += ", of the old log" }
    if let ms = summary.durationMs { line += ", " + Figures.duration(ms: ms) }
    if let cost = row.costUSD, cost > 0 { line += ", " + Figures.cost(cost) }
    return ended(line)
  }

  private static func gap(_ gap: IDGapRow) -> PlainText {
    switch gap.kind {
    case .filled(let count):
      PlainText("the connection was lost, \(count) actions were fetched afterwards.")
    case .lost, .unanswered, .replaced: GapText(gap).sentence + "."
    }
  }

  /// Adds a full stop, unless the text ends in punctuation, possibly before a quote.
  private func ended(_ text: PlainText) -> PlainText {
    let last = text.description.last { $0 != "\"" }
    return last.map { ".!?…".contains($0) } ?? true ? text : text + "."
  }

  /// `240 more actions in 10 s, 3 errors.`
  package static func rest(_ rest: LinearPace.Rest) -> PlainText {
    let errors: PlainText =
      rest.errors == 0 ? "" : rest.errors == 1 ? ", 1 error" : PlainText(", \(rest.errors) errors")
    return PlainText("\(rest.actions) more action\(rest.actions == 1 ? "" : "s") in ")
      + PlainText("\(LinearPace.window / 1000) s") + errors + "."
  }

  // MARK: Connection

  /// The connection as a sentence.
  package func connection() -> PlainText {
    let words = ConnectionWords(status: facts.status, monotonicNs: facts.monotonicNs)
    switch facts.status.overall {
    case .live: return "Connected to " + PlainText(facts.connection.address, limit: 200) + "."
    case .connecting where facts.status.failure == nil:
      return "Connecting to " + PlainText(facts.connection.address, limit: 200) + "."
    default:
      return ended(words.sentence ?? PlainText(facts.status.overall.rawValue))
    }
  }

  /// The bot's health as a sentence that starts with the same word as the header.
  package func bot() -> PlainText {
    let words = TriageText(facts.triage, clock: facts.clock)
    let asOf: PlainText = facts.asOf(.activity).map { ", " + $0 } ?? ""
    return ended(words.word + asOf + ": " + words.status)
  }

  /// The bot's current troubles. A change of their numbers alone is not worth reporting. Empty if none
  /// are known; nil if the current state is unknown.
  package func troubles() -> [TriageTrouble.ID]? {
    let report = facts.triage
    return report.asOfMs == nil && report.isKnown ? report.ofBot.map(\.id) : nil
  }

  // MARK: On request

  /// State, counts, cost, voice: each a sentence.
  package func status() -> [PlainText] {
    var lines = [connection()]
    let log = facts.activity.log
    let failures = (log.firstRow..<log.endRow).count { id in
      log.row(id).map { $0.isFailure && !$0.isOfFormerLog && $0.isIn(facts.scope) } ?? false
    }
    let whose = facts.scopeName.map { " of " + $0 } ?? ""
    lines.append(
      Figures.count(facts.scope.isAll ? log.totals.retained.actions : log.count(in: facts.scope))
        + " actions" + whose + " are known, "
        + Figures.count(facts.scope.isAll ? log.totals.retained.failures : failures)
        + " of them errors; cost today, UTC, " + Figures.cost(facts.costToday) + ".")
    if let ms = newestAgeMs {
      lines.append(
        ms < 1000
          ? "The newest action came just now."
          : "The newest action is " + Figures.age(ms: ms) + " old.")
    }
    lines += voice()
    lines.append(bot())
    if facts.isReadOnly { lines.append("This connection is read-only.") }
    return lines
  }

  private var newestAgeMs: Int64? {
    let log = facts.activity.log
    guard log.count > 0 else { return nil }
    return max(0, facts.nowMs - log.row(at: 0).timeMs)
  }

  /// The live voice sessions.
  package func voice() -> [PlainText] {
    guard facts.voice.state != nil else { return ["Nothing was heard of voice yet."] }
    let sessions = facts.liveSessions
    let asOf = facts.asOf(.voice)
    guard !sessions.isEmpty else {
      return [asOf.map { "No voice session was live " + $0 + "." } ?? "No voice session is live."]
    }
    return sessions.prefix(10).map { session in
      let people = session.participants.compactMap(\.displayName).prefix(20)
      let place = session.voiceChannelID.map {
        " in " + PlainText(facts.names.channel($0), limit: 60)
      }
      let who: PlainText =
        people.isEmpty
        ? "nobody else is there" : "with " + PlainText(people.joined(separator: ", "), limit: 300)
      return (asOf.map { "A voice session was live " + $0 } ?? "A voice session is live")
        + (place ?? "") + ", " + who + "."
    }
  }

  /// Why the bot said something or stayed silent last: the sentence, the steps that were reached, and what to do
  /// next.
  package func why() -> [PlainText] {
    let rows = facts.exchanges
    let last = rows.find(.last, facts.clock)
    let turn = newestTurn().flatMap {
      rows.exchange(.turn(session: $0.record.sessionID, turn: $0.turn.id))
    }
    // A turn that nobody would ask about, such as noise, is not what was said last.
    let isText = last.map { $0.voice == nil && $0.startMs >= turn?.startMs ?? .min } ?? false
    guard let exchange = isText ? last : turn ?? last else {
      return ["Nothing is known that it said or left unsaid."]
    }
    let why = Why(exchange)
    var lines = [PlainText(why.answer.sentence, limit: 600)]
    for step in why.checklist where step.state != .notReached {
      let stop: PlainText = step.isStop ? ", where it stopped" : ""
      let detail: PlainText = step.detail.isEmpty ? "" : ", " + PlainText(step.detail, limit: 300)
      lines.append(
        ended(PlainText(step.kind.rawValue) + " " + PlainText(step.state.rawValue) + stop + detail))
    }
    if let next = why.answer.next { lines.append("Next: " + PlainText(next.sentence, limit: 300)) }
    return lines
  }

  private func newestTurn() -> (turn: VoiceTurnRecord, record: VoiceSessionRecord)? {
    let ids = facts.liveSessions.map(\.sessionID) + facts.pastSessions.map(\.sessionID).prefix(1)
    var newest: (turn: VoiceTurnRecord, record: VoiceSessionRecord)?
    for id in ids {
      guard let record = facts.voice.record(id),
        let turn = record.turns.last(where: \.isWorthAsking)
          ?? record.turns.last(where: { !$0.words.isEmpty || $0.outcome != .pending })
      else { continue }
      if newest.map({ $0.turn.lastAt < turn.lastAt }) ?? true { newest = (turn, record) }
    }
    return newest
  }

  /// The available commands.
  package static let help: [PlainText] = [
    "One sentence for each thing that happens. Type a line and Enter:",
    "s: status. w: why the bot spoke or stayed silent last. q: quit.",
    "f QUERY: tell only what matches, such as f kind:llm_* or f chip:err. f alone: tell everything.",
    "find TEXT: the newest actions with a text. pulse: the newest actions. voice: the live sessions.",
    "pause: tell nothing until follow.",
    "Verbs of the command line work as in a shell: facts search TEXT, facts list, actions, sessions, "
      + "doctor. help VERB explains one.",
  ]
}

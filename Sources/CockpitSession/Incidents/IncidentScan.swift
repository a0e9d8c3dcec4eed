import ClankyWire
import CockpitHistory
import CockpitRules
import CockpitStores
import LenientJSON

/// Has the rules judge a stretch of a recording, oldest first, as they would have judged it live.
///
/// The unit is a UTC day, always judged with the same warm-up before it, so that a day has the same incidents in every
/// range. Results of finished days are cached in `notes.db`.
package struct IncidentScan: Sendable {
  private let settings: RuleSettings

  /// Rows and documents are read in pieces of so long, in ms.
  private static let pieceMs: Int64 = 1_800_000
  private static let batch = 20_000
  /// How far before the range an incident may begin and still be reported, if it lasts into the range.
  private static let leadMs: Int64 = 900_000

  package init(_ settings: RuleSettings) { self.settings = settings }

  /// Judges what was recorded from a time to another, ms since 1970.
  ///
  /// - Parameter progress: called with the share that was judged, 0...1; false ends the scan.
  package func report(
    _ history: any HistoryReading, fromMs: Int64, toMs: Int64,
    progress: (Double) -> Bool = { _ in true }
  ) throws(HistoryError) -> IncidentReport {
    var report = IncidentReport()
    (report.fromMs, report.toMs) = (fromMs, toMs)
    guard let span = try history.span(), toMs >= span.lowerBound, toMs >= fromMs else {
      report.judgements = RuleEngine(settings).judgements
      return report
    }
    let days = Self.day(max(fromMs - Self.leadMs, span.lowerBound))...Self.day(toMs)
    let (verdicts, isWhole) = try verdicts(days, history, toMs: toMs, progress: progress)
    report.isBehind = !isWhole
    let all = days.compactMap { verdicts[$0] }
    report.incidents = all.flatMap(\.incidents)
      .filter { $0.toMs >= fromMs && $0.fromMs <= toMs }
      .sorted { ($0.toMs, $0.fromMs, $0.id) > ($1.toMs, $1.fromMs, $1.id) }
    report.events = all.reduce(0) { $0 + $1.events }
    report.tooLate = all.reduce(0) { $0 + $1.tooLate }
    report.judgements = RuleEngine(settings).rules.map { rule in
      (rule, Self.joined(all.compactMap { $0.judgements[rule.id] }))
    }
    return report
  }

  /// The incidents that begin in a day (days since 1970), as far as is known at a time.
  func incidents(
    ofDay day: Int64, _ history: any HistoryReading, toMs: Int64
  ) throws(HistoryError) -> [Incident] {
    let endMs = min(toMs, (day + 2) * DayJudge.dayMs)
    return try verdicts(day...day, history, toMs: endMs).found[day]?.incidents ?? []
  }

  /// The incidents of days that were judged before, without judging any.
  func knownIncidents(
    _ history: any HistoryReading, fromMs: Int64, toMs: Int64
  ) throws(HistoryError) -> [Incident] {
    guard toMs >= fromMs, let kept = KeptIncidents(history, settings) else { return [] }
    let days = Self.day(fromMs)...Self.day(toMs)
    return try kept.verdicts(days, try kept.bases(days)).values.flatMap(\.incidents)
      .filter { $0.fromMs >= fromMs && $0.fromMs <= toMs }
  }

  /// The same, and how often the rules have fired in the seven days before the end.
  package func reportWithRecent(
    _ history: any HistoryReading, fromMs: Int64, toMs: Int64,
    progress: (Double) -> Bool = { _ in true }
  ) throws(HistoryError) -> IncidentReport {
    let weekMs = toMs - RecentIncidents.windowMs
    var report = try report(
      history, fromMs: min(fromMs, weekMs), toMs: toMs, progress: progress)
    if !report.isBehind {
      report.recent = RecentIncidents(
        report.incidents, recorded: try history.recorded(fromMs: weekMs, toMs: toMs),
        untilMs: toMs)
    }
    report.incidents.removeAll { $0.toMs < fromMs }
    report.fromMs = fromMs
    return report
  }

  /// The verdicts on days: those that were kept, and of the others new ones.
  private func verdicts(
    _ days: ClosedRange<Int64>, _ history: any HistoryReading, toMs: Int64,
    progress: (Double) -> Bool = { _ in true }
  ) throws(HistoryError) -> (found: [Int64: DayVerdict], isWhole: Bool) {
    let kept = KeptIncidents(history, settings)
    let bases = try kept?.bases(days) ?? [:]
    var verdicts = try kept?.verdicts(days, bases) ?? [:]
    // A result that used later records must not be shown at this time.
    verdicts = verdicts.filter { $0.value.judgedToMs <= toMs }
    let open = days.filter { verdicts[$0] == nil }
    let isWhole = try judge(open, history, toMs: toMs, kept, progress: progress) {
      verdict, isOver in
      verdicts[verdict.day] = verdict
      // A failed write only costs time: the day is judged again.
      guard isOver, let kept, let rests = bases[verdict.day] else { return }
      _ = Result { () throws(HistoryError) in try kept.keep(verdict, on: rests) }
    }
    return (verdicts, isWhole)
  }

  /// Whether a rule could judge a stretch, by its days.
  private static func joined(_ days: [Judgement]) -> Judgement {
    if days.contains(.judged) { return .judged }
    // No day was judged: the reason of the last day that has one.
    return days.last { $0 != .idle } ?? .idle
  }

  static func day(_ ms: Int64) -> Int64 {
    (ms - ((ms % DayJudge.dayMs) + DayJudge.dayMs) % DayJudge.dayMs) / DayJudge.dayMs
  }

  /// Judges days, several at once: each event is read once.
  ///
  /// - Returns: whether it went to the end.
  private func judge(
    _ days: [Int64], _ history: any HistoryReading, toMs: Int64, _ kept: KeptIncidents?,
    progress: (Double) -> Bool, done: (DayVerdict, _ isOver: Bool) -> Void
  ) throws(HistoryError) -> Bool {
    guard let first = days.first, let last = days.last else { return true }
    var settings = settings
    settings.hours = try HourBook(history, kept).table(for: first...last)
    if settings.hasBudget { settings.spend = try SpendHistory(history).dollars(for: first...last) }
    // Only its router is used.
    var reader = RuleEngine(settings)
    var waiting = days[...]
    var judges: [DayJudge] = []
    var at = DayJudge.beginMs(first)
    let begin = at
    let outages = try history.outages(after: begin, through: toMs).filter { $0.toMs <= toMs }
    while at < toMs {
      while let next = waiting.first, DayJudge.beginMs(next) <= at {
        judges.append(DayJudge(day: next, settings))
        waiting.removeFirst()
      }
      guard !judges.isEmpty else {
        guard let next = waiting.first else { break }
        at = min(toMs, DayJudge.beginMs(next))
        continue
      }
      let end = min(toMs, at + Self.pieceMs)
      var events = try rows(history, after: at, through: end, &reader)
      events += try documents(history, after: at, through: end)
      let near = outages.filter { $0.toMs > at && $0.fromMs <= end }
      for place in judges.indices { judges[place].take(events, outages: near, through: end) }
      judges.removeAll { judge in
        guard judge.isOver else { return false }
        done(judge.verdict, true)
        return true
      }
      at = end
      guard progress(Double(at - begin) / Double(max(1, toMs - begin))) else { break }
    }
    for judge in judges { done(judge.verdict, false) }
    return at >= toMs || judges.isEmpty && waiting.isEmpty
  }

  private func rows(
    _ history: any HistoryReading, after: Int64, through: Int64, _ engine: inout RuleEngine
  ) throws(HistoryError) -> [RuleEvent] {
    var events: [RuleEvent] = []
    var from = after
    while from < through {
      var router = engine.router
      let (rows, end) = try history.rows(after: from, through: through, limit: Self.batch) { name in
        router.wants(ActionLabel(kind: name.kind, event: name.event))
      }
      for row in rows {
        let read = row.json.withUnsafeBytes { json in
          engine.withRouter { RuleRow(json, router: &$0, actionID: row.actionID) }
        }
        if let read { events.append(RuleEvent(read)) }
      }
      from = end
    }
    return events
  }

  private func documents(
    _ history: any HistoryReading, after: Int64, through: Int64
  ) throws(HistoryError) -> [RuleEvent] {
    var events: [RuleEvent] = []
    for document in try history.documents(after: after, through: through) {
      switch document.name {
      case "voice_state":
        guard let json = try? JSONValue.parse(document.body), let state = VoiceState(json) else {
          continue
        }
        events.append(RuleEvent(state, atMs: document.atMs))
      case "stats":
        let stats = document.body.withUnsafeBytes { try? StatsEnvelope.withoutVoice($0) } ?? nil
        if let stats { events.append(RuleEvent(stats, atMs: document.atMs)) }
      default: continue
      }
    }
    return events
  }
}

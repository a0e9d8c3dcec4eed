import CockpitHistory
import CockpitRules
import Synchronization

/// Has the rules judge a stretch of a recording, oldest first, as they would have judged it live.
///
/// The unit is a UTC day, always judged with the same warm-up before it, so that a day has the same incidents in every
/// range. Results of finished days are cached in `notes.db`.
package struct IncidentScan: Sendable {
  private let settings: RuleSettings

  /// How many days a thread gets at least: each part of the days reads one more, as its warm-up.
  private static let leastDays = 3
  /// How far before the range an incident may begin and still be reported, if it lasts into the range.
  private static let leadMs: Int64 = 900_000

  package init(_ settings: RuleSettings) { self.settings = settings }

  /// Judges what was recorded from a time to another, ms since 1970.
  ///
  /// - Parameters:
  ///   - threads: how many threads judge days at once, at most. The result does not depend on it.
  ///   - progress: called on the calling thread with the share of its days that was judged, 0...1; false ends the scan.
  package func report(
    _ history: any HistoryReading, fromMs: Int64, toMs: Int64, threads: Int = 1,
    progress: (Double) -> Bool = { _ in true }
  ) throws(HistoryError) -> IncidentReport {
    var report = IncidentReport()
    (report.fromMs, report.toMs) = (fromMs, toMs)
    guard let span = try history.span(), toMs >= span.lowerBound, toMs >= fromMs else {
      report.judgements = RuleEngine(settings).judgements
      return report
    }
    let days = Self.day(max(fromMs - Self.leadMs, span.lowerBound))...Self.day(toMs)
    let (verdicts, isWhole) = try verdicts(
      days, history, toMs: toMs, threads: threads, progress: progress)
    report.isBehind = !isWhole
    let all = days.compactMap { verdicts[$0] }
    report.incidents = all.flatMap(\.incidents)
      .filter { $0.toMs >= fromMs && $0.fromMs <= toMs }
      .sorted { ($0.toMs, $0.fromMs, $0.id) > ($1.toMs, $1.fromMs, $1.id) }
    report.events = all.reduce(0) { $0 + $1.events }
    report.tooLate = all.reduce(0) { $0 + $1.tooLate }
    report.judgements = RuleEngine(settings).rules.compactMap { rule in
      let judgement = Self.joined(all.compactMap { $0.judgements[rule.id] })
      return judgement == .idle && rule.input.isOfGateway ? nil : (rule, judgement)
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
    _ history: any HistoryReading, fromMs: Int64, toMs: Int64, threads: Int = 1,
    progress: (Double) -> Bool = { _ in true }
  ) throws(HistoryError) -> IncidentReport {
    let weekMs = toMs - RecentIncidents.windowMs
    var report = try report(
      history, fromMs: min(fromMs, weekMs), toMs: toMs, threads: threads, progress: progress)
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
    _ days: ClosedRange<Int64>, _ history: any HistoryReading, toMs: Int64, threads: Int = 1,
    progress: (Double) -> Bool = { _ in true }
  ) throws(HistoryError) -> (found: [Int64: DayVerdict], isWhole: Bool) {
    let kept = KeptIncidents(history, settings)
    let bases = try kept?.bases(days) ?? [:]
    var verdicts = try kept?.verdicts(days, bases) ?? [:]
    // A result that used later records must not be shown at this time.
    verdicts = verdicts.filter { $0.value.judgedToMs <= toMs }
    let open = days.filter { verdicts[$0] == nil }
    guard let first = open.first, let last = open.last else { return (verdicts, true) }
    var settings = settings
    settings.hours = try HourBook(history, kept).table(for: first...last, threads: threads)
    if settings.hasBudget { settings.spend = try SpendHistory(history).dollars(for: first...last) }
    let pass = try DayPass(settings, history, first: first, toMs: toMs)
    let new = Mutex<[DayVerdict]>([])
    let note: @Sendable (DayVerdict, Bool) -> Void = { verdict, isOver in
      new.withLock { new in
        new.append(verdict)
        // A failed write only costs time: the day is judged again. One thread at a time writes.
        guard isOver, let kept, let rests = bases[verdict.day] else { return }
        _ = Result { () throws(HistoryError) in try kept.keep(verdict, on: rests) }
      }
    }
    let parts = min(threads, open.count / Self.leastDays)
    let isWhole = try OwnThread.parts(of: open, parts, progress: progress) {
      days, progress throws(HistoryError) in
      try pass.judge(days, progress: progress, done: note)
    }
    for verdict in new.withLock({ $0 }) { verdicts[verdict.day] = verdict }
    return (verdicts, isWhole.allSatisfy { $0 })
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
}

import CockpitHistory
import CockpitRules

/// The cache of judged days in `notes.db`.
///
/// An entry is valid while the rules, their settings, the records of its day and those of the day before are unchanged:
/// rules carry state over midnight. Removal of the day before invalidates nothing. Where nothing can be written, days are
/// judged again.
struct KeptIncidents {
  private let history: HistoryFolder
  private let basis: String

  /// nil for a bundle: nothing is written beside it.
  init?(_ history: any HistoryReading, _ settings: RuleSettings) {
    guard let folder = history as? HistoryFolder, folder.isFolder else { return nil }
    self.history = folder
    basis = settings.basis
  }

  /// The records that the result of a day depends on: its own, and those of the hour after it.
  private static func stretch(_ day: Int64) -> ClosedRange<Int64> {
    day * DayJudge.dayMs...(day + 1) * DayJudge.dayMs + DayJudge.tailMs
  }

  func stamps(_ days: ClosedRange<Int64>) throws(HistoryError) -> [Int64: String] {
    let stamps = try history.stamps(days.map(Self.stretch))
    return Dictionary(
      uniqueKeysWithValues: zip(days, stamps.map { $0.isEmpty ? "" : $0 + Self.hoursVersion }))
  }

  /// Of the hours that are cached; with another one they are counted again. 2: gaps count.
  private static let hoursVersion = "v2"

  /// The stamps of the records that a verdict depends on.
  struct Basis: Equatable {
    /// The stamp of the day itself, and of the records before it that its judge reads.
    var own: String
    var before: String

    var text: String { own + "| " + before }

    /// Whether a cached result is still valid.
    func allows(_ kept: String) -> Bool {
      guard !own.isEmpty else { return false }
      return kept == text || before.isEmpty && kept.hasPrefix(own + "| ")
    }
  }

  func bases(_ days: ClosedRange<Int64>) throws(HistoryError) -> [Int64: Basis] {
    let before = days.map { (DayJudge.beginMs($0) + 1)...($0 * DayJudge.dayMs - 1) }
    let stamps = try history.stamps(days.map(Self.stretch) + before)
    let filed = history.filedDays
    var bases: [Int64: Basis] = [:]
    for (place, day) in days.enumerated() {
      // Without its file, a few rows that came after midnight are all that is left of a day.
      let before = filed.contains(day - 1) ? stamps[days.count + place] : ""
      bases[day] = Basis(own: stamps[place], before: before)
    }
    return bases
  }

  /// The verdicts on days that still count.
  func verdicts(
    _ days: ClosedRange<Int64>, _ bases: [Int64: Basis]
  ) throws(HistoryError) -> [Int64: DayVerdict] {
    var verdicts: [Int64: DayVerdict] = [:]
    for kept in try HistoryNotes.judgedDays(days, basis: basis, in: history.path)
    where bases[kept.day]?.allows(kept.stamp) == true {
      verdicts[kept.day] = DayVerdict(
        day: kept.day, judgedToMs: kept.judgedToMs, json: kept.body)
    }
    return verdicts
  }

  /// Keeps a verdict.
  ///
  /// - Parameter rests: the basis as it was before the reading; if it has changed since, nothing is cached.
  func keep(_ verdict: DayVerdict, on rests: Basis) throws(HistoryError) {
    guard !rests.own.isEmpty, try bases(verdict.day...verdict.day)[verdict.day] == rests else {
      return
    }
    try HistoryNotes.keep(
      .init(
        day: verdict.day, basis: basis, stamp: rests.text, judgedToMs: verdict.judgedToMs,
        body: verdict.json),
      in: history.path)
  }

  // MARK: hours

  /// The cached hours of days; also of days whose records are gone.
  func hours(_ days: ClosedRange<Int64>, _ stamps: [Int64: String]) throws(HistoryError)
    -> [Int64: HourTable.Day]
  {
    var hours: [Int64: HourTable.Day] = [:]
    for kept in try HistoryNotes.hours(days, in: history.path) {
      let stamp = stamps[kept.day] ?? ""
      guard stamp.isEmpty || stamp == kept.stamp else { continue }
      hours[kept.day] = HourTable.Day(recorded: kept.recorded, spoken: kept.spoken)
    }
    return hours
  }

  func keep(_ hours: [Int64: HourTable.Day], _ stamps: [Int64: String]) throws(HistoryError) {
    let days = hours.compactMap { day, hours -> HistoryNotes.HoursOfDay? in
      guard let stamp = stamps[day], !stamp.isEmpty else { return nil }
      return .init(day: day, stamp: stamp, recorded: hours.recorded, spoken: hours.spoken)
    }
    try HistoryNotes.keep(days.sorted { $0.day < $1.day }, in: history.path)
  }
}

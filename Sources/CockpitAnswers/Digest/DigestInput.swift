package import ClankyWire
internal import CockpitStores
package import CockpitText

/// What a digest is made from: rows, and documents of its beginning and end.
@MainActor
package struct DigestInput {
  /// Cost of the same hours of an earlier day.
  package struct EarlierCost: Hashable, Sendable {
    /// How many days before.
    package var days: Int
    package var usd: Double

    package init(days: Int, usd: Double) {
      self.days = days
      self.usd = usd
    }
  }

  /// Facts that were listed at the beginning of the time and no more at its end.
  package struct FactLists: Hashable, Sendable {
    /// When the lists that are compared were fetched, in ms since 1970.
    package var beforeMs: Int64
    package var afterMs: Int64
    package var lost: [Fact]

    package init(beforeMs: Int64, afterMs: Int64, lost: [Fact]) {
      self.beforeMs = beforeMs
      self.afterMs = afterMs
      self.lost = lost
    }

    package static func == (left: FactLists, right: FactLists) -> Bool {
      left.beforeMs == right.beforeMs && left.afterMs == right.afterMs
        && left.lost.map(\.id) == right.lost.map(\.id)
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(beforeMs)
      hasher.combine(lost.map(\.id))
    }
  }

  /// What a rule over events found in the time.
  package struct Finding: Hashable, Sendable {
    package var rule: String
    /// `critical`, `warning` or `info`.
    package var level: String
    package var sentence: String
    /// Ms since 1970.
    package var atMs: Int64
    package var evidence: [Answer.Evidence]
    /// How often the rule has fired in the last seven days, as words; nil without a recording.
    package var often: String?

    package init(
      rule: String, level: String, sentence: String, atMs: Int64, evidence: [Answer.Evidence],
      often: String? = nil
    ) {
      self.often = often
      self.rule = rule
      self.level = level
      self.sentence = sentence
      self.atMs = atMs
      self.evidence = evidence
    }
  }

  /// The rows, those of some time before the beginning among them; `nowMs` is the end.
  package var rows: ExchangeRows
  package var fromMs: Int64
  package var beginning = Digest.Beginning.given
  /// Where rows are missing, or may be.
  package var missing: [MissingStretch] = []
  package var earlierCosts: [EarlierCost] = []
  /// The end of the UTC day in which the time ends; nil without a week of recorded days.
  package var forecast: DayForecast?
  /// The automations at the end, and when they were fetched; nil if they are not known.
  package var automations: TriageInput.Heard<[Automation]>?
  /// nil if no two lists of facts are known.
  package var facts: FactLists?
  /// What the rules over events found, oldest first; nil if they did not run.
  package var findings: [Finding]?
  package var triage = TriageSettings()
  package var clock: ClockFormat

  package init(_ rows: ExchangeRows, fromMs: Int64, clock: ClockFormat) {
    self.rows = rows
    self.fromMs = fromMs
    self.clock = clock
  }

  var toMs: Int64 { rows.nowMs }
  var log: ActionLog { rows.log }

  /// The rows of the time, oldest first.
  func inside(_ isWanted: (ActionRowView) -> Bool) -> [ActionRowView] {
    var found: [ActionRowView] = []
    for place in log.firstIndex(
      notNewerThan: toMs)..<max(log.count, log.firstIndex(notNewerThan: toMs))
    {
      let row = log.row(at: place)
      if row.timeMs < fromMs { break }
      guard !row.isGap, !row.isOfFormerLog, row.isIn(rows.scope), isWanted(row) else { continue }
      found.append(row)
    }
    return found.reversed()
  }
}

package import CockpitStatistics

/// A rule as an entry of the table: what it looks at, what it says, and how it begins.
///
/// `RuleTable.all` lists them. To add one: docs in CONTRIBUTING.md, "Add a rule over events".
package struct Rule: Sendable {
  package let id: RuleID
  package let level: RuleLevel
  /// Fires when …, at most 100 characters.
  package let condition: String
  /// What to do when it fired, at most 100 characters.
  package let advice: String
  package let input: RuleInput
  package let limits: [RuleLimit]
  /// The state before the first event.
  let begin: @Sendable (RuleValues) -> any RuleState
}

/// What a rule looks at: an event that is not listed never reaches it.
package struct RuleInput: Sendable {
  /// Names of rows (`RuleRow.name`), exactly.
  package var names: Set<String> = []
  /// Beginnings of names.
  package var prefixes: [String] = []
  /// Ends of names: providers put their label before many.
  package var suffixes: [String] = []
  /// Every failure, whatever its name.
  package var failures = false
  /// Every row. It costs: name what you need where you can.
  package var everyRow = false
  /// Members of the metadata that it reads.
  package var keys: Set<String> = []
  package var voiceState = false
  package var health = false
  package var outages = false
  /// Outages of the recorder alone, while the rows are here.
  package var recorder = false
  package var links = false
  /// Sizes and hashes of the prompts of model calls (`RuleRow.prompts`).
  package var prompts = false
  /// How far back in time a verdict may rest on events, in ms: judging begins so much earlier.
  package var memoryMs: Int64 = 900_000
  /// Rows of an OpenClaw gateway alone. The rule is listed where such rows were judged: an owner of a bot has none.
  package var isOfGateway = false
  /// Rows of a bot and of a gateway. Other rules see none of a gateway: its kinds may be called as those of Discord.
  package var isOfBoth = false
}

/// A threshold that the configuration may change: `[anomalies.RULE]`.
package struct RuleLimit: Hashable, Sendable {
  package enum Unit: String, Sendable {
    /// Milliseconds.
    case ms
    /// A number of events.
    case count
    /// A share or factor.
    case ratio
    /// US dollars.
    case usd
  }
  /// Its key, such as `within_ms`.
  package var name: String
  package var unit: Unit
  package var standard: Double
  package var meaning: String
}

/// The thresholds of one rule.
package struct RuleValues: Sendable {
  private var values: [String: Double] = [:]
  /// When the bot spoke in recorded weeks; nil if nothing was recorded.
  let hours: HourTable?
  /// What the hours of recorded days cost; nil if that is not known.
  let spend: DayProfile?

  init(
    _ limits: [RuleLimit], _ changed: [String: Double], hours: HourTable? = nil,
    spend: DayProfile? = nil
  ) {
    (self.hours, self.spend) = (hours, spend)
    for limit in limits { values[limit.name] = changed[limit.name] ?? limit.standard }
  }

  /// The value of a limit, which must be one of the rule's.
  func ms(_ name: String) -> Int64 { Int64(self[name]) }
  func count(_ name: String) -> Int { Int(self[name]) }
  subscript(name: String) -> Double {
    assert(values[name] != nil, "no limit is called \(name)")
    return values[name] ?? 0
  }
}

/// What a rule has seen so far. A value: the engine copies it, to go back when a row comes late.
package protocol RuleState: Sendable {
  /// Takes the next event in order.
  mutating func take(_ event: RuleEvent, _ found: inout Findings)
  /// When something is due that no event announces, ms since 1970; nil if nothing is.
  var deadlineMs: Int64? { get }
  /// Called when all events before `nowMs` were taken and `deadlineMs` is not later than `nowMs`. Everything that
  /// is due by then is to be decided: afterwards `deadlineMs` is later than `nowMs`, or nil.
  mutating func pass(_ nowMs: Int64, _ found: inout Findings)
  /// Why it cannot judge, from what it has seen; nil if it can.
  var unknown: String? { get }
}

extension RuleState {
  package var deadlineMs: Int64? { nil }
  package mutating func pass(_ nowMs: Int64, _ found: inout Findings) {}
  package var unknown: String? { nil }
}

/// Levels and thresholds as the configuration has them.
package struct RuleSettings: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// nil for the rule's own.
    package var level: RuleLevel?
    /// `allow`: the rule does not run.
    package var isOff: Bool
    package var values: [String: Double]

    package init(level: RuleLevel? = nil, isOff: Bool = false, values: [String: Double] = [:]) {
      self.level = level
      self.isOff = isOff
      self.values = values
    }
  }
  package var entries: [RuleID: Entry]
  /// When the bot spoke in recorded weeks, for `unusual_silence`; nil if nothing was recorded.
  package var hours: HourTable?
  /// What the hours of recorded days cost, in US dollars, for `budget`; nil if that is not known.
  package var spend: DayProfile?

  package init(
    _ entries: [RuleID: Entry] = [:], hours: HourTable? = nil, spend: DayProfile? = nil
  ) {
    self.entries = entries
    (self.hours, self.spend) = (hours, spend)
  }

  package subscript(rule: RuleID) -> Entry { entries[rule] ?? Entry() }

  /// Whether the rule `budget` has one, and so looks at `spend`.
  package var hasBudget: Bool {
    let entry = self[.budget]
    return !entry.isOff && (entry.values["usd"] ?? 0) > 0
  }
}

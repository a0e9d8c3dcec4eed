package import ClankyWire
package import CockpitDomain
package import CockpitStores

/// The states that rules judge, as of one moment. A value; rows are passed separately.
package struct TriageInput: Sendable {
  /// Now on the backend's clock, in ms since 1970; for the bot's own rules the end of the data where these
  /// have ended.
  package var nowMs: Int64
  /// When the data ended, in ms since 1970; nil while they go on.
  package var asOfMs: Int64?
  /// The state of the process, and when it was received.
  package var runtime: Heard<Runtime>?
  /// The live sessions.
  package var voice: Heard<VoiceState>?
  /// The automations of all guilds that were loaded.
  package var automations: Heard<[Automation]>?
  /// Failures of the last 60 minutes, as far as rows are here.
  package var failuresPerHour = 0
  /// Rows of the last 60 minutes, as far as they are here.
  package var actionsPerHour = 0
  /// Whether all rows of these 60 minutes are here.
  package var isHourComplete = false
  /// What was to be answered and was not, as the rules over events found it; nil where they do not run.
  package var unanswered: [Unanswered]?
  /// Cost of this UTC day in US dollars; nil if unknown.
  package var costTodayUSD: Double?
  /// US dollars per UTC day; nil for no budget.
  package var budgetUSD: Double?
  /// The promises of `[slo]` as of `nowMs`; nil if none are made.
  package var promises: PromiseReport?
  /// Whether the rest is about one guild; runtime and cost are those of the bot.
  package var isScoped = false
  /// Our connection's trouble in the words of the screen; nil while it is live.
  package var connection: ConnectionTrouble?
  package var names: any NameDirectory = NoNames()

  /// A state and when it was received, in ms since 1970 on the backend's clock.
  package struct Heard<Value: Sendable>: Sendable {
    package var value: Value
    package var atMs: Int64

    package init(_ value: Value, atMs: Int64) {
      self.value = value
      self.atMs = atMs
    }
  }

  /// An absence: somebody should have had an answer.
  package struct Unanswered: Hashable, Sendable {
    /// One sentence without its full stop, not sanitised.
    package var sentence: String
    /// Ms since 1970: when it began, and when its deadline passed.
    package var fromMs: Int64
    package var toMs: Int64
    package var isCritical: Bool
    /// How often it happened.
    package var count: Int

    package init(sentence: String, fromMs: Int64, toMs: Int64, isCritical: Bool, count: Int) {
      self.sentence = sentence
      self.fromMs = fromMs
      self.toMs = toMs
      self.isCritical = isCritical
      self.count = count
    }
  }

  /// The trouble of our connection.
  package struct ConnectionTrouble: Hashable, Sendable {
    package var state: LinkState
    package var sentence: String

    package init(state: LinkState, sentence: String) {
      self.state = state
      self.sentence = sentence
    }
  }

  package init(nowMs: Int64) { self.nowMs = nowMs }
}

import CockpitAnswers
import CockpitStores
import TerminalCore

/// What the user wants of the alarms.
package enum AlarmWish: Hashable, Sendable {
  /// One trouble; nil for all that are open.
  case acknowledge(TriageTrouble.ID?)
  /// All troubles of a rule.
  case acknowledgeRule(String)
  case snooze(rule: String, ms: Int64)
  case mute(rule: String)
  /// Ends a snooze, too.
  case unmute(rule: String)
}

/// The action of an entered line.
package enum LineAction: Hashable, Sendable {
  case command(KeyAction)
  case tab(Tab)
  /// Filter the rows of PULSE; unless `inPulse`, in MEMORY the facts.
  case filter(String, inPulse: Bool)
  /// Go to a time in PULSE, in ms since 1970.
  case goTo(ms: Int64)
  /// Go to the row with an id of the backend, in the past if it is on record there.
  case goToRow(id: Int)
  /// Go to a marked row of PULSE.
  case goToMark(Character)
  /// Make all tabs about a guild, by its id; nil for all guilds.
  case guild(String?)
  /// Show PULSE's feed at a level.
  case level(FeedLevel)
  /// Find a text in the open tab.
  case find(String)
  case facts(FactListRequest)
  /// Show a fact in MEMORY, then carry out a command on it.
  case fact(id: Int, then: KeyAction?)
  /// The list of past voice sessions.
  case sessions
  /// Write the filter of PULSE under a name to the configuration file.
  case saveView(String)
  case session(String)
  case theme(String)
  case profile(String)
  /// Show a source of a profile with several, by its name; nil for all of them in PULSE.
  case source(String?)
  /// Why: an id, a time, a name, words.
  case why(String)
  /// A digest since a time, in ms since 1970; nil since the user last looked.
  case digest(sinceMs: Int64?)
  /// Silence a rule, or acknowledge what is wrong.
  case alarm(AlarmWish)
  /// Search in everything that was recorded.
  case searchHistory(String)
  /// A bundle of so many ms before the playhead, or before now.
  case bundle(lengthMs: Int64, note: String)
  /// Mark or keep something of what is recorded.
  case keep(HistoryNoteWish)
  /// The new meaning of `/`.
  case slash(KeyAction)
  /// Run a verb of this program with these arguments and show its output.
  case verb([String])

  /// What MEMORY should show.
  package struct FactListRequest: Hashable, Sendable {
    /// nil leaves it unchanged.
    package var guild: String?
    package var subject: String?
    package var filter: String?
    /// Search the backend by meaning.
    package var search: String?

    package init(
      guild: String? = nil, subject: String? = nil, filter: String? = nil, search: String? = nil
    ) {
      self.guild = guild
      self.subject = subject
      self.filter = filter
      self.search = search
    }
  }
}

/// Why a line cannot be executed: one sentence with the next step.
package struct LineProblem: Error, Hashable, Sendable {
  package var sentence: String

  package init(_ sentence: String) { self.sentence = sentence }

  /// With the word of `list` that was probably meant.
  package init(_ sentence: String, nearest word: String, in list: [String], else hint: String = "")
  {
    let meant = CockpitStores.nearest(word, in: list)
    self.sentence = sentence + (meant.map { "; did you mean \($0)?" } ?? hint)
  }
}

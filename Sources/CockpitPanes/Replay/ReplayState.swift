import CockpitDomain
import CockpitRules
import CockpitText
import TerminalCore

/// The past on the screen: where the playhead stands, and what was recorded around it. Times are ms since 1970 on
/// the backend's clock.
package struct ReplayState: Hashable, Sendable {
  /// What was recorded in one of the equal parts of the time line.
  package struct Part: Hashable, Sendable {
    package var rows: Int
    package var failures: Int
    /// Whether records are missing from it.
    package var isMissing: Bool
    /// Whether the user has marked something in it.
    package var hasMark = false
    /// Whether a pin keeps it.
    package var isPinned = false

    package init(rows: Int = 0, failures: Int = 0, isMissing: Bool = false) {
      self.rows = rows
      self.failures = failures
      self.isMissing = isMissing
    }
  }

  /// The time of the playhead.
  package var atMs: Int64
  package var isPlaying = false
  /// Seconds of the past in a second.
  package var speed = 1
  /// Whether stretches without rows are passed quickly.
  package var skipsQuiet = true
  /// The times of the oldest and the newest row.
  package var recorded: ClosedRange<Int64>
  /// What the time line shows.
  package var window: ClosedRange<Int64>
  package var parts: [Part] = []
  /// Incidents of days that were judged before, by when they begin.
  package var incidents: [Incident] = []
  /// Why nothing is on record at the playhead, with the times; nil if something is.
  package var missing: String?
  /// The note of the mark at which the playhead stands.
  package var mark: String?
  /// What could not be read.
  package var problem: String?
  /// What the history is called that the rows are from, such as `team history`; nil for that of this machine.
  package var origin: String?
  /// Whether another place is being read from there.
  package var isReading = false
  /// Rows that have come live since the past is on the screen, and the failures among them.
  package var liveRows = 0
  package var liveFailures = 0
  /// The connection to the live bot: `LIVE`, or what is wrong with it.
  package var liveWord: PlainText = "LIVE"
  /// Now, on the backend's clock.
  package var liveMs: Int64
  /// The file that is shown instead of a bot, with what is redacted in it; nil if there is a live bot.
  package var file: PlainText?
  /// A command line that shows this recording, without the time.
  package var command = ""

  package init(
    atMs: Int64, recorded: ClosedRange<Int64>, window: ClosedRange<Int64>, liveMs: Int64
  ) {
    self.atMs = atMs
    self.recorded = recorded
    self.window = window
    self.liveMs = liveMs
  }

  /// A single look at a time.
  package static func still(atMs: Int64, liveMs: Int64) -> ReplayState {
    ReplayState(atMs: atMs, recorded: atMs...atMs, window: atMs...atMs, liveMs: liveMs)
  }

  /// How long before now the playhead stands, such as `-3h12m`.
  package var distance: PlainText { "-" + Figures.age(ms: max(0, liveMs - atMs)) }
}

/// A wish of the user about the past.
package enum ReplayRequest: Hashable, Sendable {
  /// Show the past, at first as it is now, and the time line.
  case open
  /// Go to a time, in ms since 1970 on the backend's clock.
  case seek(ms: Int64)
  /// Go to the row with an id of the backend.
  case seekRow(id: Int)
  /// Go to a row that was found, and put the feed on it.
  case seekHit(HistoryRowPlace)
  case move(byMs: Int64)
  /// Go to the next row, or to the one before.
  case step(isOlder: Bool)
  case playOrPause
  case speed(isFaster: Bool)
  case skipQuiet
  case jump(HistoryMark, isOlder: Bool)
  /// Go to the next incident, or to the one before.
  case jumpIncident(isOlder: Bool)
  /// Show a shorter or a longer stretch of time.
  case zoom(isIn: Bool)
  /// Go to a tenth of what the time line shows, 0 to 9.
  case tenth(Int)
  /// Back to the live bot.
  case live
}

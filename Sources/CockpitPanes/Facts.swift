import ClankyLink
import ClankyWire
import CockpitStores
import Foundation
import TerminalCore

/// Everything a frame may show: what is known at one moment, from the four stores, and the clock.
/// Panes are functions of it; they read nothing else.
@MainActor
package struct Facts {
  package var activity: ActivityStore
  package var voice: VoiceStore
  package var memory: MemoryStore
  /// The facts that pass MEMORY's filter, in its order.
  package var factView: FactView
  package var connection: ConnectionStore
  package var command: CommandStore
  /// The link as of now: ages and rates move even when no state changes.
  package var status: LinkStatus
  /// The rows of the feed that pass filter and chips, newest first.
  package var feed: FilteredLog
  /// Parsed rows that were drawn lately.
  package var actions: ActionCache
  package var names: Names
  /// Now on the backend's clock, in ms since 1970: ages are never skewed (promise P10).
  package var nowMs: Int64 {
    get {
      timeReads.wereMade = true
      return momentMs
    }
    set { momentMs = newValue }
  }
  /// Now on the monotonic clock, in ns: for what this program itself measures.
  package var monotonicNs: UInt64 {
    get {
      timeReads.wereMade = true
      return momentNs
    }
    set { momentNs = newValue }
  }
  private var momentMs: Int64
  private var momentNs: UInt64
  /// Whether somebody asked for the time.
  let timeReads = TimeReads()
  package var clock: ClockFormat
  /// What the connection is called, such as `prod` or `demo`.
  package var profile: String
  package var isReadOnly: Bool
  /// Whether mouse events are captured.
  package var isMouseOn: Bool
  /// What the bot costs.
  package var costs = CostBook()
  /// What this program uses.
  package var client = ClientFigures()
  /// Profiles, themes, where the token is.
  package var setup = SetupFacts()
  /// The keys that work; the shell puts its own here, so that no text names a key that does not.
  package var keys = KeyTable.standard

  package init(
    activity: ActivityStore, voice: VoiceStore, memory: MemoryStore, connection: ConnectionStore,
    status: LinkStatus, feed: FilteredLog, actions: ActionCache, names: Names, nowMs: Int64,
    monotonicNs: UInt64,
    clock: ClockFormat, profile: String, factView: FactView = FactView(), isReadOnly: Bool = false,
    isMouseOn: Bool = true, command: CommandStore = CommandStore()
  ) {
    self.activity = activity
    self.voice = voice
    self.memory = memory
    self.factView = factView
    self.connection = connection
    self.status = status
    self.feed = feed
    self.actions = actions
    self.names = names
    momentMs = nowMs
    momentNs = monotonicNs
    self.clock = clock
    self.profile = profile
    self.isReadOnly = isReadOnly
    self.isMouseOn = isMouseOn
    self.command = command
  }

  /// The envelope of the last `stats_update`, if one came.
  var stats: StatsEnvelope? { activity.stats }

  /// Cost of the current UTC day: nil while nothing is known, 0 when the day has no row yet.
  var costToday: Double? {
    stats?.costToday(at: WireTime(milliseconds: minuteMs))
  }

  /// The beginning of the present minute, for what changes no sooner: whoever asks for it is as good a
  /// second later.
  var minuteMs: Int64 {
    let rest = momentMs % 60_000
    return momentMs &- (rest < 0 ? rest + 60_000 : rest)
  }

  /// How many rows are new. While none is, nothing depends on the time.
  func freshRows() -> Int {
    actions.hasArrivals ? actions.freshCount(atNs: monotonicNs, within: FeedLook.freshMs) : 0
  }

  /// Whether a row is new.
  func isFresh(_ row: RowID) -> Bool {
    actions.hasArrivals && actions.isFresh(row, atNs: monotonicNs, within: FeedLook.freshMs)
  }
}

/// Notes whether what is drawn depends on the second. A drawing that does not may stay as it is while
/// nothing else changes.
@MainActor
final class TimeReads {
  var wereMade = false
}

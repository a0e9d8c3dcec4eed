import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitFiles
import CockpitPanes
import CockpitStores
import TerminalCore

/// A `BotSession` made from settings and backend, and what a frame shows of the profile and of this
/// program's own resource use.
@MainActor
package final class CockpitModel {
  package let bot: BotSession
  /// Profiles, themes, where the token is.
  package var setup: SetupFacts
  /// How to run a verb of this program against the same backend.
  package let invocation: VerbInvocation
  private let clockFormat: ClockFormat
  private let settings: Settings
  private var meter = ClientMeter()
  /// Bytes that went to the terminal since the start.
  package var writtenBytes: () -> Int = { 0 }

  package init(backend: Backend) {
    settings = backend.settings
    setup = SetupFactsSource.facts(backend.settings)
    setup.tokenPlace = backend.tokenPlace
    invocation = VerbInvocation(backend)
    clockFormat = settings.clock
    bot = BotSession(
      .init(
        address: backend.url.description, memory: settings.memory,
        isReadOnly: settings.isReadOnly, zone: settings.clock.queryZone),
      source: backend.link(),
      storage: StateStorage(settings.paths) { [clock = backend.clock] in clock.wallMs },
      clock: backend.clock)
  }

  /// Now on the monotonic clock, in ns.
  package var nowNs: UInt64 { bot.clock.nowNs }

  /// The guild selected with `--guild` or in the profile.
  package var guild: String? { settings.guild }

  /// The current state for drawing a frame.
  ///
  /// - Parameter isClientShown: whether this program's own figures are on screen.
  package func facts(isMouseOn: Bool = true, isClientShown: Bool = false) -> ViewContext {
    let status = bot.source.status
    meter.measure(status, written: writtenBytes(), nowNs: nowNs, isShown: isClientShown)
    var facts = ViewContext(
      activity: bot.activity, voice: bot.voice, memory: bot.memory, connection: bot.connection,
      status: status, feed: bot.feed,
      actions: bot.actions, names: Names(bot.connection.names), nowMs: bot.serverNowMs,
      monotonicNs: nowNs, clock: clockFormat, profile: settings.profileName,
      factView: bot.factView, isReadOnly: settings.isReadOnly, isMouseOn: isMouseOn,
      command: bot.command)
    facts.costs = bot.costs
    facts.client = meter.figures
    facts.setup = setup
    return facts
  }

  /// The current state for drawing a frame, with the mouse on.
  package var facts: ViewContext { facts() }

  /// Writes every entry of the history to a file too, cleaned: it is read on a terminal.
  package func keepHistory(in log: ClientLog) {
    bot.history.onEntry = { entry in
      let words = PlainText(entry.text, limit: 2000)
      let line =
        "\(WireTime(milliseconds: entry.atMs).iso) \(entry.severity.rawValue) \(words.description)"
      log.append(Array(line.utf8))
    }
  }
}

import ArgumentParser
import CockpitFiles
import CockpitHistory
import CockpitSession
import CockpitSinks
import CockpitStores
import CockpitText
import CurlTransport
import Foundation
import Networking
import TerminalCore

/// `sinks`: where recorded rows are sent.
struct SinksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sinks",
    abstract:
      "Send what was recorded to Prometheus, Loki and other tools, and see how far they are.",
    discussion: """
      A sink is a table [sinks.NAME] of the configuration; docs/sinks.md has the kinds. 'record --to NAME' runs \
      sinks beside a recorder, 'sinks run' without one.

      Examples:
        clanky-cockpit record --to grafana
        clanky-cockpit sinks run grafana --from 7d --once
        clanky-cockpit sinks status

      Exit codes: 0 fine, 1 rows were not delivered or parked, 2 usage.
      """,
    subcommands: [
      SinksRunCommand.self, SinksStatusCommand.self, SinksParkedCommand.self,
      SinksForgetCommand.self, SinksInitCommand.self,
    ])
}

/// `sinks run`: sinks over a history, without a recorder of this process.
struct SinksRunCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Send what was recorded, and what is recorded from now on.",
    usage: "clanky-cockpit sinks run NAME … [OPTIONS]",
    discussion: """
      A sink continues where it stopped. A new one begins with what is recorded from now on, or with --from.
      A recorder, of this or of another process, may write the history meanwhile.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Argument(help: ArgumentHelp("The sinks.", valueName: "NAME"))
  var names: [String]

  @Option(
    help: ArgumentHelp(
      "Begin with rows of this age, even if the sink has had them.", valueName: "AGE"))
  var from: String?

  @Flag(help: "End when all that is recorded is delivered.")
  var once = false

  func validate() throws {
    if let from {
      guard let age = KeptAmount.age(from), age > 0 else {
        throw ValidationError("--from is an age such as 24h or 30d")
      }
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    let folder = try history.path(settings)
    let sinks = try settings.sinks(named: names)
    _ = try reading { () throws(HistoryError) in try HistoryFolder(folder) }
    let clock = DispatchClock(loop: environment.eventLoop)
    let transport = try environment.sinkTransport(settings, clock)
    let address = try history.botAddress(settings, folder)
    let bot = settings.profileName.isEmpty ? address : settings.profileName
    let group = SinkGroup(
      settings, folder: folder, bot: bot, transport: transport, clock: clock,
      nowMs: { Int64(Date().timeIntervalSince1970 * 1000) })
    let name = SinkGroup.botName(in: folder, else: address, isPatient: false) ?? address
    let fromMs = from.flatMap(KeptAmount.age).map { environment.wallMs() - $0 }
    try group.start(sinks, botName: name) { plan in
      plan.fromMs = fromMs ?? (once ? 0 : nil)
      plan.beginsAgain = fromMs != nil
      plan.isOnce = once
    }
    for (name, sink) in sinks {
      environment.output.complain("sending \(folder) to \(name) (\(settings.place(of: sink)))")
    }
    let end = await SinkWait(group, clock, environment).untilEnd()
    let states = group.states
    await group.stop(waiting: 10)
    for (name, state) in states {
      var line = "\(name): \(state.delivered) rows delivered"
      if state.parked > 0 { line += ", \(state.parked) parked" }
      if state.rejected > 0 { line += ", \(state.rejected) left out by the far end" }
      environment.output.line(PlainText(line, limit: 300))
    }
    if let end { throw ExitCode(128 + end) }
    let isTroubled = states.contains { $0.state.problem != nil || $0.state.parked > 0 }
    if isTroubled { throw ExitCode(1) }
  }
}

/// Waits for the end of sinks, and says meanwhile what is wrong with them.
@MainActor
private final class SinkWait {
  private let group: SinkGroup
  private let clock: any LinkClock
  private let environment: CockpitSession.Environment
  private var timer: (any LinkTimer)?
  private var done: (@MainActor (Int32?) -> Void)?

  init(_ group: SinkGroup, _ clock: any LinkClock, _ environment: CockpitSession.Environment) {
    self.group = group
    self.clock = clock
    self.environment = environment
  }

  /// - Returns: the signal that ended it; nil when all sinks have ended.
  func untilEnd() async -> Int32? {
    let signals = environment.scope == nil ? EndSignal() : nil
    let end = await awaitCallback(ifCancelled: nil) {
      (done: @escaping @MainActor (Int32?) -> Void) in
      self.done = done
      if let signals {
        Task { @MainActor in self.finish(await signals.first()) }
      }
      look()
    }
    timer?.cancel()
    return end
  }

  private func finish(_ signal: Int32?) {
    done?(signal)
    done = nil
  }

  private func look() {
    for line in group.news() { environment.output.complain(line) }
    guard !group.isOver else { return finish(nil) }
    timer = clock.schedule(afterNs: Nanoseconds.milliseconds(200)) { [self] in look() }
  }
}

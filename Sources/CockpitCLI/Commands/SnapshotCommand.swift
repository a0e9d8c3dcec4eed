import LenientJSON
import CockpitSession
import TerminalUI
import ArgumentParser
import CockpitDomain
import CurlTransport
import Networking
import ClankyWire
import CockpitAnswers
import CockpitPanes
import CockpitShell
import CockpitStores
import Foundation
import TerminalCore

/// `snapshot`: one rendered screen on stdout, for scripts, logs and bug reports.
struct SnapshotCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "snapshot",
    abstract: "Print one screen as text, or the facts behind it as JSON.",
    usage: "clanky-cockpit snapshot --view VIEW [OPTIONS]",
    discussion: """
      Of an OpenClaw gateway it has what waits and runs, agents, sessions, jobs and clients; rows begin with the \
      connection, so those of before are in a recording: --at or --from-history.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var past: PastOptions

  @Option(help: "Which screen.")
  var view: ViewChoice

  @Option(help: ArgumentHelp("Columns, at most.", valueName: "W"))
  var width: Int = 80

  @Option(help: ArgumentHelp("Lines, at most.", valueName: "H"))
  var height: Int = 24

  @Flag(help: "With colours (SGR) instead of plain text.")
  var ansi = false

  @Flag(help: "The facts behind the view instead of the view.")
  var json = false

  /// The demo's story begins with a bot that has just started. One look shows it some time later, when
  /// people talk to it.
  private static let demoLeadMs = 40_000

  func validate() throws {
    guard (1...1000).contains(width), (1...1000).contains(height) else {
      throw ValidationError("--width and --height are numbers from 1 to 1000")
    }
    if ansi, json { throw ValidationError("choose one of --ansi and --json") }
  }

  /// How long recorded weeks are read, in ms; what was read is kept for the next time.
  private static let forecastMs = 2000

  @MainActor func run(in environment: Environment) async throws {
    var settings = try Settings(shared, in: environment)
    let keys = try Keymap.table(settings.configuration)
    let look = try Appearance(settings, isForTerminal: ansi)
    let model: CockpitModel
    // A demo lives as long as this.
    var opened: Backend?
    defer { withExtendedLifetime(opened) {} }
    if let recorded = try past.open(settings) {
      model = PastOfBot.model(recorded)
      model.bot.start()
    } else if settings.isGateway {
      model = try await gateway(settings, in: environment)
    } else {
      let backend = try await Backend.open(settings, demoLeadMs: Self.demoLeadMs)
      opened = backend
      settings = backend.settings
      model = CockpitModel(OpenedSource(backend))
      let failure = await model.bot.firstFacts()
      try Task.checkCancellation()
      if let failure { throw Failure(failure) }
    }
    defer { model.bot.source.stop() }
    if !model.scope.isAll {
      await model.bot.waitForNames()
      await model.bot.waitForGuildStats(model.scope)
    }
    if view == .memory { await model.bot.waitForMemory(guild: model.guild) }
    if view == .cmd { await model.bot.waitForCommand() }
    if view == .conversations { await conversations(model) }
    try Task.checkCancellation()
    let shell = view.tab.map { tab in
      var shell = CockpitShell(
        tab: tab, keys: keys, guild: model.guild, size: Size(width: width, height: height))
      if view == .conversations { shell.openConversations() }
      return shell
    }
    if json {
      model.bot.catchUpFully(shell?.shown ?? ShownData(scope: model.scope))
      model.judgeFully()
      var snapshot = SnapshotJSON(model: model)
      if view == .cmd, !past.isPast, settings.options.source == nil, model.scope.isAll {
        let day = await SpendForecast(settings, bot: model.bot.connection.address).forecast(
          nowMs: model.bot.serverNowMs, usd: model.bot.costs.today, withinMs: Self.forecastMs)
        snapshot.forecast = day?.json ?? .null
      }
      environment.output.line(snapshot.line(view))
      return
    }
    if view == .voice { model.bot.voiceHistory.loadList() }
    await model.bot.waitForNames()
    if view == .voice { await pastVoiceSessions(model) }
    try Task.checkCancellation()
    let canvas = render(model, shell, symbols: look.symbols)
    if ansi {
      for line in canvas.ansi(theme: look.theme, depth: look.depth) {
        environment.output.line(Array(line.utf8))
      }
    } else {
      for y in 0..<canvas.size.height { environment.output.line(Array(canvas.text(row: y).utf8)) }
    }
  }

  /// A gateway has no log to ask for: its rows begin with the connection, its lists come with it.
  @MainActor private func gateway(
    _ settings: Settings, in environment: Environment
  ) async throws -> CockpitModel {
    let opened = try await OpenedSource.open(settings, on: environment.eventLoop)
    let model = CockpitModel(opened)
    let failure = await model.gatewayState(of: opened, withinMs: 5_000)
    guard failure == nil, !Task.isCancelled else {
      opened.source.stop()
      throw failure ?? .interrupted
    }
    return model
  }

  /// The replies of the last 24 hours, some seconds at most.
  @MainActor private func conversations(_ model: CockpitModel) async {
    let request = ConversationsPane().request(model.facts)
    model.bot.source.fetchHistory(request)
    let connection = model.bot.connection
    await waitUntil(atMostNs: 5_000_000_000, on: model.bot.clock) {
      connection.status.history.isDone(request) || connection.status.history.stop != nil
    }
  }

  /// While no session is live the screen shows the last one, and figures of those before it: they
  /// are waited for, newest first, some seconds at most.
  @MainActor private func pastVoiceSessions(_ model: CockpitModel) async {
    let end = model.nowNs + 3_000_000_000
    await model.bot.voiceHistory.waitUntilIdle()
    guard model.bot.voice.sessions.isEmpty else { return }
    let wanted = model.bot.voice.history.map(\.sessionID).filter { !$0.isEmpty }.prefix(20)
    for _ in wanted where model.nowNs < end && !Task.isCancelled {
      model.bot.voiceHistory.keepSummaries(Array(wanted))
      await model.bot.voiceHistory.waitUntilIdle()
    }
  }

  /// - Parameter shell: nil for a view that is no tab.
  @MainActor private func render(
    _ model: CockpitModel, _ shell: CockpitShell?, symbols: SymbolSet
  ) -> Canvas {
    let size = Size(width: width, height: height)
    model.bot.catchUpFully(shell?.shown ?? ShownData(scope: model.scope))
    model.judgeFully()
    guard let shell else {
      var canvas = Canvas(size: size, symbols: symbols)
      StatsView().render(model.facts, into: &canvas)
      return canvas
    }
    var prepared = shell
    var facts = model.facts
    if past.isPast { facts.replay = .still(atMs: facts.nowMs, liveMs: DispatchClock().wallMs) }
    prepared.prepare(facts)
    return prepared.render(facts, size: size, symbols: symbols).canvas
  }
}

enum ViewChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
  case pulse, voice, brain, conversations, memory, cmd, stats

  var tab: Tab? { self == .conversations ? .brain : Tab(name: rawValue) }
}

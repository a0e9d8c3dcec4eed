import ArgumentParser
import CTermSupport
import CockpitDomain
import CockpitSession
import CockpitStores
import CockpitText
import CurlTransport
import Foundation
import Networking
import TerminalCore

/// `glance`: three to six lines for a tmux popup or a small pane.
struct GlanceCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "glance",
    abstract: "Three to six lines: state, voice or runs, what is wrong, what waits.",
    usage: "clanky-cockpit glance [--watch] [OPTIONS]",
    discussion: """
      For a tmux popup or a small pane: how the bot is, its voice session with the last reply, what is wrong and \
      since when, the last actions. Actions and errors are those of the last hour, cost is that of the UTC day.

      For an OpenClaw gateway: what waits for an answer, what is wrong, live runs. For a profile with several \
      sources: the first line of each, the worst first, then what is wrong with them.

      --watch asks every 3 s and draws the lines in place until Ctrl-C. Without an answer the last known lines stay, \
      marked as stale with their age. Where standard output is no terminal, lines are printed when they change, each \
      time after an empty line.

      docs/status-bars.md has a key for tmux.

      Exit codes: those of 'status'.
      """)

  @OptionGroup var shared: SharedOptions

  @Flag(help: "Draw the lines in place every 3 s, until Ctrl-C.")
  var watch = false

  @Option(help: ArgumentHelp("At most so many lines, from 3 to 6 (default 6).", valueName: "N"))
  var lines: Int = 6

  @Option(
    help: ArgumentHelp(
      "Cells of a line, at most (default: the terminal's width, else 80).", valueName: "W"))
  var width: Int?

  @Option(help: ArgumentHelp("Each look takes so long at most.", valueName: "SECONDS"))
  var timeout: Double = 2

  func validate() throws {
    guard (3...6).contains(lines) else {
      throw ValidationError("--lines is a number from 3 to 6")
    }
    guard width.map({ (1...1000).contains($0) }) ?? true else {
      throw ValidationError("--width is a number from 1 to 1000")
    }
    guard timeout.isFinite, (0.1...60).contains(timeout) else {
      throw ValidationError("--timeout is a number of seconds from 0.1 to 60")
    }
  }

  /// Between two looks of `--watch`, ms: the tick of the screen.
  private static let tickMs: UInt64 = 3_000

  @MainActor func run(in environment: Environment) async throws {
    var settings = try Settings(shared, in: environment)
    settings.patience = .milliseconds(Int(timeout * 750))
    settings.mayAsk = environment.terminals.input
    if settings.opensChatServer {
      throw Failure(
        .usage,
        "A chat server has no rows and nothing that waits; 'status' says whether it answers.")
    }
    let look = try Appearance(settings, isForTerminal: false)
    let subjects = try subjects(settings, look, in: environment)
    defer { for subject in subjects { subject.stop() } }
    var painter = GlancePainter(
      output: environment.output, isScreen: watch && environment.terminals.output,
      hasColor: environment.terminals.output && hasColor(settings))
    // Inside the cockpit a verb prints once: the tabs are what watches.
    guard watch, environment.scope == nil else {
      let views = await views(of: subjects)
      if Task.isCancelled { throw Failure.interrupted }
      painter.paint(GlanceLayout(views).lines(lines, columns: size(environment).columns))
      for detail in views.compactMap(\.detail) { environment.output.complain(detail) }
      throw ExitCode(GlanceLayout(views).exitCode)
    }
    let signals = EndSignal()
    let clock = DispatchClock(loop: environment.eventLoop)
    painter.begin()
    let watched = Task { @MainActor in
      while !Task.isCancelled {
        let views = await views(of: subjects)
        let size = size(environment)
        painter.paint(GlanceLayout(views).lines(min(lines, size.rows), columns: size.columns))
        await pause(clock)
      }
    }
    let number = await signals.first()
    watched.cancel()
    painter.end()
    throw ExitCode(128 + number)
  }

  @MainActor private func pause(_ clock: any LinkClock) async {
    var timer: (any LinkTimer)?
    await awaitCallback(ifCancelled: ()) { done in
      timer = clock.schedule(afterNs: Nanoseconds.milliseconds(Self.tickMs)) { done(()) }
    }
    timer?.cancel()
  }

  @MainActor private func views(of subjects: [any GlanceSubject]) async -> [GlanceView] {
    await withTaskGroup(of: (Int, GlanceView).self) { group in
      for (index, subject) in subjects.enumerated() {
        group.addTask { (index, await subject.look(withinMs: Int(timeout * 1000))) }
      }
      var views: [Int: GlanceView] = [:]
      for await (index, view) in group { views[index] = view }
      return subjects.indices.compactMap { views[$0] }
    }
  }

  @MainActor private func subjects(
    _ settings: Settings, _ look: Appearance, in environment: Environment
  ) throws -> [any GlanceSubject] {
    let all =
      settings.sourceNames.isEmpty ? [settings] : try settings.settingsOfSources()
    return all.map { one in
      let name = all.count > 1 ? one.profileName : nil
      return one.isGateway
        ? GatewayGlanceSubject(one, name: name, symbols: look.symbols, in: environment)
        : BotGlanceSubject(one, name: name, symbols: look.symbols, in: environment)
    }
  }

  private func size(_ environment: Environment) -> (rows: Int, columns: Int) {
    var (rows, columns): (Int32, Int32) = (0, 0)
    let isKnown =
      environment.terminals.output && cterm_window_size(STDOUT_FILENO, &rows, &columns)
      && columns > 0 && rows > 0
    return (isKnown ? Int(rows) : lines, width ?? (isKnown ? Int(columns) : 80))
  }

  private func hasColor(_ settings: Settings) -> Bool {
    if shared.noColor || shared.color == .never { return false }
    return shared.color == .always || (settings.environment["NO_COLOR"] ?? "").isEmpty
  }
}

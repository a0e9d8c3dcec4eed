import CockpitSession
import CockpitText
import ArgumentParser
import CockpitDomain
import Networking
import Foundation
import LenientJSON
import TerminalCore

/// `widget`: a short text for a status bar. It never blocks the bar: cached data is printed if the
/// backend is slow or gone.
struct WidgetCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "widget", abstract: "A few words for a status bar, never later than 2 s.",
    usage: "clanky-cockpit widget small|medium|large [OPTIONS]",
    discussion: """
      small: state, actions and errors of the last hour, cost of the UTC day. medium: with the live \
      voice session and the last actions. large: up to five lines.

      --at TIME shows the figures of then, from what was recorded, and asks no backend.

      For an OpenClaw gateway: what waits for an answer, live runs, problems. It connects for each call and keeps \
      nothing: a bar should ask every 10 s or less often.

      A backend that does not answer shows the last known figures with their age. \
      docs/status-bars.md has recipes for tmux, waybar and others.

      Exit codes: those of 'status'.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var past: PastOptions

  @Argument(help: "How much room there is.")
  var size: GlanceText.Size

  @Option(help: "How the bar takes it.")
  var format: BarFormat = .plain

  @Option(
    help: ArgumentHelp(
      "Cells of a line, at most (default 24, 40 and 60 by size).", valueName: "W"))
  var width: Int?

  func validate() throws {
    guard width.map({ (1...1000).contains($0) }) ?? true else {
      throw ValidationError("--width is a number from 1 to 1000")
    }
  }

  /// Time limit of the whole command, in ms; the rest after the requests is for starting and
  /// printing.
  private static let limitMs = 1900
  private static let requestsMs = 1600
  /// Asking a keyring or a command for the token, which may use up the time of the requests.
  private static let tokenMs = 1500

  @MainActor func run(in environment: Environment) async throws {
    var settings = try Settings(shared, in: environment)
    // A status bar cannot prompt for a passphrase.
    settings.patience = .milliseconds(Self.tokenMs)
    settings.mayAsk = false
    let look = try Appearance(settings, isForTerminal: false)
    let printer = WidgetPrinter(
      size: size, format: format, columns: width ?? size.columns,
      clock: settings.clock, symbols: look.symbols, hasColor: hasColor(settings),
      environment: environment)
    let gateway = GatewayWidget(printer: printer, limitMs: Self.requestsMs)
    if let recorded = try past.open(settings) {
      if let board = recorded.document(DocumentName.control.rawValue) {
        try gateway.run(board, recorded)
      }
      let answers = RecordedAnswers(recorded)
      let overview = try await OverviewFetch(
        recorded, answers, rows: .atLeast(BotOverview.rowLimit)
      ).run(withinMs: Self.requestsMs)
      for sentence in answers.remarks() { environment.output.complain(sentence) }
      // Ages are those of then; the bar shows how old all of it is.
      try printer.end(overview, isStale: true)
    }
    if settings.isGateway { try await gateway.run(settings, in: environment) }
    guard settings.options.demo == nil else {
      let backend = try await Backend.open(
        settings, mayBlock: environment.scope == nil, findsGuild: false)
      let overview = try await fetch(backend, known: nil, withinMs: Self.requestsMs)
      try printer.end(overview, isStale: false)
    }
    let address = try settings.backendURL().description
    let cache = WidgetCache(
      settings.paths, backend: address, guild: settings.guild, in: environment)
    let known = cache.load()
    if let known, cache.isFresh(known) { try printer.end(known, isStale: false) }
    let claim = known == nil ? nil : cache.claim()
    defer { claim?.release() }
    // Another process is fetching already: its answer will be cached for the next call.
    if let known, claim == nil { try printer.end(known, isStale: false) }
    let deadline = Deadline(afterMs: Self.limitMs, in: environment) {
      var now = BotOverview(
        health: .unreachable, backend: address, takenAtMs: environment.wallMs(),
        detail: "Nothing was heard within 2 s.")
      let isStale = known != nil
      if let known { now = known.unanswered(now) }
      return Deadline.ExitMessage(
        output: printer.bytes(now, isStale: isStale), complaint: now.detail,
        code: now.exitCode)
    }
    let overview: BotOverview
    do {
      let start = DispatchTime.now().uptimeNanoseconds
      let backend = try await Backend.open(
        settings, mayBlock: environment.scope == nil, findsGuild: false)
      let spentMs = Int((DispatchTime.now().uptimeNanoseconds - start) / 1_000_000)
      overview = try await fetch(backend, known: known, withinMs: Self.requestsMs - spentMs)
    } catch let failure as Failure {
      guard deadline.claim() else { return try await StatusCommand.wait() }
      // No token: show the cached data anyway.
      if let known { environment.output.write(printer.bytes(known, isStale: true)) }
      throw failure
    }
    guard deadline.claim() else { return try await StatusCommand.wait() }
    switch overview.health {
    case .healthy, .degraded:
      cache.save(overview)
      try printer.end(overview, isStale: false)
    case .unreachable, .unauthorized:
      try printer.end(known?.unanswered(overview) ?? overview, isStale: known != nil)
    }
  }

  @MainActor private func fetch(
    _ backend: Backend, known: BotOverview?, withinMs milliseconds: Int
  ) async throws(Failure) -> BotOverview {
    let channels = (known?.sessions ?? []).compactMap { session in
      session.channelID.flatMap { id in session.channel.map { (id, $0) } }
    }
    return try await OverviewFetch(
      backend, rows: size == .small && format == .plain ? .ofHour : .atLeast(BotOverview.rowLimit),
      channels: Dictionary(channels) { first, _ in first }
    ).run(withinMs: milliseconds)
  }

  private func hasColor(_ settings: Settings) -> Bool {
    if shared.noColor || shared.color == .never { return false }
    return shared.color == .always || (settings.environment["NO_COLOR"] ?? "").isEmpty
  }
}

extension GlanceText.Size: ExpressibleByArgument {}
extension BarFormat: ExpressibleByArgument {}

extension BotOverview {
  /// The cached data, with the reason why there is nothing newer.
  fileprivate func unanswered(_ now: BotOverview) -> BotOverview {
    var old = self
    old.health = now.health
    old.detail = now.detail
    return old
  }
}

/// Writes a widget and ends the verb.
struct WidgetPrinter: Sendable {
  var size: GlanceText.Size
  var format: BarFormat
  var columns: Int
  var clock: ClockFormat
  var symbols: SymbolSet
  var hasColor: Bool
  var environment: Environment

  /// - Throws: the exit code.
  func end(_ overview: BotOverview, isStale: Bool) throws -> Never {
    environment.output.write(bytes(overview, isStale: isStale))
    if let detail = overview.detail { environment.output.complain(detail) }
    throw ExitCode(overview.exitCode)
  }

  /// The lines as text or for tmux.
  func bytes(_ lines: [[GlanceText.Span]]) -> [UInt8] {
    lines.flatMap { line in
      let text =
        format == .tmux ? BarFormat.tmux(line, hasColor: hasColor) : BarFormat.plain(line)
      return Array((text + "\n").utf8)
    }
  }

  func bytes(_ overview: BotOverview, isStale: Bool) -> [UInt8] {
    let text = GlanceText(
      overview, nowMs: environment.wallMs(), isStale: isStale, clock: clock, symbols: symbols)
    switch format {
    case .plain, .tmux: return bytes(text.lines(size, columns: columns))
    case .json:
      let json = overview.json { line in
        line.int("age_ms", Int(clamping: text.ageMs))
        line.bool("stale", isStale)
        let lines = text.lines(size, columns: columns).map(BarFormat.plain)
        line.value("lines", .array(lines.map(JSONValue.string)))
      }
      return json + [0x0A]
    case .waybar: return BarFormat.waybar(text, size: size, columns: columns) + [0x0A]
    }
  }
}

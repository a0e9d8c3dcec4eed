import ArgumentParser
import CockpitApp
import CockpitFiles
import CockpitHistory
import CockpitSession
import CockpitDomain
import CockpitStores
import CockpitText
import CurlTransport
import Foundation
import MainLoop
import Networking
import TerminalCore
import TerminalCurses

/// `replay`: a recording in the whole cockpit, without a bot.
struct ReplayCommand: LoopVerb {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Show a recording in the cockpit, without a bot, a token or a network.",
    usage: "clanky-cockpit replay [FILE] [OPTIONS]",
    discussion: """
      FILE is a bundle of 'history export', a day file, or a folder of day files; without it what was recorded \
      of the bot on this machine, which goes on while a recorder writes. Begins at the beginning of what was \
      exported, or at the end. Times are counted back from the end of the recording.

      Examples:
        clanky-cockpit replay silence.flight
        clanky-cockpit replay silence.flight --at 14:31:22 --tab voice --speed 4x
        clanky-cockpit replay --at -2h
        clanky-cockpit replay --history team --bot prod --at 14:31
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var team: SharedPastOptions

  @Argument(
    help: ArgumentHelp("A bundle, a day file, or a folder of them.", valueName: "FILE"),
    completion: .file())
  var file: String?

  @Option(help: ArgumentHelp("Where to begin: 14:31, -10m, 2026-05-09T14:31.", valueName: "TIME"))
  var at: String?

  @Option(help: "Which tab to open (default: pulse, with --turn voice).")
  var tab: TabChoice?

  @Option(
    help: ArgumentHelp("Begin at this turn of the voice session: 1 is its first.", valueName: "N"))
  var turn: Int?

  @Option(help: ArgumentHelp("Play at this speed: 1x to 64x.", valueName: "SPEED"))
  var speed: String?

  func validate() throws {
    guard at == nil || turn == nil else { throw ValidationError("choose one of --at and --turn") }
    if let speed, Self.times(speed) == nil {
      throw ValidationError("--speed is 1x, 2x, 4x, 8x, 16x, 32x or 64x")
    }
    if team.history != nil, file != nil {
      throw ValidationError("choose one of --history and FILE")
    }
    if team.history != nil, turn != nil { throw ValidationError("--turn is for recordings here") }
    if let turn, turn < 1 { throw ValidationError("--turn is 1 or more") }
  }

  private static func times(_ text: String) -> Int? {
    let number = text.hasSuffix("x") ? text.dropLast() : text[...]
    return Int(number).flatMap { (1...64).contains($0) ? $0 : nil }
  }

  @MainActor func run(
    in environment: Environment, on loop: any EventLoop, verbs: ProgramVerbs
  ) async throws {
    guard environment.terminals.output, environment.terminals.input else {
      throw Failure(
        .usage,
        "the cockpit needs a terminal; 'clanky-cockpit snapshot --view pulse --from-history FILE' prints one screen"
      )
    }
    var given = shared.given
    given.noHistory = true
    var settings = try Settings(given, in: environment)
    settings.profile.readOnly = true
    let path: String
    let opened: RecordingToShow
    if let past = try team.past(in: environment) {
      path = past.place
      opened = try RecordingToShow(past, settings)
    } else {
      path = try file ?? HistoryOptions.parse([]).path(settings)
      opened = try RecordingToShow(path, settings.clock.queryZone)
    }
    let atMs = try start(opened, path)
    let keys = try Keymap.table(settings.configuration)
    let appearance = try Appearance(settings, isForTerminal: true)
    var options = TerminalSession.Options(
      environment: settings.environment, theme: appearance.theme)
    options.depth = appearance.requestedDepth
    options.links = settings.configuration.writesHyperlinks
    options.hasMouse = settings.configuration.mouse ?? true
    let session: TerminalSession
    do throws(TerminalFailure) {
      session = try TerminalSession(options, loop: loop)
    } catch {
      throw Failure(.usage, error.description)
    }
    let clock = EndOfRecording(atMs: opened.endMs, real: DispatchClock(loop: loop))
    let source = OpenedSource(
      recorded: SilentSource(clock: clock), name: opened.name, settings: settings, clock: clock)
    let history = opened.history
    let app = CockpitApp(
      version: programVersion, opened: OpenedProfile(source),
      connector: Connector(OpenedProfile(source), isReadOnly: true, loop: loop),
      session: session, appearance: appearance,
      symbols: appearance.chosenSymbols ?? session.suggestedSymbols,
      tab: (tab ?? (turn == nil ? .pulse : .voice)).tab, keys: keys,
      isMouseOn: options.hasMouse, loop: loop, settings: settings, log: nil, verbs: verbs,
      openHistory: { _ throws(HistoryError) in history })
    app.recording = ShownRecording(
      words: opened.words, path: path, atMs: atMs, speed: speed.flatMap(Self.times))
    let growth = Task { await Self.follow(opened, clock) }
    let code = await app.run()
    growth.cancel()
    session.close()
    for words in app.lastWords() { environment.output.complain(words.description) }
    app.model.bot.source.stop()
    throw ExitCode(code)
  }

  /// Follows a recorder that is still writing. A bundle does not grow.
  @MainActor private static func follow(
    _ opened: RecordingToShow, _ clock: EndOfRecording
  ) async {
    guard opened.manifest == nil else { return }
    let newest = opened.newestMs
    while !Task.isCancelled {
      do {
        try await Task.sleep(for: .seconds(opened.interval))
      } catch {
        return
      }
      let end = await OwnThread.run { Result { () throws(HistoryError) in try newest() } }
      // If reading fails, the screen says so where it reads.
      if case .success(let end?) = end { clock.reach(end) }
    }
  }

  /// Where the playhead is at first.
  @MainActor private func start(_ opened: RecordingToShow, _ path: String) throws(Failure) -> Int64
  {
    if let at {
      guard let ms = QueryMoment.start(of: at, nowMs: opened.endMs, in: opened.zone) else {
        throw Failure(.usage, "'\(at)' is no time; --at 14:31, -10m or 2026-05-09T14:31 names one")
      }
      return ms
    }
    guard let turn else { return opened.beginMs }
    let session = opened.manifest?.session ?? ""
    return try SessionTimes(path, session: session, turn: turn).range.lowerBound
  }
}

/// A recording, and what is said of it.
@MainActor
struct RecordingToShow {
  let history: any HistoryReading
  let manifest: BundleManifest?
  let name: String
  /// The time of the newest row, in ms since 1970, and how often to ask for it, in seconds.
  let newestMs: @Sendable () throws(HistoryError) -> Int64?
  let interval: Int
  let zone: QueryZone
  /// Where it begins to be of interest, and where it ends, in ms since 1970.
  let beginMs: Int64
  let endMs: Int64

  init(_ path: String, _ zone: QueryZone) throws(Failure) {
    self.zone = zone
    name = path.split(separator: "/").last.map(String.init) ?? path
    do throws(HistoryError) {
      let folder = try HistoryFolder(path)
      history = folder
      newestMs = { () throws(HistoryError) in try folder.newestMs() }
      interval = 1
      manifest = try folder.manifest()
      guard let span = try history.span() else {
        throw HistoryError(.missing, "nothing is recorded in '\(path)'")
      }
      endMs = max(span.upperBound, manifest?.contextToMs ?? span.upperBound)
      beginMs = manifest?.fromMs ?? span.upperBound
    } catch {
      throw Failure(.failed, error.description)
    }
  }

  /// The history of a team.
  init(_ past: SharedPast, _ settings: Settings) throws(Failure) {
    zone = settings.clock.queryZone
    manifest = nil
    interval = 10
    do throws(HistoryError) {
      let address = try PastOfBot.name(settings)
      let merged = try PastOfBot.open(address, settings, and: past)
      history = merged
      name = past.bot ?? address
      newestMs = { () throws(HistoryError) in try merged.span()?.upperBound }
      guard let span = try merged.span() else {
        throw HistoryError(.missing, "\(past.name) has no rows of this bot")
      }
      (beginMs, endMs) = (span.upperBound, span.upperBound)
    } catch {
      throw Failure(error)
    }
  }

  /// For the time line: the file, and what is redacted in it.
  var words: PlainText {
    guard let manifest else {
      return PlainText(interval > 1 ? "history of \(name)" : "recording \(name)", limit: 60)
    }
    return PlainText("bundle \(name): \(manifest.redactionWords)", limit: 100)
  }
}

import ClankySource
import CockpitSession
import CockpitText
import ArgumentParser
import CockpitDomain
import CockpitStores
import Foundation
import Networking

/// `tail`: follows a stream, line by line.
struct TailCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "tail",
    abstract: "Follow a stream: history oldest first, then live.",
    usage: "clanky-cockpit tail [OPTIONS]",
    discussion: """
      With --json one object a line: action, stats, voice_state, control, status, gap, reset, error. Every \
      action comes exactly once, whatever reconnects and gap fills did.

      With --guild only actions of that guild come, as with 'actions'; stats and voice_state are those \
      of all guilds, as the backend sends them.

      The voice stream begins with no history of its own: it has one only with --since.

      A backend that cannot be reached at the start ends the command with exit code 3, at once or after \
      --wait: until then what may pass is tried again as in the cockpit, first after 3 s, then at \
      growing intervals, or when the backend asks for it (Retry-After). A refused token ends it at once. \
      Once the stream was live a loss is mended without an end. The last status line is 'stopped'.

      For an OpenClaw gateway it prints events from now on, as the rows of the screen. With --json a \
      'control' object lists what waits for an answer and what runs. --raw, --since, -n and \
      --stream voice are refused.

      With --from-history or --at it prints what was recorded, the newest 1,000 rows without --since or -n, \
      and ends. A stretch without records stands between the rows: with --json as "unrecorded".
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var past: PastOptions

  @Option(help: "Which stream.")
  var stream: StreamChoice = .activity

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  @Flag(help: "Plain lines for people (the default).")
  var plain = false

  @Flag(help: "Every event as it was dispatched, uninterpreted, as JSON lines.")
  var raw = false

  @Flag(help: "End when the stream ends instead of reconnecting.")
  var once = false

  @Option(
    help: ArgumentHelp(
      "Only actions that match, such as 'kind:llm_* cost>0.01'.", valueName: "QUERY"),
    transform: HistoryArguments.query)
  var filter: Query = .everything

  @Option(
    name: .customShort("n"), help: ArgumentHelp("At most N actions of history.", valueName: "N"))
  var count: Int?

  @Option(
    help: ArgumentHelp(
      "Only history of the last DURATION, such as 15m, 2h, 1d.", valueName: "DURATION"),
    transform: HistoryArguments.duration)
  var since: HistoryDuration?

  @Option(
    help: ArgumentHelp(
      "Try again for DURATION, such as 30s, when the first connection fails.",
      valueName: "DURATION"),
    transform: HistoryArguments.duration)
  var wait: HistoryDuration?

  func validate() throws {
    // Raw output is JSON lines already: both together are --raw.
    if past.isPast, raw { throw ValidationError("what was recorded has no --raw: use --json") }
    if plain, json || raw { throw ValidationError("choose one of --plain, --json and --raw") }
    if let count, count < 0 { throw ValidationError("-n is 0 or more") }
  }

  @MainActor func run(in environment: Environment) async throws {
    let own = try Settings(shared, in: environment)
    if let recorded = try past.open(own) {
      return try await RecordedTail(
        recorded, isVoice: stream == .voice, filter: filter.shown(in: own.clock.queryZone),
        count: count, since: since, json: json
      ).write(to: environment.output)
    }
    if own.isGateway { return try await follow(gateway: own, in: environment) }
    let backend = try await Backend.open(own)
    let settings = backend.settings
    let format: TailSink.Format = raw ? .raw : json ? .json : .plain
    let sink = TailSink(
      stream, format: format, filter: filter.shown(in: settings.clock.queryZone),
      guild: settings.guild, limit: count, since: since, once: once, wait: wait,
      memory: settings.memory,
      clockFormat: settings.clock, clock: backend.clock, in: environment)
    if raw, settings.guild != nil {
      environment.output.complain(
        "--raw gives the stream as it comes, which is that of all guilds.")
    }
    let link = backend.link(
      streams: [stream.name], once: once, waitsForFirst: wait != nil, passesRawEvents: raw,
      mergesRepetitions: false)
    if let failure = await Self.follow(link, sink, backend.clock, in: environment) {
      throw Failure(failure)
    }
  }

  /// Runs until the source has ended.
  ///
  /// - Returns: the failure with which it ended; nil for none.
  @MainActor private static func follow(
    _ source: any Source, _ sink: TailSink, _ clock: any LinkClock, in environment: Environment
  ) async -> LinkFailure? {
    sink.link = source
    ReaderWatch.start(in: environment)
    let ticker = LinkTicker(source, clock)
    ticker.start()
    let end = await sink.run(source)
    ticker.stop()
    source.stop()
    guard case .failed(let failure) = end else { return nil }
    return failure
  }
}

/// `tail` for a gateway: its events as rows; with `--json` also what waits and what runs.
extension TailCommand {
  @MainActor private func follow(gateway own: Settings, in environment: Environment) async throws {
    let refused =
      raw
      ? "--raw"
      : stream == .voice ? "--stream voice" : since != nil ? "--since" : count.map { _ in "-n" }
    if let refused {
      throw Failure(
        .usage,
        "\(refused) does not work with a gateway: it sends no past rows; --from-history prints what was recorded"
      )
    }
    let opened = try await OpenedSource.open(own, on: environment.eventLoop)
    let settings = opened.settings
    let sink = TailSink(
      stream, format: json ? .json : .plain, filter: filter.shown(in: settings.clock.queryZone),
      guild: settings.guild, limit: nil, since: nil, once: once, wait: wait,
      memory: settings.memory, clockFormat: settings.clock, clock: opened.clock, in: environment)
    if let failure = await Self.follow(opened.source, sink, opened.clock, in: environment) {
      throw opened.failure(failure)
    }
  }
}

enum StreamChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
  case activity, voice

  var name: SourceChannel { self == .activity ? .activity : .voice }
}

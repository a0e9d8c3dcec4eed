import CockpitFiles
import CockpitHistory
import CockpitSinks
import CurlTransport
import Networking

/// The sinks of one recorder, each on its thread.
@MainActor
package final class SinkGroup {
  private var threads: [SinkThread] = []
  private var server: MetricsServer?
  private let door: SinkDoor
  private let transport: CurlTransport
  private let settings: Settings
  private let folder: String
  private let bot: String
  private let nowMs: @Sendable () -> Int64
  /// What is so now, for metrics.
  package let live = LiveFigures()
  /// The last words about each sink.
  private var said: [String: String] = [:]

  /// - Parameters:
  ///   - folder: of the history.
  ///   - bot: what rows call the bot.
  package init(
    _ settings: Settings, folder: String, bot: String, transport: CurlTransport,
    clock: any LinkClock, nowMs: @escaping @Sendable () -> Int64
  ) {
    self.settings = settings
    self.folder = folder
    self.bot = bot
    self.transport = transport
    self.nowMs = nowMs
    door = SinkDoor(transport, clock: clock)
  }

  /// What the keys of a bot's rows are made of: its name on Discord, which two recorders share; else its address.
  ///
  /// - Parameter isPatient: whether to wait for a name that is not known yet.
  package static func botName(in folder: String, else name: String, isPatient: Bool) -> String? {
    let bot = HistoryBot.read(folder)
    if let tag = bot?.userTags.first { return tag }
    return isPatient ? nil : bot?.addresses.first ?? name
  }

  /// Starts sinks.
  ///
  /// - Parameters:
  ///   - fromMs: where a new sink begins, in ms since 1970; nil for now.
  ///   - change: of each plan, before it starts.
  package func start(
    _ sinks: [(String, Configuration.Sink)], botName: String,
    _ change: (inout SinkThread.Plan) -> Void = { _ in }
  ) throws(Failure) {
    for (name, sink) in sinks {
      var plan = try settings.plan(
        name, sink, folder: folder, bot: bot, botName: botName, door: door, live: live)
      change(&plan)
      threads.append(SinkThread(plan, nowMs: nowMs))
    }
  }

  /// Serves metrics on a loopback address.
  ///
  /// - Returns: the port.
  package func serve(_ address: String, botName: String) throws(Failure) -> Int {
    let page = MetricsPage()
    do throws(SinkProblem) {
      let server = try MetricsServer(address) { page.current }
      self.server = server
      let (bot, live) = (bot, live)
      let plan = SinkThread.Plan(
        name: "(metrics)", kind: "prometheus", folder: folder, botName: botName, level: .none,
        keepsPrompts: true, maxLagMs: 3_600_000
      ) { _ in SinkTargets.prometheus(file: nil, page: page, bot: bot, live: live) }
      threads.append(SinkThread(plan, nowMs: nowMs))
      return server.port
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  package var isEmpty: Bool { threads.isEmpty }
  /// Whether all have ended.
  package var isOver: Bool { threads.allSatisfy(\.state.isOver) }
  package var states: [(name: String, state: SinkThread.State)] {
    threads.map { ($0.name, $0.state) }
  }

  /// `3 sinks`, or what is wrong with some: `grafana 12 min behind: 503`.
  package var words: String {
    let troubled = states.compactMap { Self.words($0.name, $0.state) }
    let count = threads.count == 1 ? "1 sink" : "\(threads.count) sinks"
    return troubled.isEmpty ? count : "\(count), " + troubled.joined(separator: "; ")
  }

  /// What has changed about sinks since the last call, a line each.
  package func news() -> [String] {
    var lines: [String] = []
    for (name, state) in states {
      let words = Self.words(name, state)
      // Its lag grows with each look.
      let key = state.problem ?? ""
      guard said[name, default: ""] != key else { continue }
      said[name] = key
      lines.append(words ?? "\(name) delivers again")
    }
    return lines
  }

  private static func words(_ name: String, _ state: SinkThread.State) -> String? {
    SinkWords.trouble(name, behindMs: state.behindMs, problem: state.problem)
  }

  /// Ends all sinks, each after its request in flight.
  package func stop(waiting seconds: Double = 5) async {
    server?.stop()
    let threads = threads
    _ = await OwnThread.run { threads.map { $0.stop(waiting: seconds) } }
    transport.shutdown()
  }
}

/// What is said about sinks.
package enum SinkWords {
  /// `grafana 12 min behind: 503`; nil if all is well.
  package static func trouble(_ name: String, behindMs: Int64, problem: String?) -> String? {
    let lag = behindMs >= 10_000 ? "\(name) \(duration(behindMs)) behind" : nil
    switch (lag, problem) {
    case (nil, nil): return nil
    case (let lag?, nil): return lag
    case (let lag, let problem?): return "\(lag ?? name): \(problem)"
    }
  }

  static func duration(_ ms: Int64) -> String {
    switch ms / 1000 {
    case ..<120: "\(ms / 1000) s"
    case ..<7200: "\(ms / 60_000) min"
    case ..<172_800: "\(ms / 3_600_000) h"
    default: "\(ms / 86_400_000) days"
    }
  }

  /// What a history says about its sinks: sentences for standard error, and whether rows were lost.
  ///
  /// - Parameter names: those of the configuration.
  package static func remarks(
    in folder: String, of names: Set<String>
  ) -> (sentences: [String], isLoss: Bool) {
    let found = Result { () throws(HistoryError) in try HistoryNotes.sinks(in: folder) }
    var sentences: [String] = []
    var isLoss = false
    for record in (try? found.get()) ?? [] where names.contains(record.name) {
      if record.missed > 0 {
        isLoss = true
        sentences.append(
          "sink \(record.name): \(record.missed) rows were removed by age before they were delivered"
        )
      }
      if let words = trouble(record.name, behindMs: record.behindMs, problem: record.problem) {
        sentences.append("sink " + words)
      }
    }
    return (sentences, isLoss)
  }
}

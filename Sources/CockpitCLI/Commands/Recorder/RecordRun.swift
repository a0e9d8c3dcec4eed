import ClankySource
import ClankyWire
import CockpitDomain
import CockpitFiles
import CockpitHistory
import CockpitRules
import CockpitSession
import CockpitSinks
import CockpitStores
import CockpitText
import Foundation
import Networking

/// One run of `record`: a session without a screen.
@MainActor
final class RecordRun: SourceObserver {
  enum End {
    case signal(Int32)
    /// The source gave up.
    case failed(LinkFailure)
    /// The recorder did.
    case recorder(String)
    case cancelled
  }

  /// How far back to begin, and how often documents are fetched; nil for not at all.
  var backfillMs: Int64?
  var documentsMs: Int64?

  /// What is recorded goes there as well; nil for nowhere.
  var sinks: SinkGroup?
  var wantedSinks: [(String, Configuration.Sink)] = []
  var metricsAddress: String?

  private let bot: BotSession
  private let isGateway: Bool
  private let recorder: HistoryRecorder
  private let ticker: LinkTicker
  private let clock: any LinkClock
  private let notice: ServiceNotice
  private let environment: CockpitSession.Environment
  /// What is due, each at most once.
  private enum Due { case begin, documents, guilds, watch, sinks }
  private var timers: [Due: any LinkTimer] = [:]
  private var done: (@MainActor (End) -> Void)?
  private var hasBegun = false
  private var wasOther = false
  private let folder: String
  /// What the source is called.
  private let name: String
  private let rules: RuleSettings
  private var judge: PastJudge?

  /// - Parameter folder: where is recorded.
  init(
    _ opened: OpenedSource, _ recorder: HistoryRecorder, folder: String, recordsOwnerPrivate: Bool,
    in environment: CockpitSession.Environment
  ) {
    self.recorder = recorder
    self.folder = folder
    name = opened.name
    self.environment = environment
    clock = opened.clock
    notice = ServiceNotice(environment.variables)
    isGateway = opened.settings.isGateway
    ticker = LinkTicker(opened.source, opened.clock)
    bot = BotSession(
      .init(
        address: opened.name, memory: opened.settings.memory, isReadOnly: true,
        zone: opened.settings.clock.queryZone),
      source: opened.source, storage: nil, clock: opened.clock)
    rules = opened.settings.rules
    let feed = RecorderFeed(recorder, recordsOwnerPrivate: recordsOwnerPrivate)
    bot.record(with: [feed, self], rows: feed.rowObserver)
  }

  /// Records until a signal arrives, or until the source or the recorder fails for good.
  func untilEnd() async -> End {
    let signals = environment.scope == nil ? EndSignal() : nil
    let end = await awaitCallback(ifCancelled: .cancelled) { done in
      self.done = done
      if let signals {
        Task { @MainActor in self.finish(.signal(await signals.first())) }
      }
      bot.start()
      ticker.start()
      watch()
      startSinks(triesLeft: 30)
    }
    for timer in timers.values { timer.cancel() }
    judge?.stop()
    ticker.stop()
    notice.send("STOPPING=1")
    bot.source.stop()
    return end
  }

  private func finish(_ end: End) {
    done?(end)
    done = nil
  }

  // MARK: the source

  func received(_ event: SourceEvent, at time: ReceiveTime) {
    guard case .status(let status) = event else { return }
    switch status.overall {
    case .live, .polling, .degraded: begin()
    case .stopped: if done != nil, let failure = status.failure { finish(.failed(failure)) }
    case .connecting, .stale, .reconnecting: break
    }
  }

  func ingested(_ batch: RowBatch, _ report: RowReport, at time: ReceiveTime) {}

  /// Once the backend is heard.
  private func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    notice.send("READY=1", "STATUS=recording")
    let bot = bot
    judge = PastJudge(folder: folder, rules, hasSinks: sinks != nil, clock) { bot.serverNowMs }
    judge?.start()
    // Not in the middle of an event.
    schedule(.begin, afterMs: 1) { [self] in
      if let backfillMs {
        bot.source.fetchHistory(
          HistoryRequest(sinceMs: bot.serverNowMs - backfillMs, isUserRequested: false))
      }
      fetchDocuments()
    }
  }

  private func fetchDocuments() {
    // A gateway pushes its documents.
    guard let documentsMs, !isGateway else { return }
    bot.refetch()
    bot.fetch([
      .command(.loadGuilds), .memory(.load(guild: nil)), .memory(.loadReflections(guild: nil)),
      .command(.loadBrowserSessions), .voiceSessions(liveChanges: 0),
    ])
    fetchOfGuilds(triesLeft: 20)
    schedule(.documents, afterMs: UInt64(documentsMs)) { [self] in fetchDocuments() }
  }

  /// Once the guilds are known: at the start their list is still on the way.
  private func fetchOfGuilds(triesLeft: Int) {
    let guilds = (bot.command.guilds.value ?? []).compactMap(\.id).sorted()
    guard !guilds.isEmpty else {
      guard triesLeft > 0 else { return }
      return schedule(.guilds, afterMs: 500) { [self] in fetchOfGuilds(triesLeft: triesLeft - 1) }
    }
    for guild in guilds {
      bot.fetch([
        .command(.loadChannels(guild: guild)), .command(.loadAutomations(guild: guild)),
      ])
    }
  }

  // MARK: the recorder

  /// Looks after the recorder, and tells systemd that all is well.
  private func watch() {
    let state = recorder.state
    switch state.activity {
    case .failed(let reason): return finish(.recorder(reason))
    case .other(let pid):
      if !wasOther {
        let who = pid.map { "process \($0)" } ?? "another process"
        environment.output.complain(
          "\(who) records this bot already; this one takes over when it ends")
      }
      wasOther = true
      notice.send("READY=1", "WATCHDOG=1", "STATUS=another process records")
    case .paused(let reason): notice.send("WATCHDOG=1", "STATUS=paused: \(reason)")
    case .starting, .recording, .stopped:
      notice.send(
        "WATCHDOG=1", "STATUS=recording, \(state.rows) rows, \(state.lostRows) lost\(sinkWords)")
    }
    let pause = notice.watchdogMicroseconds.map { Swift.max(1000, $0 / 2000) } ?? 30_000
    schedule(.watch, afterMs: UInt64(Swift.min(pause, 30_000))) { [self] in watch() }
  }

  // MARK: sinks

  /// Once the recorder has a folder, and once the bot's name is known, which takes the first statistics: the keys of
  /// its rows are made of it.
  private func startSinks(triesLeft: Int) {
    guard let sinks, done != nil else { return }
    let isOpen =
      switch recorder.state.activity {
      case .recording, .other: true
      case .starting, .paused, .failed, .stopped: false
      }
    let botName = SinkGroup.botName(
      in: folder, else: name, isPatient: triesLeft > 0 && !isGateway)
    guard isOpen, let botName else {
      // A recorder that waits for its disk is waited for.
      return schedule(.sinks, afterMs: 500) { [self] in
        startSinks(triesLeft: isOpen ? triesLeft - 1 : triesLeft)
      }
    }
    do throws(Failure) {
      try sinks.start(wantedSinks, botName: botName)
      if let metricsAddress {
        let port = try sinks.serve(metricsAddress, botName: botName)
        environment.output.complain("metrics are at http://127.0.0.1:\(port)/metrics")
      }
    } catch {
      return finish(.recorder(error.sentence))
    }
    watchSinks()
  }

  private var sinkWords: String { sinks.map { $0.isEmpty ? "" : ", " + $0.words } ?? "" }

  private func watchSinks() {
    guard let sinks else { return }
    sinks.live.set(figures())
    for line in sinks.news() { environment.output.complain(line) }
    schedule(.sinks, afterMs: 2000) { [self] in watchSinks() }
  }

  private func figures() -> LiveFigures.Figures {
    var figures = LiveFigures.Figures()
    let status = bot.connection.status
    for channel in status.channels {
      figures.up[channel.channel.name] = Self.up(channel.status.state)
    }
    if status.channels.isEmpty { figures.up["all"] = Self.up(status.overall) }
    if let voice = bot.voice.state {
      figures.voiceSessions = voice.sessions.count
      figures.voicePeople = voice.sessions.reduce(0) {
        $0 + ($1.participantCount ?? $1.participants.count)
      }
      figures.pendingTurns = voice.sessions.reduce(0) { $0 + ($1.pendingDeferredTurns ?? 0) }
    }
    let state = recorder.state
    figures.recorderLost = state.lostRows
    figures.recorderLagMs = state.failingSinceMs.map { max(0, clock.wallMs - $0) } ?? 0
    figures.historyBytes = state.storedBytes
    figures.gaps = state.outages.count + state.olderOutages
    figures.historyOldestMs = HistoryOverview.oldestDayMs(in: folder).map {
      max(0, clock.wallMs - $0)
    }
    return figures
  }

  private static func up(_ state: LinkState) -> Double {
    switch state {
    case .live: 1
    case .stale, .polling, .degraded: 0.5
    case .connecting, .reconnecting, .stopped: 0
    }
  }

  private func schedule(
    _ task: Due, afterMs ms: UInt64, _ work: @escaping @MainActor () -> Void
  ) {
    timers[task] = clock.schedule(afterNs: Nanoseconds.milliseconds(ms), work)
  }
}

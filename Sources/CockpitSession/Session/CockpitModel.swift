import CockpitAnswers
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitFiles
import CockpitHistory
import CockpitPanes
import CockpitRules
import CockpitStores
import Foundation
import TerminalCore

/// A `BotSession` made from an opened source and its settings, and what a frame shows of the profile and of this
/// program's own resource use.
@MainActor
package final class CockpitModel {
  package let bot: BotSession
  /// Profiles, themes, where the token is.
  package var setup: SetupFacts
  /// How to run a verb of this program against the same backend.
  package let invocation: VerbInvocation
  let clockFormat: ClockFormat
  private let settings: Settings
  private var meter = ClientMeter()
  private var triage: TriageBoard
  private var rules: RuleFollower
  private let documents: DocumentQueue
  private var promises: PromiseBoard
  private var promised = PromiseReport()
  private var promisedMs: Int64?
  private var watches: WatchBoard
  /// Nil where nothing of this bot is kept: a demo, a recording.
  let alarmFiles: AlarmFiles?
  private let alarmRules: [String]
  var silences: AlarmSilences
  var silencesReadMs: Int64 = 0
  var latch: AlarmFiles.Saved?
  var latchedMs: Int64 = 0
  /// Which rows happened while this program watched; nil before the first ones are here.
  package var freshness: RowFreshness?
  private var linkWatch = LinkWatch()
  private var recorderWatch = RecorderWatch()
  /// What the recording says of the last weeks; nil until that was read.
  private(set) var past: PastIncidents?
  /// Whether the recording was read, with or without a result.
  var hasReadPast = false
  private var automationWatch = AutomationWatch()
  /// nil where nothing is news: in a recording.
  var attention: AttentionMonitor?
  /// The conversations with the source's agents; nil where there are none.
  package let chat: ChatDesk?
  private let isRecording: Bool
  // Looked up once: every key reads it.
  private let sourceKind: SourceKind
  private let budget: Double?
  private var outlook = DayOutlook()
  private let screenshots = ScreenshotPreviews()
  private let canvasPictures = CanvasPictures()
  private let hasCanvas: Bool
  /// Bytes that went to the terminal since the start.
  package var writtenBytes: () -> Int = { 0 }

  /// What records the bot; nil if nothing does.
  package private(set) var recorder: HistoryRecorder?
  /// Whether nothing had been recorded of this bot before.
  package private(set) var isFirstRecording = false

  package init(_ opened: OpenedSource) {
    settings = opened.settings
    isRecording = opened.isRecording
    chat = ChatDesk(opened)
    sourceKind = opened.source.kind
    hasCanvas = opened.source is any CanvasSource
    budget = settings.budget
    setup = SetupFactsSource.facts(opened.settings)
    setup.tokenPlace = opened.backend?.tokenPlace
    invocation = VerbInvocation(opened)
    clockFormat = settings.clock
    attention = opened.isRecording ? nil : AttentionMonitor(settings.attention)
    triage = TriageBoard(settings: settings.triage)
    // Of one of several bots some 1,500 rows are in memory.
    rules = RuleFollower(
      settings.rules, keptEvents: settings.isOneOfSeveral ? 2048 : RuleEngine.keptEvents)
    promises = PromiseBoard(settings.promises)
    watches = WatchBoard(settings.watches)
    let isKept = !opened.isRecording && settings.options.source == nil
    alarmFiles = isKept ? AlarmFiles(state: settings.paths.state, bot: opened.name) : nil
    alarmRules = AlarmRuleTable(settings: settings).rules.map(\.name) + Alarm.summaries.sorted()
    silences = AlarmSilences()
    scope = GuildScope(settings.guild)
    bot = BotSession(
      .init(
        address: opened.name, memory: settings.memory,
        isReadOnly: settings.isReadOnly || opened.isRecording, zone: settings.clock.queryZone),
      source: opened.source,
      storage: opened.isRecording
        ? nil : StateStorage(settings.paths) { [clock = opened.clock] in clock.wallMs },
      clock: opened.clock)
    documents = DocumentQueue(bot.sink)
  }

  /// Records the bot on the disk, if the settings want that; call it before `bot.start()`. Records wait in memory until
  /// `recorder.start()`: the first frame does not wait for the disk.
  package func prepareRecording(version: String) {
    guard !isChatServer, var wanted = settings.recording(of: bot.connection.address),
      let folder = wanted.folder
    else { return }
    wanted.recorder.version = version
    isFirstRecording = !SafeFile.exists(folder)
    let recorder = HistoryRecorder(
      folder: folder, wanted.recorder, startsNow: false, clock: .system)
    let feed = RecorderFeed(
      recorder, recordsOwnerPrivate: wanted.recordsOwnerPrivate, isGateway: isGateway)
    bot.record(with: [feed], rows: feed.rowObserver)
    self.recorder = recorder
  }

  /// How long a recording is kept at least, in the user's words.
  package var recordingKeep: String { settings.configuration.history.keep ?? "24h" }

  /// What the source is. A recording says it by the documents that it has.
  package var kind: SourceKind {
    if sourceKind.isOfAgents { return sourceKind }
    if let service = bot.control.service { return service.kind }
    return bot.control.overview == nil ? .clanky : .openclaw
  }

  /// Whether the source is one of agents that has rows, live or in a recording.
  package var isGateway: Bool { kind.isOfAgents && !kind.isOnlyTalkedTo }
  /// Whether the source can only be talked to.
  package var isChatServer: Bool { kind.isOnlyTalkedTo }

  /// Now on the monotonic clock, in ns.
  package var nowNs: UInt64 { bot.clock.nowNs }

  /// The guild selected with `--guild` or in the profile, by id or name.
  package var guild: String? { settings.guild }
  /// The guild that what is shown is about. What a screen has instead is up to it.
  package var scope: GuildScope

  /// Finds the guild that was named, once the names of the guilds are known.
  ///
  /// - Returns: why there is none; then the scope is that of all guilds.
  package func findGuild() -> String? {
    guard let guild else { return nil }
    let guilds = bot.connection.names.guilds
    guard case .guild(let id) = GuildScope.named(guild, in: guilds) else {
      scope = .all
      return GuildScope.problem(guild, in: guilds)
    }
    scope = GuildScope(id)
    return nil
  }

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
      factView: bot.factView, isReadOnly: settings.isReadOnly || isRecording, isMouseOn: isMouseOn,
      command: bot.command, settings: bot.settings, outline: bot.outline)
    facts.scope = scope
    facts.costs = bot.costs
    facts.costRate = bot.costRate
    facts.triage = report
    facts.promises = promised
    if scope.isAll {
      facts.dayForecast = outlook.forecast(
        past?.spend, bot.costs, budget: budget, nowMs: bot.serverNowMs)
      facts.isReadingDays = recorder != nil && !isFirstRecording && !hasReadPast
    }
    facts.silences = silences
    facts.alarmRules = alarmRules
    facts.incidents = incidents
    facts.client = meter.figures
    facts.setup = setup
    facts.recordingNote = recordingNote
    facts.kind = kind
    if let chat { facts.chat = chat.board }
    facts.control = bot.control.board
    if isGateway { facts.attention = attention?.state }
    facts.gateway = bot.control.overview
    facts.service = bot.control.service
    facts.findings = bot.control.findings
    if isGateway { facts.pictures = screenshots.previews }
    facts.hasCanvas = hasCanvas
    if let board = bot.control.canvas {
      facts.canvas = board
      facts.canvasPictures = canvasPictures.previews
    }
    return facts
  }

  /// Judges the bot by what is known: to be called before a frame and outside of what it tracks, so that a
  /// frame depends on the verdict and not on all that was looked at.
  ///
  /// - Returns: whether all rows were read; else another call is to follow.
  @discardableResult
  package func judge() -> Bool {
    if isGateway { screenshots.follow(bot.control.findings) }
    if let board = bot.control.canvas { canvasPictures.follow(board) }
    if scope != triage.scope { triage = TriageBoard(settings: settings.triage, scope: scope) }
    var input = TriageInput(
      scope: scope, activity: bot.activity, voice: bot.voice, operations: bot.command,
      connection: bot.connection, status: bot.source.status, settings: settings.triage,
      nowMs: bot.serverNowMs, nowNs: nowNs)
    readSilences()
    rules.take(
      documents.drain() + recorderWatch.events(recorder?.state, nowMs: bot.serverNowMs)
        + linkWatch.events(
          bot.source.status[.activity], nowMs: bot.serverNowMs, nowNs: nowNs))
    let isFollowed = rules.follow(bot.activity.log, nowMs: input.nowMs)
    incidents = rules.report(
      sinceMs: bot.activity.coverage.beginMs(kinds: RuleFollower.kinds))
    incidents.recent = past?.recent
    input.unanswered = incidents.unanswered(in: scope)
    let hasPromises = judgePromises(&input)
    let hasWatches = judgeWatches()
    let hasTriage = triage.judge(input, rows: bot.activity.log)
    report = triage.report
    let hasReadAll = hasTriage && hasPromises && hasWatches && isFollowed
    guard !watches.open.isEmpty || !watches.over.isEmpty else {
      return hasReadAll
    }
    report = TriageReport(
      isKnown: report.isKnown, open: report.open + watches.open, over: report.over + watches.over,
      asOfMs: report.asOfMs, atMs: report.atMs, suspected: report.suspected)
    return hasReadAll
  }

  /// Everything that is wrong: what the rules of the triage found, the promises, and the watches.
  package private(set) var report = TriageReport()

  /// Watches besides those of the configuration, before the start.
  package func add(watches more: [WatchRule]) {
    let names = Set(more.map(\.name))
    watches = WatchBoard(
      watches.rules.filter { !names.contains($0.name) } + more, scope: watches.scope)
  }

  /// How far back rows are needed to judge: an hour for the rules, and the window of the promises, in ms.
  package var neededMs: Int64 {
    promises.settings.isEmpty ? 3_600_000 : max(3_600_000, promises.settings.windowMs)
  }
  package var clock: ClockFormat { clockFormat }
  package var watchRules: [WatchRule] { watches.rules }

  /// A recording raises no alarm: what is in it has happened.
  private func judgeWatches() -> Bool {
    guard !isRecording, bot.connection.hasRows else { return true }
    var freshness = freshness ?? RowFreshness(sinceMs: bot.serverNowMs)
    if freshness.stored != .all {
      freshness.stored = bot.source.status.overall == .polling ? .recent : .none
    }
    self.freshness = freshness
    if scope != watches.scope { watches = WatchBoard(watches.rules, scope: scope) }
    return watches.judge(
      bot.activity.log, names: bot.connection.names, freshness: freshness, nowMs: bot.serverNowMs)
  }

  /// - Returns: whether all rows were read.
  private func judgePromises(_ input: inout TriageInput) -> Bool {
    guard !promises.settings.isEmpty else { return true }
    if scope != promises.scope {
      promises = PromiseBoard(settings.promises, scope: scope)
      promisedMs = nil
    }
    let log = bot.activity.log
    let hasReadAll = promises.read(log, nowMs: input.nowMs)
    // Windows move with time, and a second is nothing to them.
    if promisedMs.map({ input.nowMs - $0 >= 1000 || input.nowMs < $0 }) ?? true || !hasReadAll {
      promisedMs = hasReadAll ? input.nowMs : nil
      promised = promises.report(
        nowMs: input.nowMs,
        coveredFromMs: bot.activity.coverage.beginMs(
          kinds: PromiseBoard.kinds, guild: scope.guild
        ).map { max(0, $0) },
        costTodayUSD: scope.isAll ? input.costTodayUSD : nil, log: log)
    }
    input.promises = hasReadAll ? promised : nil
    return hasReadAll
  }

  /// Where the bot is recorded; nil if nothing is.
  var pastFolder: String? { settings.historyFolder(of: bot.connection.address) }
  var ruleSettings: RuleSettings { settings.rules }

  /// Gives the rules what was read from the recording.
  func take(_ past: PastIncidents) {
    self.past = past
    compare(with: past)
  }

  /// Has the rules compare with recorded weeks.
  func compare(with past: PastIncidents?) {
    if let past { rules.compare(with: past.hours, spend: past.spend.usd) }
  }

  /// What the rules over events say, as of the last `judge`.
  package private(set) var incidents = IncidentReport()

  /// Whether something may be found wrong within seconds.
  package var isJudgingSoon: Bool { triage.isPending }

  /// The same for a single look.
  package func judgeFully() { while !judge() {} }

  /// Fetches automations when one should have run meanwhile.
  package func fetchAutomations() {
    guard bot.source.status.overall == .live else { return }
    let guilds = automationWatch.due(
      bot.command, guilds: bot.connection.names.guilds.keys.sorted(), nowMs: bot.clock.wallMs,
      serverNowMs: bot.serverNowMs)
    for guild in guilds { bot.commandDesk.perform(.loadAutomations(guild: guild)) }
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

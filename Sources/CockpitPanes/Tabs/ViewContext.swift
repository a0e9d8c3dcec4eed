import CockpitAnswers
import CockpitRules
import CockpitText
import CockpitDomain
import ClankyWire
import CockpitStores
import Foundation
import TerminalCore

/// The input of a frame: a snapshot of the stores and the clock. Panes are functions of it; they
/// read nothing else.
@MainActor
package struct ViewContext {
  package var activity: ActivityStore
  package var voice: VoiceStore
  package var memory: MemoryStore
  /// The facts that pass MEMORY's filter, in its order.
  package var factView: FactView
  package var connection: ConnectionStore
  package var command: OperationsStore
  /// The settings of the bot, and what is done about them.
  package var settings: SettingsStore
  /// The link as of now: ages and rates move even when no state changes.
  package var status: SourceStatus
  /// The guild that the screen is about: what panes show is its, unless it cannot be told apart. The shell puts it
  /// here; stores keep the data of all guilds.
  package var scope = GuildScope.all
  /// The rows of the feed that pass filter and chips, newest first.
  package var feed: FilteredLog
  /// The feed at its level, and the turns of rows.
  package var outline: FeedOutline
  /// Parsed rows that were drawn lately.
  package var actions: ActionCache
  package var names: Names
  /// Now on the backend's clock, in ms since 1970: ages are never skewed (promise P10).
  package var nowMs: Int64
  /// Now on the monotonic clock, in ns, for this program's own measurements.
  package var monotonicNs: UInt64
  package var clock: ClockFormat
  /// The name of the connection, such as `prod` or `demo`.
  package var profile: String
  package var isReadOnly: Bool
  /// Why nothing can be changed, where nothing can be.
  package var readOnlyWords: PlainText {
    replay == nil
      ? "this profile is read-only: nothing is changed from here"
      : "this is the past: nothing is changed from here"
  }
  /// Whether mouse events are captured.
  package var isMouseOn: Bool
  /// The bot's costs.
  package var costs = CostSummary()
  /// What the bot costs an hour, while all sources are listed; nil if that is unknown.
  package var costRate: CostSummary.Rate?
  /// This program's own resource use.
  package var client = ClientFigures()
  /// Profiles, themes, where the token is.
  package var setup = SetupFacts()
  /// The answer that all tabs stand on; nil follows the newest. The shell puts it here.
  package var selected: SelectedAnswer?
  /// What is wrong with the bot, as it was judged before this frame.
  package var triage = TriageReport()
  /// What the rules over events found, as of the same time.
  package var incidents = IncidentReport()
  /// The promises of `[slo]`, as they were judged before this frame.
  package var promises = PromiseReport()
  /// The end of the UTC day by the same hours of recorded days; nil without a week of them.
  package var dayForecast: DayForecast?
  /// Whether recorded days are still being read, which `dayForecast` needs.
  package var isReadingDays = false
  /// Which rules are silent, and what was acknowledged.
  package var silences = AlarmSilences()
  /// The names of everything that can raise an alarm.
  package var alarmRules: [String] = []
  /// What is wrong with recording, such as `REC ! 1,204 lost`.
  package var recordingNote: PlainText?
  /// What waits for an answer and what runs; nil for a bot that has nothing of the kind.
  package var control: ControlBoard?
  /// How strongly a gateway asks for the owner; nil for a Clanky bot, and in the past.
  package var attention: AttentionState?
  /// What the gateway consists of; nil for a Clanky bot.
  package var gateway: GatewayOverview?
  /// What a service of conversations consists of; nil for all others.
  package var service: ServiceBoard?
  /// What was read of the gateway because a tab shows it.
  package var findings = GatewayFindings()
  /// Previews of images among them, as far as they are decoded.
  package var pictures: [GatewayLookup: ImagePreview] = [:]
  /// What an agent has drawn; nil before the first drawing, and for sources without a canvas.
  package var canvas: CanvasBoard?
  /// Its pictures as far as they are decoded, by `CanvasElement.pictureKey`.
  package var canvasPictures: [Int: ImagePreview] = [:]
  /// Whether agents of the source may draw.
  package var hasCanvas = false
  /// The conversations with its agents; nil where nobody can be talked to.
  package var chat: ChatBoard?
  /// The sources of a profile with several; nil where there is one, and in the past.
  package var sources: SourceList?
  /// What the source is.
  package var kind = SourceKind.clanky
  /// The digest that was asked for; nil for none.
  package var digest: DigestState?
  /// The comparison that was asked for; nil for none.
  package var compare: CompareState?
  /// The bundle that is being made; nil for none.
  package var bundle: BundleState?
  /// Where in the past everything here is; nil for the live bot.
  package var replay: ReplayState?
  /// The keys that work; the shell puts its own here, so that no text names a key that does not.
  package var keys = KeyTable.standard

  package init(
    activity: ActivityStore, voice: VoiceStore, memory: MemoryStore, connection: ConnectionStore,
    status: SourceStatus, feed: FilteredLog, actions: ActionCache, names: Names, nowMs: Int64,
    monotonicNs: UInt64,
    clock: ClockFormat, profile: String, factView: FactView = FactView(), isReadOnly: Bool = false,
    isMouseOn: Bool = true, command: OperationsStore = OperationsStore(),
    settings: SettingsStore = SettingsStore(), outline: FeedOutline = FeedOutline()
  ) {
    self.activity = activity
    self.voice = voice
    self.memory = memory
    self.factView = factView
    self.connection = connection
    self.status = status
    self.feed = feed
    self.actions = actions
    self.names = names
    self.nowMs = nowMs
    self.monotonicNs = monotonicNs
    self.clock = clock
    self.profile = profile
    self.isReadOnly = isReadOnly
    self.isMouseOn = isMouseOn
    self.command = command
    self.settings = settings
    self.outline = outline
  }

  /// Whether the source is no Clanky bot: a gateway, or a server that can only be talked to.
  package var isGateway: Bool { kind.isOfAgents }
  /// Whether the source can only be talked to: it has no rows, and nothing waits there.
  package var isChatServer: Bool { kind.isOnlyTalkedTo }
  /// Whether the source states its tabs line by line. True before `service` is known.
  package var isService: Bool { kind.statesItsTabs }

  /// The envelope of the last `stats_update`, with the counters and costs of the scope; nil before the first. Its
  /// runtime is that of the bot.
  var stats: StatsEnvelope? {
    guard !scope.isAll, var envelope = activity.stats else { return activity.stats }
    envelope.stats = activity.stats(in: scope)
    return envelope
  }

  /// Cost of the current UTC day: nil if unknown, 0 if the day has no row yet.
  package var costToday: Double? {
    stats?.costToday(at: WireTime(milliseconds: minuteMs))
  }

  /// When the data of a stream ended, in ms since 1970 on the backend's clock: nil while they flow,
  /// polling included, and before the first data.
  package func dataEndMs(_ stream: SourceChannel) -> Int64? {
    guard let ageNs = dataAgeNs(stream) else { return nil }
    return nowMs - Int64(clamping: ageNs / 1_000_000)
  }

  /// `as of 23:45:13`, if the data of a stream ended and what is drawn from them is old.
  func asOf(_ stream: SourceChannel) -> PlainText? {
    dataEndMs(stream).map { "as of " + clock.time(ms: $0) }
  }

  private func dataAgeNs(_ stream: SourceChannel) -> UInt64? {
    status.dataAgeNs(
      stream,
      receivedNs: stream == .activity
        ? activity.receivedNs : isUnheard ? nil : voice.receivedNs,
      nowNs: monotonicNs)
  }

  /// The context at the end of a stream's data, if they ended: ages and running times drawn from it
  /// stand still. Use it only for data of that stream.
  func atDataEnd(of stream: SourceChannel) -> ViewContext {
    guard let ageNs = dataAgeNs(stream) else { return self }
    var facts = self
    facts.nowMs -= Int64(clamping: ageNs / 1_000_000)
    facts.monotonicNs -= min(facts.monotonicNs, ageNs)
    return facts
  }

  /// The lines of the feed, newest first.
  var lines: FeedLines { FeedLines(feed, outline, merged: sources?.merged) }

  /// The start of the current minute, for values that change no sooner.
  package var minuteMs: Int64 {
    let rest = nowMs % 60_000
    return nowMs &- (rest < 0 ? rest + 60_000 : rest)
  }

  /// Number of highlighted new rows. If there are none, the feed does not depend on the time.
  func freshRows() -> Int {
    actions.hasArrivals ? actions.freshCount(atNs: monotonicNs, within: FeedStyle.freshMs) : 0
  }

  /// Whether a row is new.
  func isFresh(_ row: RowID) -> Bool {
    actions.hasArrivals && actions.isFresh(row, atNs: monotonicNs, within: FeedStyle.freshMs)
  }
}

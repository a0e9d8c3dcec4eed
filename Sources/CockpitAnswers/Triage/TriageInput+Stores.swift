internal import ClankyWire
package import CockpitDomain
package import CockpitStores
internal import CockpitText
internal import TerminalCore

extension TriageInput {
  /// Reads the stores. Do not call while a frame tracks observations.
  ///
  /// - Parameters:
  ///   - scope: whose voice sessions, automations and rows are judged; the runtime and the budget are the bot's.
  ///   - status: the link as of now.
  ///   - nowMs: on the backend's clock, in ms since 1970.
  ///   - nowNs: on the monotonic clock.
  @MainActor
  package init(
    scope: GuildScope = .all, activity: ActivityStore, voice: VoiceStore,
    operations: OperationsStore,
    connection: ConnectionStore, status: SourceStatus, settings: TriageSettings, nowMs: Int64,
    nowNs: UInt64
  ) {
    func heardMs(_ ns: UInt64) -> Int64 {
      nowNs > ns ? nowMs - Int64(clamping: (nowNs - ns) / 1_000_000) : nowMs
    }
    let ageNs = status.dataAgeNs(.activity, receivedNs: activity.receivedNs, nowNs: nowNs)
    let asOfMs = ageNs.map { nowMs - Int64(clamping: $0 / 1_000_000) }
    let endMs = asOfMs ?? nowMs
    self.init(nowMs: endMs)
    self.asOfMs = asOfMs
    isScoped = !scope.isAll
    if let runtime = activity.stats?.runtime {
      self.runtime = Heard(runtime, atMs: heardMs(activity.statsReceivedNs))
    }
    if var state = voice.state {
      if !scope.isAll { state.sessions.removeAll { !scope.holds($0.guildID) } }
      self.voice = Heard(state, atMs: heardMs(voice.receivedNs))
    }
    automations = Self.automations(operations, scope)
    let rates = activity.rates(in: scope, nowMs: endMs).perMinute(nowMs: endMs)
    failuresPerHour = rates.reduce(0) { $0 + $1.failures }
    actionsPerHour = rates.reduce(0) { $0 + $1.actions }
    isHourComplete = activity.rateBeginMs(in: scope).map { $0 <= endMs - 3_600_000 } ?? false
    costTodayUSD = activity.stats?.costToday(at: .init(milliseconds: endMs))
    budgetUSD = settings.budgetUSD
    names = connection.names
    let words = ConnectionWords(status: status, monotonicNs: nowNs)
    if let sentence = words.sentence {
      self.connection = .init(state: status.overall, sentence: sentence.description)
    }
  }

  /// The automations of all guilds whose lists are here; nil while none is. They are as of the oldest list.
  @MainActor
  private static func automations(
    _ store: OperationsStore, _ scope: GuildScope
  ) -> Heard<[Automation]>? {
    var oldestMs: Int64?
    var rows: [Automation] = []
    for case (let guild, .loaded(let page, let atMs)) in store.automations
    where scope.holds(guild) {
      oldestMs = min(oldestMs ?? atMs, atMs)
      rows += page.rows
    }
    return oldestMs.map { Heard(rows, atMs: $0) }
  }
}

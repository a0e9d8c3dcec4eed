internal import ClankyWire
package import CockpitDomain
package import CockpitStores
internal import CockpitText
internal import TerminalCore

extension TriageInput {
  /// Reads the stores. Do not call while a frame tracks observations.
  ///
  /// - Parameters:
  ///   - status: the link as of now.
  ///   - nowMs: on the backend's clock, in ms since 1970.
  ///   - nowNs: on the monotonic clock.
  @MainActor
  package init(
    activity: ActivityStore, voice: VoiceStore, operations: OperationsStore,
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
    if let runtime = activity.stats?.runtime {
      self.runtime = Heard(runtime, atMs: heardMs(activity.statsReceivedNs))
    }
    if let state = voice.state {
      self.voice = Heard(state, atMs: heardMs(voice.receivedNs))
    }
    automations = Self.automations(operations)
    let rates = activity.log.rate.perMinute(nowMs: endMs)
    failuresPerHour = rates.reduce(0) { $0 + $1.failures }
    actionsPerHour = rates.reduce(0) { $0 + $1.actions }
    isHourComplete = activity.rateBeginMs.map { $0 <= endMs - 3_600_000 } ?? false
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
  private static func automations(_ store: OperationsStore) -> Heard<[Automation]>? {
    var oldestMs: Int64?
    var rows: [Automation] = []
    for case .loaded(let page, let atMs) in store.automations.values {
      oldestMs = min(oldestMs ?? atMs, atMs)
      rows += page.rows
    }
    return oldestMs.map { Heard(rows, atMs: $0) }
  }
}

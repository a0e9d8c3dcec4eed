import ClankyWire
import CockpitAnswers
import CockpitSession
import CockpitStores
import CockpitText

/// Looks for the answer to "why" in what was recorded.
@MainActor
final class RecordedWhy {
  private let recorded: RecordedPast
  private let guild: String?
  private let log = ActionLog(memory: 1 << 30)
  private let voice = VoiceStore()
  private var fromMs: Int64

  /// An exchange that begins so soon after the oldest row may lack its first ones, in ms.
  private static let edgeMs: Int64 = 120_000
  /// Without --since so much is looked through first, then seven times as much, in ms.
  private static let firstMs: Int64 = 86_400_000
  private static let moreMs: Int64 = 7 * 86_400_000

  init(_ recorded: RecordedPast) throws(Failure) {
    self.recorded = recorded
    guild = try recorded.guild()
    fromMs = recorded.nowMs
  }

  /// The answer; nil when nothing is on record.
  func why(_ subject: WhySubject, since: HistoryDuration?) async throws(Failure) -> Why? {
    if let since {
      try await load(fromMs: recorded.nowMs - since.milliseconds)
      return await answer(subject)
    }
    try await load(fromMs: recorded.nowMs - Self.firstMs)
    let why = await answer(subject)
    guard why.map({ $0.exchange.startMs - fromMs < Self.edgeMs }) ?? true else { return why }
    try await load(fromMs: recorded.nowMs - Self.moreMs)
    return await answer(subject) ?? why
  }

  private func load(fromMs ms: Int64) async throws(Failure) {
    try await recorded.read(
      into: log, after: ms - 1, through: fromMs == recorded.nowMs ? nil : fromMs - 1)
    fromMs = ms
    voice.follow(log)
  }

  private func answer(_ subject: WhySubject) async -> Why? {
    let names = await recorded.names(in: log)
    guard let found = rows(names).find(subject, recorded.settings.clock) else { return nil }
    guard let guild = found.guildID, found.prompt != nil else { return Why(found) }
    // Once more, with the facts that may stand in its prompt.
    let again = rows(names, facts: recorded.facts(of: guild)).exchange(found.key)
    return Why(again ?? found)
  }

  private func rows(_ names: NameTable, facts: [Fact] = []) -> ExchangeRows {
    var rows = ExchangeRows(
      log, voice: voice, names: names, facts: facts, hasNewest: hasNewest, nowMs: recorded.nowMs)
    rows.scope = GuildScope(guild)
    return rows.indexed()
  }

  /// Whether the recording goes on after its last row here.
  private var hasNewest: Bool {
    let last = (log.count > 0 ? log.row(at: 0).timeMs : recorded.nowMs)
    return recorded.missing(fromMs: last, toMs: recorded.nowMs).isEmpty
  }

  /// What was looked at, such as `1,000 recorded rows since 05-09 14:02`.
  var window: String {
    let clock = recorded.settings.clock
    func moment(_ ms: Int64) -> String { "\(clock.monthDay(ms: ms)) \(clock.time(ms: ms))" }
    let from = max(fromMs, recorded.span.lowerBound)
    let gaps = recorded.missing(fromMs: from, toMs: recorded.nowMs)
    let note = gaps.isEmpty ? "" : ", of which some are missing"
    return
      "\(Figures.count(log.count)) recorded rows from \(moment(from)) to \(moment(recorded.nowMs))\(note)"
  }
}

import ClankyWire
import CockpitAnswers
import CockpitSession
import CockpitStores
import CockpitText
import LenientJSON
import TerminalCore

/// `tail` of a recording: its rows, oldest first, and the stretches without records between them.
@MainActor
struct RecordedTail {
  private let recorded: RecordedPast
  private let isVoice: Bool
  private let filter: Query
  private let count: Int?
  private let since: HistoryDuration?
  private let json: Bool

  init(
    _ recorded: RecordedPast, isVoice: Bool, filter: Query, count: Int?, since: HistoryDuration?,
    json: Bool
  ) {
    self.recorded = recorded
    self.isVoice = isVoice
    self.filter = filter
    self.count = count
    self.since = since
    self.json = json
  }

  func write(to output: Output) async throws {
    let names = await recorded.names()
    let guild = try recorded.guild()
    let log = ActionLog(memory: 1 << 30)
    let nowMs = recorded.nowMs
    func isWanted(_ row: ActionRowView) -> Bool {
      (!isVoice || row.kind.hasPrefix("voice_")) && (guild == nil || row.guildID == guild)
        && (filter.isEmpty || filter.matches(row, names: names, nowMs: nowMs))
    }
    if let since {
      try await recorded.read(
        into: log, after: nowMs - since.milliseconds - 1, isWanted: isWanted)
    } else {
      try await recorded.readNewest(count ?? PastActions.limit, into: log, isWanted: isWanted)
    }
    let rows = await ActionLines.sortedAside(log.rows(in: 0..<log.count)).suffix(count ?? .max)
    if log.totals.evicted > 0 {
      output.complain(
        "\(Figures.count(log.totals.evicted)) of the recorded actions did not fit into memory; ask for a shorter time."
      )
    }
    let fromMs = since.map { nowMs - $0.milliseconds } ?? rows.first?.timeMs ?? nowMs
    var gaps = recorded.missing(fromMs: fromMs, toMs: nowMs)[...]
    let lines = ActionLines(names: await recorded.names(in: log), clock: recorded.settings.clock)
    var breaths = Breaths()
    for row in rows {
      while let gap = gaps.first, gap.fromMs <= row.timeMs {
        say(gap, output)
        gaps.removeFirst()
      }
      if let line = lines.line(row, json: json) { output.line(line) }
      try await breaths.take()
    }
    for gap in gaps { say(gap, output) }
    if rows.isEmpty { throw Failure(.failed, "No recorded action matches.") }
  }

  private func say(_ gap: MissingStretch, _ output: Output) {
    guard json else { return output.complain(gap.sentence(recorded.settings.clock)) }
    var line = JSONObjectWriter()
    line.string("type", "unrecorded")
    line.string("from", WireTime(milliseconds: gap.fromMs).iso)
    line.string("to", WireTime(milliseconds: gap.toMs).iso)
    line.string("reason", gap.reason)
    line.int("rows", gap.rows)
    output.line(line.finish())
  }
}

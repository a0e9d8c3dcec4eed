package import CockpitHistory

/// Sends parked rows again, one at a time; the sink itself may be running. Blocks.
package struct ParkedRetry: Hashable, Sendable {
  package var accepted = 0
  /// Rows that were refused again: they stay parked, with the new answer.
  package var refused = 0
  /// Rows that the history does not have any more, or that cannot be read: they stay parked.
  package var missing = 0
  /// Why it ended before all were sent; nil if it did not.
  package var problem: String?

  package init() {}

  /// - Parameters:
  ///   - rows: of the sink of the plan.
  ///   - nowMs: our time, in ms since 1970.
  package init(
    _ rows: [HistoryNotes.ParkedRow], _ plan: SinkThread.Plan, nowMs: () -> Int64
  ) throws(SinkProblem) {
    do throws(HistoryError) {
      let bot = try HistoryNotes.sinkBot(named: plan.botName, in: plan.folder)
      let source = try SinkSource(
        folder: plan.folder, bot: bot, level: plan.level, keepsPrompts: plan.keepsPrompts)
      let target: any SinkTarget
      do throws(SinkProblem) {
        target = try plan.target(bot)
      } catch {
        problem = error.description
        return
      }
      for row in rows where problem == nil {
        try send(row, from: source, to: target, plan.folder, nowMs())
      }
    } catch {
      throw SinkProblem(error.description)
    }
  }

  private mutating func send(
    _ parked: HistoryNotes.ParkedRow, from source: SinkSource, to target: any SinkTarget,
    _ folder: String, _ nowMs: Int64
  ) throws(HistoryError) {
    guard var row = try source.row(parked.seq, nowMs: nowMs), row.problem == nil else {
      missing += 1
      return
    }
    // It may be far behind what the far end has had since.
    row.isLate = true
    switch target.send([row], nowMs: nowMs) {
    case .accepted(rejected: 0, _):
      try HistoryNotes.unpark(parked, in: folder)
      accepted += 1
    case .accepted(_, let words):
      try keep(parked, words ?? parked.answer, folder, nowMs)
    case .refused(let words): try keep(parked, words, folder, nowMs)
    case .busy(let words, _), .closed(let words): problem = words
    }
  }

  private mutating func keep(
    _ parked: HistoryNotes.ParkedRow, _ answer: String, _ folder: String, _ nowMs: Int64
  ) throws(HistoryError) {
    try HistoryNotes.park(
      again: parked, answer: String(answer.prefix(300)), nowMs: nowMs, in: folder)
    refused += 1
  }
}

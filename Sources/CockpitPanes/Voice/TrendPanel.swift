import CockpitAnswers
import CockpitStores
import CockpitText
import TerminalCore

/// The delays of the last turns, one column each, stacked by stage; a caret below the turn from which on they are
/// others.
@MainActor
struct TrendPanel {
  var stats: LatencyStats
  var clock: ClockFormat

  static let roles: [LatencyStage: Role] = [
    .finalizedToAsr: .asr, .asrToGeneration: .info, .generationToReply: .llm, .replyToAudio: .tts,
  ]

  func render(into canvas: inout Canvas) {
    let bounds = canvas.bounds
    guard bounds.height >= 2, bounds.width >= 30 else { return }
    let points = stats.trend(last: min(60, (bounds.width - 10) / 2))
    guard !points.isEmpty else {
      canvas.write("no spoken answer was measured yet", role: .muted)
      return
    }
    let shown = stats.points.count - points.count
    // Bars need three rows to tell sizes apart; in a lower panel there is no row for the caret.
    let change =
      bounds.height >= 5 ? LatencyChange.all(in: stats).last { $0.index >= shown } : nil
    let height = bounds.height - (change == nil ? 1 : 2)
    let largest = max(1, points.compactMap(\.totalMs).max() ?? 1)
    canvas.write(Figures.duration(ms: Double(largest)).leftPadded(to: 7), role: .muted)
    canvas.write(("0" as PlainText).leftPadded(to: 7), y: height - 1, role: .muted)
    let columns = max(1, min(3, (bounds.width - 10) / points.count - 1))
    for (index, point) in points.enumerated() {
      var filled = 0
      var sum = 0
      let x = 9 + index * (columns + 1)
      for stage in LatencyStage.allCases {
        sum += max(0, point[stage] ?? 0)
        // The stages may add up to more than the total: some are negative when clocks disagree.
        let share = min(1, Double(sum) / Double(largest))
        let top = Int((share * Double(height)).rounded())
        for level in filled..<max(filled, top) {
          for column in 0..<columns {
            canvas.symbol(
              .block(8), x: x + column, y: height - 1 - level, role: Self.roles[stage] ?? .info)
          }
        }
        filled = max(filled, top)
      }
      // A turn too short for a cell is still a turn.
      if filled == 0 { canvas.symbol(.spark(1), x: x, y: height - 1, role: .info) }
    }
    for (value, mark) in [(stats.total.p95, "p95" as PlainText), (stats.total.p50, "p50")] {
      guard let value, value <= largest else { continue }
      let y = height - 1 - min(height - 1, value * height / largest)
      canvas.write(mark, x: bounds.width - 4, y: y, role: .muted)
    }
    if let change {
      caret(
        change, at: 9 + (change.index - shown) * (columns + 1), y: height, into: &canvas)
    }
    legend(y: bounds.height - 1, into: &canvas)
  }

  /// The caret, and beside it, where there is more room, what it stands for.
  private func caret(_ change: LatencyChange, at x: Int, y: Int, into canvas: inout Canvas) {
    let isWorse = change.afterMs > change.beforeMs
    let role: Role = isWorse ? .warning : .positive
    canvas.write("^", x: x, y: y, role: role)
    let words: PlainText =
      "from " + clock.time(ms: change.timeMs) + " on p50 "
      + Figures.duration(ms: Double(change.afterMs)) + " (n \(change.countAfter)), before "
      + Figures.duration(ms: Double(change.beforeMs)) + " (n \(change.countBefore))"
    let right = max(0, canvas.bounds.width - x - 2)
    let left = max(0, x - 1)
    if words.columns <= right || right >= left {
      canvas.write(words.cut(to: right), x: x + 2, y: y, role: .muted)
    } else {
      let text = words.cut(to: left)
      canvas.write(text, x: x - 1 - text.columns, y: y, role: .muted)
    }
  }

  private func legend(y: Int, into canvas: inout Canvas) {
    var x = 9
    for stage in LatencyStage.allCases {
      canvas.symbol(.block(8), x: x, y: y, role: Self.roles[stage] ?? .info)
      x = canvas.write(PlainText(stage.name), x: x + 2, y: y, role: .muted) + 2
    }
    canvas.write(
      PlainText(LatencyStats.leftOut).cut(to: max(0, canvas.bounds.width - x - 1)), x: x, y: y,
      role: .faint)
  }
}

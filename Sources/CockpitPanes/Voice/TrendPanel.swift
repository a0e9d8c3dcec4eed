import CockpitText
import CockpitStores
import TerminalCore

/// The delays of the last turns, one column each, stacked by stage.
@MainActor
struct TrendPanel {
  var stats: LatencyStats

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
    let height = bounds.height - 1
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
    var x = 9
    for stage in LatencyStage.allCases {
      canvas.symbol(.block(8), x: x, y: height, role: Self.roles[stage] ?? .info)
      x = canvas.write(PlainText(stage.name), x: x + 2, y: height, role: .muted) + 2
    }
    canvas.write(
      PlainText(LatencyStats.leftOut).cut(to: max(0, bounds.width - x - 1)), x: x, y: height,
      role: .faint)
  }
}

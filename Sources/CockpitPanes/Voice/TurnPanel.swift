import CockpitText
import ClankyWire
import TerminalCore

/// The latency of one answer compared with its session (contract 5.2.14, 7.2).
struct Waterfall: Hashable {
  struct Stage: Hashable {
    var name: PlainText
    var ms: Int?
    /// Its rank within the session, 0 to 1; nil if too few were measured.
    var rank: Double?
    var p50: Int?
    var isBlamed = false
  }

  var stages: [Stage]
  var total: Stage
  var p50: Int?
  var p95: Int?
  var queueWaitMs: Int?
  var queueDepth: Int?
  /// Totals of the last turns, oldest first.
  var trend: [Int]
  /// Number of turns behind the percentiles.
  var count: Int
  /// The recogniser's time, if the rows report it.
  var recogniserMs: Int?
}

/// The latency waterfall of a turn: four stages and their total, coloured by their percentile
/// within the session, never by a fixed limit.
struct WaterfallPanel {
  var waterfall: Waterfall

  func render(into canvas: inout Canvas) {
    let width = canvas.bounds.width
    guard width >= 24 else {
      canvas.write("TOTAL ", role: .muted)
      canvas.write(Figures.duration(ms: waterfall.total.ms.map(Double.init)), x: 6, role: .number)
      return
    }
    let labelWidth = width >= 40 ? 11 : 9
    let figures = width >= 36 ? 14 : 8
    let longest = max(1, waterfall.stages.compactMap(\.ms).max() ?? 0)
    let room = max(4, width - labelWidth - figures - 2)
    for (y, stage) in waterfall.stages.enumerated() {
      canvas.write(
        stage.name.cut(to: labelWidth), y: y, role: stage.isBlamed ? .heading : .muted,
        attributes: stage.isBlamed ? .bold : [])
      if let ms = stage.ms {
        bar(ms, of: longest, room: room, role: role(stage), x: labelWidth + 1, y: y, into: &canvas)
        // Mark the session's median for comparison.
        if let p50 = stage.p50, p50 > 0, p50 <= longest, p50 != ms {
          let x = labelWidth + 1 + min(room - 1, p50 * room / longest)
          canvas.symbol(.vertical, x: x, y: y, role: .faint)
        }
      }
      value(stage, y: y, showsRank: figures >= 14, into: &canvas)
    }
    let y = waterfall.stages.count
    canvas.write("TOTAL", y: y, role: .heading, attributes: .bold)
    var x = labelWidth + 1
    if waterfall.p50 != nil {
      x = canvas.write("p50 ", x: x, y: y, role: .muted)
      x = canvas.write(ms(waterfall.p50), x: x, y: y, role: .number) + 1
      if x + 10 < width - figures {
        x = canvas.write("p95 ", x: x, y: y, role: .muted)
        x = canvas.write(ms(waterfall.p95), x: x, y: y, role: .number) + 1
      }
    }
    value(waterfall.total, y: y, showsRank: figures >= 14, into: &canvas)
    guard canvas.bounds.height > y + 2 else {
      brief(y: y + 1, into: &canvas)
      return
    }
    trend(y: y + 1, into: &canvas)
    blame(y: y + 2, into: &canvas)
    canvas.write(leftOut(width: width).cut(to: width), y: y + 3, role: .muted)
  }

  private func bar(
    _ ms: Int, of longest: Int, room: Int, role: Role, x: Int, y: Int, into canvas: inout Canvas
  ) {
    let share = min(1, Double(max(0, ms)) / Double(max(1, longest)))
    let eighths = max(1, Int((share * Double(room * 8)).rounded()))
    for column in 0..<room where eighths > column * 8 {
      canvas.symbol(.block(min(8, eighths - column * 8)), x: x + column, y: y, role: role)
    }
  }

  private func value(
    _ stage: Waterfall.Stage, y: Int, showsRank: Bool, into canvas: inout Canvas
  ) {
    let rank: PlainText = showsRank ? (stage.rank.map(Self.rank) ?? "").leftPadded(to: 4) : ""
    let text = ms(stage.ms) + (showsRank ? " " + rank : "")
    canvas.writeRight(text, y: y, role: stage.ms == nil ? .muted : role(stage))
  }

  /// `p41`.
  static func rank(_ rank: Double) -> PlainText {
    PlainText("p\(Int((min(max(rank, 0), 1) * 100).rounded()))")
  }

  private func role(_ stage: Waterfall.Stage) -> Role {
    guard let rank = stage.rank else { return .number }
    return rank >= 0.95 ? .negative : rank >= 0.75 ? .warning : .positive
  }

  private func trend(y: Int, into canvas: inout Canvas) {
    guard !waterfall.trend.isEmpty else { return }
    let shown = Array(waterfall.trend.suffix(max(1, min(20, canvas.bounds.width - 16))))
    let x = canvas.write(PlainText("last \(shown.count)").padded(to: 8), y: y, role: .muted)
    Sparkline(values: shown).render(width: shown.count, x: x, y: y, role: .info, into: &canvas)
    canvas.writeRight(PlainText("of \(waterfall.count)"), y: y, role: .muted)
  }

  /// The trend, and the parts missing from the total, in the last line.
  private func brief(y: Int, into canvas: inout Canvas) {
    let shown = Array(waterfall.trend.suffix(8))
    var x = 0
    if !shown.isEmpty {
      x = canvas.write("last ", y: y, role: .muted)
      Sparkline(values: shown).render(width: 8, x: x, y: y, role: .info, into: &canvas)
      x += shown.count + 1
    }
    let text = "without recogniser, queue " + ms(waterfall.queueWaitMs)
    canvas.write(text.cut(to: canvas.bounds.width - x), x: x, y: y, role: .muted)
  }

  private func blame(y: Int, into canvas: inout Canvas) {
    var x = canvas.write("queue ", y: y, role: .muted)
    x = canvas.write(ms(waterfall.queueWaitMs), x: x, y: y, role: .number)
    x = canvas.write(" depth ", x: x, y: y, role: .muted)
    x = canvas.write(Figures.count(waterfall.queueDepth), x: x, y: y, role: .number)
    if let blamed = waterfall.stages.first(where: \.isBlamed) {
      x = canvas.write("  blame ", x: x, y: y, role: .muted)
      canvas.write(blamed.name.cut(to: canvas.bounds.width - x), x: x, y: y, role: .warning)
    }
  }

  /// The total is the sum of the four stages: the recogniser's own time, between the first two, is
  /// in none of them, and neither is the queue (contract 5.2.14).
  private func leftOut(width: Int) -> PlainText {
    let asr: PlainText =
      waterfall.recogniserMs.map { ms in
        "recogniser " + Figures.duration(ms: Double(ms))
      } ?? "the recogniser's time"
    return width >= 50
      ? "TOTAL leaves out " + asr + " and the queue" : "leaves out " + asr + ", queue"
  }

  private func ms(_ value: Int?) -> PlainText { Figures.duration(ms: value.map(Double.init)) }
}

import CockpitStores
import TerminalCore

/// Actions per minute over the last hour, errors marked, one column for each minute where there
/// is room.
struct RatePanel: FramePart {
  /// Minutes that the store keeps rates for.
  static let minutes = 60

  private let isFocused: Bool
  private let rates: [MinuteRates.Rate]
  /// Whether anything is known to count.
  private let isKnown: Bool

  @MainActor init(_ facts: Facts, isFocused: Bool) {
    self.isFocused = isFocused
    isKnown = facts.hasActivity
    rates = facts.activity.log.rate.perMinute(last: Self.minutes, nowMs: facts.minuteMs)
  }

  func render(in area: Rect, into frame: inout Frame) {
    guard area.height >= 3, area.width >= 20 else { return }
    frame.mark(area, .pulse(.panel(.rate)))
    let peak = rates.map(\.actions).max() ?? 0
    // The last whole minute: a minute that has just begun says little and changes with every row.
    let last = rates.dropLast().last?.actions ?? 0
    func figure(_ value: Int) -> PlainText { isKnown ? PlainText("\(value)") : "-" }
    let trailing = "last min " + figure(last) + "  peak " + figure(peak) + "  ! errors"
    frame.canvas.panel("rate 60m", trailing: trailing, in: area, isFocused: isFocused) { canvas in
      var body = canvas.bounds
      let axis = body.takeBottom(1)
      // The hour takes the whole width: a minute is one column or more, or shares one.
      func column(_ minute: Int) -> Int { minute * body.width / Self.minutes }
      for (minute, rate) in rates.enumerated() {
        let x = column(minute)
        let eighths = Int(
          (Double(rate.actions) / Double(max(1, peak)) * Double(body.height * 8)).rounded(.up))
        for level in 0..<body.height {
          let part = min(8, max(0, eighths - level * 8))
          guard part > 0 else { break }
          for x in x..<max(x + 1, column(minute + 1)) {
            canvas.symbol(
              .spark(part), x: x, y: body.height - 1 - level,
              role: rate.failures > 0 ? .negative : .info)
          }
        }
      }
      let marks = rates.indices.filter { rates[$0].failures > 0 }.map(column)
      canvas.inside(axis) { canvas in
        // Without colours a mark is all that tells of an error: a label that it falls on is left out.
        func label(_ text: PlainText, at x: Int) {
          guard !marks.contains(where: { x..<x + text.columns ~= $0 }) else { return }
          canvas.write(text, x: x, role: .muted)
        }
        label("-60", at: 0)
        label("-30", at: column(30))
        label("now", at: axis.width - 3)
        for x in marks { canvas.write("!", x: x, role: .negative, attributes: .bold) }
      }
    }
  }
}

/// The same as one row of eighth blocks, for the KPI row.
struct Sparkline {
  var values: [Int]

  func render(width: Int, x: Int, y: Int = 0, role: Role, into canvas: inout Canvas) {
    let shown = values.suffix(width)
    let peak = max(1, shown.max() ?? 0)
    for (offset, value) in shown.enumerated() {
      let level = value == 0 ? 0 : max(1, Int((Double(value) / Double(peak) * 8).rounded()))
      canvas.symbol(.spark(level), x: x + offset, y: y, role: level == 0 ? .faint : role)
    }
  }
}

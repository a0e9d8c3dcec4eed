import ClankyLink
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
  /// When the rows begin, where that is within the hour: `10:46`.
  private let beginning: PlainText?
  /// The minute in which they begin; what is left of it is not known, and not 0.
  private let firstMinute: Int
  /// `as of 23:45:13`, where nothing brings new ones; nil else.
  private let asOf: PlainText?

  @MainActor init(_ facts: Facts, isFocused: Bool) {
    self.isFocused = isFocused
    isKnown = facts.hasActivity
    asOf = facts.asOf(.activity)
    let log = facts.activity.log
    rates = log.rate.perMinute(last: Self.minutes, nowMs: facts.minuteMs)
    guard log.count > 0 else {
      (beginning, firstMinute) = (nil, 0)
      return
    }
    // Rows that were given up are still in the rates.
    let oldest = log.row(at: log.count - 1).timeMs
    let minute = Self.minutes - 1 - Int(clamping: facts.minuteMs / 60_000 - oldest / 60_000)
    firstMinute = max(0, min(minute, rates.firstIndex { $0.actions > 0 } ?? minute))
    let firstMs = facts.minuteMs - Int64(Self.minutes - 1 - firstMinute) * 60_000
    beginning = firstMinute > 0 ? facts.clock.time(ms: firstMs).prefix(columns: 5) : nil
  }

  func render(in area: Rect, into frame: inout Frame) {
    guard area.height >= 3, area.width >= 20 else { return }
    frame.mark(area, .pulse(.panel(.rate)))
    let peak = rates.map(\.actions).max() ?? 0
    // The last whole minute: a minute that has just begun says little and changes with every row.
    let last = rates.dropLast().last?.actions ?? 0
    func figure(_ value: Int) -> PlainText { isKnown ? PlainText("\(value)") : "-" }
    let trailing =
      (asOf.map { $0 + "  " } ?? "") + "last min " + figure(last) + "  peak " + figure(peak)
      + "  ! errors"
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
              .spark(part), x: x, y: body.height - 1 - level, role: .info)
          }
        }
      }
      blank(to: column(firstMinute), y: body.height - 1, into: &canvas)
      let marks = rates.indices.filter { rates[$0].failures > 0 }.map(column)
      canvas.inside(axis) { canvas in
        // Without colours a mark is all that tells of an error: a label that it falls on is left out.
        func label(_ text: PlainText, at x: Int) {
          guard !marks.contains(where: { x..<x + text.columns ~= $0 }) else { return }
          canvas.write(text, x: x, role: .muted)
        }
        label("-60", at: 0)
        label("-30", at: column(30))
        label(asOf == nil ? "now" : "end", at: axis.width - 3)
        for x in marks { canvas.write("!", x: x, role: .negative, attributes: .bold) }
      }
    }
    if asOf != nil { frame.canvas.fade(area) }
  }

  /// Says that nothing is known of the first columns: a new connection brings 220 rows, which may be
  /// those of the last minutes (ux.md W2).
  private func blank(to end: Int, y: Int, into canvas: inout Canvas) {
    guard let beginning, end > 0 else { return }
    for x in 0..<end { canvas.write(".", x: x, y: y, role: .faint) }
    let words = "no rows before " + beginning
    if words.columns < end { canvas.write(words + " ", y: y, role: .muted) }
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

import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import CockpitStores
import TerminalCore

/// Actions per minute over the last hour with errors marked, one column per minute if there is
/// room.
struct RatePanel: FramePart {
  /// Minutes that the store keeps rates for.
  static let minutes = 60

  private let isFocused: Bool
  private let rates: [MinuteRates.Rate]
  /// Whether anything is known to count.
  private let isKnown: Bool
  /// When the rows begin, where that is within the hour: `10:46`.
  private let beginning: PlainText?
  /// The first known minute; earlier values are unknown, not 0.
  private let firstMinute: Int
  /// `as of 23:45:13`, where nothing brings new ones; nil else.
  private let asOf: PlainText?
  /// The present minute, in ms since 1970.
  private let minuteMs: Int64
  private let zone: QueryZone

  @MainActor init(_ facts: __shared ViewContext, isFocused: Bool) {
    self.isFocused = isFocused
    isKnown = facts.hasActivity
    asOf = facts.asOf(.activity)
    minuteMs = facts.minuteMs
    zone = facts.clock.queryZone
    let log = facts.activity.log
    rates = facts.rates(atMs: facts.minuteMs)
      .perMinute(last: Self.minutes, nowMs: facts.minuteMs)
    guard log.count > 0 else {
      (beginning, firstMinute) = (nil, 0)
      return
    }
    firstMinute = Self.firstMinute(facts, of: Self.minutes)
    let firstMs = facts.minuteMs - Int64(Self.minutes - 1 - firstMinute) * 60_000
    beginning = firstMinute > 0 ? facts.clock.time(ms: firstMs).prefix(columns: 5) : nil
  }

  /// The first of the last minutes with complete rows, counting evicted ones, which the rates still
  /// include. Earlier bars would cover only some kinds.
  @MainActor static func firstMinute(_ facts: ViewContext, of minutes: Int) -> Int {
    guard let begin = facts.activity.rateBeginMs(in: facts.scope) else { return minutes }
    let hourAgo = facts.minuteMs - Int64(minutes - 1) * 60_000
    guard begin > hourAgo else { return 0 }
    let whole = begin / 60_000 + (begin % 60_000 > 0 ? 1 : 0)
    return max(0, min(minutes, minutes - 1 - Int(clamping: facts.minuteMs / 60_000 - whole)))
  }

  func render(in area: Rect, into frame: inout Frame) {
    guard area.height >= 3, area.width >= 20 else { return }
    frame.mark(area, .pulse(.panel(.rate)))
    let peak = rates.dropFirst(firstMinute).map(\.actions).max() ?? 0
    // The last whole minute: a minute that has just begun says little and changes with every row.
    let last = rates.dropLast().last?.actions ?? 0
    func figure(_ value: Int) -> PlainText { isKnown ? PlainText("\(value)") : "-" }
    let isLastKnown = firstMinute < Self.minutes - 1
    let trailing =
      (asOf.map { $0 + "  " } ?? "") + "last min " + (isLastKnown ? figure(last) : "-") + "  peak "
      + figure(peak) + "  ! errors"
    frame.canvas.panel("rate 60m", trailing: trailing, in: area, isFocused: isFocused) { canvas in
      var body = canvas.bounds
      let axis = body.takeBottom(1)
      // The hour fills the width: a minute takes one or more columns, or shares one.
      func column(_ minute: Int) -> Int { minute * body.width / Self.minutes }
      for (minute, rate) in rates.enumerated().dropFirst(firstMinute) {
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
      let marks = rates.indices.filter { rates[$0].failures > 0 && $0 >= firstMinute }.map(column)
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
    markMinutes(in: area.inset(by: 1), into: &frame)
    if asOf != nil { frame.canvas.fade(area) }
  }

  /// A click on a bar shows the rows of its minute.
  private func markMinutes(in inner: Rect, into frame: inout Frame) {
    guard isKnown, inner.width >= Self.minutes else { return }
    for minute in firstMinute..<max(firstMinute, Self.minutes) where rates[minute].actions > 0 {
      let x = minute * inner.width / Self.minutes
      let end = (minute + 1) * inner.width / Self.minutes
      let startMs = minuteMs - Int64(Self.minutes - 1 - minute) * 60_000
      let query = "since:\(zone.text(ms: startMs)) before:\(zone.text(ms: startMs + 60_000))"
      frame.mark(
        Rect(x: inner.x + x, y: inner.y, width: end - x, height: inner.height), .rows(query))
    }
  }

  /// Says that not all is known of the first columns: the backend gives 1,000 rows, which may be those of the
  /// last minutes.
  private func blank(to end: Int, y: Int, into canvas: inout Canvas) {
    guard let beginning, end > 0 else { return }
    for x in 0..<end { canvas.write(".", x: x, y: y, role: .faint) }
    let words = "not all rows before " + beginning
    if words.columns < end { canvas.write(words + " ", y: y, role: .muted) }
  }
}

/// The same as one row of eighth blocks, for the KPI row.
struct Sparkline {
  var values: [Int]
  /// How many of the first values are unknown; each is drawn as a dot.
  var unknown = 0

  func render(width: Int, x: Int, y: Int = 0, role: Role, into canvas: inout Canvas) {
    let shown = values.suffix(width)
    let known = shown.dropFirst(max(0, unknown - (values.count - shown.count)))
    let peak = max(1, known.max() ?? 0)
    for x in x..<x + shown.count - known.count { canvas.write(".", x: x, y: y, role: .faint) }
    for (offset, value) in zip(shown.count - known.count..<shown.count, known) {
      let level = value == 0 ? 0 : max(1, Int((Double(value) / Double(peak) * 8).rounded()))
      canvas.symbol(.spark(level), x: x + offset, y: y, role: level == 0 ? .faint : role)
    }
  }
}

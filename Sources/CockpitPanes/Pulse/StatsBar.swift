import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

/// Row 2: the key figures. The backend's counters cover its last 24 hours and not all kinds; the
/// others (tools, memory, errors: contract 3.6) are counted here over 24 hours, as far as all rows
/// are stored. The window follows the number of all actions, and any figure with a different one;
/// `-` stands for unknown.
struct StatsBar: FramePart {
  /// Whether anything is known to count.
  private let isKnown: Bool
  private let counts: WindowCounts
  private let costToday: Double?
  /// The reply latency, in ms.
  private let reply: Reply?
  private let sessions: Int
  /// `as of 23:45:13`, where nothing brings new ones; nil else.
  private let asOf: PlainText?
  /// In ms since 1970.
  private let minuteMs: Int64
  private let zone: QueryZone

  private struct Reply: Hashable {
    var p50Ms: Int?
    var p95Ms: Int?
  }

  private static let figures: [(label: PlainText, group: ChipGroup, role: Role)] = [
    ("VOX ", .voice, .voice), ("LLM ", .llm, .llm), ("TOOL ", .tool, .tool),
    ("MEM ", .memory, .memory),
  ]

  @MainActor init(_ facts: __shared ViewContext, isNarrow: Bool) {
    counts = facts.windowCounts
    isKnown = facts.hasActivity
    costToday = facts.costToday
    let total = isNarrow ? nil : facts.stats?.stats?.performance.totalMs
    reply = total.map { Reply(p50Ms: $0.p50Ms, p95Ms: $0.p95Ms) }
    sessions = facts.liveSessionCount
    asOf = facts.asOf(.activity) ?? facts.asOf(.voice)
    minuteMs = facts.minuteMs
    zone = facts.clock.queryZone
  }

  /// The query for the rows behind a figure; nil if unknown.
  private func rows(_ group: ChipGroup) -> String? {
    guard let begin = counts.beginMs(group), begin > 0 else { return nil }
    return (group == .all ? "" : "chip:\(group.name) ") + "since:" + zone.text(ms: begin)
  }

  func render(in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    func figure(_ group: ChipGroup) -> PlainText {
      isKnown ? Figures.count(counts.count(group)) : "-"
    }
    // The counted window, and those that are longer.
    let window = counts.window(.all, minuteMs: minuteMs)
    let others = Self.figures.map { counts.otherWindow($0.group, minuteMs: minuteMs) }
    let hasErrors = counts.count(.error) > 0
    let dayMs = minuteMs - minuteMs % WindowCounts.day
    var places: [(Range<Int>, String?)] = []
    var replies = 0..<0
    frame.canvas.inside(area) { canvas in
      // Figures with separate windows need more room; set them closer together if it is short.
      let isTight = canvas.bounds.width < 100 && others.contains { !$0.isEmpty }
      var row = Row(width: canvas.bounds.width, space: isTight ? 1 : nil)
      if let asOf { row.add("", asOf, .heading, to: &canvas) }
      places.append((row.add("ACT ", figure(.all) + window, .number, to: &canvas), rows(.all)))
      for (index, each) in Self.figures.enumerated() {
        let place = row.add(
          each.label, figure(each.group) + others[index], each.role, to: &canvas)
        places.append((place, rows(each.group)))
      }
      let place = row.add(
        "ERR ",
        figure(.error) + (hasErrors ? "!" : "")
          + counts.otherWindow(.error, minuteMs: minuteMs),
        hasErrors ? .negative : .positive, to: &canvas)
      places.append((place, rows(.error)))
      let cost = row.add("", Figures.cost(costToday) + " UTC", .cost, to: &canvas)
      places.append((cost, costToday.map { _ in "is:costed since:" + zone.text(ms: dayMs) }))
      if sessions > 0 {
        let text: PlainText =
          sessions > 1
          ? "\(sessions) voice sessions" : asOf == nil ? "voice live" : "voice was live"
        row.add("", text, .positive, to: &canvas)
      }
      if let reply {
        replies = row.add(
          "reply p50 ", Figures.duration(ms: reply.p50Ms.map(Double.init)), .number,
          then: (
            " p95 ",
            Figures.duration(ms: reply.p95Ms.map(Double.init))
              + (window == "/24h" || reply.p95Ms == nil ? "" : "/24h")
          ), to: &canvas)
      }
    }
    for case (let columns, let query?) in places where !columns.isEmpty {
      let place = Rect(x: area.x + columns.lowerBound, y: area.y, width: columns.count, height: 1)
      frame.mark(place, .rows(query))
    }
    if !replies.isEmpty, reply?.p50Ms != nil {
      let place = Rect(x: area.x + replies.lowerBound, y: area.y, width: replies.count, height: 1)
      frame.mark(place, .figure(RowsBehind.replies(sinceMs: minuteMs - WindowCounts.day, zone)))
    }
    if asOf != nil { frame.canvas.fade(area) }
  }

  /// Figures from left to right, each whole, up to the first that has no room.
  private struct Row {
    let width: Int
    private var x = 1
    private var isFull = false

    /// Columns between two figures.
    let space: Int

    init(width: Int, space: Int?) {
      self.width = width
      self.space = space ?? (width >= 70 ? 2 : 1)
    }

    /// Its columns; empty if it did not fit.
    @discardableResult
    mutating func add(
      _ label: PlainText, _ value: PlainText, _ role: Role,
      then second: (label: PlainText, value: PlainText)? = nil, to canvas: inout Canvas
    ) -> Range<Int> {
      let columns =
        label.columns + value.columns
        + (second.map { $0.label.columns + $0.value.columns } ?? 0)
      guard !isFull, x + columns <= width else {
        isFull = true
        return x..<x
      }
      let start = x
      x = canvas.write(label, x: x, role: .muted)
      x = canvas.write(value, x: x, role: role)
      if let second {
        x = canvas.write(second.label, x: x, role: .muted)
        x = canvas.write(second.value, x: x, role: role)
      }
      defer { x += space }
      return start..<x
    }
  }
}

extension WindowCounts {
  /// `47m`, `24h`
  static func span(since beginMs: Int64, minuteMs: Int64) -> PlainText {
    let span = minuteMs.subtractingReportingOverflow(beginMs)
    guard !span.overflow, span.partialValue < WindowCounts.day else { return "24h" }
    return Figures.age(ms: max(60_000, span.partialValue))
  }

  /// `/47m`, `/24h`: the window of a count, in whole minutes or hours; empty if unknown.
  func window(_ group: ChipGroup, minuteMs: Int64) -> PlainText {
    beginMs(group).map { "/" + Self.span(since: $0, minuteMs: minuteMs) } ?? ""
  }

  /// The window of a count where it is not that of all actions; else empty.
  func otherWindow(_ group: ChipGroup, minuteMs: Int64) -> PlainText {
    guard beginMs(group) != beginMs(.all) else { return "" }
    let own = window(group, minuteMs: minuteMs)
    return own == window(.all, minuteMs: minuteMs) ? "" : own
  }
}

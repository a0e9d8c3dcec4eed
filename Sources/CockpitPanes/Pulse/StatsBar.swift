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
  /// All actions, then those of each group that has a figure.
  private let actions: Int
  /// The counted window: `/5m`, in whole minutes or hours.
  private let window: PlainText
  private let counts: [Int]
  /// Windows that are longer than that of all actions.
  private let windows: [PlainText]
  private let errors: Int
  private let errorWindow: PlainText
  private let costToday: Double?
  /// The reply latency, in ms.
  private let reply: Reply?
  private let sessions: Int
  /// `as of 23:45:13`, where nothing brings new ones; nil else.
  private let asOf: PlainText?
  /// From when on the rows of each figure are counted, and the first moment of the UTC day.
  private let begins: [ChipGroup: Int64]
  private let dayMs: Int64
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

  @MainActor init(_ facts: ViewContext, isNarrow: Bool) {
    let windowCounts = facts.windowCounts
    isKnown = facts.hasActivity
    actions = windowCounts.count(.all)
    let window = facts.window(windowCounts.beginMs(.all))
    func other(_ group: ChipGroup) -> PlainText {
      let own = facts.window(windowCounts.beginMs(group))
      return own == window ? "" : own
    }
    self.window = window
    counts = Self.figures.map { windowCounts.count($0.group) }
    windows = Self.figures.map { other($0.group) }
    errors = windowCounts.count(.error)
    errorWindow = other(.error)
    costToday = facts.costToday
    let total = isNarrow ? nil : facts.stats?.stats?.performance.totalMs
    reply = total.map { Reply(p50Ms: $0.p50Ms, p95Ms: $0.p95Ms) }
    sessions = facts.liveSessionCount
    asOf = facts.asOf(.activity) ?? facts.asOf(.voice)
    begins = ([.all, .error] + Self.figures.map(\.group)).reduce(into: [:]) {
      $0[$1] = windowCounts.beginMs($1)
    }
    dayMs = facts.minuteMs - facts.minuteMs % WindowCounts.day
    minuteMs = facts.minuteMs
    zone = facts.clock.queryZone
  }

  /// The query for the rows behind a figure; nil if unknown.
  private func rows(_ group: ChipGroup) -> String? {
    guard let begin = begins[group], begin > 0 else { return nil }
    return (group == .all ? "" : "chip:\(group.name) ") + "since:" + zone.text(ms: begin)
  }

  func render(in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    func figure(_ value: Int) -> PlainText { isKnown ? Figures.count(value) : "-" }
    var places: [(Range<Int>, String?)] = []
    var replies = 0..<0
    frame.canvas.inside(area) { canvas in
      // Figures with separate windows need more room; set them closer together if it is short.
      let isTight = canvas.bounds.width < 100 && windows.contains { !$0.isEmpty }
      var row = Row(width: canvas.bounds.width, space: isTight ? 1 : nil)
      if let asOf { row.add("", asOf, .heading, to: &canvas) }
      places.append((row.add("ACT ", figure(actions) + window, .number, to: &canvas), rows(.all)))
      for (index, each) in Self.figures.enumerated() {
        let place = row.add(
          each.label, figure(counts[index]) + windows[index], each.role, to: &canvas)
        places.append((place, rows(each.group)))
      }
      let place = row.add(
        "ERR ", (errors > 0 ? figure(errors) + "!" : figure(errors)) + errorWindow,
        errors > 0 ? .negative : .positive, to: &canvas)
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

import ClankyLink
import ClankyWire
import CockpitStores
import TerminalCore

/// Row 2: the key figures. Counters of the backend cover its last 24 hours and not all kinds; what it does
/// not count (tools, memory, errors: contract 3.6) is counted here from the rows that are retained, whose
/// window stands behind their number, and is unmarked `-` while nothing is known.
struct StatsBar: FramePart {
  /// Whether anything is known to count.
  private let isKnown: Bool
  /// All actions, then those of each group that has a figure.
  private let actions: Int
  /// How far back they go: `/5m`, in whole minutes, hours or days (ux.md E15).
  private let window: PlainText
  private let counts: [Int]
  private let errors: Int
  private let costToday: Double?
  /// How long a reply takes, in ms.
  private let reply: Reply?
  private let sessions: Int
  /// `as of 23:45:13`, where nothing brings new ones; nil else.
  private let asOf: PlainText?

  private struct Reply: Hashable {
    var p50Ms: Int?
    var p95Ms: Int?
  }

  private static let figures: [(label: PlainText, group: ChipGroup, role: Role)] = [
    ("VOX ", .voice, .voice), ("LLM ", .llm, .llm), ("TOOL ", .tool, .tool),
    ("MEM ", .memory, .memory),
  ]

  @MainActor init(_ facts: Facts, isNarrow: Bool) {
    let tally = facts.activity.log.totals.retained
    isKnown = facts.hasActivity
    actions = tally.actions
    window = Self.window(facts)
    counts = Self.figures.map { tally[$0.group] }
    errors = tally.failures
    costToday = facts.costToday
    let total = isNarrow ? nil : facts.stats?.stats?.performance.totalMs
    reply = total.map { Reply(p50Ms: $0.p50Ms, p95Ms: $0.p95Ms) }
    sessions = facts.voice.sessionCount
    asOf = facts.asOf(.activity) ?? facts.asOf(.voice)
  }

  @MainActor private static func window(_ facts: Facts) -> PlainText {
    let log = facts.activity.log
    guard !log.isEmpty else { return "" }
    let span = facts.minuteMs.subtractingReportingOverflow(log.row(at: log.count - 1).timeMs)
    return "/" + Figures.age(ms: max(60_000, span.overflow ? 0 : span.partialValue))
  }

  func render(in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    func figure(_ value: Int) -> PlainText { isKnown ? Figures.count(value) : "-" }
    frame.canvas.inside(area) { canvas in
      var row = Row(width: canvas.bounds.width)
      if let asOf { row.add("", asOf, .heading, to: &canvas) }
      row.add("ACT ", figure(actions) + window, .number, to: &canvas)
      for (each, count) in zip(Self.figures, counts) {
        row.add(each.label, figure(count), each.role, to: &canvas)
      }
      row.add(
        "ERR ", errors > 0 ? figure(errors) + "!" : figure(errors),
        errors > 0 ? .negative : .positive, to: &canvas)
      row.add("", Figures.cost(costToday) + " UTC", .cost, to: &canvas)
      if let reply {
        row.add(
          "reply p50 ", Figures.duration(ms: reply.p50Ms.map(Double.init)), .number,
          then: (" p95 ", Figures.duration(ms: reply.p95Ms.map(Double.init))), to: &canvas)
      }
      if sessions > 0 {
        let text: PlainText = sessions == 1 ? "voice live" : "\(sessions) voice sessions"
        row.add("", text, .positive, to: &canvas)
      }
    }
    if asOf != nil { frame.canvas.fade(area) }
  }

  /// Figures from left to right, each whole, up to the first that has no room.
  private struct Row {
    let width: Int
    private var x = 1
    private var isFull = false

    init(width: Int) { self.width = width }

    mutating func add(
      _ label: PlainText, _ value: PlainText, _ role: Role,
      then second: (label: PlainText, value: PlainText)? = nil, to canvas: inout Canvas
    ) {
      let columns =
        label.columns + value.columns
        + (second.map { $0.label.columns + $0.value.columns } ?? 0)
      guard !isFull, x + columns <= width else {
        isFull = true
        return
      }
      x = canvas.write(label, x: x, role: .muted)
      x = canvas.write(value, x: x, role: role)
      if let second {
        x = canvas.write(second.label, x: x, role: .muted)
        x = canvas.write(second.value, x: x, role: role)
      }
      x += width >= 70 ? 2 : 1
    }
  }
}

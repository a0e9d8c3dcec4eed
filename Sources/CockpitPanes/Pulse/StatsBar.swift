import ClankyWire
import CockpitStores
import TerminalCore

/// Row 2: the key figures. Counters of the backend cover its last 24 hours; what it does not
/// count (tools, memory, errors: contract 3.6) is counted here from the rows that are retained,
/// and is unmarked `-` while nothing is known.
struct StatsBar {
  @MainActor func render(_ facts: Facts, in area: Rect, isNarrow: Bool, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    let tally = facts.activity.log.totals.retained
    let isKnown = facts.stats != nil || facts.activity.log.count > 0
    func figure(_ value: Int) -> PlainText { isKnown ? Figures.count(value) : "-" }

    let errors = tally.failures
    let sessions = facts.voice.sessionCount
    frame.canvas.inside(area) { canvas in
      var row = Row(width: canvas.bounds.width)
      row.add("ACT ", figure(tally.actions), .number, to: &canvas)
      row.add("VOX ", figure(tally[ChipGroup.voice]), .voice, to: &canvas)
      row.add("LLM ", figure(tally[ChipGroup.llm]), .llm, to: &canvas)
      row.add("TOOL ", figure(tally[ChipGroup.tool]), .tool, to: &canvas)
      row.add("MEM ", figure(tally[ChipGroup.memory]), .memory, to: &canvas)
      row.add(
        "ERR ", errors > 0 ? figure(errors) + "!" : figure(errors),
        errors > 0 ? .negative : .positive, to: &canvas)
      row.add("", Figures.cost(facts.costToday) + " UTC", .cost, to: &canvas)
      if let reply = facts.stats?.stats?.performance.totalMs, !isNarrow {
        row.add(
          "reply p50 ", Figures.duration(ms: reply.p50Ms.map(Double.init)), .number,
          then: (" p95 ", Figures.duration(ms: reply.p95Ms.map(Double.init))), to: &canvas)
      }
      if sessions > 0 {
        let text: PlainText = sessions == 1 ? "voice live" : "\(sessions) voice sessions"
        row.add("", text, .positive, to: &canvas)
      }
    }
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

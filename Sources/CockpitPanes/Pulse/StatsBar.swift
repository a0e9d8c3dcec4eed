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

    var parts: [[(PlainText, Role)]] = []
    parts.append([("ACT ", .muted), (figure(tally.actions), .number)])
    parts.append([("VOX ", .muted), (figure(tally[ChipGroup.voice]), .voice)])
    parts.append([("LLM ", .muted), (figure(tally[ChipGroup.llm]), .llm)])
    parts.append([("TOOL ", .muted), (figure(tally[ChipGroup.tool]), .tool)])
    parts.append([("MEM ", .muted), (figure(tally[ChipGroup.memory]), .memory)])
    let errors = tally.failures
    parts.append([
      ("ERR ", .muted),
      (errors > 0 ? figure(errors) + "!" : figure(errors), errors > 0 ? .negative : .positive),
    ])
    parts.append([(Figures.cost(facts.costToday) + " UTC", .cost)])
    if let performance = facts.stats?.stats?.performance, !isNarrow {
      parts.append([
        ("reply p50 ", .muted),
        (Figures.duration(ms: performance.totalMs.p50Ms.map(Double.init)), .number),
        (" p95 ", .muted),
        (Figures.duration(ms: performance.totalMs.p95Ms.map(Double.init)), .number),
      ])
    }
    let sessions = facts.voice.state?.sessions.count ?? 0
    if sessions > 0 {
      parts.append([
        (sessions == 1 ? "voice live" : PlainText("\(sessions) voice sessions"), .positive)
      ])
    }
    frame.canvas.inside(area) { canvas in
      var x = 1
      for part in parts {
        let width = part.reduce(0) { $0 + $1.0.columns }
        guard x + width <= canvas.bounds.width else { break }
        for (text, role) in part { x = canvas.write(text, x: x, role: role) }
        x += canvas.bounds.width >= 70 ? 2 : 1
      }
    }
  }
}

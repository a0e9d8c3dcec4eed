import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The counters of the backend as plain lines, for `snapshot --view stats`.
package struct StatsView {
  package init() {}

  @MainActor package func render(_ facts: ViewContext, into canvas: inout Canvas) {
    guard let envelope = facts.stats, let stats = envelope.stats else {
      canvas.write("the backend has sent no statistics", role: .muted)
      return
    }
    var y = 0
    let width = canvas.size.width
    func line(_ label: PlainText, _ value: PlainText, _ role: Role = .text) {
      // The figure before its name: a figure without its end is another one.
      let value = value.cut(to: width)
      let x = max(0, min(26, width - value.columns))
      canvas.write(label.cut(to: x - 1), y: y, role: .muted)
      canvas.write(value, x: x, y: y, role: role)
      y += 1
    }
    line("cost today (UTC)", Figures.cost(facts.costToday), .cost)
    line("cost of retained rows", Figures.cost(stats.totalCostUsd), .cost)
    let reply = stats.performance.totalMs
    line("reply p50", Figures.duration(ms: reply.p50Ms.map(Double.init)), .number)
    line("reply p95", Figures.duration(ms: reply.p95Ms.map(Double.init)), .number)
    line("replies timed (24 h)", Figures.count(reply.count), .number)
    line("guilds", Figures.count(envelope.runtime?.guildCount), .number)
    for (kind, count) in stats.last24h.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }) {
      line(PlainText(kind, limit: 25), Figures.count(count), .number)
    }
  }
}

import ClankyLink
import ClankyWire
import CockpitStores
import TerminalCore

/// CMD, as far as it goes today: the connection and what the backend says of itself.
struct CommandPreview {
  @MainActor func render(_ facts: Facts, in body: Rect, into frame: inout Frame) {
    var rest = body
    Preview.outlook(
      "CMD will join voice, switch profiles, show cost, guilds, automations and history.",
      in: rest.takeBottom(2), into: &frame)
    let left = rest.width >= 80 ? rest.takeLeft(rest.width / 2) : rest.takeTop(min(rest.height, 11))
    Preview.panel("connection", in: left, into: &frame) { connection(facts, into: &$0) }
    Preview.panel("system", in: rest, into: &frame) { system(facts, into: &$0) }
  }

  @MainActor private func connection(_ facts: Facts, into canvas: inout Canvas) {
    let status = facts.status
    let words = ConnectionWords(status: status, monotonicNs: facts.monotonicNs)
    Preview.pair("state", words.short, words.role, y: 0, into: &canvas)
    Preview.pair("backend", PlainText(facts.connection.address, limit: 200), y: 1, into: &canvas)
    for (y, entry) in [("activity SSE", status.activity), ("voice SSE", status.voice)].enumerated()
    {
      let rate = entry.1.eventsPerMinute
      let text = PlainText("\(entry.1.state.rawValue)  \(rate) events/min")
      Preview.pair(
        PlainText(entry.0), text, entry.1.state == .live ? .positive : .warning, y: 2 + y,
        into: &canvas)
    }
    Preview.pair("REST", Figures.duration(ms: status.restLatencyMs), .number, y: 4, into: &canvas)
    Preview.pair("reconnects", PlainText("\(status.reconnects)"), .number, y: 5, into: &canvas)
    Preview.pair("gaps filled", PlainText("\(status.gapsFilled)"), .number, y: 6, into: &canvas)
    let skew = status.skewMs.map { Figures.duration(ms: Double(abs($0))) } ?? "-"
    Preview.pair("clock skew", skew, .number, y: 7, into: &canvas)
    let memory = facts.activity.log.memory
    Preview.pair(
      "kept", Figures.bytes(memory.rawBytes) + " of " + Figures.bytes(memory.limit), .number, y: 8,
      into: &canvas)
    guard let sentence = words.sentence else { return }
    let room = max(10, canvas.bounds.width - 2)
    for (offset, line) in sentence.wrapped(to: room, limit: 6).enumerated() {
      canvas.write(line, x: 1, y: 10 + offset, role: words.role)
    }
  }

  @MainActor private func system(_ facts: Facts, into canvas: inout Canvas) {
    guard let envelope = facts.stats else {
      canvas.write("not known yet", x: 1, role: .muted)
      return
    }
    let runtime = envelope.runtime
    Preview.pair("bot", PlainText(runtime?.userTag ?? "-", limit: 60), y: 0, into: &canvas)
    Preview.pair("guilds", Figures.count(runtime?.guildCount), .number, y: 1, into: &canvas)
    let isReady = runtime?.isReady
    Preview.pair(
      "discord", isReady.map { $0 ? "ready" : "not ready" } ?? "-",
      isReady == true ? .positive : .warning, y: 2, into: &canvas)
    Preview.pair("today UTC", Figures.cost(facts.costToday), .cost, y: 3, into: &canvas)
    Preview.pair("retained", Figures.cost(envelope.stats?.totalCostUsd), .cost, y: 4, into: &canvas)
    let tunnel = runtime?.publicHttps?.status?.description
    Preview.pair("tunnel", PlainText(tunnel ?? "-", limit: 40), y: 5, into: &canvas)
    Preview.pair("uptime", "not served by the backend", .muted, y: 6, into: &canvas)
    Preview.pair("leave voice", "not served by the backend", .muted, y: 7, into: &canvas)
  }
}

import ClankyWire
import CockpitStores
import TerminalCore

/// MEMORY, as far as it goes today: what was written lately and what live sessions have loaded.
struct MemoryPreview {
  @MainActor func render(_ facts: Facts, in body: Rect, into frame: inout Frame) {
    var rest = body
    Preview.outlook(
      "MEMORY will browse, search, correct and delete facts; nothing is written from here yet.",
      in: rest.takeBottom(2), into: &frame)
    let profiles = (facts.voice.state?.sessions ?? []).flatMap(\.memory.factProfiles)
    let loaded = profiles.flatMap { profile in
      profile.userFacts.map { (profile.displayName ?? facts.names.user(profile.userID ?? "?"), $0) }
    }
    if !loaded.isEmpty {
      let area = rest.takeTop(min(rest.height / 2, loaded.count + 2))
      Preview.panel("loaded in voice", in: area, into: &frame) { canvas in
        for (y, entry) in loaded.prefix(canvas.bounds.height).enumerated() {
          Preview.pair(
            PlainText(entry.0, limit: 13), PlainText(entry.1.fact ?? "", limit: 400), y: y,
            into: &canvas)
        }
      }
    }
    Preview.panel("written lately", in: rest, into: &frame) { canvas in
      var y = 0
      let log = facts.activity.log
      for index in 0..<min(log.count, 5000) where y < canvas.bounds.height {
        let row = log.row(at: index)
        guard row.kind == "memory_fact", let parsed = facts.actions.action(for: row) else {
          continue
        }
        let summary = ActionSummary(
          of: parsed.action, metadata: parsed.metadata, names: facts.names)
        canvas.write(
          Figures.age(ms: facts.nowMs - row.timeMs).leftPadded(to: 4), x: 1, y: y, role: .muted)
        canvas.write(
          summary.text.cut(to: max(0, canvas.bounds.width - 7)), x: 6, y: y, role: .memory)
        y += 1
      }
      if y == 0 {
        canvas.write("no fact was written in the rows that are kept", x: 1, role: .muted)
      }
    }
  }
}

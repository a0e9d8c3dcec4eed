import CockpitStores
import CockpitText
import TerminalCore

/// What went wrong in a session, by name: how often, and each with its moment.
@MainActor
struct AnomalyLines {
  let scene: VoiceScene
  var width: Int

  private var facts: ViewContext { scene.facts }

  var count: Int { scene.record?.anomalies.count ?? 0 }

  var lines: [VoiceLine] {
    let anomalies = scene.record?.anomalies ?? []
    var lines: [VoiceLine] = []
    var counts: [String: Int] = [:]
    for (_, anomaly) in anomalies { counts[anomaly.name, default: 0] += 1 }
    for (name, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      lines.append(
        VoiceLine(
          [
            .init(text: Figures.count(count).leftPadded(to: 4), role: .warning),
            .init(text: PlainText(name)),
          ], item: scene.behindAnomalies(name).map(VoiceItem.figure)))
    }
    if !lines.isEmpty { lines.append(VoiceLine()) }
    for (id, anomaly) in anomalies.reversed() {
      guard let turn = scene.record?.turn(id) else { continue }
      let number = scene.number(of: id).map { "#\($0)" } ?? ""
      lines.append(
        VoiceLine(
          [
            .init(text: facts.clock.time(ms: turn.startedAt), role: .number),
            .label(PlainText(number).padded(to: 5)),
            .init(
              text: PlainText(anomaly.name).padded(to: 14), role: .warning, attributes: .bold),
            .init(text: PlainText(scene.speaker(of: turn), limit: 40).cut(to: 14), role: .voice),
            .init(text: anomaly.words),
          ], item: .anomaly(id, anomaly)))
    }
    if let missing = scene.missing {
      lines += missing.wrapped(to: max(8, width), limit: 4).map(VoiceLine.note)
    }
    return lines
  }
}

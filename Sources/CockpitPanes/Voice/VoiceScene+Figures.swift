import CockpitStores
import CockpitText
import TerminalCore

/// What stands behind the figures of a session.
extension VoiceScene {
  /// The row of an event; nil where it came by a replay only, or is gone.
  func row(of event: VoiceEvent.ID?) -> RowID? {
    event.flatMap { record?.event($0)?.rowID }.flatMap {
      facts.activity.log.row($0) == nil ? nil : $0
    }
  }

  /// The row that says how a turn ended, or its last one.
  func end(of turn: VoiceTurnRecord) -> RowID? {
    let mark = turn.failed ?? turn.skipped ?? turn.dropped ?? turn.decision?.mark
    return row(of: mark?.event ?? turn.events.last)
  }

  /// The row of each turn that says how it ended; nil without a turn.
  func behind(_ turns: [VoiceTurnRecord]) -> RowsBehind? {
    turns.isEmpty ? nil : RowsBehind(turns.map(end), "turns")
  }

  /// The decisions that the share of silences counts; nil while there is none.
  var behindDecisions: RowsBehind? {
    guard skips.share != nil else { return nil }
    guard isLive else {
      return RowsBehind(
        turns.flatMap { turn in turn.decisions.map { row(of: $0.mark.event) } }, "decisions")
    }
    return RowsBehind(VoicePills.decisions(in: id))
  }

  /// The measurements behind the percentiles; nil without one.
  var behindLatency: RowsBehind? {
    let stats = latency
    guard stats.total.count > 0 else { return nil }
    var rows = turns.compactMap(\.latency).filter { $0.isComplete && $0.totalMs != nil }
      .map { row(of: $0.mark.event) }
    // Those of the voice state have no row.
    rows += Array(repeating: nil, count: max(0, stats.total.count - rows.count))
    return RowsBehind(rows, "turns")
  }

  /// The turns in which something went wrong, of one name or of any; nil without one.
  func behindAnomalies(_ name: String? = nil) -> RowsBehind? {
    let found = (record?.anomalies ?? []).filter { name == nil || $0.anomaly.name == name }
    guard !found.isEmpty else { return nil }
    return RowsBehind(found.map { record?.turn($0.turnID).flatMap(end) }, "anomalies")
  }

  /// The row of a turn's own measurement.
  func behindLatency(of turn: VoiceTurnRecord) -> RowsBehind? {
    turn.latency.map { RowsBehind([row(of: $0.mark.event)], "measurements") }
  }

  /// The calls of tools that have rows, and those that only the bot lists.
  func behind(_ tools: [ToolRow]) -> RowsBehind? {
    guard !tools.isEmpty else { return nil }
    var rows: [String: RowID] = [:]
    var nameless: [RowID] = []
    for turn in turns {
      for tool in turn.tools {
        guard let row = row(of: tool.events.last) else { continue }
        if let id = tool.callID { rows[id] = row } else { nameless.append(row) }
      }
    }
    let named = tools.map { rows[$0.id] }
    let missing = named.count { $0 == nil }
    let found = named.compactMap(\.self) + nameless.prefix(missing)
    return RowsBehind(
      found + Array(repeating: nil, count: max(0, tools.count - found.count)), "calls")
  }
}

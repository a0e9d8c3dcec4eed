import CockpitPanes
import CockpitRules
import CockpitStores
import CockpitText
import TerminalCore

extension CockpitShell {
  /// Goes to the incident before or after where one stands: the selected row, or the playhead in the past.
  @MainActor mutating func goToIncident(isOlder: Bool, _ facts: ViewContext) -> [Effect] {
    // The past has all that was recorded, not only what is in memory.
    if facts.replay != nil { return [.replay(.jumpIncident(isOlder: isOlder))] }
    let atMs =
      pulse.selectedRow(facts)?.timeMs ?? facts.nowMs
    let incidents = facts.incidents.incidents.filter { incident in
      facts.scope.isAll || incident.guildID.map { facts.scope.holds($0) } ?? true
    }
    let found =
      isOlder
      ? incidents.filter { $0.fromMs < atMs }.max { $0.fromMs < $1.fromMs }
      : incidents.filter { $0.fromMs > atMs }.min { $0.fromMs < $1.fromMs }
    guard let found else {
      let window: PlainText =
        facts.incidents.fromMs.map { " since " + facts.clock.time(ms: $0) } ?? ""
      return [.say((isOlder ? "no older" : "no newer") + " incident" + window + " is on record")]
    }
    let log = facts.activity.log
    let row = found.evidence.lazy.compactMap { cite in
      cite.rowID ?? cite.actionID.flatMap { log.rowID(actionID: $0) }
    }.first { log.row($0) != nil }
    guard let row else { return [.replay(.seek(ms: found.fromMs))] }
    return [.show(row: row)]
  }
}

internal import CockpitText
package import TerminalCore

/// How often each rule has fired in the last seven days, and how much of them is on record.
package struct RecentIncidents: Sendable {
  package static let windowMs: Int64 = 7 * 86_400_000

  /// The end of the seven days, ms since 1970.
  package let untilMs: Int64
  /// How much of them was recorded, in ms.
  package let recordedMs: Int64
  private let ids: [RuleID: Set<Incident.ID>]

  /// - Parameters:
  ///   - incidents: those of the seven days before `untilMs`.
  ///   - recorded: what is on record, ms since 1970; stretches do not overlap.
  package init(_ incidents: [Incident], recorded: [Range<Int64>], untilMs: Int64) {
    self.untilMs = untilMs
    let window = (untilMs - Self.windowMs)..<untilMs
    recordedMs = recorded.reduce(0) {
      let part = $1.clamped(to: window)
      return $0 + part.upperBound - part.lowerBound
    }
    ids = Dictionary(grouping: incidents.filter { $0.fromMs >= window.lowerBound }, by: \.rule)
      .mapValues { Set($0.map(\.id)) }
  }

  /// How often a rule has fired. An incident is one, however often it was repeated.
  ///
  /// - Parameter live: incidents that may have come since.
  package func count(_ rule: RuleID, with live: [Incident] = []) -> Int {
    let newer = live.filter { $0.rule == rule && $0.fromMs >= untilMs - Self.windowMs }
    return (ids[rule] ?? []).union(newer.map(\.id)).count
  }

  /// Days of the seven that were recorded, to a tenth.
  package var recordedDays: Double {
    (Double(recordedMs) / 8_640_000).rounded() / 10
  }

  /// `4 times in 7 days, 5.2 of them recorded`.
  package func words(_ rule: RuleID, with live: [Incident] = []) -> PlainText {
    let count = count(rule, with: live)
    let times: PlainText = count == 1 ? "once" : Figures.count(count) + " times"
    return times + " in 7 days, " + PlainText(RuleJSON.figure(recordedDays)) + " of them recorded"
  }

  package static let unknown: PlainText = "how often in 7 days is not known: no recording was read"
}

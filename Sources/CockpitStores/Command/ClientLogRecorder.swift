internal import CockpitDomain
package import Networking

/// Records this program's own events: the only writer of `OperationsStore.log`.
@MainActor
package final class ClientLogRecorder {
  private let store: OperationsStore
  private let clock: any LinkClock
  private var news = ConnectionEvents()
  /// Events that were left out since the last entry about them.
  private var unsaidRejections = 0
  private var saidRejectionNs: UInt64?

  /// Called for every entry, for a file of them.
  package var onEntry: (@MainActor (ClientHistory.Entry) -> Void)?

  /// A backend that sends nonsense does not fill the history with it: one entry in this time, in
  /// ns.
  private static let rejectionIntervalNs = Nanoseconds.seconds(60)

  package init(store: OperationsStore, clock: any LinkClock) {
    self.store = store
    self.clock = clock
  }

  /// Writes one line, now.
  package func note(_ severity: ClientHistory.Entry.Severity, _ text: String) {
    let entry = ClientHistory.Entry(atMs: clock.wallMs, severity: severity, text: text)
    store.log.append(entry)
    onEntry?(entry)
  }

  func linkChanged(_ status: SourceStatus) {
    for item in news.take(status, nowNs: clock.nowNs) { note(item.severity, item.text) }
  }

  func gapFilled(count: Int) { note(.info, "\(Self.rows(count)) backfilled.") }

  func gap(_ gap: IDGap) {
    let count = gap.to.subtractingReportingOverflow(gap.from).partialValue
    note(
      .warning,
      gap.isAnswered
        ? "\(Self.rows(max(0, count) + 1)) missing for good: \(gap.ids) cannot be fetched\(gap.isOutOfReach ? ", more than 1,000 of this kind" : "")."
        : "\(Self.rows(max(0, count) + 1)) missing: \(gap.ids) could not be fetched yet."
    )
  }

  func logReset(rows: Int) {
    let old = rows == 0 ? "" : " \(Self.rows(rows)) of the old one are in no figure any more."
    note(.warning, "The backend's log was replaced: ids start anew.\(old)")
  }

  func rejected(_ reason: String) {
    if let said = saidRejectionNs, clock.nowNs.since(said) < Self.rejectionIntervalNs {
      unsaidRejections += 1
      return
    }
    let more =
      unsaidRejections > 0 ? " (and \(unsaidRejections) more since the last such line)" : ""
    note(.warning, "An event was left out: \(reason)\(more).")
    saidRejectionNs = clock.nowNs
    unsaidRejections = 0
  }

  private static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
}

/// Decides what of what happened makes itself felt. It knows no terminal and keeps no clock.
///
/// Bell and flash answer whenever they are on, once a second at most. A notification comes only
/// while the terminal is known to be out of focus and at most once in `everyMs`; how many were held
/// back stands in the next one.
package struct AlertPolicy: Hashable, Sendable {
  /// What is to be done.
  package struct Outcome: Hashable, Sendable {
    package var rings = false
    package var flashes = false
    package var notification: Notification?

    package init() {}
  }

  package struct Notification: Hashable, Sendable {
    /// This program's words.
    package var title: String
    /// Words of the backend; not sanitised.
    package var text: String
    /// Events that were held back since the last one.
    package var held: Int
  }

  /// An event that is heard of later than this is history: it stood in a snapshot, or was fetched
  /// after an outage.
  package static let freshMs: Int64 = 60_000
  private static let bellMs: Int64 = 1000

  package var rules: AlertRules
  private var lastBellMs: Int64?
  private var lastNotificationMs: Int64?
  private var held = 0

  package init(rules: AlertRules) { self.rules = rules }

  /// - Parameters:
  ///   - alerts: what happened since the last call, oldest first.
  ///   - isFocused: whether somebody may be looking; true while that is not known.
  ///   - nowMs: on the backend's clock, as the times of the alerts are.
  package mutating func decide(
    _ alerts: [Alert], isFocused: Bool, nowMs: Int64
  ) -> Outcome {
    var outcome = Outcome()
    var wanted: [Alert] = []
    var isBellWanted = false
    var isFlashWanted = false
    for alert in alerts where nowMs - alert.atMs <= Self.freshMs {
      let channels = rules.channels(for: alert.kind)
      if channels.contains(.bell) { isBellWanted = true }
      if channels.contains(.flash) { isFlashWanted = true }
      if channels.contains(.notify), !isFocused { wanted.append(alert) }
    }
    if isBellWanted || isFlashWanted, isDue(lastBellMs, Self.bellMs, nowMs) {
      lastBellMs = nowMs
      outcome.rings = isBellWanted
      outcome.flashes = isFlashWanted
    }
    if isFocused { held = 0 }  // whoever looks has seen them
    // What matters most is told; among equals the newest.
    guard let best = wanted.max(by: { ($0.kind.level, $0.atMs) < ($1.kind.level, $1.atMs) }) else {
      return outcome
    }
    guard isDue(lastNotificationMs, rules.everyMs, nowMs) else {
      held += wanted.count
      return outcome
    }
    lastNotificationMs = nowMs
    outcome.notification = Notification(
      title: best.title, text: best.detail, held: held + wanted.count - 1)
    held = 0
    return outcome
  }

  /// A clock that was set back makes nothing wait.
  private func isDue(_ last: Int64?, _ interval: Int64, _ nowMs: Int64) -> Bool {
    guard let last else { return true }
    return nowMs < last || nowMs - last >= interval
  }
}

/// Decides which alerts reach the user, and how. It knows neither terminal nor clock.
///
/// Bell and flash react whenever enabled, once a second at most. A notification is sent only while
/// the terminal is known to be unfocused, and at most once per `everyMs`; the next one says how
/// many were held back.
package struct AlertPolicy: Hashable, Sendable {
  /// The actions to take.
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
    /// Alerts held back since the last notification.
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
  ///   - alerts: the alerts since the last call, oldest first.
  ///   - isFocused: whether the terminal has the focus; true if unknown.
  ///   - nowMs: on the backend's clock, like the times of the alerts.
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
    if isBellWanted || isFlashWanted, Self.isDue(lastBellMs, Self.bellMs, nowMs: nowMs) {
      lastBellMs = nowMs
      outcome.rings = isBellWanted
      outcome.flashes = isFlashWanted
    }
    if isFocused { held = 0 }  // a focused user has seen them
    // Report the most important one; among equals the newest.
    guard let best = wanted.max(by: { ($0.kind.level, $0.atMs) < ($1.kind.level, $1.atMs) }) else {
      return outcome
    }
    guard Self.isDue(lastNotificationMs, rules.everyMs, nowMs: nowMs) else {
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
  static func isDue(_ last: Int64?, _ interval: Int64, nowMs: Int64) -> Bool {
    guard let last else { return true }
    return nowMs < last || nowMs - last >= interval
  }
}

import CockpitAnswers
import CockpitText
import CockpitFiles
import CockpitPanes
import CockpitSession
import CockpitStores
import Foundation
import TerminalCore
import TerminalCurses

/// Delivers alerts: bell, flash, a terminal notification or the user's own command. Everything is
/// off unless the configuration enables it.
@MainActor
package final class AlertNotifier {
  /// Longer than a notification command takes.
  private static let commandLimit = Duration.seconds(10)

  private let session: TerminalSession
  private let environment: [String: String]
  private let command: String?
  /// The requested sequence; nil means the one that suits the terminal.
  private let requestedRoute: NotificationRoute?
  private var policy: AlertPolicy
  /// By the number of the source.
  private var watches: [Int: AlertWatch] = [:]
  private var running: BriefProcess?

  package init(
    session: TerminalSession, alerts: Configuration.Alerts, environment: [String: String]
  ) {
    self.session = session
    self.environment = environment
    policy = AlertPolicy(rules: AlertRules(alerts))
    requestedRoute = alerts.via.flatMap(NotificationRoute.init(rawValue:))
    let usesCommand = alerts.via == nil || alerts.via == "auto" || alerts.via == "command"
    command = usesCommand ? alerts.command : nil
  }

  /// Starts over with another backend: its first snapshot is history.
  package func restart() { watches = [:] }

  /// Whether everything is off.
  package var isSilent: Bool { policy.rules.isSilent }

  /// Checks the rows that arrived since the last call. Free while everything is off.
  ///
  /// - Parameters:
  ///   - alarms: those that have begun since the last call.
  ///   - isFocused: whether the terminal has the focus; nil if it has not reported it.
  ///   - source: the number of the source.
  package func look(
    _ facts: ViewContext, alarms: [Alarm], isFocused: Bool?, source: Int = 0
  ) {
    guard !policy.rules.isSilent else { return }
    let alerts =
      alarms.map { Alert($0, atMs: facts.nowMs) }
      + watches[source, default: AlertWatch()].news(
        in: facts.activity.log, names: facts.names.directory,
        isHeard: facts.activity.stats != nil || facts.activity.log.count > 0, nowMs: facts.nowMs)
    guard !alerts.isEmpty else { return }
    carryOut(policy.decide(alerts, isFocused: isFocused ?? true, nowMs: facts.nowMs))
  }

  /// Makes felt what was decided.
  package func carryOut(_ outcome: AlertPolicy.Outcome) {
    if outcome.rings { session.ring() }
    if outcome.flashes { session.flash() }
    if let notification = outcome.notification {
      var title: PlainText = "clanky: " + PlainText(notification.title, limit: 60)
      if notification.held > 0 { title += PlainText(" (+\(notification.held) more)") }
      _ = send(title, PlainText(notification.text, limit: 200))
    }
  }

  /// Sends a test notification, regardless of the configuration.
  ///
  /// - Returns: the route used, and when real ones are sent.
  package func test(isFocused: Bool?, isGateway: Bool) -> PlainText {
    let way = send("clanky: test", "notifications arrive")
    if isGateway { return way + "; [attention] in the configuration says when real ones come" }
    if policy.rules.isSilent { return way + "; [alerts] in the configuration turns them on" }
    guard isFocused != nil else {
      return way
        + "; the terminal never said whether it has the focus, so none will come by itself"
        + (session.isInTmux ? "; in tmux: set -g focus-events on" : "")
    }
    return way + "; real ones come only while the terminal has not the focus"
  }

  /// - Returns: which way it went.
  private func send(_ title: PlainText, _ text: PlainText) -> PlainText {
    if let command {
      guard running?.isRunning != true else { return "the last alerts.command still runs" }
      running = BriefProcess(
        "/bin/sh", ["-c", command], environment: environment,
        more: ["CLANKY_TITLE": title.description, "CLANKY_TEXT": text.description],
        limit: Self.commandLimit
      ) { [weak self] _ in self?.running = nil }
      return "sent a notification with alerts.command"
    }
    let through: PlainText = session.isInTmux ? " through tmux, with a bell" : ""
    return switch session.notify(title: title, body: text, via: requestedRoute) {
    case .osc9: "sent a notification as OSC 9" + through
    case .osc99: "sent a notification as OSC 99" + through
    case .osc777: "sent a notification as OSC 777" + through
    case .bell: "rang the bell"
    }
  }
}

import CockpitAnswers
import CockpitDomain
import CockpitStores
import CockpitText

/// What of a gateway asks for the owner: what waits, its rows, alarms, and a connection that stays away.
package struct AttentionMonitor: Hashable, Sendable {
  /// A shorter outage raises no signal.
  package static let lostNs: UInt64 = 30_000_000_000

  private var engine: AttentionEngine
  private var rows = AlertWatch(takesStored: false)
  private var wasLive = false
  private var lostNs: UInt64?

  package init(_ rules: AttentionRules) { engine = AttentionEngine(rules: rules) }

  package var state: AttentionState { engine.state }

  /// - Parameters:
  ///   - alarms: those that have begun since the last call.
  ///   - log: its new rows are looked at; nil leaves them for the next call.
  ///   - nowNs: on the monotonic clock.
  @MainActor package mutating func look(
    at board: ControlBoard?, isLive: Bool, alarms: [Alarm], log: ActionLog?,
    names: any NameDirectory, nowNs: UInt64, at moment: AttentionEngine.Moment
  ) -> AlertPolicy.Outcome {
    let nowMs = moment.nowMs
    var waiting = (board?.waiting ?? []).map {
      AttentionSignal($0, isCurrent: isLive, nowMs: nowMs)
    }
    if isLost(isLive: isLive, nowNs: nowNs) {
      waiting.append(
        AttentionSignal(
          id: "connection", level: .notify, title: "no connection to the gateway", atMs: nowMs))
    }
    var alerts = alarms.map { Alert($0, atMs: nowMs) }
    if let log {
      alerts += rows.news(in: log, names: names, isHeard: log.count > 0, nowMs: nowMs).filter {
        !$0.isWaiting
      }
    }
    return engine.step(
      waiting: waiting, happened: alerts.map { AttentionSignal($0) }, at: moment)
  }

  private mutating func isLost(isLive: Bool, nowNs: UInt64) -> Bool {
    if isLive {
      wasLive = true
      lostNs = nil
      return false
    }
    guard wasLive else { return false }
    let since = lostNs ?? nowNs
    lostNs = since
    return nowNs >= since &+ Self.lostNs
  }
}

extension CockpitModel {
  /// Looks at what asks for the owner; to be called before a frame.
  ///
  /// - Parameters:
  ///   - readsRows: whether rows are looked at: not before the frame of a key.
  ///   - isFocused: whether the terminal has the focus; nil if it has not reported it.
  ///   - isSeen: whether what waits is on the screen, whole.
  /// - Returns: what is to be made felt; nil for a Clanky bot and for a recording.
  package func attend(
    alarms: [Alarm], readsRows: Bool, isFocused: Bool?, isSeen: Bool
  ) -> AlertPolicy.Outcome? {
    guard isGateway, attention != nil else { return nil }
    let (nowMs, isFocused) = (bot.serverNowMs, isFocused ?? true)
    return attention?.look(
      at: bot.control.board, isLive: bot.source.status.overall == .live, alarms: alarms,
      log: readsRows ? bot.activity.log : nil, names: bot.connection.names, nowNs: nowNs,
      at: AttentionEngine.Moment(
        nowMs: nowMs, minuteOfDay: clock.minuteOfDay(ms: nowMs), isFocused: isFocused,
        isSeen: isSeen && isFocused))
  }
}

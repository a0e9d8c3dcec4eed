/// Something that asks for the owner, or happened and may.
package struct AttentionSignal: Hashable, Sendable {
  /// Of what waits, the same as long as it does; empty for an event.
  package var id: String
  /// As the source wants it; the rules may allow less.
  package var level: AttentionLevel
  /// This program's words.
  package var title: String
  /// Text of the source; not sanitised.
  package var detail: String
  /// When it was received, ms since 1970 by the source's clock.
  package var atMs: Int64
  /// It was listed when the connection began, filled in, or replayed: it is no news.
  package var isPast: Bool
  /// Its class in `[alerts]`.
  package var alertClass: AlertClass?

  package init(
    id: String, level: AttentionLevel, title: String, detail: String = "", atMs: Int64,
    isPast: Bool = false, alertClass: AlertClass? = nil
  ) {
    self.id = id
    self.level = level
    self.title = title
    self.detail = detail
    self.atMs = atMs
    self.isPast = isPast
    self.alertClass = alertClass
  }
}

extension AttentionSignal {
  /// An approval with less time left is urgent.
  static let lastMs: Int64 = 30_000

  /// What waits at a gateway.
  ///
  /// - Parameters:
  ///   - isCurrent: false while disconnected: the item may have been answered, so its level is passive.
  ///   - nowMs: by the gateway's clock.
  package init(_ card: ControlBoard.Card, isCurrent: Bool, nowMs: Int64) {
    self.init(
      id: card.id, level: isCurrent ? card.attention(nowMs: nowMs) : .passive,
      title: "\(card.kindWords) waits for an answer",
      detail: [card.agent, card.subject].compactMap(\.self).joined(separator: ": "),
      atMs: nowMs, isPast: !card.isHeard, alertClass: .alarm)
  }

  /// An alert of a row, or an alarm.
  package init(_ alert: Alert) {
    let level: AttentionLevel =
      switch alert.kind {
      case .error, .alarm: .notify
      case .directAddress: .active
      case .voiceStart, .voiceEnd, .automation: .passive
      }
    self.init(
      id: "", level: alert.wantedLevel.flatMap(AttentionLevel.init(name:)) ?? level,
      title: alert.title, detail: alert.detail,
      atMs: alert.atMs,
      alertClass: alert.kind)
  }
}

extension ControlBoard.Card {
  func attention(nowMs: Int64) -> AttentionLevel {
    let leftMs = expiresMs.map { $0 - nowMs }
    if let leftMs, leftMs <= 0 { return .passive }
    guard kind == "exec" || kind == "plugin" else { return .interrupt }
    let isCritical =
      kind == "plugin" && details.contains { $0.name == "severity" && $0.value == "critical" }
    return isCritical || leftMs.map { $0 < AttentionSignal.lastMs } ?? false ? .urgent : .interrupt
  }
}

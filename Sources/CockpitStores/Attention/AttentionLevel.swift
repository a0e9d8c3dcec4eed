/// How strongly something asks for the owner, the weakest first.
package enum AttentionLevel: Int, Comparable, CaseIterable, Hashable, Sendable {
  case passive, notify, active, interrupt, urgent

  package static func < (left: AttentionLevel, right: AttentionLevel) -> Bool {
    left.rawValue < right.rawValue
  }

  /// As the configuration spells it; nil for anything else.
  package init?(name: String) {
    guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }

  package var name: String { "\(self)" }

  /// Some levels lower, passive at least.
  package func lowered(by steps: Int64) -> AttentionLevel {
    AttentionLevel(rawValue: Int(max(0, Int64(rawValue) - steps))) ?? .passive
  }
}

/// What a level does to screen and terminal. The badge in the header is there at every level.
package enum AttentionEffect: String, CaseIterable, Hashable, Sendable {
  /// The header in reverse video.
  case strip
  /// A card above the hints.
  case card
  case bell, flash
  /// A notification on the desktop.
  case notify

  init(_ channel: AlertChannel) {
    switch channel {
    case .notify: self = .notify
    case .bell: self = .bell
    case .flash: self = .flash
    }
  }
}

/// When nothing makes a noise, by the local time of day.
package enum QuietHours: Hashable, Sendable {
  case always
  /// Minutes since midnight; the end is not part of it. One that ends before it begins goes over midnight.
  case daily(from: Int, to: Int)

  package func holds(minuteOfDay: Int) -> Bool {
    switch self {
    case .always: true
    case .daily(let from, let to) where from <= to: from <= minuteOfDay && minuteOfDay < to
    case .daily(let from, let to): from <= minuteOfDay || minuteOfDay < to
    }
  }
}

/// What the configuration says of attention.
package struct AttentionRules: Hashable, Sendable {
  /// Between two bells or flashes, in ms.
  package static let bellMs: Int64 = 2_000

  /// No level of the source is above this.
  package var maximum = AttentionLevel.urgent
  package var effects: [AttentionLevel: Set<AttentionEffect>] = [
    .active: [.strip], .interrupt: [.strip, .card, .bell],
    .urgent: [.strip, .card, .bell, .flash, .notify],
  ]
  package var quiet: QuietHours?
  /// After this time without another event a level falls by one, in ms. What waits keeps its level.
  package var decayMs: Int64 = 60_000
  /// Between two notifications, in ms.
  package var notificationMs: Int64 = 10_000
  /// What `[alerts]` asks for besides.
  package var alerts = AlertRules()

  package init() {}

  func effects(of signal: AttentionSignal) -> Set<AttentionEffect> {
    let more = signal.alertClass.map { alerts.channels(for: $0) } ?? []
    return (effects[signal.level] ?? []).union(more.map(AttentionEffect.init))
  }
}

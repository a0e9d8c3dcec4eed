internal import ClankyWire

/// The classes of alerts.
package enum AlertClass: String, CaseIterable, Hashable, Sendable {
  case voiceStart = "voice_start"
  case voiceEnd = "voice_end"
  case error
  /// A user addressed the bot directly.
  case directAddress = "direct_address"
  /// Something that the bot posted by itself.
  case automation
  /// A rule, a promise or a watch: each once.
  case alarm

  /// For the thresholds of the configuration. A user waiting for an answer is a warning.
  package var level: AlertLevel {
    switch self {
    case .voiceStart, .voiceEnd, .automation: .info
    case .directAddress: .warning
    case .error, .alarm: .error
    }
  }
}

/// The importance of an alert.
package enum AlertLevel: Int, Comparable, Hashable, Sendable {
  case info, warning, error

  package static func < (left: AlertLevel, right: AlertLevel) -> Bool {
    left.rawValue < right.rawValue
  }

  /// `info` or `on`, `warning`, `error`; nil for anything else.
  package init?(name: String) {
    switch name {
    case "on", "info": self = .info
    case "warning": self = .warning
    case "error": self = .error
    default: return nil
    }
  }
}

/// A way to make something felt.
package enum AlertChannel: String, CaseIterable, Hashable, Sendable {
  case notify, bell, flash
}

/// Which classes use which channels.
package struct AlertRules: Hashable, Sendable {
  private var channels: [AlertClass: Set<AlertChannel>] = [:]
  /// Between two notifications, in ms.
  package var everyMs: Int64 = 30_000

  /// Everything is off.
  package init() {}

  /// - Parameters:
  ///   - floors: for each channel `off`, `on`, or the lowest level that uses it; absent is off.
  ///   - classes: for a class by its name its channels, or `off`: it wins over the floors.
  package init(floors: [AlertChannel: String], classes: [String: [String]]) {
    for kind in AlertClass.allCases {
      if let names = classes[kind.rawValue] {
        channels[kind] = Set(names.compactMap(AlertChannel.init(rawValue:)))
        continue
      }
      let chosen = AlertChannel.allCases.filter { channel in
        floors[channel].flatMap(AlertLevel.init(name:)).map { kind.level >= $0 } ?? false
      }
      if !chosen.isEmpty { channels[kind] = Set(chosen) }
    }
  }

  package func channels(for kind: AlertClass) -> Set<AlertChannel> { channels[kind] ?? [] }

  /// Whether every channel is off, so that no row needs checking.
  package var isSilent: Bool { channels.values.allSatisfy { $0.isEmpty } }
}

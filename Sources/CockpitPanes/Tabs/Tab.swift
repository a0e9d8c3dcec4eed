import TerminalCore

/// The five tabs.
package enum Tab: Int, CaseIterable, Hashable, Sendable {
  case pulse, voice, brain, memory, cmd

  /// The name on the tab, also the name in `--tab` and `--view`, in lower case there.
  package var title: PlainText {
    switch self {
    case .pulse: "PULSE"
    case .voice: "VOICE"
    case .brain: "BRAIN"
    case .memory: "MEMORY"
    case .cmd: "CMD"
    }
  }

  package init?(name: String) {
    guard let tab = Self.allCases.first(where: { $0.title.description.lowercased() == name }) else {
      return nil
    }
    self = tab
  }

  /// Its keys in help.
  package var keyGroup: KeyGroup {
    switch self {
    case .pulse: .feed
    case .voice, .brain: .voice
    case .memory: .memory
    case .cmd: .command
    }
  }

  /// Whether it shows turns one after the other.
  package var hasTurns: Bool { self == .pulse || self == .voice || self == .brain }

  package func stepped(by step: Int) -> Tab {
    let count = Self.allCases.count
    return Self.allCases[((rawValue + step) % count + count) % count]
  }

  var command: KeyAction {
    switch self {
    case .pulse: .pulse
    case .voice: .voice
    case .brain: .brain
    case .memory: .memory
    case .cmd: .cmd
    }
  }
}

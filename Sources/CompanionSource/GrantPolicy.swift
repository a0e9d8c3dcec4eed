package import CompanionWire

/// Which capabilities agents may ask for at all, and which have a command here.
package struct GrantPolicy: Sendable, Equatable {
  /// `capabilities.profile` of the configuration.
  package enum Profile: String, Sendable, Equatable, CaseIterable {
    case conservative, extended, full

    package var families: Set<Capability.Family> {
      switch self {
      case .conservative: [.notify, .canvas]
      case .extended: [.notify, .canvas, .camera, .microphone, .location, .screen]
      case .full: Set(Capability.Family.allCases)
      }
    }

    /// The names of its families, in alphabetical order.
    package var names: [String] { families.map(\.rawValue).sorted() }
  }

  /// Why a request is denied without being shown as a question.
  package enum Refusal: String, Sendable, Equatable {
    /// No command is configured for it, or its family is not known here.
    case unavailable
    /// The profile does not let agents ask for it.
    case notAllowed = "not_allowed"
    /// The profile of the gateway is read-only.
    case readOnly = "read_only"
    /// As many requests wait already as are kept.
    case busy
  }

  package var profile: Profile
  /// Commands by a capability's name or its family; the longest name that fits counts.
  package var commands: [String: String]
  /// Whether grants rest while the terminal has no focus.
  package var needsFocus: Bool
  /// Whether every request is denied: nothing may be granted.
  package var isReadOnly = false

  package init(
    profile: Profile = .conservative, commands: [String: String] = [:], needsFocus: Bool = false
  ) {
    self.profile = profile
    self.commands = commands
    self.needsFocus = needsFocus
  }

  /// The command that serves a capability: `camera.front.once`, else `camera.front`, else `camera`.
  package func command(for capability: Capability) -> String? {
    var name = capability.name[...]
    while !name.isEmpty {
      if let command = commands[String(name)] { return command }
      guard let dot = name.lastIndex(of: ".") else { return nil }
      name = name[..<dot]
    }
    return nil
  }

  package func refusal(of capability: Capability) -> Refusal? {
    guard !isReadOnly else { return .readOnly }
    guard let family = capability.family else { return .unavailable }
    guard profile.families.contains(family) else { return .notAllowed }
    // A canvas is drawn by this program itself.
    guard family == .canvas || command(for: capability) != nil else { return .unavailable }
    return nil
  }
}

import CockpitFiles

/// What a profile connects to, for `setup`: it never turns a profile of one kind into another.
package enum ProfileOwner: String, Sendable, CaseIterable {
  case clanky
  case openclaw
  case openai
  case elevenlabs
  /// Several other profiles, shown together.
  case several

  package init(_ profile: Configuration.Profile) {
    self =
      if profile.gateway != nil {
        .openclaw
      } else if profile.chatServer != nil {
        .openai
      } else if profile.elevenLabs != nil {
        .elevenlabs
      } else if !profile.sources.isEmpty {
        .several
      } else {
        .clanky
      }
  }

  private var words: String {
    switch self {
    case .clanky: "is a Clanky bot"
    case .openclaw: "is an OpenClaw gateway"
    case .openai: "is a chat server"
    case .elevenlabs: "is an agent of ElevenLabs"
    case .several: "shows several other profiles"
    }
  }

  private var way: String {
    switch self {
    case .clanky: ", or change it with 'setup'"
    case .openclaw, .openai, .elevenlabs: ", or change it with 'setup --kind \(rawValue)'"
    case .several: ""
    }
  }

  /// Why a profile of this kind cannot have this name; nil if it can.
  package func conflict(_ name: String, in settings: Settings) -> String? {
    guard let old = settings.configuration.profiles[name].map(ProfileOwner.init), old != self
    else { return nil }
    return
      "the profile '\(name)' \(old.words) and is left unchanged; choose another name\(old.way)"
  }
}

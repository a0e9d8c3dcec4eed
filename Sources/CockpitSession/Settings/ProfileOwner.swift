import CockpitDomain
import CockpitFiles

/// What a profile connects to, for `setup`: it never turns a profile of one kind into another.
package enum ProfileOwner: Hashable, Sendable {
  case source(SourceKind)
  /// Several other profiles, shown together.
  case several

  package static let all = SourceKind.allCases.map(ProfileOwner.source) + [.several]

  package init(_ profile: Configuration.Profile) {
    self = profile.sources.isEmpty ? .source(SourceKind(profile)) : .several
  }

  private var words: String {
    switch self {
    case .source(let kind): "is \(kind.noun)"
    case .several: "shows several other profiles"
    }
  }

  private var way: String {
    switch self {
    case .source(.clanky): ", or change it with 'setup'"
    case .source(let kind): ", or change it with 'setup --kind \(kind.rawValue)'"
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

extension SourceKind {
  /// What answers at the address of a profile with one source.
  package init(_ profile: Configuration.Profile) {
    self =
      if profile.gateway != nil {
        .openclaw
      } else if profile.chatServer != nil {
        .openai
      } else if profile.elevenLabs != nil {
        .elevenlabs
      } else if profile.companion != nil {
        .companion
      } else {
        .clanky
      }
  }
}

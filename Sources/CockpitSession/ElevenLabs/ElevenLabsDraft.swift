import CockpitDomain
import CockpitFiles
import Networking
import TOML

/// The profile of an agent of ElevenLabs that is being set up. Nothing is written before `save`.
package struct ElevenLabsDraft: Sendable {
  package var name: String
  package var agent: String
  /// nil leaves the service's own address.
  package var url: BackendURL?
  /// nil leaves what is saved: a public agent needs none.
  package var key: TokenText?
  package var preference: Credentials.Preference?

  package init(
    name: String, agent: String, url: BackendURL?, key: TokenText?,
    preference: Credentials.Preference?
  ) {
    self.name = name
    self.agent = agent
    self.url = url
    self.key = key
    self.preference = preference
  }

  /// Why this name cannot be taken; nil if it can.
  package func conflict(_ settings: Settings, mayReplace: Bool) -> String? {
    if let conflict = ProfileOwner.source(.elevenlabs).conflict(name, in: settings) {
      return conflict
    }
    guard let service = settings.configuration.profiles[name]?.elevenLabs else { return nil }
    guard !mayReplace, service.agent != agent else { return nil }
    return
      "the profile '\(name)' has an agent already, and it is another one; add --replace, or --profile with another name"
  }

  /// The settings as they will be.
  package func service(_ settings: Settings) throws(Failure) -> ElevenLabsSettings {
    var draft = settings
    var profile = settings.configuration.profiles[name] ?? Configuration.Profile()
    var service = profile.elevenLabs ?? Configuration.ElevenLabs()
    service.agent = agent
    profile.elevenLabs = service
    profile.url = url?.description ?? profile.url
    if url?.scheme == .http { profile.allowPlainHTTP = true }
    draft.profile = profile
    draft.profileName = name
    draft.options.tokenFile = nil
    return try draft.elevenLabs()
  }

  /// Saves the key, then the profile.
  ///
  /// - Returns: what was written where, a sentence each.
  package func save(_ settings: Settings) throws(Failure) -> [String] {
    let service = try service(settings)
    let saving = ProfileSaving(
      name: name,
      secret: key.map {
        ProfileSaving.Secret(
          noun: "API key", text: $0, origin: service.base.origin, credential: service.credential,
          preference: preference)
      })
    var sentences = try saving.save(settings) { edit, table throws(TOMLEditError) in
      try edit.set("kind", .string("elevenlabs"), in: table)
      try edit.set("agent", .string(agent), in: table)
      guard let url else { return }
      try edit.set("url", .string(url.description), in: table)
      if url.scheme == .http, !url.isLoopback {
        try edit.set("allow_plain_http", .bool(true), in: table)
      }
    }
    if key != nil, let value = settings.environment[ElevenLabsSettings.keyVariable], !value.isEmpty
    {
      sentences.append(
        "\(ElevenLabsSettings.keyVariable) is set here and wins over the saved key.")
    }
    return sentences
  }
}

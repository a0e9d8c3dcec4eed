import CockpitDomain
import CockpitFiles
import CompanionWire
import Networking
import TOML

/// The profile of a companion gateway that is being set up. Nothing is written before `save`.
package struct CompanionDraft: Sendable {
  package var name: String
  package var payload: PairingPayload
  package var preference: Credentials.Preference?

  package init(name: String, payload: PairingPayload, preference: Credentials.Preference?) {
    self.name = name
    self.payload = payload
    self.preference = preference
  }

  /// Why this name cannot be taken; nil if it can.
  package func conflict(_ settings: Settings, mayReplace: Bool) -> String? {
    if let conflict = ProfileOwner.source(.companion).conflict(name, in: settings) {
      return conflict
    }
    guard let old = settings.configuration.profiles[name], old.companion != nil, !mayReplace,
      old.url != payload.endpoint
    else { return nil }
    return
      "the profile '\(name)' has a gateway already, and it is another one; add --replace, or --profile with another name"
  }

  /// The settings as they will be.
  package func companion(_ settings: Settings) throws(Failure) -> CompanionSettings {
    var draft = settings
    var profile = settings.configuration.profiles[name] ?? Configuration.Profile()
    var companion = profile.companion ?? Configuration.Companion()
    companion.fingerprint = payload.fingerprint
    profile.companion = companion
    profile.url = payload.endpoint
    draft.profile = profile
    draft.profileName = name
    return try CompanionSettings(draft)
  }

  /// Saves what the pairing gave, then the profile.
  ///
  /// - Parameter paired: the text of `Pairing.Paired`.
  /// - Returns: what was written where, a sentence each.
  package func save(_ paired: TokenText, _ settings: Settings) throws(Failure) -> [String] {
    let companion = try companion(settings)
    let saving = ProfileSaving(
      name: name,
      secret: ProfileSaving.Secret(
        noun: "pairing", text: paired, origin: companion.url.base.origin,
        credential: companion.credential, preference: preference))
    return try saving.save(settings) { edit, table throws(TOMLEditError) in
      try edit.set("kind", .string("companion"), in: table)
      try edit.set("url", .string(payload.endpoint), in: table)
      if let fingerprint = payload.fingerprint {
        try edit.set("fingerprint", .string(fingerprint), in: table)
      } else {
        try edit.remove("fingerprint", in: table)
      }
    }
  }
}

/// What the configuration file says. Every value is optional: flags and the environment win, and
/// what nobody says has a default of its own.
package struct Configuration: Hashable, Sendable {
  /// What a profile may say; the top level of the file says the same for all profiles.
  package struct Profile: Hashable, Sendable {
    package var url: String?
    package var tokenCommand: String?
    package var caFile: String?
    package var guild: String?
    package var allowPlainHTTP: Bool?
    package var readOnly: Bool?
    package var theme: String?

    package init() {}
  }

  package var base = Profile()
  package var profiles: [String: Profile] = [:]
  /// The profile that is used when none is named.
  package var profile: String?
  package var glyphs: String?
  package var color: String?
  package var utc: Bool?
  package var mouse: Bool?
  /// What quitting does with deletions that are still held: `ask`, `send` or `drop`.
  package var onQuitWithHeld: String?
  /// Bytes of raw actions that are kept.
  package var memory: Int?

  package init() {}

  /// The settings of one profile, filled up with those of the top level.
  package func resolved(profile name: String?) throws(FileError) -> Profile {
    guard let name = name ?? profile else { return base }
    guard let profile = profiles[name] else {
      let known = profiles.keys.sorted().joined(separator: ", ")
      throw FileError(
        profiles.isEmpty
          ? "there is no profile '\(name)': the configuration has none; add a [profiles.\(name)] table"
          : "there is no profile '\(name)'; the configuration has: \(known)")
    }
    var merged = profile
    merged.url = profile.url ?? base.url
    merged.tokenCommand = profile.tokenCommand ?? base.tokenCommand
    merged.caFile = profile.caFile ?? base.caFile
    merged.guild = profile.guild ?? base.guild
    merged.allowPlainHTTP = profile.allowPlainHTTP ?? base.allowPlainHTTP
    merged.readOnly = profile.readOnly ?? base.readOnly
    merged.theme = profile.theme ?? base.theme
    return merged
  }
}

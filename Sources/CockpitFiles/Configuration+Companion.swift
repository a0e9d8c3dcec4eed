extension Configuration {
  /// What a profile with `kind = "companion"` sets beside what all profiles have.
  package struct Companion: Hashable, Sendable {
    /// Which capabilities agents may ask for at all.
    package enum Capabilities: String, Hashable, Sendable, CaseIterable {
      case conservative, extended, full
    }

    /// SHA-256 of the gateway's certificate in DER, 64 lower-case hexadecimal digits.
    package var fingerprint: String?
    /// The highest level of attention that the gateway may ask for.
    package var maxAttention: String?
    package var capabilities = Capabilities.conservative
    /// Whether grants are suspended while the terminal has no focus.
    package var needsFocus = false
    /// Commands of the user's, by the name of a capability or of its family.
    package var commands: [String: String] = [:]

    package init() {}
  }
}

extension Configuration {
  /// What a profile with `kind = "openclaw"` sets beside what all profiles have.
  package struct Gateway: Hashable, Sendable {
    /// How much this device asks the gateway for.
    package enum Scopes: String, Hashable, Sendable, CaseIterable {
      case watch, operate, admin
    }

    package var scopes = Scopes.watch
    /// Whether the secret of the profile is the gateway's password and not its token.
    package var isPassword = false
    /// `sha256//` and the base64 hash of the public key that the gateway must have.
    package var pin: String?
    /// `ws`, `chat` or `responses`: how its agents are talked to; nil is `ws`.
    package var interface: String?
    /// The highest level of attention that the gateway may ask for.
    package var maxAttention: String?
    /// The command that shows notifications of agents; with one this device is also a node of the gateway.
    package var notifyCommand: String?

    package init() {}

    /// The environment variable with the secret: OpenClaw's own.
    package var secretVariable: String {
      isPassword ? "OPENCLAW_GATEWAY_PASSWORD" : "OPENCLAW_GATEWAY_TOKEN"
    }
  }
}

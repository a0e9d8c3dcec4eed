/// The closed parameters of `connect` (contract 3).
enum ConnectShape {
  static let clientIDs = [
    "webchat-ui", "openclaw-control-ui", "openclaw-browser-copilot", "openclaw-tui", "webchat",
    "cli", "gateway-client", "openclaw-macos", "openclaw-linux", "openclaw-ios",
    "openclaw-watchos", "openclaw-android", "node-host", "openclaw-worker", "test", "fingerprint",
    "openclaw-probe",
  ]
  static let modes = ["webchat", "cli", "ui", "backend", "node", "worker", "probe", "test"]

  static func params(_ version: Int) -> GatewayShape {
    .object([
      .need("minProtocol", .whole(1...1000)), .need("maxProtocol", .whole(1...1000)),
      .need(
        "client",
        .object([
          .need("id", .one(clientIDs)), .may("displayName", .text(min: 1)),
          .need("version", .text(min: 1)), .need("platform", .text(min: 1)),
          .may("deviceFamily", .text(min: 1)), .may("modelIdentifier", .text(min: 1)),
          .need("mode", .one(modes)), .may("instanceId", .text(min: 1)),
        ])),
      .may("caps", .list(.text(min: 1))), .may("commands", .list(.text(min: 1))),
      .may("permissions", .map(.flag)), .may("pathEnv", .text()), .may("role", .text(min: 1)),
      .may("scopes", .list(.text(min: 1))),
      .may(
        "device",
        .object([
          .need("id", .text(min: 1)), .need("publicKey", .text(min: 1)),
          .need("signature", .text(min: 1)), .need("signedAt", .whole(0...Int.max)),
          .need("nonce", .text(min: 1)),
        ])),
      .may(
        "auth",
        .object([
          .may("token", .text()), .may("bootstrapToken", .text()), .may("deviceToken", .text()),
          .may("password", .text()),
        ])),
      .may("locale", .text()), .may("userAgent", .text()),
    ])
  }
}

package import DeviceKeys
package import LenientJSON

/// Asks a gateway to take this device in, by a signature over its challenge.
package struct PairRequest: Sendable {
  package struct Device: Sendable, Equatable {
    package var name: String
    package var platform: String
    package var model: String

    package init(name: String, platform: String, model: String) {
      self.name = name
      self.platform = platform
      self.model = model
    }
  }

  package var body: JSONValue

  /// nil if libcrypto fails.
  package init?(challenge: String, key: DeviceKey, device: Device) {
    let text = Self.signedText(challenge: challenge, publicKey: key.publicKeyText)
    guard let signature = key.signature(of: text) else { return nil }
    body = .body([
      ("public_key", .string(key.publicKeyText)),
      (
        "device",
        .body([
          ("name", .string(device.name)), ("platform", .string(device.platform)),
          ("model", .string(device.model)),
        ])
      ),
      ("challenge", .string(challenge)), ("signature", .string(signature)),
    ])
  }

  static func signedText(challenge: String, publicKey: String) -> String {
    "pair|\(challenge)|\(publicKey)"
  }
}

/// What a gateway answers to a `PairRequest`.
package struct PairAnswer: Sendable, Equatable {
  /// A secret.
  package var deviceToken: String
  /// 32 bytes as base64url: what capability tokens are verified with.
  package var gatewayPublicKey: String
  /// nil if the gateway does not say.
  package var sessionSeconds: Int?

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let token = fields.string("device_token"), !token.isEmpty,
      let key = fields.string("gateway_public_key"), Base64URL.decoded(key)?.count == 32
    else { return nil }
    deviceToken = token
    gatewayPublicKey = key
    sessionSeconds = fields.int("session_ttl_s")
  }

  /// Why a pairing was refused, as one sentence with the next step.
  package static func refusal(status: Int) -> String {
    switch status {
    case 400: "The gateway could not read the pairing request; its version may be another one."
    case 401: "The gateway refused this device's signature. Make a new pairing code and try again."
    case 409: "This pairing code has been used. Make a new one on the gateway."
    case 410:
      "This pairing code has expired; it is valid for 5 minutes. Make a new one on the gateway."
    default: "The gateway answered \(status) to the pairing request."
    }
  }
}

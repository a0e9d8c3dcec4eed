package import DeviceKeys
package import Networking
package import OpenClawWire

/// Who connects: the device's key, and the secrets that open the gateway.
package struct GatewayIdentity: Sendable {
  package var key: DeviceKey
  package var client: ConnectRequest.Client
  package var role = ConnectRequest.Role.operator
  /// In the order in which they are signed.
  package var scopes: [String]
  /// Of the profile.
  package var token: String?
  /// What the gateway gave this device; preferred to the profile's, because it opens less.
  package var deviceToken: String?
  /// Of the profile, instead of the token.
  package var password: String?
  /// Of a setup code, which lets this device in the first time.
  package var bootstrapToken: String?
  /// Headers that the owner adds to every request, for an access proxy before the gateway.
  package var headers: [HTTPHeader] = []

  package init(
    key: DeviceKey, client: ConnectRequest.Client, scopes: [String], token: String?,
    deviceToken: String?, password: String? = nil, bootstrapToken: String? = nil
  ) {
    self.key = key
    self.client = client
    self.scopes = scopes
    self.token = token
    self.deviceToken = deviceToken
    self.password = password
    self.bootstrapToken = bootstrapToken
  }

  /// The same device as a node that carries out `commands`. It needs no scopes, and the gateway gives it a token of
  /// its own.
  package func asNode(commands: [String], deviceToken: String?) -> GatewayIdentity {
    var node = self
    node.role = .node(commands: commands)
    node.scopes = []
    node.deviceToken = deviceToken
    return node
  }

  /// Whether the profile itself opens the gateway.
  var hasShared: Bool { token != nil || password != nil }

  var credential: ConnectRequest.Credential {
    if let deviceToken { return .deviceToken(deviceToken) }
    if let token { return .token(token) }
    return bootstrapToken.map(ConnectRequest.Credential.bootstrapToken) ?? .none
  }

  /// The connect for a challenge; nil if the key cannot sign.
  func connect(_ challenge: ConnectChallenge, id: String) -> [UInt8]? {
    let request = ConnectRequest(
      client: client, role: role, scopes: scopes, credential: credential, password: password)
    let text = request.signedText(
      deviceId: key.id, signedAt: challenge.ts, nonce: challenge.nonce)
    guard let signature = key.signature(of: text) else { return nil }
    return GatewayRequest.connect(
      id: id,
      request.parameters(
        .init(
          id: key.id, publicKey: key.publicKeyText, signature: signature, signedAt: challenge.ts,
          nonce: challenge.nonce)))
  }
}

internal import ClankyWire
internal import DeviceKeys
package import LenientJSON

/// A gateway's signed statement that a capability may be used in one session, from one time to another.
package struct CapabilityToken: Sendable, Equatable {
  package var capability: String
  /// ISO 8601, UTC, as sent: the signature covers the spelling.
  package var grantedAt: String
  package var expiresAt: String
  package var sessionID: String
  package var nonce: String
  /// base64url.
  package var signature: String

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let capability = fields.string("capability"),
      let grantedAt = fields.string("granted_at"), let expiresAt = fields.string("expires_at"),
      let sessionID = fields.string("session_id"), let nonce = fields.string("nonce"),
      let signature = fields.string("signature")
    else { return nil }
    self.capability = capability
    self.grantedAt = grantedAt
    self.expiresAt = expiresAt
    self.sessionID = sessionID
    self.nonce = nonce
    self.signature = signature
  }

  /// Why a token is not valid. Such a request can only be denied.
  package enum Problem: String, Error, Sendable, Equatable, CaseIterable, CustomStringConvertible {
    case signature, session, capability, time, early, expired, replayed

    package var description: String {
      switch self {
      case .signature: "its signature is not the gateway's"
      case .session: "it belongs to another session"
      case .capability: "it is for another capability"
      case .time: "its times cannot be read"
      case .early: "it is not valid yet"
      case .expired: "it has expired"
      case .replayed: "it was used before"
      }
    }
  }

  var signedText: String { "\(capability)|\(grantedAt)|\(expiresAt)|\(sessionID)|\(nonce)" }

  /// How far the start of a token may be ahead of the gateway's clock as known here, ms.
  private static let toleranceMs: Int64 = 5_000

  /// Checks the token of a request. The signature is checked first, before any other field is used.
  ///
  /// - Parameters:
  ///   - nowMs: the gateway's clock, ms since 1970.
  ///   - used: the nonces of tokens that were accepted before.
  /// - Returns: the ms since 1970 when it ends.
  package func check(
    for capability: String, session: String, gatewayKey: String, nowMs: Int64, used: Set<String>
  ) throws(Problem) -> Int64 {
    guard DeviceKey.verifies(signature, of: signedText, publicKey: gatewayKey) else {
      throw .signature
    }
    // The separator in a field would let two tokens have one signed text.
    guard
      ![self.capability, grantedAt, expiresAt, sessionID, nonce].contains(where: {
        $0.contains("|")
      })
    else { throw .signature }
    guard sessionID == session else { throw .session }
    guard self.capability == capability else { throw .capability }
    guard let from = Self.utc(grantedAt), let to = Self.utc(expiresAt), from < to else {
      throw .time
    }
    guard from <= nowMs + Self.toleranceMs else { throw .early }
    guard nowMs < to else { throw .expired }
    guard !used.contains(nonce) else { throw .replayed }
    return to
  }

  private static func utc(_ text: String) -> Int64? {
    text.hasSuffix("Z") ? WireTime(iso: text)?.milliseconds : nil
  }
}

/// Why a gateway did not let this device in, and what follows from it.
package enum ConnectRefusal: Error, Sendable, Equatable {
  case tokenMismatch, tokenMissing
  case passwordMissing, passwordMismatch
  /// The token that the gateway gave this device is not valid any more.
  case deviceTokenMismatch
  case scopeMismatch
  case rateLimited(retryAfterMs: Int?)
  case setupCodeInvalid
  /// Our signature, its time or its nonce; the gateway's detail.
  case signature(String)
  case identityRequired
  case pairing(requestId: String?, reason: String, approvedScopes: [String], mayPoll: Bool)
  case protocolMismatch(expected: Int?)
  /// The gateway is starting.
  case starting(retryAfterMs: Int)
  /// The gateway calls our request malformed: our mistake.
  case malformed(String)
  case other(code: String, message: String)

  package init(_ error: GatewayError) {
    switch error.detail ?? "" {
    case "AUTH_TOKEN_MISMATCH": self = .tokenMismatch
    case "AUTH_TOKEN_MISSING": self = .tokenMissing
    case "AUTH_PASSWORD_MISSING": self = .passwordMissing
    case "AUTH_PASSWORD_MISMATCH": self = .passwordMismatch
    case "AUTH_DEVICE_TOKEN_MISMATCH": self = .deviceTokenMismatch
    case "AUTH_SCOPE_MISMATCH": self = .scopeMismatch
    case "AUTH_RATE_LIMITED": self = .rateLimited(retryAfterMs: error.retryAfterMs)
    case "AUTH_BOOTSTRAP_TOKEN_INVALID": self = .setupCodeInvalid
    case "DEVICE_IDENTITY_REQUIRED": self = .identityRequired
    case "PROTOCOL_MISMATCH": self = .protocolMismatch(expected: error.expectedProtocol)
    case "PAIRING_REQUIRED": self = Self.pairing(error)
    case let detail where detail.hasPrefix("DEVICE_AUTH_"): self = .signature(detail)
    default:
      if error.code == "NOT_PAIRED" {
        self = Self.pairing(error)
      } else if error.code == "UNAVAILABLE" {
        self = .starting(retryAfterMs: min(max(error.retryAfterMs ?? 500, 100), 2_000))
      } else if let expected = error.expectedProtocol {
        self = .protocolMismatch(expected: expected)
      } else if error.message.hasPrefix("invalid connect params")
        || error.message.hasPrefix("invalid handshake")
      {
        self = .malformed(error.message)
      } else {
        self = .other(code: error.detail ?? error.code, message: error.message)
      }
    }
  }

  private static func pairing(_ error: GatewayError) -> ConnectRefusal {
    .pairing(
      requestId: error.requestId, reason: error.reason ?? "not-paired",
      approvedScopes: error.approvedScopes, mayPoll: error.mayPoll)
  }

  /// The command that approves this device, to be run on the gateway.
  ///
  /// The id is remote text that is pasted into a shell: one with other letters than ids have is not put there.
  package static func approvalCommand(_ requestId: String) -> String {
    let isPlain = requestId.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: ":"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isPlain, !requestId.isEmpty, !requestId.hasPrefix("-") else {
      return "openclaw devices list"
    }
    return "openclaw devices approve \(requestId)"
  }
}

extension ConnectRefusal: CustomStringConvertible {
  /// What happened and the next step.
  package var description: String {
    switch self {
    case .tokenMismatch:
      "The gateway refused the token. Put the right one into the profile's token file."
    case .tokenMissing: "The gateway wants a token. Give it with token_file in the profile."
    case .passwordMissing:
      "The gateway wants a password. Give it with token_file and auth = \"password\" in the profile."
    case .passwordMismatch:
      "The gateway refused the password. Put the right one into the profile's token file."
    case .deviceTokenMismatch:
      "The gateway no longer accepts what it gave this device. It is forgotten; connect again."
    case .scopeMismatch:
      "This device asks for more than it was approved for. Ask for fewer scopes, or pair it again."
    case .rateLimited(let wait):
      "Too many failed attempts; the gateway takes no new ones for about \(Self.minutes(wait)). Wait."
    case .setupCodeInvalid: "The setup code was used or has expired. Make a new one on the gateway."
    case .signature:
      "The gateway did not accept this device's signature. A proxy may be replaying the connection; connect without it."
    case .identityRequired: "The gateway wants a device identity. Connect again, and report this."
    case .pairing(let requestId, let reason, let approved, _):
      Self.pairing(requestId: requestId, reason: reason, approved: approved)
    case .protocolMismatch(let expected):
      "The gateway speaks \(expected.map { "protocol \($0)" } ?? "another protocol"); this program knows 3 and 4. Update the older of the two."
    case .starting: "The gateway is starting. Try again in a moment."
    case .malformed(let message):
      "The gateway did not understand this program (\(message)). Update it, and report this."
    case .other(let code, let message):
      "The gateway refused the connection (\(code): \(message)). Look at its log."
    }
  }

  private static func pairing(requestId: String?, reason: String, approved: [String]) -> String {
    let command = requestId.map(approvalCommand) ?? "openclaw devices list"
    guard reason == "scope-upgrade" else {
      return "This device is not approved yet. On the gateway's host run: \(command)"
    }
    guard !approved.isEmpty else {
      return
        "The gateway has approved less than this profile asks for. To allow the rest, run on its host: \(command)"
    }
    return
      "The gateway has approved \(approved.joined(separator: ", ")) only. To allow the rest, run on its host: \(command)"
  }

  private static func minutes(_ milliseconds: Int?) -> String {
    let minutes = ((milliseconds ?? 300_000) + 59_999) / 60_000
    return minutes == 1 ? "1 minute" : "\(minutes) minutes"
  }
}

/// Why a companion session ended, and what follows.
package enum SessionClose: Sendable, Equatable {
  case normal
  /// 4401: the gateway no longer accepts the device's token.
  case revoked
  /// 4409: a newer session of this device took its place.
  case replaced
  /// 4429
  case tooFast
  /// 1008, with the gateway's words.
  case refused(String)
  /// Two heartbeats without an answer.
  case silent
  case other(code: Int, reason: String)

  package init(code: Int, reason: String) {
    switch code {
    case 1_000: self = .normal
    case 1_008: self = .refused(reason)
    case 4_401: self = .revoked
    case 4_409: self = .replaced
    case 4_429: self = .tooFast
    default: self = .other(code: code, reason: reason)
    }
  }

  /// Whether the connection is made anew without being asked.
  package var reconnects: Bool {
    switch self {
    case .revoked, .replaced, .refused: false
    case .normal, .tooFast, .silent, .other: true
    }
  }

  /// One sentence with the next step; it may contain remote text.
  package var sentence: String {
    switch self {
    case .normal: "The gateway ended the session."
    case .revoked: "The gateway revoked this device's token; pair it again."
    case .replaced: "A newer session of this device took its place; press r to take it back."
    case .tooFast: "The gateway refused messages that came too fast."
    case .refused(let reason):
      "The gateway refused a message" + (reason.isEmpty ? "." : ": \(reason).")
    case .silent: "The gateway did not answer two heartbeats."
    case .other(let code, let reason):
      "The connection ended (\(code)\(reason.isEmpty ? "" : ", \(reason)"))."
    }
  }
}

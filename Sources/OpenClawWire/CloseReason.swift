/// Why a gateway closed an open connection, by code and reason, and what follows.
package enum CloseReason: Sendable, Equatable {
  /// 1012, 1013, 1001: the gateway goes or comes.
  case restarting
  case slowConsumer
  case unauthorizedCalls
  case deviceRemoved
  case credentialsChanged
  case protocolMismatch
  /// Our own watchdog.
  case silent
  case tooLarge
  /// The connection broke.
  case lost(String)
  case other(code: Int, reason: String)

  package init(code: Int, reason: String) {
    switch (code, reason) {
    case (1_001, _), (1_012, _), (1_013, _): self = .restarting
    case (1_002, _): self = .protocolMismatch
    case (1_006, _): self = .lost(reason)
    case (1_008, "slow consumer"): self = .slowConsumer
    case (1_008, "repeated unauthorized calls"): self = .unauthorizedCalls
    case (1_009, _): self = .tooLarge
    case (4_000, _): self = .silent
    case (4_001, "device removed"): self = .deviceRemoved
    case (4_001, _): self = .credentialsChanged
    default: self = .other(code: code, reason: reason)
    }
  }

  /// How a connection that ended so is made again.
  package enum Retry: Sendable, Equatable { case afterPause, once, never }

  package var retry: Retry {
    switch self {
    case .deviceRemoved, .protocolMismatch, .unauthorizedCalls: .never
    case .credentialsChanged: .once
    default: .afterPause
    }
  }
}

extension CloseReason: CustomStringConvertible {
  /// The reason, and whether the client reconnects by itself.
  package var description: String {
    retry == .afterPause ? "\(sentence) The connection is made again." : sentence
  }

  /// The reason alone, for callers that do not reconnect.
  package var sentence: String {
    switch self {
    case .restarting: "The gateway is restarting."
    case .slowConsumer: "The gateway dropped this connection because it could not keep up."
    case .unauthorizedCalls:
      "The gateway closed the connection after calls it does not allow. Check the scopes."
    case .deviceRemoved: "This device was removed from the gateway. Pair it again to reconnect."
    case .credentialsChanged: "The gateway's credentials changed. Check the token."
    case .protocolMismatch:
      "The gateway speaks another protocol; this program knows 3 and 4. Update the older of the two."
    case .silent: "Nothing was heard from the gateway."
    case .tooLarge: "A message was too large."
    case .lost(let how): "The connection to the gateway was lost (\(how))."
    case .other(let code, let reason):
      "The gateway closed the connection (\(code)\(reason.isEmpty ? "" : ": " + reason))."
    }
  }
}

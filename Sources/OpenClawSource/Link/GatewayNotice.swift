package import LenientJSON
package import Networking
package import OpenClawWire

/// How a link to a gateway is.
package enum GatewayState: Sendable, Equatable {
  case idle
  case connecting
  /// The socket is open; the gateway's challenge is awaited.
  case greeting
  case connected
  /// Not connected; tried again at this moment of the monotonic clock.
  case waiting(untilNs: UInt64, GatewayLoss)
  /// This device has to be approved. Tried again until `deadlineNs`.
  case pairing(requestId: String?, deadlineNs: UInt64, ConnectRefusal)
  /// Not connected, and not tried again by itself.
  case stopped(GatewayLoss)
}

/// Why there is no connection.
package enum GatewayLoss: Error, Sendable, Equatable, CustomStringConvertible {
  case refused(ConnectRefusal)
  case closed(CloseReason)
  case unreachable(WebSocketEnd)
  /// The gateway did not greet in time.
  case noChallenge
  /// This program's key cannot sign.
  case noSignature

  package var description: String {
    switch self {
    case .refused(let refusal): refusal.description
    case .closed(let reason): reason.description
    case .noChallenge: "The server did not greet as a gateway does. Check the url of the profile."
    case .noSignature: "This device's key cannot be used. Remove it, and pair the device again."
    case .unreachable(let end): Self.words(end)
    }
  }

  /// What happened, for those who do not connect again.
  package var sentence: String {
    switch self {
    case .closed(let reason): reason.sentence
    case .unreachable(.closed(let code, let reason)):
      CloseReason(code: code, reason: reason).sentence
    default: description
    }
  }

  private static func words(_ end: WebSocketEnd) -> String {
    switch end {
    case .failed(.refused): "Nothing listens at the gateway's address. Start it, or check the url."
    case .failed(.unknownHost): "The gateway's host name is not known. Check the url."
    case .failed(.timedOut): "The gateway did not answer in time. Check the url and the network."
    case .failed(.tls(_, let detail)):
      "The gateway's certificate was not accepted (\(detail)). Check ca_file and pin."
    case .failed(.notTLS(let detail)):
      "The gateway does not speak TLS (\(detail)). Check whether the url begins with ws://."
    case .failed(.proxy(let detail)): "The proxy did not let the connection through (\(detail))."
    case .failed(.malformed(let detail)):
      "What answers is no gateway: \(detail). Check the url."
    case .failed(let error): "The gateway cannot be reached (\(error)). Check the network."
    case .refused(let status, _, _):
      "The server answered with status \(status) and no WebSocket. Check the url."
    case .closed(let code, let reason): CloseReason(code: code, reason: reason).description
    case .violated(1_009, let why):
      "The gateway sent too much at once, which was not taken: \(why)."
    case .violated(_, let why):
      "The gateway broke the WebSocket protocol: \(why)."
    }
  }
}

/// Why a request has no answer.
package enum RequestFailure: Error, Sendable, Equatable, CustomStringConvertible {
  case refused(GatewayError)
  /// The connection ended before the answer.
  case disconnected
  case timedOut
  case tooMany

  /// Whether the same request may succeed soon.
  var isForNow: Bool {
    switch self {
    case .refused(let error): error.isRetryable || error.code == "UNAVAILABLE"
    case .disconnected, .timedOut, .tooMany: true
    }
  }

  package var description: String {
    switch self {
    case .refused(let error): error.sentence
    case .disconnected: "The connection ended before the answer; what came of it is not known."
    case .timedOut: "The gateway did not answer within 30 seconds; what came of it is not known."
    case .tooMany: "Too many requests are waiting for the gateway; try again."
    }
  }
}

/// What a link tells.
package enum GatewayNotice: Sendable {
  case state(GatewayState)
  /// Connected. `skewMs` is how far the gateway's clock is ahead of ours.
  case hello(GatewayHello, skewMs: Int)
  /// A list of the recovery: what is in it is not new and rings nothing.
  case listed(GatewayRequest, Result<JSONValue, RequestFailure>)
  /// Everything that was missed has been asked for.
  case recovered
  /// Events of the living connection that never came.
  case gap(lost: Int)
  case event(GatewayEvent)
  case answer(id: String, Result<JSONValue, RequestFailure>)
  /// A message that could not be read, or of a kind that is not known.
  case unread
}

extension GatewayLoss {
  /// Whether the gateway does not let this device in; else it is a failure of the connection.
  package var isRefusal: Bool {
    guard case .refused(let refusal) = self else {
      return self == .closed(.deviceRemoved) || self == .closed(.credentialsChanged)
    }
    switch refusal {
    case .protocolMismatch, .rateLimited, .starting, .malformed, .other: return false
    default: return true
    }
  }
}

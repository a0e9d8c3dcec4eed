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
    case .failed(.tls(let fault, let detail)): words(fault, detail)
    case .failed(.notTLS(let detail)):
      "TLS with the gateway did not begin (\(detail)). If it speaks none, its url begins with ws://."
    case .failed(.proxy(let detail)) where detail.contains("407"):
      "The proxy wants a user name and password (\(detail)). Write them into its address, https_proxy=http://NAME:PASSWORD@HOST:PORT."
    case .failed(.proxy(let detail)):
      "The proxy did not let the connection through (\(detail)). Check https_proxy, http_proxy and all_proxy, or name the gateway's host in no_proxy."
    case .failed(.tunnel(let sentence)): sentence
    case .failed(.connectionLost(let detail)):
      "The connection ended before the gateway greeted (\(detail)). Check the network and what stands in front of the gateway."
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

extension GatewayLoss {
  /// What is wrong with a certificate, and what to do.
  private static func words(_ fault: CertificateFault, _ detail: String) -> String {
    let refused = "The gateway's certificate was not accepted (\(detail))."
    return switch fault {
    case .expired:
      "\(refused) Renew it on the gateway; if it is still good, set the clock of this machine."
    case .notYetValid:
      "\(refused) Set the clock of this machine; if it is right, the certificate begins later."
    case .otherName: "\(refused) Write the host name that it is for into the url of the profile."
    case .unknownAuthority:
      "\(refused) Name the authority that signed it, or the certificate itself, with ca_file in the profile."
    case .other: "\(refused) Check ca_file in the profile."
    case .otherKey:
      "The gateway's public key is not the one that the profile pins. If the gateway has a new key, correct pin; else somebody may be in between."
    case .otherCertificate:
      "The gateway's certificate does not have the fingerprint that it must have. If it was renewed, pair again; else somebody may be in between."
    case .fingerprintUnsupported:
      "The fingerprint of a certificate cannot be compared here (\(detail)). Install a libcurl with OpenSSL."
    case .ownUnusable:
      "The client certificate cannot be used (\(detail)). Check that client_key is the key of client_certificate."
    case .ownRefused:
      "The gateway, or what stands in front of it, wants a client certificate that it knows (\(detail)). Check client_certificate and client_key in the profile."
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
    if case .unreachable(.failed(.tls(.ownRefused, _))) = self { return true }
    guard case .refused(let refusal) = self else {
      return self == .closed(.deviceRemoved) || self == .closed(.credentialsChanged)
    }
    switch refusal {
    case .protocolMismatch, .rateLimited, .starting, .malformed, .other: return false
    default: return true
    }
  }
}

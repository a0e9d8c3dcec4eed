package import LenientJSON

/// Why a gateway refused a request.
package struct GatewayError: Error, Sendable, Equatable {
  /// `INVALID_REQUEST`, `NOT_PAIRED`, … as sent.
  package var code: String
  /// The gateway's words: remote text.
  package var message: String
  package var isRetryable: Bool
  package var retryAfterMs: Int?
  /// `details.code`, such as `AUTH_TOKEN_MISMATCH`.
  package var detail: String?
  /// `details.reason`, such as `APPROVAL_NOT_FOUND` or `scope-upgrade`.
  package var reason: String?
  /// Of a pairing that waits.
  package var requestId: String?
  package var expectedProtocol: Int?
  package var missingScope: String?
  package var approvedScopes: [String]
  /// Asking again and again is allowed while a pairing waits.
  package var mayPoll: Bool

  /// nil when this is no object.
  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value) else { return nil }
    let details = fields.nested("details", as: JSONFields.init)
    code = fields.string("code") ?? ""
    message = fields.string("message") ?? ""
    isRetryable = fields.bool("retryable") ?? false
    retryAfterMs = fields.int("retryAfterMs")
    detail = details?.string("code")
    reason = details?.string("reason")
    requestId = details?.id("requestId")
    expectedProtocol = details?.int("expectedProtocol")
    missingScope = details?.string("missingScope") ?? Self.scope(in: message)
    approvedScopes = details?.strings("approvedScopes") ?? []
    mayPoll = details?.bool("retryable") == true && details?.bool("pauseReconnect") == false
  }

  /// Protocol 3 tells a missing scope in words alone.
  private static func scope(in message: String) -> String? {
    let start = "missing scope: "
    guard message.hasPrefix(start) else { return nil }
    return String(message.dropFirst(start.count).prefix { $0 != " " })
  }

  /// The approval or question is not waiting any more.
  package var isTooLate: Bool {
    reason == "APPROVAL_NOT_FOUND" || reason == "QUESTION_ALREADY_TERMINAL"
      || code == "APPROVAL_NOT_FOUND"
  }

  /// This gateway does not have the method.
  package var isUnknownMethod: Bool { message.hasPrefix("unknown method") }

  /// What happened and what to do, without the gateway's own words where ours are better.
  package var sentence: String {
    if let missingScope {
      return
        "This needs the scope \(missingScope), which this device does not hold; approve it on the gateway."
    }
    if isTooLate { return "This is no longer waiting; list again to see what is." }
    if isUnknownMethod { return "This gateway is too old for that; update it." }
    if message.hasPrefix("Multiple agents are configured") { return "Choose an agent first." }
    switch code {
    case "UNAVAILABLE": return "The gateway is busy or starting; try again in a moment."
    case "NOT_LINKED": return "The channel is not linked; link it on the gateway."
    case "AGENT_TIMEOUT": return "The agent did not answer in time; try again."
    case "FORBIDDEN": return "The gateway does not allow that to this device; check its scopes."
    case "INVALID_REQUEST":
      return "The gateway did not take the request (\(message)); its version may not know it."
    default: return "The gateway refused (\(code): \(message)); look at its log."
    }
  }
}

/// A refused request, as it goes over the wire.
struct GatewayError: Error {
  var code: String
  var message: String
  var details: DemoJSON?
  var retryAfterMs: Int?
  /// A result that goes beside the error: a cached failure has one (contract 2).
  var payload: DemoJSON?

  init(
    _ message: String, code: String = "INVALID_REQUEST", details: DemoJSON? = nil,
    retryAfterMs: Int? = nil, payload: DemoJSON? = nil
  ) {
    self.code = code
    self.message = message
    self.details = details
    self.retryAfterMs = retryAfterMs
    self.payload = payload
  }

  var json: DemoJSON {
    var json: DemoJSON = ["code": .string(code), "message": .string(message)]
    if let details { json = json.setting("details", details) }
    if let retryAfterMs {
      json = json.setting("retryable", true).setting("retryAfterMs", .int(retryAfterMs))
    }
    return json
  }

  /// A scope that the client does not hold; the two protocols tell it differently.
  static func missingScope(_ scope: String, version: Int) -> GatewayError {
    let message = "missing scope: \(scope)"
    if version == 3 { return GatewayError(message) }
    return GatewayError(
      message, code: "FORBIDDEN",
      details: [
        "code": "MISSING_SCOPE", "missingScope": .string(scope), "requiredScopes": [.string(scope)],
      ])
  }
}

/// A refused connect: the error, and the close after it.
struct Refusal: Error {
  var error: GatewayError
  var close: UInt16 = 1008
  var reason: String

  init(_ error: GatewayError, close: UInt16 = 1008, reason: String? = nil) {
    self.error = error
    self.close = close
    self.reason = reason ?? error.message
  }

  /// A connect without the right credentials (contract 4).
  static func unauthorized(
    _ code: String, _ reason: String, _ words: String, next: String, mayRetry: Bool = false
  ) -> Refusal {
    Refusal(
      GatewayError(
        "unauthorized: \(words)",
        details: [
          "code": .string(code), "authReason": .string(reason),
          "canRetryWithDeviceToken": .bool(mayRetry), "recommendedNextStep": .string(next),
        ]))
  }

  /// A device that does not prove who it is.
  static func device(_ code: String, _ reason: String, _ words: String) -> Refusal {
    Refusal(
      GatewayError(
        words, details: ["code": .string(code), "reason": .string(reason)]))
  }
}

/// The answer to `Link.request`: any answer the backend itself gave, including its own 4xx.
package struct RestAnswer: Sendable {
  /// HTTP status.
  package let status: Int
  /// As sent, in order.
  package let headers: [HTTPHeader]
  /// After decompression.
  package let body: [UInt8]
  /// Time to the header.
  package let latencyMs: Double

  /// An answer put together from its parts.
  package init(status: Int, headers: [HTTPHeader] = [], body: [UInt8], latencyMs: Double) {
    self.status = status
    self.headers = headers
    self.body = body
    self.latencyMs = latencyMs
  }

  /// 200...299.
  package var isSuccess: Bool { (200...299).contains(status) }
}

/// A request that got no answer from the backend.
package struct RestFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// What went wrong.
  package let failure: LinkFailure
  /// False: the request certainly did not arrive. True for a change means "outcome unknown" unless the
  /// failure itself is a refusal (401, 403, 404).
  package let mayHaveArrived: Bool

  /// A failure and what is known about the request.
  package init(failure: LinkFailure, mayHaveArrived: Bool) {
    self.failure = failure
    self.mayHaveArrived = mayHaveArrived
  }

  package var description: String { failure.description }
}

/// One request for `Link.request`.
package struct RestRequest: Sendable {
  /// GET unless something is changed.
  package var method: HTTPMethod
  /// What to ask for.
  package var target: RequestTarget
  /// JSON, sent with `Content-Type: application/json` (also on DELETE, wire contract 9.7).
  package var body: [UInt8]?
  /// Whole request, milliseconds; nil takes `LinkLimits.restTotalMs`.
  package var totalMs: Int?

  /// A request without a body by default.
  package init(
    _ method: HTTPMethod = .get, _ target: RequestTarget, body: [UInt8]? = nil, totalMs: Int? = nil
  ) {
    self.method = method
    self.target = target
    self.body = body
    self.totalMs = totalMs
  }
}

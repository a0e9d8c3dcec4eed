/// A response to `Link.request` from the backend itself, its own 4xx included.
package struct RestAnswer: Sendable {
  /// HTTP status.
  package let status: Int
  /// In the order sent, unmodified.
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

  /// The failure, and whether the request may have been received.
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
  /// The requested path and query.
  package var target: RequestTarget
  /// JSON, sent with `Content-Type: application/json`, also on DELETE.
  package var body: [UInt8]?
  /// Time limit of the whole request, milliseconds; nil means `LinkLimits.restTotalMs`.
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

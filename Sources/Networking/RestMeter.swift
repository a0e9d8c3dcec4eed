/// Latencies of the last REST answers, and the number of requests.
package struct RestMeter {
  /// Answers that the percentiles are of.
  package static let window = 256

  /// Requests that were sent.
  package private(set) var requests = 0
  /// Those of them that got no answer, or one that says that the backend failed (5xx). A 404 is an
  /// answer: some routes exist in one version of the backend only.
  package private(set) var failures = 0
  /// Body bytes of all answers.
  package private(set) var bytes = 0
  /// Nearest rank, ms; nil before the first answer.
  package private(set) var p50Ms: Double?
  package private(set) var p95Ms: Double?

  private var latencies: [Double] = []
  private var oldest = 0

  package init() {}

  package mutating func sent() { requests += 1 }

  /// - Parameter isPatient: the request may take long by its nature, as joining voice does; its
  ///   time says nothing about the connection.
  package mutating func ended(_ result: Result<RestAnswer, RestFailure>, isPatient: Bool) {
    switch result {
    case .success(let answer):
      bytes += answer.body.count
      if answer.status >= 500 { failures += 1 }
      if !isPatient { add(answer.latencyMs) }
    case .failure(let failure):
      if !failure.failure.isMissingRoute { failures += 1 }
    }
  }

  /// Answers are rare next to frames, so the sorting is done here.
  private mutating func add(_ latencyMs: Double) {
    if latencies.count < Self.window {
      latencies.append(latencyMs)
    } else {
      latencies[oldest] = latencyMs
      oldest = (oldest + 1) % Self.window
    }
    let sorted = latencies.sorted()
    p50Ms = Self.nearestRank(0.50, of: sorted)
    p95Ms = Self.nearestRank(0.95, of: sorted)
  }

  /// The smallest value that at least this share of all is not above.
  private static func nearestRank(_ share: Double, of sorted: [Double]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    let rank = Int((share * Double(sorted.count)).rounded(.up))
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }
}

extension LinkFailure {
  /// The backend, or a proxy in front of it, answered 404 for this path.
  fileprivate var isMissingRoute: Bool {
    switch self {
    case .noRoute, .hidden, .notClanky(.wrongPath), .requestRejected(404, _),
      .requestRejected(405, _):
      true
    default: false
    }
  }
}

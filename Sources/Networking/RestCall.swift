/// A running `Link.request`.
@MainActor
package protocol RestHandle: AnyObject {
  /// Ends the request; its completion is not called.
  func cancel()
}

/// One REST request from start to answer.
@MainActor
package final class RestCall: RestHandle {
  /// A parser may skip it (RFC 8259 section 8.1), and some gateways write it.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// Bytes that are reserved at most on the word of a `Content-Length`.
  private static let reserved = 4 << 20

  package typealias Completion = @MainActor (Result<RestAnswer, RestFailure>) -> Void

  private let clock: any LinkClock
  private let diagnosis: FailureDiagnosis
  /// Redacted from the answer; nil if the answer may be sent back and must stay exact.
  private let onHead: @MainActor (HTTPHead, Double) -> Void
  private let onDone: @MainActor (RestCall) -> Void
  private var completion: Completion?
  /// Probes whether the backend answers other paths when this one returns 404.
  private let othersAnswer: @MainActor (@escaping @MainActor (Bool) -> Void) -> Void
  private let target: RequestTarget
  private var task: (any TransportTask)?
  private let startNs: UInt64
  private var head: HTTPHead?
  private var latencyMs = 0.0
  private var body: [UInt8] = []

  package init(
    _ target: RequestTarget, clock: any LinkClock, diagnosis: FailureDiagnosis,
    othersAnswer: @escaping @MainActor (@escaping @MainActor (Bool) -> Void) -> Void,
    onHead: @escaping @MainActor (HTTPHead, Double) -> Void,
    onDone: @escaping @MainActor (RestCall) -> Void, completion: @escaping Completion
  ) {
    self.target = target
    self.othersAnswer = othersAnswer
    self.clock = clock
    self.diagnosis = diagnosis
    self.onHead = onHead
    self.onDone = onDone
    self.completion = completion
    startNs = clock.nowNs
  }

  package func start(_ request: HTTPRequest, on transport: any Transport) {
    task = transport.open(request, delegate: self)
  }

  package func cancel() {
    guard completion != nil else { return }
    completion = nil
    task?.cancel()
    task = nil
    onDone(self)
  }

  private func finish(_ result: Result<RestAnswer, RestFailure>) {
    guard let completion else { return }
    self.completion = nil
    task = nil
    onDone(self)
    completion(result)
  }
}

extension RestCall: TransportDelegate {
  package func transfer(_ task: any TransportTask, received head: HTTPHead) {
    self.head = head
    latencyMs = Double(clock.nowNs.since(startNs)) / 1_000_000
    // Growing by doubling would copy a list of a thousand rows several times.
    if let length = head.value("content-length").flatMap({ Int($0) }) {
      body.reserveCapacity(min(max(0, length), Self.reserved))
    }
    onHead(head, latencyMs)
  }

  package func transfer(_ task: any TransportTask, received bytes: UnsafeRawBufferPointer) {
    body.append(contentsOf: bytes)
  }

  package func transfer(_ task: any TransportTask, ended end: TransportEnd) {
    if let error = end.error {
      finish(
        .failure(
          RestFailure(failure: diagnosis.failure(error), mayHaveArrived: end.requestWasSent)))
      return
    }
    guard let head else {
      finish(.failure(RestFailure(failure: .transport(""), mayHaveArrived: end.requestWasSent)))
      return
    }
    if body.starts(with: Self.byteOrderMark) { body.removeFirst(Self.byteOrderMark.count) }
    if let secret = diagnosis.token {
      let isFailure = !(200...299).contains(head.status)
      let clean = body.withUnsafeBytes {
        isFailure ? secret.redact(failure: $0) : secret.redact($0)
      }
      if let clean { body = clean }
    }
    let answer = RestAnswer(
      status: head.status, headers: head.headers, body: body, latencyMs: latencyMs)
    guard let failure = diagnosis.failure(head, body: body, expecting: .json) else {
      finish(.success(answer))
      return
    }
    switch failure {
    case .requestRejected, .serverError:
      // The backend's own words: the caller reads them.
      let isOwn = ErrorBody(body, mediaType: head.mediaType).looksLikeJSON
      finish(
        isOwn ? .success(answer) : .failure(RestFailure(failure: failure, mayHaveArrived: true)))
    default: fail(failure)
    }
  }

  /// A 404 may mean a wrong address, a wrong token or a missing path. If other paths answer, the
  /// path is missing (wire contract 1.4).
  private func fail(_ failure: LinkFailure) {
    guard head?.status == 404, let feature = target.feature else {
      finish(.failure(RestFailure(failure: failure, mayHaveArrived: true)))
      return
    }
    othersAnswer { [weak self] isBackend in
      self?.finish(
        .failure(
          RestFailure(failure: isBackend ? .noRoute(feature) : failure, mayHaveArrived: true)))
    }
  }
}

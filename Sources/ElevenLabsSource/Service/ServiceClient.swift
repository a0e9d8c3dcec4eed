package import ElevenLabsWire
package import LenientJSON
package import Networking

/// Requests to the REST interface of ElevenLabs. The key goes into their headers and nowhere else.
@MainActor
package final class ServiceClient {
  package enum Problem: Error, Sendable, Equatable {
    case refused(ServiceRefusal)
    case unreachable(LinkFailure)
    /// An answer that is not what was asked for.
    case unreadable

    /// What happened and what to do; it may contain remote text.
    package var sentence: String {
      switch self {
      case .refused(let refusal): refusal.sentence
      case .unreachable(let failure):
        "\(failure.sentence) Check the network, and url in the profile."
      case .unreadable:
        "What answers is not the interface of ElevenLabs. Check url in the profile."
      }
    }
  }

  package let base: BackendURL
  package let hasKey: Bool
  private let key: String?
  private let transport: any Transport
  private let diagnosis: FailureDiagnosis
  private var calls: [ObjectIdentifier: Call] = [:]
  private static let timeouts = HTTPTimeouts(headersMs: 15_000, totalMs: 20_000)

  /// - Parameter key: nil for a public agent.
  package init(base: BackendURL, key: TokenText?, transport: any Transport) {
    self.base = base
    self.key = key?.withBytes { String(decoding: $0, as: UTF8.self) }
    hasKey = key != nil
    self.transport = transport
    diagnosis = FailureDiagnosis(base: base, token: key, proxy: transport.proxy(for: base))
  }

  /// - Parameter done: called once, asynchronously; not after `cancel`.
  package func get(
    _ path: [String], query: [RequestTarget.QueryItem] = [],
    done: @escaping @MainActor (Result<JSONValue, Problem>) -> Void
  ) {
    let request = HTTPRequest(
      base: base, target: RequestTarget(["v1"] + path, query: query), purpose: .rest, token: nil,
      headers: key.map { [HTTPHeader("xi-api-key", $0)] } ?? [], timeouts: Self.timeouts,
      maxBodyBytes: 8 << 20)
    let call = Call(diagnosis) { [weak self] call, result in
      self?.calls[ObjectIdentifier(call)] = nil
      done(result)
    }
    calls[ObjectIdentifier(call)] = call
    call.task = transport.open(request, delegate: call)
  }

  /// Nothing is called back any more.
  package func cancel() {
    for call in calls.values { call.task?.cancel() }
    calls = [:]
  }

  private final class Call: TransportDelegate {
    var task: (any TransportTask)?
    private var head: HTTPHead?
    private var body: [UInt8] = []
    private let diagnosis: FailureDiagnosis
    private let done: @MainActor (Call, Result<JSONValue, Problem>) -> Void

    init(
      _ diagnosis: FailureDiagnosis,
      _ done: @escaping @MainActor (Call, Result<JSONValue, Problem>) -> Void
    ) {
      self.diagnosis = diagnosis
      self.done = done
    }

    func transfer(_ task: any TransportTask, received head: HTTPHead) { self.head = head }

    func transfer(_ task: any TransportTask, received bytes: UnsafeRawBufferPointer) {
      body.append(contentsOf: bytes)
    }

    func transfer(_ task: any TransportTask, ended end: TransportEnd) {
      if let error = end.error {
        return done(self, .failure(.unreachable(diagnosis.failure(error))))
      }
      let status = head?.status ?? 0
      // A server may repeat the key that it refuses.
      if let clean = body.withUnsafeBytes({ diagnosis.token?.redact($0) }) { body = clean }
      guard (200...299).contains(status) else {
        return done(self, .failure(.refused(ServiceRefusal(status: status, body: body))))
      }
      guard let value = try? JSONValue.parse(body), value.object != nil else {
        return done(self, .failure(.unreadable))
      }
      done(self, .success(value))
    }
  }
}

internal import Gzip
internal import Networking
internal import Synchronization

/// Requests with gzip.
package enum SinkCompression {
  /// Smaller bodies are sent plain.
  static let leastBytes = 1024

  /// Sends requests with compressed bodies. A far end that answers 415 gets plain ones from then on, and that request at
  /// once. It runs on the thread of the sink.
  package static func over(_ http: @escaping SinkHTTP) -> SinkHTTP {
    let isRefused = Refusal()
    return { request in
      guard request.body.count >= leastBytes, !isRefused.isKnown,
        let packed = Gzip.pack(request.body), packed.count < request.body.count
      else { return http(request) }
      var small = request
      small.body = packed
      small.headers.append(HTTPHeader("Content-Encoding", "gzip"))
      let reply = http(small)
      guard case .answer(415, _, _, _) = reply else { return reply }
      isRefused.note()
      return http(request)
    }
  }

  /// Whether the far end has refused a compressed request.
  private final class Refusal: Sendable {
    private let known = Mutex(false)

    var isKnown: Bool { known.withLock(\.self) }
    func note() { known.withLock { $0 = true } }
  }
}

/// Reads the answer to one request to its end, within the request's `maxBodyBytes`.
@MainActor
package final class WholeAnswer: TransportDelegate {
  private var head: HTTPHead?
  private var body: [UInt8] = []
  private let done: (Result<(status: Int, body: [UInt8]), TransportError>) -> Void

  private init(_ done: @escaping (Result<(status: Int, body: [UInt8]), TransportError>) -> Void) {
    self.done = done
  }

  /// - Parameter done: called once, unless the transport is shut down before.
  package static func read(
    _ request: HTTPRequest, on transport: any Transport,
    _ done: @escaping @MainActor (Result<(status: Int, body: [UInt8]), TransportError>) -> Void
  ) {
    _ = transport.open(request, delegate: WholeAnswer(done))
  }

  package func transfer(_ task: any TransportTask, received head: HTTPHead) { self.head = head }

  package func transfer(_ task: any TransportTask, received bytes: UnsafeRawBufferPointer) {
    body += bytes
  }

  package func transfer(_ task: any TransportTask, ended end: TransportEnd) {
    if let error = end.error { return done(.failure(error)) }
    done(.success((head?.status ?? 0, body)))
  }
}

package import Networking

/// Whether an address answers at all, whatever it says: services differ in what they say to a probe.
@MainActor
package final class SpeechProbe: TransportDelegate {
  private var isAnswered = false
  private var done: ((Bool) -> Void)?

  package static func answers(
    _ url: BackendURL, on transport: any Transport, clock: any LinkClock
  ) async -> Bool {
    let probe = SpeechProbe()
    return await withCheckedContinuation { continuation in
      probe.done = { continuation.resume(returning: $0) }
      let request = HTTPRequest(
        base: url, target: RequestTarget([]), purpose: .rest, token: nil,
        timeouts: HTTPTimeouts(totalMs: 10_000), maxBodyBytes: 1 << 20)
      _ = transport.open(request, delegate: probe)
    }
  }

  package func transfer(_ task: any TransportTask, received head: HTTPHead) { isAnswered = true }

  package func transfer(_ task: any TransportTask, received bytes: UnsafeRawBufferPointer) {}

  package func transfer(_ task: any TransportTask, ended end: TransportEnd) {
    done?(isAnswered)
    done = nil
  }
}

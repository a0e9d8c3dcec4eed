import CockpitDemo
import CurlTransport
import MainLoop
import Networking

/// Backends that stay open between the runs of one process: their connections, their token and, for the
/// demo, its server. A run that ends leaves them open; `close` ends them.
@MainActor
package final class KeptBackends {
  /// The selected backend.
  struct Key: Hashable {
    /// The address, or the scenario of the demo.
    var place: String
    var caFile: String?
  }

  struct Kept {
    var url: BackendURL
    var token: TokenText?
    var tokenPlace: String?
    var transport: CurlTransport
    var clock: any LinkClock
    var demo: DemoServer?
  }

  private let loop: any EventLoop
  private var kept: [Key: Kept] = [:]
  /// Of a clock that is no run's: `DispatchClock` ends its timers.
  private var ends: [@MainActor () -> Void] = []

  package init(loop: any EventLoop) { self.loop = loop }

  subscript(key: Key) -> Kept? { kept[key] }

  /// - Parameter end: ends the timers of the transport.
  func keep(_ backend: Kept, as key: Key, end: @escaping @MainActor () -> Void) {
    kept[key] = backend
    ends.append(end)
  }

  /// Forgets all, so that the next run reads the token and connects anew.
  package func close() {
    for backend in kept.values { backend.transport.shutdown() }
    kept = [:]
    for end in ends { end() }
    ends = []
  }
}

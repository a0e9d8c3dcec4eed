import Foundation

/// Why the demo backend did not start.
package enum DemoServerError: Error, CustomStringConvertible {
  case cannotListen(port: UInt16, reason: String)

  package var description: String {
    switch self {
    case .cannotListen(let port, let reason):
      "The demo backend cannot listen on 127.0.0.1 port \(port): \(reason). Choose another with --port; 0 takes a free one."
    }
  }
}

/// An embedded backend that behaves like the real one on the wire: HTTP on 127.0.0.1, the REST
/// routes, both event streams, and a story that keeps them busy.
package final class DemoServer: Sendable {
  /// The base URL, without a trailing slash.
  package let url: String
  /// The bound port.
  package let port: UInt16
  /// The dashboard token at start; empty means open access.
  package let token: String
  /// The name of the bot on Discord.
  package let tag: String

  private let engine: DemoEngine
  private let listener: HTTPListener
  private let driver: Task<Void, Never>

  private init(
    port: UInt16, token: String, tag: String, engine: DemoEngine, listener: HTTPListener,
    driver: Task<Void, Never>
  ) {
    url = "http://127.0.0.1:\(port)"
    self.port = port
    self.token = token
    self.tag = tag
    self.engine = engine
    self.listener = listener
    self.driver = driver
  }

  /// Starts a backend; throws `DemoServerError`.
  package static func start(_ options: DemoOptions = DemoOptions()) async throws -> DemoServer {
    let token = options.token ?? makeToken(clock: options.clock, seed: options.seed)
    let listener = try HTTPListener.bound(to: options.port)
    let engine = DemoEngine(options: options, token: token, port: listener.port)
    await engine.begin(dropConnections: { [weak listener] in listener?.dropConnections() })
    try await listener.serve(clock: options.clock) { await engine.handle($0) }
    let driver = Task { await engine.drive() }
    return DemoServer(
      port: listener.port, token: token, tag: Cast.tag(options.bot), engine: engine,
      listener: listener, driver: driver)
  }

  /// An unguessable token, or one derived from the seed if the clock is not the machine's.
  static func makeToken(clock: any DemoClock, seed: UInt64) -> String {
    if clock is SystemDemoClock {
      var random = SystemRandomNumberGenerator()
      return "demo-" + String(random.next(), radix: 36) + String(random.next(), radix: 36)
    }
    var random = DemoRandom(seed: seed &+ 77)
    return "demo-" + random.token(24)
  }

  /// Ends every connection, the story and the listener.
  package func stop() async {
    driver.cancel()
    await engine.stop()
    await driver.value
    await listener.stop()
  }

  /// Every request answered so far, oldest first.
  package func log() async -> [RequestRecord] { await engine.requests }

  /// The ground truth so far, from the scenario (docs/demo.md); JSON text.
  package func truth() async -> [UInt8] { await engine.truth.file }

  /// A number that changes when the truth does.
  package func truthRevision() async -> Int { await engine.truthRevision }

  /// Starts or ends a disturbance.
  package func inject(_ fault: DemoFault) async { await engine.inject(fault) }

  /// Writes an action now, as the bot would. `guild`, `channel`, `message` and `user` may be nil.
  package func emit(
    kind: String, content: DemoJSON? = nil, metadata: DemoJSON? = nil, cost: Double? = nil,
    guild: String? = nil, channel: String? = nil, message: String? = nil, user: String? = nil
  ) async {
    await engine.emit(
      kind: kind, content: content, metadata: metadata, cost: cost,
      place: Place(guild: guild, channel: channel), message: message, user: user)
  }

  /// Runs everything that is due at the clock's present time. With a manual clock this makes
  /// `advance` followed by `catchUp` deterministic.
  package func catchUp() async { await engine.catchUp() }

  /// Every action kind written so far, the seeded past included.
  package func kinds() async -> Set<String> { await engine.kinds }

  /// Connected event streams: (activity, voice).
  package func streamCount() async -> (activity: Int, voice: Int) { await engine.streamCount }
}

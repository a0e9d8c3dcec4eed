import FlyingSocks
import Foundation

/// A demo of an OpenClaw gateway on 127.0.0.1: WebSocket and a few HTTP routes on one port, and a story.
package final class GatewayServer: Sendable {
  /// The address, `ws://127.0.0.1:PORT`.
  package let url: String
  package let port: UInt16
  /// The gateway's shared token.
  package let token: String
  /// Lets one device in, once.
  package let setupCode: String

  private let engine: GatewayEngine
  private let listener: HTTPListener
  private let driver: Task<Void, Never>

  private init(
    port: UInt16, token: String, bootstrapToken: String, engine: GatewayEngine,
    listener: HTTPListener,
    driver: Task<Void, Never>
  ) {
    url = "ws://127.0.0.1:\(port)"
    self.port = port
    self.token = token
    let code: DemoJSON = [
      "url": .string(url), "bootstrapToken": .string(bootstrapToken),
    ]
    setupCode = ByteText.url(Array(code.text.utf8))
    self.engine = engine
    self.listener = listener
    self.driver = driver
  }

  /// Starts a gateway; throws `DemoServerError`.
  package static func start(_ options: GatewayOptions) async throws -> GatewayServer {
    let token = options.token ?? DemoServer.makeToken(clock: options.clock, seed: options.seed)
    let listener = try HTTPListener.bound(to: options.port)
    let bootstrap = "bt_" + DemoServer.makeToken(clock: options.clock, seed: options.seed &+ 1)
    let engine = GatewayEngine(options: options, token: token, bootstrapToken: bootstrap)
    await engine.begin()
    try await listener.serve(clock: options.clock, bodyLimit: GatewayRoutes.bodyLimit) {
      await engine.handle($0)
    }
    let driver = Task { await engine.drive() }
    return GatewayServer(
      port: listener.port, token: token, bootstrapToken: bootstrap, engine: engine,
      listener: listener, driver: driver)
  }

  /// Ends every connection, the story and the listener.
  package func stop() async {
    driver.cancel()
    await engine.stop()
    await driver.value
    await listener.stop()
  }

  /// What really happened so far (docs/demo.md); JSON text.
  package func truth() async -> [UInt8] { await engine.truth }

  /// A number that changes when the truth does.
  package func truthRevision() async -> Int { await engine.truthRevision }

  /// Starts or ends a disturbance.
  package func inject(_ fault: GatewayFault) async { await engine.inject(fault) }

  /// Runs everything that is due at the clock's present time.
  package func catchUp() async { await engine.catchUp() }
}

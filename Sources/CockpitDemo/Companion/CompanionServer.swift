import Foundation

/// A demo of a companion gateway on 127.0.0.1: pairing over HTTP and sessions over WebSocket on one port.
package final class CompanionServer: Sendable {
  /// The address, `http://127.0.0.1:PORT`.
  package let url: String
  package let port: UInt16
  private let engine: CompanionEngine
  private let listener: HTTPListener
  private let driver: Task<Void, Never>

  private init(
    port: UInt16, engine: CompanionEngine, listener: HTTPListener, driver: Task<Void, Never>
  ) {
    url = "http://127.0.0.1:\(port)"
    self.port = port
    self.engine = engine
    self.listener = listener
    self.driver = driver
  }

  /// Starts a server; throws `DemoServerError`.
  package static func start(_ options: CompanionOptions) async throws -> CompanionServer {
    let listener = try HTTPListener.bound(to: options.port)
    let engine = CompanionEngine(options: options, port: listener.port)
    try await listener.serve(clock: options.clock) { await engine.handle($0) }
    let driver = Task { await engine.drive() }
    return CompanionServer(
      port: listener.port, engine: engine, listener: listener, driver: driver)
  }

  /// Ends every session and the listener.
  package func stop() async {
    driver.cancel()
    await engine.stop()
    await driver.value
    await listener.stop()
  }

  /// A new pairing payload, as its QR code would have it; JSON text. It works once, for five minutes.
  package func pairingPayload() async -> String { await engine.pairingPayload() }

  /// What capability tokens are signed with, base64url.
  package func publicKey() async -> String { await engine.publicKey }

  /// What really happened so far; JSON text.
  package func truth() async -> [UInt8] { await engine.truth }

  /// A number that changes when the truth does.
  package func truthRevision() async -> Int { await engine.truthRevision }
}

/// How the demo of a companion gateway behaves.
package struct CompanionOptions: Sendable {
  /// What happens in a session.
  package enum Scenario: String, Sendable, CaseIterable {
    /// The agent greets, asks for something of each family, draws, and raises every level of attention.
    case story
    /// Nothing happens until somebody writes.
    case quiet
  }

  package var port: UInt16
  package var seed: UInt64
  /// How fast the story is; 1 is real time.
  package var rate: Double
  package var scenario: Scenario
  /// Tell the truth at `GET /__demo/truth`, and take faults at `POST /__demo/fault`.
  package var hasControl: Bool
  package var clock: any DemoClock

  package init(
    port: UInt16 = 0, seed: UInt64 = 1, rate: Double = 1, scenario: Scenario = .story,
    hasControl: Bool = false, clock: any DemoClock = SystemDemoClock()
  ) {
    self.port = port
    self.seed = seed
    self.rate = rate
    self.scenario = scenario
    self.hasControl = hasControl
    self.clock = clock
  }
}

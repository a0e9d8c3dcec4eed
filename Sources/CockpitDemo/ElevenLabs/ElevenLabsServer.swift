import Foundation

/// A demo of the service of ElevenLabs agents on 127.0.0.1: its REST interface and its conversations on one port.
package final class ElevenLabsServer: Sendable {
  /// The address, `http://127.0.0.1:PORT`.
  package let url: String
  package let port: UInt16
  /// What opens the REST interface.
  package let key: String
  /// A private agent and a public one.
  package static let agent = Cast.ElevenLabs.juniper.id
  package static let publicAgent = Cast.ElevenLabs.linden.id

  private let engine: ElevenLabsEngine
  private let listener: HTTPListener
  private let driver: Task<Void, Never>

  private init(
    port: UInt16, key: String, engine: ElevenLabsEngine, listener: HTTPListener,
    driver: Task<Void, Never>
  ) {
    url = "http://127.0.0.1:\(port)"
    self.port = port
    self.key = key
    self.engine = engine
    self.listener = listener
    self.driver = driver
  }

  /// Starts a server; throws `DemoServerError`.
  package static func start(_ options: ElevenLabsOptions) async throws -> ElevenLabsServer {
    let key = options.key ?? DemoServer.makeToken(clock: options.clock, seed: options.seed)
    let listener = try HTTPListener.bound(to: options.port)
    let engine = ElevenLabsEngine(options: options, key: key, port: listener.port)
    await engine.begin()
    try await listener.serve(clock: options.clock) { await engine.handle($0) }
    let driver = Task { await engine.drive() }
    return ElevenLabsServer(
      port: listener.port, key: key, engine: engine, listener: listener, driver: driver)
  }

  /// Ends every conversation and the listener.
  package func stop() async {
    driver.cancel()
    await engine.stop()
    await driver.value
    await listener.stop()
  }

  /// What really happened so far; JSON text.
  package func truth() async -> [UInt8] { await engine.truth }

  /// A number that changes when the truth does.
  package func truthRevision() async -> Int { await engine.truthRevision }

  /// Runs everything that is due at the clock's present time.
  package func catchUp() async { await engine.catchUp() }
}

/// How the demo of ElevenLabs behaves.
package struct ElevenLabsOptions: Sendable {
  /// What happens there.
  package enum Scenario: String, Sendable, CaseIterable {
    /// Other users start and end conversations.
    case story
    /// No events until a client starts a conversation.
    case quiet
    /// An account without a past conversation.
    case empty
  }

  package var port: UInt16
  package var seed: UInt64
  /// How fast conversations of others and answers are; 1 is real time.
  package var rate: Double
  package var scenario: Scenario
  /// Nil makes one.
  package var key: String?
  /// Whether agents allow what a client overrides.
  package var allowsOverrides: Bool
  /// How often it pings, in ms; two pings without an answer end a conversation.
  package var pingMs: Int
  /// Without input for so long it ends a conversation, in ms.
  package var idleMs: Int
  /// How long an approval is waited for, in seconds.
  package var approvalSeconds: Int
  /// So many characters are left of the quota.
  package var charactersLeft: Int
  /// Tell the truth at `GET /__demo/truth`.
  package var hasControl: Bool
  package var clock: any DemoClock

  package init(
    port: UInt16 = 0, seed: UInt64 = 1, rate: Double = 1, scenario: Scenario = .story,
    key: String? = nil, allowsOverrides: Bool = true, pingMs: Int = 2_000, idleMs: Int = 60_000,
    approvalSeconds: Int = 60, charactersLeft: Int = 58_200,
    hasControl: Bool = false, clock: any DemoClock = SystemDemoClock()
  ) {
    self.port = port
    self.seed = seed
    self.rate = rate
    self.scenario = scenario
    self.key = key
    self.allowsOverrides = allowsOverrides
    self.pingMs = pingMs
    self.idleMs = idleMs
    self.approvalSeconds = approvalSeconds
    self.charactersLeft = charactersLeft
    self.hasControl = hasControl
    self.clock = clock
  }
}

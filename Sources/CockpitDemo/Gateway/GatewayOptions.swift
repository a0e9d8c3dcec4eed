/// What the demo is a demo of.
package enum DemoKind: String, Sendable, CaseIterable {
  /// The backend of a Clanky bot.
  case clanky
  /// A gateway of OpenClaw.
  case openclaw
  /// A service of ElevenLabs conversations.
  case elevenlabs
  /// A companion gateway.
  case companion
}

/// How the demo gateway behaves.
package struct GatewayOptions: Sendable {
  /// Bytes of a message before connect (contract 15).
  static let firstFrameLimit = 64 << 10
  /// Bytes of a message after it.
  static let maxPayload = 25 << 20

  /// What happens at the gateway.
  package enum Scenario: String, Sendable, CaseIterable {
    /// Runs, approvals, questions, a failing cron job, another operator, over and over.
    case story
    /// Agents that do nothing until they are asked.
    case quiet
    /// The story with hostile text in every string.
    case hostile
    /// The story, and a fault every twenty seconds.
    case faults
    /// A gateway that was just installed.
    case empty
  }

  package var port: UInt16
  package var seed: UInt64
  /// How fast the story runs; 1 is real time.
  package var rate: Double
  package var scenario: Scenario
  /// 3 or 4.
  package var protocolVersion: Int
  /// Nil makes one.
  package var token: String?
  /// Whether an unknown device has to be approved; else it is approved silently, as on loopback.
  package var asksForPairing: Bool
  /// Seconds until the gateway restarts; nil never.
  package var restartAfterSeconds: Double?
  /// How often it ticks.
  package var tickMs: Int
  /// How far its clock is off.
  package var clockOffsetMs: Int64
  /// Bytes that may wait for a client that does not read.
  package var maxBufferedBytes: Int
  /// Take faults at `POST /__demo/fault`, and tell requests and truth.
  package var hasControl: Bool
  package var clock: any DemoClock

  package init(
    port: UInt16 = 0, seed: UInt64 = 1, rate: Double = 1, scenario: Scenario = .story,
    protocolVersion: Int = 4, token: String? = nil, asksForPairing: Bool = false,
    restartAfterSeconds: Double? = nil, tickMs: Int = 30_000, clockOffsetMs: Int64 = 0,
    maxBufferedBytes: Int = 50 << 20, hasControl: Bool = false,
    clock: any DemoClock = SystemDemoClock()
  ) {
    self.port = port
    self.seed = seed
    self.rate = rate
    self.scenario = scenario
    self.protocolVersion = protocolVersion
    self.token = token
    self.asksForPairing = asksForPairing
    self.restartAfterSeconds = restartAfterSeconds
    self.tickMs = tickMs
    self.clockOffsetMs = clockOffsetMs
    self.maxBufferedBytes = maxBufferedBytes
    self.hasControl = hasControl
    self.clock = clock
  }
}

/// Which release of the backend to imitate (contract, header: M and Y).
package enum DemoDialect: String, Sendable, CaseIterable {
  /// The state of 2026-03-14 (M).
  case march
  /// The last v1 state, 2026-05-10 (Y).
  case may
}

/// The story of the demo backend.
package enum DemoScenario: String, Sendable, CaseIterable {
  /// Three servers, one voice session, everything a bot does within a minute.
  case story
  /// Connected and idle: ticks but no actions.
  case quiet
  /// A voice session with twelve people, its state about 100 KB, and no actions: only ages move.
  case parked
  /// The story with three times as much text traffic.
  case busy
  /// Two voice sessions at once.
  case voice
  /// Rows full of escape sequences, bidi controls, broken surrogates, huge prompts, odd shapes.
  case hostile
  /// The story while transport faults come and go.
  case faults
  /// A bot that has just been installed: no history, no facts, no actions.
  case empty
  /// A bot in trouble: models fail, the gateway drops, tools time out, the tunnel is down.
  case failing
  /// Nothing happens any more: 14 days lie behind, the last evening full of sessions, bursts and errors.
  case evening
  /// A finished past of twelve hours, with every kind of silence and failure that an owner asks
  /// about. The ground truth is in `DemoServer.truth()`.
  case night

  /// How much of the story is written before the start, in ms.
  var pastMs: Int64 { self == .night ? 12 * 3_600_000 : 0 }
}

/// Switches for the fault injection of `DemoServer`.
package struct DemoFaults: Sendable {
  /// Serve `POST /__demo/fault`, `GET /__demo/rows` and `/__demo/log` (no credentials), so that
  /// tests in other processes can inject faults and compare with the actual state.
  package var httpControl: Bool
  /// Faults active from the start.
  package var initial: [DemoFault]
  /// Serve `POST /api/voice/leave`, which the real backend does not have (contract 3.4.2).
  package var leaveRoute: Bool

  package init(httpControl: Bool = false, initial: [DemoFault] = [], leaveRoute: Bool = false) {
    self.httpControl = httpControl
    self.initial = initial
    self.leaveRoute = leaveRoute
  }

  /// No faults, no control route.
  package static let none = DemoFaults()
}

/// A disturbance of the demo backend.
package enum DemoFault: Sendable, Equatable {
  /// What can go wrong with a save of the settings.
  package enum Save: String, Sendable, CaseIterable {
    /// A concurrent save of another setting comes first.
    case conflict
    /// It is stored, and the connection breaks before the answer.
    case lostAnswer
    /// The connection breaks before it is stored.
    case lostRequest
    /// It is stored, and live sessions are not told.
    case notApplied
    /// It is stored, and the answer is no JSON.
    case oddAnswer
  }

  /// Event streams answer 200 and then stay silent (contract 2.9).
  case stalledStream
  /// Every stream is cut this many bytes into its next event.
  case cutMidEvent(afterBytes: Int)
  /// Streams arrive a few bytes at a time, split inside lines and characters.
  case slowDrip
  /// The configured token changes; the old one and its cookies stop working.
  case rotateToken(String)
  /// API requests fail with 500; the next `count` ones, or all when nil.
  case http500(count: Int?)
  /// Every API reply is delayed by this many milliseconds.
  case slowREST(ms: Int)
  /// The state of the public tunnel (contract 7.6): `ready`, `error`, `stopped`, `starting`, `idle`.
  case tunnelStatus(String)
  /// A second voice session starts.
  case secondSession
  /// All open connections are closed once.
  case dropConnections
  /// API requests get an HTML page with status 200, as from a captive portal.
  case htmlPage(count: Int?)
  /// Requests are answered by closing the connection.
  case closeImmediately(count: Int?)
  /// API requests are redirected there with 302.
  case redirect(to: String, count: Int?)
  /// Every API request is answered 404, credentials or not.
  case hideBehind404
  /// The route of this method (nil: any) and this path does not exist; a `*` stands for one segment.
  case missingRoute(method: String?, path: String)
  /// The oldest live voice session vanishes without an end, as in a crash of the bot; without its start where the
  /// log was pruned.
  case crashSession(keepsStart: Bool)
  /// The next `POST /api/voice/join` ends with this reason (contract 3.4.1).
  case joinOutcome(String)
  /// The next `PUT /api/settings` goes wrong.
  case settingsSave(Save)
  /// Ends all continuing faults.
  case clear
}

/// The behaviour of the demo backend.
package struct DemoOptions: Sendable {
  /// Port on 127.0.0.1; 0 picks a free one.
  package var port: UInt16
  /// The same seed (and clock) gives the same rows.
  package var seed: UInt64
  /// Story speed: 2 means twice as many events per second. Clamped to 0.05 … 50.
  package var rate: Double
  /// Additional plausible rows per second, evenly spread; nil for none. Voice sessions of the
  /// `story` and `busy` scenarios are left out then, so that the load is rows and not prompts.
  package var flood: Int?
  /// The story.
  package var scenario: DemoScenario
  /// The dashboard token. nil: one is made up; empty: open access without a token (contract 1.3).
  package var token: String?
  /// Which release to imitate.
  package var dialect: DemoDialect
  /// Requests with this `Host` or `X-Forwarded-Host` count as tunnel traffic (contract 1.4).
  package var tunnelHost: String?
  /// `PUBLIC_HTTPS_ENABLED` of the backend.
  package var publicHTTPS: Bool
  /// Disturbances and optional routes.
  package var faults: DemoFaults
  /// The time source of rows, ticks and the story.
  package var clock: any DemoClock
  /// How much of the story has happened before the server starts, in real ms: a single snapshot
  /// then shows the bot at work.
  package var leadMs: Int
  /// Rows older than the start, spread over 14 days.
  package var history: Int
  /// `PUBLIC_API_TOKEN` of the backend: good for the frame ingest route only (contract 1.1).
  package var publicToken: String?
  /// `ACTION_LOG_MAX_ROWS` of the backend: rows beyond this many are deleted, oldest first.
  package var maxRows: Int
  /// Additional made-up facts, spread over subjects of at most 400 each: a bot that has been
  /// remembering for years.
  package var facts: Int
  /// Which of several bots it is, from 0 on: they have tags of their own.
  package var bot = 0

  package init(
    port: UInt16 = 0, seed: UInt64 = 1, rate: Double = 1, flood: Int? = nil,
    scenario: DemoScenario = .story, token: String? = nil, dialect: DemoDialect = .may,
    tunnelHost: String? = nil, publicHTTPS: Bool = true, faults: DemoFaults = .none,
    clock: any DemoClock = SystemDemoClock(), history: Int = 400,
    publicToken: String? = nil, maxRows: Int = 120_000, facts: Int = 0, leadMs: Int = 0
  ) {
    self.port = port
    self.seed = seed
    // The past was written at normal speed.
    self.rate = scenario == .night ? 1 : min(50, max(0.05, rate))
    self.flood = flood
    self.scenario = scenario
    self.token = token
    self.dialect = dialect
    self.tunnelHost = tunnelHost
    self.publicHTTPS = publicHTTPS
    self.faults = faults
    self.clock = clock
    self.history = max(0, history)
    self.leadMs = min(600_000, max(0, leadMs))
    self.publicToken = publicToken
    self.maxRows = max(1, maxRows)
    self.facts = min(200_000, max(0, facts))
  }
}

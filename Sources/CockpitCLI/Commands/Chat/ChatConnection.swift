import CockpitChat
import CockpitDemo
import CockpitFiles
import CockpitSession
import CockpitStores
import CompanionSource
import CurlTransport
import DeviceKeys
import ElevenLabsSource
import MainLoop
import Networking
import OpenClawSource
import OpenClawWire

/// How `chat` reaches its agents.
enum ChatRoute: String, CaseIterable {
  /// A gateway's WebSocket.
  case ws
  case chat, responses

  /// nil for the WebSocket.
  var interface: ChatInterface? { ChatInterface(rawValue: rawValue) }
}

/// The connection of one `chat`.
@MainActor
final class ChatConnection {
  private static let connectMs: UInt64 = 20_000

  let backend: any ChatBackend
  private let talk: GatewayTalk?
  private let transport: CurlTransport
  private let clock: DispatchClock
  /// Of a gateway over its WebSocket: a message without an agent goes to this one.
  private(set) var defaultAgent: String?
  /// The demo lives as long as its connection.
  private let demo: (any Sendable)?
  /// Of an agent of ElevenLabs.
  private let live: LiveConversation?
  private let companion: CompanionTrial?
  private let isServer: Bool

  private init(
    _ backend: any ChatBackend, _ talk: GatewayTalk?, _ transport: CurlTransport,
    _ clock: DispatchClock, isServer: Bool = false, live: LiveConversation? = nil,
    companion: CompanionTrial? = nil, demo: (any Sendable)? = nil
  ) {
    self.companion = companion
    self.live = live
    self.backend = backend
    self.talk = talk
    self.transport = transport
    self.clock = clock
    self.isServer = isServer
    self.demo = demo
  }

  /// Opens what the settings name.
  ///
  /// - Parameter route: nil leaves it to the profile.
  static func open(
    _ settings: Settings, _ route: ChatRoute?, in environment: Environment
  ) async throws -> ChatConnection {
    let loop = environment.eventLoop
    if settings.opensChatServer {
      guard route != .ws else {
        throw Failure(.usage, "only a gateway has a WebSocket; --api chat or --api responses")
      }
      let server = try await OwnThread.run {
        Result { () throws(Failure) in try settings.chatServer(route?.interface) }
      }.get()
      let (transport, clock) = try OpenedSource.transport(
        settings, caFile: settings.caFile, origin: try settings.originTLS(), to: server.base,
        on: loop)
      return ChatConnection(
        HTTPChat(server, transport: transport, clock: clock), nil, transport, clock,
        isServer: true)
    }
    if settings.isElevenLabs {
      guard route == nil || route == .ws else {
        throw Failure(.usage, "an agent of ElevenLabs has a WebSocket alone; leave --api out")
      }
      return try await elevenLabs(settings, on: loop)
    }
    if settings.isCompanion {
      guard route == nil || route == .ws else {
        throw Failure(.usage, "a companion gateway has a WebSocket alone; leave --api out")
      }
      return try await companion(settings, on: loop)
    }
    if settings.options.source == .gatewayDemo { return try await demo(settings, route, on: loop) }
    guard settings.options.source == nil else {
      throw Failure(
        .usage,
        "the demo bot has no agents to talk to; --demo openclaw, elevenlabs and companion have")
    }
    return try await gateway(settings, route, on: loop)
  }

  /// Conversations with the agent of the profile, or with that of the demo.
  private static func elevenLabs(
    _ settings: Settings, on loop: any EventLoop
  ) async throws -> ChatConnection {
    let setup: Conversation.Setup
    let agent: String
    let base: BackendURL
    let key: TokenText?
    var demo: ElevenLabsServer?
    var profile: ElevenLabsSettings?
    if settings.options.source == .elevenLabsDemo {
      let server = try await ElevenLabsServer.start(ElevenLabsOptions(scenario: .quiet))
      setup = Conversation.Setup(version: programVersion)
      (agent, base, key) = (
        ElevenLabsServer.agent, try BackendURL(server.url), try TokenText(server.key)
      )
      demo = server
    } else {
      let service = try settings.elevenLabs()
      profile = service
      setup = service.setup
      (agent, base) = (service.agent, service.base)
      key = try await OwnThread.run {
        Result { () throws(Failure) in try service.key() }
      }.get()
    }
    let (transport, clock) = try OpenedSource.transport(
      settings, caFile: settings.caFile, origin: try settings.originTLS(), on: loop)
    let live = LiveConversation(
      setup, agent: agent, client: ServiceClient(base: base, key: key, transport: transport),
      transport: transport, clock: clock)
    profile?.serveTools(of: live)
    return ChatConnection(
      AgentChat(live), nil, transport, clock, isServer: true, live: live, demo: demo)
  }

  /// A session with the companion gateway of the profile, or with that of the demo.
  private static func companion(
    _ settings: Settings, on loop: any EventLoop
  ) async throws -> ChatConnection {
    let trial: CompanionTrial
    let transport: CurlTransport
    let clock: DispatchClock
    if settings.options.source == .companionDemo {
      (transport, clock) = try OpenedSource.transport(settings, caFile: nil, on: loop)
      trial = try await CompanionTrial.demo(transport: transport, clock: clock)
    } else {
      let companion = try CompanionSettings(settings)
      let secrets = try await OwnThread.run {
        Result { () throws(Failure) in try companion.secrets() }
      }.get()
      (transport, clock) = try companion.transport(on: loop)
      trial = CompanionTrial(companion, secrets, transport: transport, clock: clock)
    }
    let connection = ChatConnection(
      trial.source.chat, nil, transport, clock, isServer: true, companion: trial)
    do throws(Failure) {
      try await trial.open(withinMs: connectMs)
    } catch {
      connection.close()
      throw error
    }
    return connection
  }

  private static func gateway(
    _ settings: Settings, _ route: ChatRoute?, on loop: any EventLoop
  ) async throws -> ChatConnection {
    let gateway = try GatewaySettings(settings)
    if let reason = gateway.readOnlyReason { throw Failure(.usage, reason) }
    let identity = try await GatewaySession.identity(gateway)
    let (transport, clock) = try OpenedSource.transport(
      settings, caFile: gateway.caFile, origin: gateway.originTLS, to: gateway.url.base,
      of: gateway.profile, on: loop)
    let chosen = route ?? gateway.gateway.interface.flatMap(ChatRoute.init) ?? .ws
    if let interface = chosen.interface {
      let server = gateway.chatServer(identity, interface)
      return ChatConnection(
        HTTPChat(server, transport: transport, clock: clock), nil, transport, clock)
    }
    let device = identity.key.id
    let given = GivenToken()
    let connection = try await connect(gateway.request, identity, transport, clock) {
      given.value = ($0, $1)
    }
    // Before the message: the program ends soon after the answer.
    if let (token, granted) = given.value {
      let problem = await gateway.keep(token, device: device, granted: granted)
      if let problem { settings.output.complain(problem) }
    }
    return connection
  }

  /// What the gateway gave this device at its greeting; nil in it deletes what is saved.
  private final class GivenToken {
    var value: (String?, [String])?
  }

  private static func demo(
    _ settings: Settings, _ route: ChatRoute?, on loop: any EventLoop
  ) async throws -> ChatConnection {
    let server = try await GatewayServer.start(GatewayOptions(scenario: .quiet))
    let (transport, clock) = try OpenedSource.transport(settings, caFile: nil, on: loop)
    let url = try WebSocketURL(server.url, insecure: false)
    if let interface = route?.interface {
      let chat = HTTPChat(
        ChatServer(kind: .gateway, base: url.base, secret: server.token, interface: interface),
        transport: transport, clock: clock)
      return ChatConnection(chat, nil, transport, clock, demo: server)
    }
    guard let text = DeviceKey.makeText(), let key = DeviceKey(text: text) else {
      throw Failure(.failed, "no key can be made: the system gives no random bytes")
    }
    let identity = GatewayIdentity(
      key: key,
      client: .init(
        version: programVersion, platform: "linux", instanceId: key.id,
        displayName: "clanky-cockpit"), scopes: ["operator.read", "operator.write"],
      token: server.token, deviceToken: nil)
    return try await connect(
      WebSocketRequest(url: url), identity, transport, clock, demo: server
    ) { _, _ in }
  }

  private static func connect(
    _ request: WebSocketRequest, _ identity: GatewayIdentity, _ transport: CurlTransport,
    _ clock: DispatchClock, demo: GatewayServer? = nil,
    store: @escaping @MainActor (String?, [String]) -> Void
  ) async throws -> ChatConnection {
    var talk: GatewayTalk?
    let failure: Failure? = await awaitCallback(ifCancelled: .interrupted) { done in
      let opened = GatewayTalk(
        request, identity: identity, transport: transport, clock: clock, store: store
      ) { state in
        switch state {
        case .connected: done(nil)
        // It takes connections in a moment.
        case .waiting(_, .refused(.starting)): break
        case .stopped(let loss), .waiting(_, let loss):
          done(Failure(loss.isRefusal ? .authentication : .connection, loss.sentence))
        case .pairing(_, _, let refusal): done(Failure(.authentication, "\(refusal)"))
        case .idle, .connecting, .greeting: break
        }
      }
      talk = opened
      _ = clock.schedule(afterNs: Nanoseconds.milliseconds(connectMs)) {
        done(Failure(.connection, "The gateway did not answer in time. Try again."))
      }
      opened.start()
    }
    guard let talk else { throw Failure.interrupted }
    let connection = ChatConnection(talk.chat, talk, transport, clock, demo: demo)
    if let failure {
      connection.close()
      throw failure
    }
    connection.defaultAgent = talk.greeting?.defaultAgentId
    return connection
  }

  /// The agent that is meant: the named one, the gateway's default, or the only one.
  ///
  /// - Returns: nil where the server decides.
  func agent(_ named: String?) async throws(Failure) -> String? {
    if let named { return isServer ? named : ChatServer.agentId(named) }
    guard talk != nil else { return nil }
    if let defaultAgent { return defaultAgent }
    let backend = backend
    let result: Result<[ChatAgent], ChatFailure> = await awaitCallback(
      ifCancelled: .failure(ChatFailure(.connection, ""))
    ) { backend.agents($0) }
    if Task.isCancelled { throw .interrupted }
    switch result {
    case .success(let agents):
      guard let first = agents.first, agents.count == 1 else {
        throw Failure(
          .usage,
          "which agent? --agent \(agents.prefix(20).map(\.id).joined(separator: ", or --agent "))")
      }
      return first.id
    case .failure(let failure): throw Failure(failure)
    }
  }

  func after(ms: Int, _ body: @escaping @MainActor () -> Void) {
    _ = clock.schedule(afterNs: Nanoseconds.milliseconds(UInt64(max(0, ms))), body)
  }

  func close() {
    talk?.stop()
    live?.stop()
    companion?.close()
    (backend as? HTTPChat)?.cancelAll()
    transport.shutdown()
    clock.cancelAll()
  }
}

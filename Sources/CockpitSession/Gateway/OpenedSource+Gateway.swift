import CockpitChat
import CockpitDemo
import CockpitFiles
import CurlTransport
import DeviceKeys
import MainLoop
import Networking
import OpenClawSource
import OpenClawWire

extension Settings {
  /// Whether the profile in use is a gateway, and no address or demo overrides it.
  var opensGateway: Bool {
    profile.gateway != nil && options.url == nil && options.source == nil
  }

  /// Whether the source is one of agents that has rows: that of the profile, or the demo's.
  package var isGateway: Bool {
    options.source == .gatewayDemo || opensGateway || isElevenLabs || isCompanion
  }

  /// The gateway of the profile in use.
  package func gatewaySettings() throws(Failure) -> GatewaySettings {
    var named = self
    named.options.profile = profileName
    return try GatewaySettings(named)
  }

  /// The address by which the histories and alarms of the bot or gateway in use are found.
  package func sourceName() throws(Failure) -> String {
    if opensElevenLabs { return try elevenLabs().name }
    if opensCompanion { return try CompanionSettings(self).url.base.description }
    return opensGateway
      ? try gatewaySettings().url.base.description : try backendURL().description
  }
}

/// OpenClaw gateways as sources.
extension OpenedSource {
  /// The gateway of the profile in use. Its secrets are looked for beside the main thread: a keyring or a command
  /// may wait for the user.
  ///
  /// - Parameter isCockpit: whether this device also connects as a node, where the profile says so. One program at a
  ///   time may: a gateway takes the newest connection for the node.
  static func openGateway(
    _ settings: Settings, on loop: any EventLoop, isCockpit: Bool
  ) async throws -> OpenedSource {
    typealias Identities = (GatewayIdentity, node: GatewayIdentity?)
    let gateway = try settings.gatewaySettings()
    let (identity, nodeIdentity) = try await OwnThread.run { () -> Result<Identities, Failure> in
      Result { () throws(Failure) in
        let identity = try gateway.identity(version: programVersion)
        return (identity, node: isCockpit ? try gateway.nodeIdentity(identity) : nil)
      }
    }.get()
    let (transport, clock) = try transport(
      settings, caFile: gateway.caFile, origin: gateway.originTLS, to: gateway.url.base,
      of: gateway.profile, on: loop)
    let device = identity.key.id
    let source = GatewaySource(
      gateway.request, identity: identity, transport: transport,
      tools: GatewayTools(
        base: gateway.url.base, secret: identity.token ?? identity.password,
        headers: identity.headers, transport: transport),
      node: nodeIdentity.flatMap { gateway.node($0, transport: transport, clock: clock) },
      clock: clock,
      store: { token, granted in
        Task {
          let problem = await gateway.keep(token, device: device, granted: granted)
          if let problem { gateway.settings.output.complain(problem) }
        }
      })
    settings.process.scope?.onEnd { source.stop() }
    var opened = OpenedSource(
      source, name: gateway.url.base.description, settings: settings, clock: clock)
    if let interface = gateway.gateway.interface.flatMap(ChatInterface.init) {
      opened.httpChat = HTTPChat(
        gateway.chatServer(identity, interface), transport: transport, clock: clock)
    }
    return opened
  }

  /// A gateway of the demo in this process, and a device that it approves, also as a node.
  static func openGatewayDemo(
    _ settings: Settings, on loop: any EventLoop, isCockpit: Bool
  ) async throws -> OpenedSource {
    let server = try await GatewayServer.start(GatewayOptions())
    guard let text = DeviceKey.makeText(), let key = DeviceKey(text: text) else {
      throw Failure(.failed, "no key can be made: the system gives no random bytes")
    }
    let scopes = [
      "operator.read", "operator.write", "operator.approvals", "operator.questions",
      "operator.pairing", "operator.admin",
    ]
    let (transport, clock) = try transport(settings, caFile: nil, on: loop)
    let url = try WebSocketURL(server.url, insecure: false)
    let request = WebSocketRequest(url: url)
    let identity = GatewayIdentity(
      key: key, client: GatewaySettings.client(key, version: programVersion), scopes: scopes,
      token: server.token, deviceToken: nil)
    let source = GatewaySource(
      request, identity: identity, transport: transport,
      tools: GatewayTools(
        base: url.base, secret: server.token, transport: transport),
      node: isCockpit
        ? GatewayNode(
          request,
          identity: identity.asNode(commands: [SystemNotification.command], deviceToken: nil),
          runner: DemoNotifications(), transport: transport, clock: clock, store: { _ in }) : nil,
      clock: clock,
      // The demo lives as long as its source.
      store: { _, _ in withExtendedLifetime(server) {} })
    settings.process.scope?.onEnd { source.stop() }
    return OpenedSource(source, name: server.url, settings: settings, clock: clock)
  }

  /// In place of a command: the demo runs nothing on this machine.
  @MainActor
  private final class DemoNotifications: NotificationRunner {
    func show(_ notification: SystemNotification, done: @escaping @MainActor (String?) -> Void) {
      done(nil)
    }

    func stop() {}
  }

  /// An HTTP client on a clock of its own; both end with the run.
  ///
  /// - Parameters:
  ///   - base: the address that may be seen from an ssh host.
  ///   - profile: whose address it is; nil is the profile in use.
  package static func transport(
    _ settings: Settings, caFile: String?, origin: OriginTLS? = nil, to base: BackendURL? = nil,
    of profile: Configuration.Profile? = nil, on loop: any EventLoop
  ) throws(Failure) -> (CurlTransport, DispatchClock) {
    if let caFile {
      _ = try NamedFile(caFile, use: "ca_file names a PEM certificate").bytes()
    }
    let clock = DispatchClock(loop: loop)
    let transport: CurlTransport
    do throws(CurlTransport.Problem) {
      transport = try CurlTransport(
        clock: clock, loop: loop, caFile: caFile, origin: origin,
        tunnel: base.flatMap { settings.tunnel(to: $0, of: profile, clock: clock) })
    } catch {
      throw Failure(error)
    }
    settings.process.scope?.onEnd {
      transport.shutdown()
      clock.cancelAll()
    }
    return (transport, clock)
  }
}

extension GatewaySettings {
  /// This device as a node; nil without a command.
  @MainActor fileprivate func node(
    _ identity: GatewayIdentity, transport: CurlTransport, clock: any LinkClock
  ) -> GatewayNode? {
    let device = identity.key.id
    return gateway.notifyCommand.map { command in
      GatewayNode(
        request, identity: identity,
        runner: NotifyCommand(command, environment: settings.process.variables),
        transport: transport, clock: clock,
        store: { token in
          Task {
            let problem = await keepNode(token, device: device)
            if let problem { settings.output.complain(problem) }
          }
        })
    }
  }
}

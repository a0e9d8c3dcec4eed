import CockpitDemo
import CockpitFiles
import CurlTransport
import ElevenLabsSource
import MainLoop
import Networking

/// Agents of ElevenLabs as sources.
extension OpenedSource {
  /// The agent of the profile in use. Its key is looked for beside the main thread.
  static func openElevenLabs(
    _ settings: Settings, on loop: any EventLoop
  ) async throws -> OpenedSource {
    let service = try settings.elevenLabs()
    let key = try await OwnThread.run { Result { () throws(Failure) in try service.key() } }.get()
    let (transport, clock) = try transport(
      settings, caFile: settings.caFile, origin: try settings.originTLS(), on: loop)
    let source = ConversationSource(
      service.setup, agent: service.agent, base: service.base, key: key, transport: transport,
      clock: clock, network: { NetworkKind() })
    service.serveTools(of: source.live)
    settings.process.scope?.onEnd { source.stop() }
    return OpenedSource(source, name: service.name, settings: settings, clock: clock)
  }

  /// A service of the demo in this process.
  static func openElevenLabsDemo(
    _ settings: Settings, on loop: any EventLoop
  ) async throws -> OpenedSource {
    let server = try await ElevenLabsServer.start(ElevenLabsOptions())
    let (transport, clock) = try transport(settings, caFile: nil, on: loop)
    let source = ConversationSource(
      Conversation.Setup(version: programVersion), agent: ElevenLabsServer.agent,
      base: try BackendURL(server.url), key: try TokenText(server.key), transport: transport,
      clock: clock,
      network: {
        // The demo lives as long as its source.
        withExtendedLifetime(server) {}
        return NetworkKind()
      })
    settings.process.scope?.onEnd { source.stop() }
    return OpenedSource(source, name: server.url, settings: settings, clock: clock)
  }
}

extension NetworkKind {
  /// That of this machine, now.
  package init() {
    self.init(
      routes: NetworkFiles.routes(), routes6: NetworkFiles.routes6(),
      isWireless: { NetworkFiles.isWireless($0) })
  }
}

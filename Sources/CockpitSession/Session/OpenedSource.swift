import CockpitChat
import CockpitDomain
import MainLoop
import Networking

/// What the stores follow: a link to a backend, or another source. Address, token and name on the
/// screen all come from this value.
@MainActor
package struct OpenedSource {
  package let source: any Source
  /// What the source is called on the screen: the address of a backend.
  package let name: String
  package let settings: Settings
  package let clock: any LinkClock
  /// Nil for a source that is no backend: it has no address and no token, and a verb of the `:` line
  /// has nothing to ask.
  package let backend: Backend?
  /// Whether it is a recording: nothing can be changed, and nothing of this program's own disk belongs to it.
  package let isRecording: Bool

  /// How a gateway's agents are talked to where its profile says that it is not over the WebSocket.
  package internal(set) var httpChat: HTTPChat?

  /// A link to a backend.
  package init(_ backend: Backend) {
    source = backend.link()
    name = backend.url.description
    settings = backend.settings
    clock = backend.clock
    self.backend = backend
    isRecording = false
  }

  /// A source that is no backend.
  ///
  /// - Parameter name: what it is called on the screen.
  package init(_ source: any Source, name: String, settings: Settings, clock: any LinkClock) {
    self.source = source
    self.name = name
    self.settings = settings
    self.clock = clock
    backend = nil
    isRecording = false
  }

  /// The past of a bot.
  ///
  /// - Parameter name: what the bot is called on the screen.
  package init(
    recorded source: any Source, name: String, settings: Settings, clock: any LinkClock
  ) {
    self.source = source
    self.name = name
    self.settings = settings
    self.clock = clock
    backend = nil
    isRecording = true
  }

  /// Opens what the settings name. A new kind of source is a case of `GivenSource` and one here.
  ///
  /// Parameters as in `Backend.open`.
  ///
  /// - Parameters:
  ///   - isForScreen: whether a server that can only be talked to is a source too: it has no rows.
  ///   - isCockpit: whether it is for the cockpit itself, on a screen or line by line, and not for a verb.
  package static func open(
    _ settings: Settings, on loop: any EventLoop, mayBlock: Bool = false,
    isForScreen: Bool = false, isCockpit: Bool = false
  ) async throws -> OpenedSource {
    switch settings.options.source {
    case .severalDemo: throw settings.severalProblem ?? Failure(.usage, "one source is needed")
    case .gatewayDemo:
      return try await openGatewayDemo(settings, on: loop, isCockpit: isCockpit)
    case .companionDemo: return try await openCompanionDemo(settings, on: loop)
    case nil where settings.opensCompanion: return try await openCompanion(settings, on: loop)
    case .elevenLabsDemo: return try await openElevenLabsDemo(settings, on: loop)
    case nil where settings.opensElevenLabs:
      return try await openElevenLabs(settings, on: loop)
    case nil where settings.opensGateway:
      return try await openGateway(settings, on: loop, isCockpit: isCockpit)
    case nil where isForScreen && settings.opensChatServer:
      return try await openChatServer(settings, on: loop)
    case nil, .demo:
      return OpenedSource(
        try await Backend.open(settings, on: loop, mayBlock: mayBlock, findsGuild: false))
    }
  }
}

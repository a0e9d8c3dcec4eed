import CockpitDomain
import CockpitSession
import CompanionSource
import CurlTransport
import ElevenLabsSource
import MainLoop
import Networking
import OpenClawSource

extension Environment {
  /// The event loop of the surrounding run, or a new one.
  @MainActor var eventLoop: any EventLoop { scope?.loop ?? loop ?? DispatchLoop() }
}

extension OpenedSource {
  /// The error for a source that stopped: exit code 4 if a gateway refuses this device, else that of the failure.
  @MainActor func failure(_ failure: LinkFailure) -> Failure {
    let isRefused =
      (source as? GatewaySource)?.isRefused ?? (source as? ConversationSource)?.isRefused
      ?? (source as? CompanionSource)?.isRefused ?? false
    guard isRefused else { return Failure(failure) }
    return Failure(.authentication, failure.description)
  }

  /// The HTTP client for webhooks.
  @MainActor func webTransport(on loop: any EventLoop) throws(Failure) -> CurlTransport {
    if let backend { return backend.transport }
    return try Self.transport(settings, caFile: settings.caFile, on: loop).0
  }
}

extension GatewaySettings {
  /// The HTTP and WebSocket client of a verb.
  @MainActor func transport(
    clock: DispatchClock, on loop: any EventLoop
  ) throws(Failure) -> CurlTransport {
    do throws(CurlTransport.Problem) {
      return try CurlTransport(
        clock: clock, loop: loop, caFile: caFile, origin: originTLS,
        tunnel: settings.tunnel(to: url.base, of: profile, clock: clock))
    } catch {
      throw Failure(error)
    }
  }
}

import CockpitDomain
import CockpitSession
import CurlTransport
import MainLoop
import Networking
import OpenClawSource

/// What verbs that follow a gateway have in common.
extension Settings {
  /// Whether the profile in use, or the demo, is an OpenClaw gateway.
  var isGateway: Bool { options.source == .gatewayDemo || opensGateway }
}

extension Environment {
  /// The loop of the run in which the verb is, else a new one.
  @MainActor var eventLoop: any EventLoop { scope?.loop ?? loop ?? DispatchLoop() }
}

extension OpenedSource {
  /// The failure with which the source has ended, with its exit code: 4 if a gateway does not let this device in.
  @MainActor func failure(_ failure: LinkFailure) -> Failure {
    guard (source as? GatewaySource)?.isRefused == true else { return Failure(failure) }
    return Failure(.authentication, failure.description)
  }

  /// For requests to others: that of the backend, or one of its own.
  @MainActor func webTransport(on loop: any EventLoop) throws(Failure) -> CurlTransport {
    if let backend { return backend.transport }
    do throws(CurlTransport.Problem) {
      return try CurlTransport(clock: DispatchClock(loop: loop), loop: loop, caFile: nil)
    } catch {
      throw Failure(error)
    }
  }
}

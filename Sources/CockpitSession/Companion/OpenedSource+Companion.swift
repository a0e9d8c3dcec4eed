import CockpitDemo
import CockpitFiles
import CompanionSource
import CompanionWire
import CurlTransport
import DeviceKeys
import MainLoop
import Networking

/// Companion gateways as sources.
extension OpenedSource {
  /// The gateway of the profile in use. Its secrets are looked for beside the main thread.
  static func openCompanion(
    _ settings: Settings, on loop: any EventLoop
  ) async throws -> OpenedSource {
    let gateway = try CompanionSettings(settings)
    let secrets = try await OwnThread.run {
      Result { () throws(Failure) in try gateway.secrets() }
    }.get()
    let (transport, clock) = try gateway.transport(on: loop)
    let source = CompanionSource(
      gateway.request(secrets), key: secrets.key, gatewayKey: secrets.gatewayKey,
      policy: gateway.policy, runner: CommandRunner(environment: settings.process.variables),
      transport: transport, clock: clock)
    settings.process.scope?.onEnd { source.stop() }
    return OpenedSource(
      source, name: gateway.url.base.description, settings: settings, clock: clock)
  }

  /// A gateway of the demo in this process, paired with this device.
  static func openCompanionDemo(
    _ settings: Settings, on loop: any EventLoop
  ) async throws -> OpenedSource {
    let (transport, clock) = try transport(settings, caFile: nil, on: loop)
    let (source, url) = try await CompanionSource.demo(
      CompanionOptions(), transport: transport, clock: clock)
    settings.process.scope?.onEnd { source.stop() }
    return OpenedSource(source, name: url, settings: settings, clock: clock)
  }
}

extension CompanionSource {
  /// A gateway of the demo in this process, paired with this device, and its address.
  package static func demo(
    _ options: CompanionOptions, transport: CurlTransport, clock: any LinkClock
  ) async throws -> (CompanionSource, url: String) {
    let server = try await CompanionServer.start(options)
    let payload: PairingPayload
    do throws(PairingPayload.Problem) {
      payload = try PairingPayload(await server.pairingPayload())
    } catch {
      throw Failure(.failed, error.description)
    }
    let paired = try await Pairing(transport: transport).pair(payload)
    guard let secrets = CompanionSettings.Secrets(paired.text) else {
      throw Failure(.failed, "the pairing with the demo gave nothing usable")
    }
    let url = try WebSocketURL(payload.endpoint, insecure: false)
    let bearer = secrets.token.withBytes { String(decoding: $0, as: UTF8.self) }
    let source = CompanionSource(
      WebSocketRequest(url: url, headers: [HTTPHeader("Authorization", "Bearer " + bearer)]),
      key: secrets.key, gatewayKey: secrets.gatewayKey, policy: .demo,
      runner: DemoRunner(clock: clock, server: server), transport: transport, clock: clock)
    return (source, server.url)
  }
}

extension CompanionTrial {
  /// A session with the demo, in which nothing happens until somebody writes.
  package static func demo(
    transport: CurlTransport, clock: any LinkClock
  ) async throws -> CompanionTrial {
    let (source, _) = try await CompanionSource.demo(
      CompanionOptions(scenario: .quiet), transport: transport, clock: clock)
    return CompanionTrial(source, clock: clock)
  }
}

extension GrantPolicy {
  /// Of the demo: `ble` has no command, so that its refusal is seen too.
  fileprivate static let demo = GrantPolicy(
    profile: .full,
    commands: Dictionary(
      uniqueKeysWithValues: ["camera", "microphone", "location", "notify", "screen"].map {
        ($0, "demo")
      }))
}

/// In place of commands: the demo runs nothing on this machine.
@MainActor
private final class DemoRunner: CapabilityRunner {
  private let clock: any LinkClock
  /// The demo lives as long as its source.
  private let server: CompanionServer

  init(clock: any LinkClock, server: CompanionServer) {
    (self.clock, self.server) = (clock, server)
  }

  private final class Run: CapabilityRun {
    var timer: (any LinkTimer)?
    func cancel() { timer?.cancel() }
  }

  func run(
    _ command: String, for request: CapabilityRequest,
    done: @escaping @MainActor (Result<CapabilityOutput, CapabilityFailure>) -> Void
  ) -> any CapabilityRun {
    let run = Run()
    run.timer = clock.schedule(afterNs: Nanoseconds.milliseconds(300)) {
      done(.success(.text("\(request.capability.name) of the demo")))
    }
    return run
  }
}

import CockpitDomain
import CockpitStores
import CompanionSource
import CompanionWire
import CurlTransport
import MainLoop
import Networking

/// One session with a companion gateway, for `setup`, `doctor` and `chat`: it waits for the first state.
@MainActor
package final class CompanionTrial {
  package let source: CompanionSource
  private let sink = StatusSink()
  private let clock: any LinkClock
  private let startNs: UInt64

  package init(
    _ settings: CompanionSettings, _ secrets: CompanionSettings.Secrets,
    transport: any WebSocketTransport, clock: any LinkClock
  ) {
    self.clock = clock
    // This session has no screen to ask on: every request is denied at once.
    source = CompanionSource(
      settings.request(secrets), key: secrets.key, gatewayKey: secrets.gatewayKey,
      policy: GrantPolicy(profile: .conservative), runner: NoRunner(), transport: transport,
      clock: clock)
    startNs = clock.nowNs
  }

  /// A session with the demo, which keeps its source alive.
  package init(_ source: CompanionSource, clock: any LinkClock) {
    self.source = source
    self.clock = clock
    startNs = clock.nowNs
  }

  /// How long the session took to begin, ms.
  package private(set) var latencyMs = 0

  /// Waits until there is a session.
  package func open(withinMs limitMs: UInt64) async throws(Failure) {
    let failure: Failure? = await awaitCallback(ifCancelled: .interrupted) { done in
      sink.heard = { status in
        switch status.overall {
        case .live: done(nil)
        case .stopped, .reconnecting:
          let words = status.failure?.description ?? "The gateway cannot be reached."
          done(Failure(status.overall == .stopped ? .authentication : .connection, words))
        default: break
        }
      }
      _ = clock.schedule(afterNs: Nanoseconds.milliseconds(limitMs)) {
        done(Failure(.connection, "The gateway did not answer in time. Try again."))
      }
      source.start(into: sink)
    }
    sink.heard = { _ in }
    latencyMs = Int(clock.nowNs.since(startNs) / 1_000_000)
    if let failure { throw failure }
  }

  package func close() { source.stop() }

  private final class StatusSink: SourceSink {
    var heard: (SourceStatus) -> Void = { _ in }

    func receive(_ event: SourceEvent, at time: ReceiveTime) {
      if case .status(let status) = event { heard(status) }
    }
    func ingest(_ batch: RowBatch, at time: ReceiveTime) -> RowReport { RowReport() }
    var knownRows: (any KnownRows)? { nil }
  }

  /// Without commands nothing is granted, so nothing runs.
  private final class NoRunner: CapabilityRunner {
    private final class Run: CapabilityRun { func cancel() {} }

    func run(
      _ command: String, for request: CapabilityRequest,
      done: @escaping @MainActor (Result<CapabilityOutput, CapabilityFailure>) -> Void
    ) -> any CapabilityRun { Run() }
  }
}

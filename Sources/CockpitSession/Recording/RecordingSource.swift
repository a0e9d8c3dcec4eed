import CockpitDomain
import CockpitHistory
import HistorySource
import Networking

/// What the stores follow while a file is shown: nobody. Nothing is asked, and nothing comes.
@MainActor
package final class SilentSource: Source {
  package private(set) var status = SourceStatus(overall: .stopped, detail: "a recording")
  private let clock: any LinkClock
  private let answers: DeferredAnswers

  package init(clock: any LinkClock) {
    self.clock = clock
    answers = DeferredAnswers(clock: clock)
  }

  package func start(into sink: any SourceSink) {
    sink.receive(.status(status), at: ReceiveTime(clock))
  }

  package func stop() { answers.cancel() }

  package func retryNow() {}
  package func tick() {}
  package func reconcileNow() {}
  package func fetchHistory(_ request: HistoryRequest) { status.history.done.append(request) }

  @discardableResult
  package func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle {
    answers.give(
      .failure(RestFailure(failure: .notRecorded, mayHaveArrived: false)), to: completion)
  }
}

/// A clock that stands at the end of a recording. Timers are real ones.
@MainActor
package final class EndOfRecording: LinkClock {
  private let real: any LinkClock
  package private(set) var wallMs: Int64

  package init(atMs: Int64, real: any LinkClock) {
    self.real = real
    wallMs = atMs
  }

  /// The recording has grown to this time; an earlier one is ignored.
  package func reach(_ ms: Int64) { wallMs = max(wallMs, ms) }

  package var nowNs: UInt64 { real.nowNs }

  package func schedule(
    afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void
  ) -> any LinkTimer { real.schedule(afterNs: delayNs, body) }
}

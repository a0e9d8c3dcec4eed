import CockpitDomain
import CockpitHistory
import Networking

/// What the stores follow while a file is shown: nobody. Nothing is asked, and nothing comes.
@MainActor
package final class SilentSource: Source {
  package private(set) var status = SourceStatus(overall: .stopped, detail: "a recording")
  private let clock: any LinkClock
  private var waiting: [Refusal] = []

  package init(clock: any LinkClock) { self.clock = clock }

  package func start(into sink: any SourceSink) {
    sink.receive(.status(status), at: ReceiveTime(clock))
  }

  package func stop() {
    for refusal in waiting { refusal.cancel() }
    waiting = []
  }

  package func retryNow() {}
  package func tick() {}
  package func reconcileNow() {}
  package func fetchHistory(_ request: HistoryRequest) { status.history.done.append(request) }

  private final class Refusal: RestHandle {
    var timer: (any LinkTimer)?
    func cancel() { timer?.cancel() }
  }

  @discardableResult
  package func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle {
    let refusal = Refusal()
    refusal.timer = clock.schedule(afterNs: 0) { [weak self, weak refusal] in
      self?.waiting.removeAll { $0 === refusal }
      completion(.failure(RestFailure(failure: .notRecorded, mayHaveArrived: false)))
    }
    waiting.append(refusal)
    return refusal
  }
}

/// A clock that stands at the end of a recording: there is no later now. Timers are real ones.
@MainActor
package final class EndOfRecording: LinkClock {
  private let real: any LinkClock
  package let wallMs: Int64

  package init(atMs: Int64, real: any LinkClock) {
    self.real = real
    wallMs = atMs
  }

  package var nowNs: UInt64 { real.nowNs }

  package func schedule(
    afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void
  ) -> any LinkTimer { real.schedule(afterNs: delayNs, body) }
}

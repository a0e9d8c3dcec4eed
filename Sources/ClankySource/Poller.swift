internal import CockpitDomain
internal import Networking

/// What the poller needs from its link.
@MainActor
protocol PollerOwner: LogReconcilerOwner {
  var logReconciler: LogReconciler { get }
  var configuration: LinkConfiguration { get }
  /// How long the backend wants no automatic requests, nanoseconds.
  var quietNs: UInt64 { get }
  func polledStats(_ body: [UInt8])
  func polledVoiceState(_ body: [UInt8])
  /// A polling round for these streams has ended; nil if every request was answered.
  func pollEnded(_ streams: Set<SourceChannel>, _ failure: LinkFailure?)
}

/// Replaces streams that a tunnel buffers: requests the same data over REST.
@MainActor
final class Poller {
  private weak var owner: (any PollerOwner)?
  private(set) var streams: Set<SourceChannel> = []
  private var timer: (any LinkTimer)?
  private var generation = 0
  private var failures = 0

  init(owner: any PollerOwner) {
    self.owner = owner
  }

  /// Polls for these streams from now on; an empty set ends it.
  func replace(_ streams: Set<SourceChannel>) {
    guard streams != self.streams else { return }
    let wasIdle = self.streams.isEmpty
    self.streams = streams
    if streams.isEmpty {
      stop()
    } else if wasIdle {
      failures = 0
      // Both streams usually fall back within milliseconds; one round serves both.
      scheduleRound(afterNs: Nanoseconds.milliseconds(50))
    }
  }

  func stop() {
    generation += 1
    timer?.cancel()
    timer = nil
    streams = []
  }

  private enum Step { case rows, stats, voice }

  private func round() {
    var steps: [Step] = []
    if streams.contains(.activity) { steps += [.rows, .stats] }
    if streams.contains(.voice) {
      steps += streams.contains(.activity) ? [.voice] : [.rows, .voice]
    }
    run(steps[...], for: streams, generation)
  }

  /// One request at a time, so that a slow tunnel is not flooded.
  private func run(_ steps: ArraySlice<Step>, for polled: Set<SourceChannel>, _ current: Int) {
    guard current == generation, let owner else { return }
    guard let step = steps.first else {
      end(polled, nil)
      return
    }
    let next: @MainActor (LinkFailure?) -> Void = { [weak self] failure in
      guard let self, current == generation else { return }
      if let failure {
        end(polled, failure)
      } else {
        run(steps.dropFirst(), for: polled, current)
      }
    }
    switch step {
    case .rows: owner.logReconciler.compare(source: .poll, next)
    case .stats:
      owner.get(.stats(guild: nil)) { [weak self, weak owner] result in
        if case .success(let answer) = result, current == self?.generation {
          owner?.polledStats(answer.body)
        }
        next(result.failure)
      }
    case .voice:
      owner.get(.voiceState) { [weak self, weak owner] result in
        if case .success(let answer) = result, current == self?.generation {
          owner?.polledVoiceState(answer.body)
        }
        next(result.failure)
      }
    }
  }

  private func end(_ polled: Set<SourceChannel>, _ failure: LinkFailure?) {
    guard let owner else { return }
    failures = failure == nil ? 0 : min(failures + 1, 4)
    let every = UInt64(max(1, owner.configuration.limits.pollEveryMs))
    // 3 s, then 6, 12, 24, 48 s after failures; longer if the backend asks for it.
    scheduleRound(
      afterNs: max(owner.quietNs, Nanoseconds.milliseconds(every << UInt64(failures))))
    owner.pollEnded(polled, failure)
  }

  private func scheduleRound(afterNs delayNs: UInt64) {
    let current = generation
    timer = owner?.clock.schedule(afterNs: delayNs) { [weak self] in
      guard let self, current == generation else { return }
      round()
    }
  }
}

extension Result where Failure == LinkFailure {
  var failure: LinkFailure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}

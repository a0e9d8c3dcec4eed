package import CockpitDomain
internal import Networking

/// The life cycle of one stream as a value: its state, and when the next decision is due. All times
/// are monotonic nanoseconds.
package struct StreamHealth: Sendable, Equatable {
  /// The connection, seen from outside.
  package enum Phase: Sendable, Equatable {
    case idle
    /// Request sent, no header yet (the transport watches the time).
    case opening
    /// Header received, no byte yet.
    case held(sinceNs: UInt64)
    /// Bytes arrive.
    case flowing
    /// No connection; the next attempt is scheduled.
    case waiting(untilNs: UInt64)
    /// Ended for good.
    case stopped
  }

  /// The action due at this time.
  package enum Verdict: Sendable, Equatable {
    case fine
    /// Header but no byte for 8 s: give the connection up and poll.
    case heldBack
    /// Silent for 20 s: replace the connection.
    case dead
  }

  /// The present phase.
  package private(set) var phase: Phase = .idle
  /// The stream does not get through; the same facts are polled.
  package private(set) var isHeldBack = false
  /// Whether polling succeeds.
  package private(set) var pollsSucceed = false
  /// Polling has started, but no round has ended, so its result is unknown.
  package private(set) var isPollPending = false
  /// When the last byte came, over all connections.
  package private(set) var lastByteNs: UInt64?
  /// When the machine woke up, if no byte was heard since.
  package private(set) var wokeAtNs: UInt64?
  /// The stream has been live at least once.
  package private(set) var wasLive = false
  private var failedOnce = false
  private let limits: LinkLimits

  /// A stream that was not opened yet.
  package init(limits: LinkLimits = LinkLimits()) {
    self.limits = limits
  }

  /// A request was sent.
  package mutating func opened() { phase = .opening }

  /// The header of an event stream arrived.
  package mutating func answered(nowNs: UInt64) { phase = .held(sinceNs: nowNs) }

  /// Bytes arrived, comments included.
  package mutating func heard(nowNs: UInt64) {
    phase = .flowing
    lastByteNs = nowNs
    isHeldBack = false
    isPollPending = false
    wokeAtNs = nil
    wasLive = true
  }

  /// The connection was lost; the next attempt is at `retryAtNs`.
  package mutating func lost(retryAtNs: UInt64) {
    phase = .waiting(untilNs: retryAtNs)
    failedOnce = true
    wokeAtNs = nil
  }

  /// No further attempt will be made.
  package mutating func stopped() {
    phase = .stopped
    isHeldBack = false
    isPollPending = false
  }

  /// The stream is to be replaced by polling until it gets through.
  package mutating func heldBack() {
    if !isHeldBack { isPollPending = true }
    isHeldBack = true
  }

  /// A polling round has ended.
  package mutating func polled(successfully: Bool) {
    pollsSucceed = successfully
    isPollPending = false
  }

  /// The machine slept, so a live stream must prove itself again.
  package mutating func woke(nowNs: UInt64) {
    if case .flowing = phase { wokeAtNs = nowNs }
  }

  /// The word for it.
  package func state(nowNs: UInt64) -> LinkState {
    if case .stopped = phase { return .stopped }
    if isHeldBack { return pollsSucceed ? .polling : .reconnecting }
    switch phase {
    case .idle, .stopped, .opening, .held, .waiting: return failedOnce ? .reconnecting : .connecting
    case .flowing: return wokeAtNs != nil || silence(nowNs) >= ns(limits.staleMs) ? .stale : .live
    }
  }

  /// The action due now.
  package func verdict(nowNs: UInt64) -> Verdict {
    switch phase {
    case .held(let since) where nowNs.since(since) >= ns(limits.firstByteMs): .heldBack
    case .flowing where silence(nowNs) >= ns(limits.deadMs): .dead
    // The monotonic clock may not have counted the sleep, so the usual 20 s start from nothing.
    case .flowing where nowNs.since(wokeAtNs ?? nowNs) >= ns(limits.staleMs): .dead
    default: .fine
    }
  }

  /// When state or verdict may change without an event; nil if never.
  package func deadlineNs(nowNs: UInt64) -> UInt64? {
    switch phase {
    case .held(let since): since + ns(limits.firstByteMs)
    case .flowing:
      flowingDeadline(nowNs)
    case .waiting(let until): until
    case .idle, .opening, .stopped: nil
    }
  }

  private func flowingDeadline(_ nowNs: UInt64) -> UInt64 {
    let isSilent = silence(nowNs) >= ns(limits.staleMs)
    let bySilence = (lastByteNs ?? nowNs) + ns(isSilent ? limits.deadMs : limits.staleMs)
    return min(bySilence, wokeAtNs.map { $0 + ns(limits.staleMs) } ?? bySilence)
  }

  private func silence(_ nowNs: UInt64) -> UInt64 { nowNs.since(lastByteNs ?? nowNs) }

  private func ns(_ milliseconds: Int) -> UInt64 { UInt64(max(0, milliseconds)) * 1_000_000 }
}

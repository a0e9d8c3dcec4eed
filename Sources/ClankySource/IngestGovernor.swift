internal import Networking

/// Decides when sockets are read. Below about 100 events per second they are read as data comes. Above,
/// they are read at the start of each 100 ms slot only, for at most 4 ms of work, so that the process
/// wakes at frame rate and keys are answered at once; when the 4 ms did not suffice the next slot comes
/// early, because an undrained socket makes the bot buffer without limit (wire contract 2.7).
package struct IngestGovernor: Sendable, Equatable {
  /// The rhythm of frames drawn because of the stream.
  package static let slotNs = Nanoseconds.milliseconds(100)
  /// Events per slot above which reading is bundled.
  package static let eventsPerSlot = 10
  /// Work per slot.
  package static let budgetNs = Nanoseconds.milliseconds(4)
  /// How long the sockets stay open in a batched slot.
  package static let windowNs = Nanoseconds.milliseconds(8)
  /// Rest after a slot that used up its budget: at most a quarter of the time goes into reading.
  package static let restNs = Nanoseconds.milliseconds(12)

  /// How the sockets are read.
  package enum Phase: Sendable, Equatable {
    /// Sockets are read as data comes.
    case free
    /// Bundled, sockets open until then.
    case open(untilNs: UInt64)
    /// Sockets left unread until then.
    case closed(untilNs: UInt64)
  }

  /// The action the link must take.
  package enum Change: Sendable, Equatable {
    case none
    /// Leave the sockets unread and call `timeUp` at the deadline.
    case pause
    /// Resume reading, and call `timeUp` at the deadline if there is one.
    case resume
  }

  /// The current phase.
  package private(set) var phase: Phase = .free
  private var slotStartNs: UInt64 = 0
  private var events = 0
  private var workNs: UInt64 = 0

  package init() {}

  /// When `timeUp` is due.
  package var deadlineNs: UInt64? {
    switch phase {
    case .free: nil
    case .open(let until), .closed(let until): until
    }
  }

  /// Whether reading is paused.
  package var isPaused: Bool {
    if case .closed = phase { true } else { false }
  }

  /// A chunk was processed between two times.
  package mutating func worked(events count: Int, fromNs: UInt64, toNs: UInt64) -> Change {
    switch phase {
    case .free:
      if fromNs.since(slotStartNs) >= Self.slotNs { begin(fromNs) }
      events += count
      workNs += toNs.since(fromNs)
      guard events > Self.eventsPerSlot || workNs > Self.budgetNs else { return .none }
      return close(toNs)
    case .open:
      events += count
      workNs += toNs.since(fromNs)
      return workNs > Self.budgetNs ? close(toNs) : .none
    case .closed:
      // Chunks that were already on their way up.
      events += count
      workNs += toNs.since(fromNs)
      return .none
    }
  }

  /// The deadline passed.
  package mutating func timeUp(nowNs: UInt64) -> Change {
    switch phase {
    case .free: return .none
    case .open(let until):
      guard nowNs >= until else { return .none }
      return close(nowNs)
    case .closed(let until):
      guard nowNs >= until else { return .none }
      let busy = events > Self.eventsPerSlot || workNs > Self.budgetNs
      begin(nowNs)
      phase = busy ? .open(untilNs: nowNs + Self.windowNs) : .free
      return .resume
    }
  }

  private mutating func begin(_ nowNs: UInt64) {
    slotStartNs = nowNs
    events = 0
    workNs = 0
  }

  private mutating func close(_ nowNs: UInt64) -> Change {
    let slotEnd = slotStartNs + Self.slotNs
    let until = workNs > Self.budgetNs ? nowNs + Self.restNs : max(slotEnd, nowNs + Self.restNs)
    phase = .closed(untilNs: until)
    return .pause
  }
}

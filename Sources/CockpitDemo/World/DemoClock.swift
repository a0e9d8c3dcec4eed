import Foundation
import Synchronization

/// The time source of the demo backend.
package protocol DemoClock: Sendable {
  /// Milliseconds since 1970 (UTC).
  var nowMs: Int64 { get }
  /// Waits until `nowMs` is at least `deadline`; throws `CancellationError` when cancelled.
  func sleep(untilMs deadline: Int64) async throws
}

/// The clock of the machine.
package struct SystemDemoClock: DemoClock {
  package init() {}

  package var nowMs: Int64 { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) }

  package func sleep(untilMs deadline: Int64) async throws {
    let wait = deadline - nowMs
    if wait > 0 {
      try await Task.sleep(for: .milliseconds(wait))
    } else {
      try Task.checkCancellation()
    }
  }
}

/// A clock that only moves on command; the same seed then gives the same rows.
package final class ManualDemoClock: DemoClock {
  private struct Waiter {
    let id: Int
    let deadline: Int64
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now: Int64
    var nextID = 0
    var waiters: [Waiter] = []
    var cancelled: Set<Int> = []
  }

  private let state: Mutex<State>

  /// Starts at `startMs` milliseconds since 1970; the default is 2026-05-09T18:00:00Z.
  package init(startMs: Int64 = 1_778_349_600_000) {
    state = Mutex(State(now: startMs))
  }

  package var nowMs: Int64 { state.withLock { $0.now } }

  /// Moves the clock forward and resumes every sleeper whose deadline has passed.
  package func advance(byMs ms: Int64) {
    let due = state.withLock { state in
      state.now += ms
      let now = state.now
      let due = state.waiters.filter { $0.deadline <= now }
      state.waiters.removeAll { $0.deadline <= now }
      return due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
    }
    for waiter in due { waiter.continuation.resume() }
  }

  package func sleep(untilMs deadline: Int64) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          if deadline <= state.now { return .success(()) }
          state.waiters.append(Waiter(id: id, deadline: deadline, continuation: continuation))
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { state -> Waiter? in
        guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.waiters.remove(at: index)
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }
}

/// Timestamps as the backend prints them, computed without a calendar object because one is
/// needed for every row and tick.
package enum DemoTime {
  /// Milliseconds of a UTC day.
  package static let day: Int64 = 86_400_000

  /// `YYYY-MM-DDTHH:mm:ss.sssZ` (contract 4.1).
  package static func iso(_ ms: Int64) -> String {
    let (year, month, date) = civil(ms)
    let inDay = mod(ms, day)
    return "\(pad(year, 4))-\(pad(month, 2))-\(pad(date, 2))T"
      + "\(pad(Int(inDay / 3_600_000), 2)):\(pad(Int(inDay / 60_000 % 60), 2)):"
      + "\(pad(Int(inDay / 1000 % 60), 2)).\(pad(Int(inDay % 1000), 3))Z"
  }

  /// The UTC day, `YYYY-MM-DD`.
  package static func utcDay(_ ms: Int64) -> String {
    String(iso(ms).prefix(10))
  }

  /// The value of an HTTP `Date` header (RFC 9110 section 5.6.7, IMF-fixdate).
  static func httpDate(_ ms: Int64) -> String {
    let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let (year, month, date) = civil(ms)
    let days = Int((ms - mod(ms, day)) / day)
    let name = names[Int(mod(Int64(days), 7))]
    let clock = iso(ms).dropFirst(11).prefix(8)
    return "\(name), \(pad(date, 2)) \(months[month - 1]) \(pad(year, 4)) \(clock) GMT"
  }

  private static func mod(_ value: Int64, _ by: Int64) -> Int64 {
    let rest = value % by
    return rest < 0 ? rest + by : rest
  }

  private static func pad(_ value: Int, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// Proleptic Gregorian date of a day number (Hinnant, "chrono-compatible low-level date
  /// algorithms", civil_from_days).
  private static func civil(_ ms: Int64) -> (Int, Int, Int) {
    let shifted = (ms - mod(ms, day)) / day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let date = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), Int(month), Int(date))
  }
}

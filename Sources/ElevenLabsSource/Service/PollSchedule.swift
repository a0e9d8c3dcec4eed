internal import Networking

/// When the service is asked again.
package struct PollSchedule: Sendable, Equatable {
  package static let regularNs = Nanoseconds.seconds(60)
  package static let firstPauseNs = Nanoseconds.seconds(30)
  package static let longestPauseNs = Nanoseconds.seconds(960)
  /// While there is no network it is only looked for.
  package static let offlineNs = Nanoseconds.seconds(5)

  package enum Outcome: Sendable, Equatable {
    case answered
    /// Too many requests, or a failure that may pass.
    case failed
    case offline
  }

  private var pauseNs: UInt64 = 0

  package init() {}

  /// - Returns: how long to wait.
  package mutating func next(_ outcome: Outcome) -> UInt64 {
    switch outcome {
    case .answered:
      pauseNs = 0
      return Self.regularNs
    case .failed:
      pauseNs = pauseNs == 0 ? Self.firstPauseNs : min(pauseNs * 2, Self.longestPauseNs)
      return pauseNs
    case .offline: return Self.offlineNs
    }
  }
}

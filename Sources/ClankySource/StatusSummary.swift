package import CockpitDomain
package import Networking

/// Folds the streams' states into one, and says it in a sentence.
package enum StatusSummary {
  /// The state of the link from those of its streams and of REST. nil stands for a stream that is
  /// not wanted.
  package static func overall(
    activity: LinkState?, voice: LinkState?, restFails: Bool
  ) -> LinkState {
    guard let first = activity ?? voice else { return .stopped }
    let second = voice ?? first
    guard first != second else { return first == .live && restFails ? .degraded : first }
    func either(_ state: LinkState) -> Bool { first == state || second == state }
    // A second stream that is just being opened is not a fault.
    if either(.live) { return either(.connecting) ? .connecting : .degraded }
    for state in [LinkState.polling, .stale, .reconnecting, .connecting] where either(state) {
      return state
    }
    return .stopped
  }

  /// One sentence for the status line. Says nothing that changes by the second.
  package static func detail(
    _ overall: LinkState, activity: StreamStatus?, voice: StreamStatus?, failure: LinkFailure?
  ) -> String {
    switch overall {
    case .connecting: "Connecting to the backend."
    case .live: activity != nil && voice != nil ? "Both streams are live." : "The stream is live."
    case .stale: "Connected, but nothing was heard for a while."
    case .reconnecting: failure?.sentence ?? "The connection was lost; trying again."
    case .polling: (failure ?? .timedOut(.firstByte)).sentence + " Polling instead."
    case .degraded: degraded(activity, voice, failure)
    case .stopped: failure?.sentence ?? "The link is stopped."
    }
  }

  private static func degraded(
    _ activity: StreamStatus?, _ voice: StreamStatus?, _ failure: LinkFailure?
  ) -> String {
    let reason = failure.map { " " + $0.sentence } ?? ""
    if let activity, activity.state != .live {
      return "The activity stream is \(activity.state.rawValue), voice is live." + reason
    }
    if let voice, voice.state != .live {
      return "The voice stream is \(voice.state.rawValue), activity is live." + reason
    }
    return "The streams are live, but requests fail." + reason
  }
}

extension LinkStatus {
  /// Without the fields that change with every byte; equal values look the same on screen.
  var material: LinkStatus {
    var copy = self
    copy.activity = Self.material(activity)
    copy.voice = Self.material(voice)
    // Latency to a tenth of a millisecond is noise.
    copy.restLatencyMs = restLatencyMs.map { $0.rounded() }
    (copy.restP50Ms, copy.restP95Ms, copy.restRequests, copy.restBytes) = (nil, nil, 0, 0)
    return copy
  }

  private static func material(_ status: StreamStatus) -> StreamStatus {
    var copy = status
    copy.lastByteAtNs = nil
    copy.eventsPerMinute = 0
    copy.events = 0
    copy.bytes = 0
    return copy
  }
}

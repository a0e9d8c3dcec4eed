package import CockpitDomain
package import Networking

/// Folds the channels' states into one, and says it in a sentence.
package enum StatusSummary {
  /// The state of the source from those of the channels that are wanted, and of REST.
  package static func overall(_ states: [LinkState], restFails: Bool) -> LinkState {
    guard let first = states.first else { return .stopped }
    guard states.contains(where: { $0 != first }) else {
      return first == .live && restFails ? .degraded : first
    }
    // Another channel that is just being opened is not a fault.
    if states.contains(.live) {
      return states.allSatisfy { $0 == .live || $0 == .connecting } ? .connecting : .degraded
    }
    let worst = [LinkState.polling, .stale, .reconnecting, .connecting]
    return worst.first(where: states.contains) ?? .stopped
  }

  /// One sentence for the status line. Says nothing that changes by the second.
  package static func detail(
    _ overall: LinkState, _ wanted: [ChannelStatus], failure: LinkFailure?
  ) -> String {
    switch overall {
    case .connecting: "Connecting to the backend."
    case .live: wanted.count == 2 ? "Both streams are live." : live(wanted.count)
    case .stale: "Connected, but nothing was heard for a while."
    case .reconnecting: failure?.sentence ?? "The connection was lost; trying again."
    case .polling: (failure ?? .timedOut(.firstByte)).sentence + " Polling instead."
    case .degraded: degraded(wanted, failure)
    case .stopped: failure?.sentence ?? "The link is stopped."
    }
  }

  private static func live(_ count: Int) -> String {
    count == 1 ? "The stream is live." : "All streams are live."
  }

  private static func degraded(_ wanted: [ChannelStatus], _ failure: LinkFailure?) -> String {
    let reason = failure.map { " " + $0.sentence } ?? ""
    guard let broken = wanted.first(where: { $0.status.state != .live }) else {
      return "The streams are live, but requests fail." + reason
    }
    let live = wanted.filter { $0.status.state == .live }.map(\.channel.name)
    let verb = live.count == 1 ? "is" : "are"
    return "The \(broken.channel.name) stream is \(broken.status.state.rawValue), "
      + "\(live.joined(separator: " and ")) \(verb) live." + reason
  }
}

extension SourceStatus {
  /// Without the fields that change with every byte; equal values look the same on screen.
  var material: SourceStatus {
    var copy = self
    copy.changeChannels { status in
      status.lastByteAtNs = nil
      status.eventsPerMinute = 0
      status.events = 0
      status.bytes = 0
    }
    // Latency to a tenth of a millisecond is noise.
    copy.restLatencyMs = restLatencyMs.map { $0.rounded() }
    (copy.restP50Ms, copy.restP95Ms, copy.restRequests, copy.restBytes) = (nil, nil, 0, 0)
    return copy
  }
}

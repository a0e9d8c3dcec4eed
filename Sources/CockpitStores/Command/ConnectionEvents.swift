internal import CockpitDomain
internal import Networking

/// Derives log lines from changes of the link status.
struct ConnectionEvents {
  struct Item: Equatable {
    var severity: ClientHistory.Entry.Severity
    var text: String
  }

  private struct Stream {
    var state = LinkState.connecting
    var failure: LinkFailure?
    /// When it stopped being live, in ns.
    var lostNs: UInt64?
    /// Whether it was ever live: a stream that never was cannot be lost.
    var wasLive = false
  }

  private var streams: [SourceChannel: Stream] = [:]
  private var restFails = false

  /// Compares with the previous status and returns the new events.
  mutating func take(_ status: SourceStatus, nowNs: UInt64) -> [Item] {
    var items: [Item] = []
    for listed in status.channels {
      if let item = take(listed.status, of: listed.channel, nowNs: nowNs) { items.append(item) }
    }
    let areLive =
      !status.channels.isEmpty && status.channels.allSatisfy { $0.status.state == .live }
    let fails = areLive && status.overall == .degraded
    if fails != restFails {
      restFails = fails
      let why = status.failure.map { " \($0.sentence)" } ?? ""
      if fails {
        items.append(
          Item(severity: .warning, text: "Requests fail while both streams are live.\(why)"))
      } else if areLive {
        items.append(Item(severity: .info, text: "Requests are answered again."))
      }
    }
    return items
  }

  private mutating func take(
    _ status: StreamStatus, of name: SourceChannel, nowNs: UInt64
  ) -> Item? {
    var stream = streams[name] ?? Stream()
    defer { streams[name] = stream }
    let isNewState = status.state != stream.state
    // While it is being tried again and again, only another reason is news.
    let isNewReason =
      status.state == .reconnecting && status.failure != nil && status.failure != stream.failure
    guard isNewState || isNewReason else { return nil }
    stream.state = status.state
    stream.failure = status.failure
    let lostNs = stream.lostNs
    let wasLive = stream.wasLive
    if status.state == .live {
      stream.lostNs = nil
      stream.wasLive = true
    } else if lostNs == nil, status.state != .connecting {
      stream.lostNs = nowNs
    }
    return item(
      status, "The \(name.name) stream", wasLive: wasLive, lostNs: lostNs, nowNs: nowNs)
  }

  private func item(
    _ status: StreamStatus, _ subject: String, wasLive: Bool, lostNs: UInt64?, nowNs: UInt64
  ) -> Item? {
    let why = status.failure.map { " \($0.sentence)" } ?? ""
    switch status.state {
    case .connecting: return nil
    case .live:
      let after =
        lostNs.map {
          (wasLive ? " again" : "") + " after \(Self.seconds(nowNs.since($0)))"
        } ?? ""
      return Item(severity: .info, text: "\(subject) is live\(after).")
    case .stale:
      return Item(severity: .warning, text: "\(subject) is silent: nothing was heard for 10 s.")
    case .reconnecting:
      let next = status.nextRetryInSeconds(nowNs: nowNs).map { " Next attempt in \($0) s." } ?? ""
      return Item(
        severity: .warning,
        text: "\(subject) \(wasLive ? "is lost" : "could not be opened").\(why)\(next)")
    case .polling:
      return Item(
        severity: .warning, text: "\(subject) does not get through; the same is polled.\(why)")
    case .degraded: return nil
    case .stopped:
      guard let failure = status.failure else { return nil }
      return Item(severity: .error, text: "\(subject) has ended. \(failure.description)")
    }
  }

  private static func seconds(_ ns: UInt64) -> String {
    let seconds = ns / 1_000_000_000
    return seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min"
  }
}

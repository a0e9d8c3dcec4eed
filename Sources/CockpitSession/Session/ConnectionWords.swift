import Networking
import CockpitText
import CockpitDomain

/// Messages about the connection, one line each: failures, and polling.
package struct ConnectionWords {
  /// The last message since the connection was last live.
  private var last: String?

  package init() {}

  /// The next line; nil if there is nothing new.
  package mutating func next(_ status: SourceStatus) -> String? {
    let words: String
    switch status.overall {
    case .connecting: return nil
    case .live:
      // The next break is news, even when it has the same sentence.
      last = nil
      return nil
    case .polling:
      words = "\(status.detail) \((status.failure ?? .timedOut(.firstByte)).advice)"
    case .stale, .reconnecting, .degraded, .stopped:
      // The outcome of the first polls has the same sentence, and says whether they stand in.
      guard !status.isPollPending else { return nil }
      words = status.failure?.description ?? status.detail
    }
    guard words != last else { return nil }
    last = words
    return words
  }
}

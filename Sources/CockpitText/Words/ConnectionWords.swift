import Networking
import CockpitDomain
import TerminalCore

/// The connection state as people read it: a word for the header, a sentence for the alert row.
package struct ConnectionWords {
  let status: SourceStatus
  let monotonicNs: UInt64

  /// - Parameter monotonicNs: now, on the monotonic clock.
  package init(status: SourceStatus, monotonicNs: UInt64) {
    self.status = status
    self.monotonicNs = monotonicNs
  }

  package var isLive: Bool { status.overall == .live }

  package var role: Role {
    switch status.overall {
    case .live: .positive
    case .connecting, .polling, .degraded, .reconnecting: .warning
    case .stale, .stopped: .negative
    }
  }

  /// `LIVE <4s`, `STALE 12s`, `RECONNECT 3s`
  package var short: PlainText {
    switch status.overall {
    case .live: "LIVE" + age
    case .connecting: "CONNECTING"
    case .stale: "STALE" + age
    case .reconnecting:
      retryIn.map { "RETRY in " + $0 } ?? "RECONNECTING"
    case .polling: "POLLING"  // the age would be the stream's, not that of the polled data
    case .degraded: "DEGRADED" + age
    case .stopped: "STOPPED"
    }
  }

  /// What is wrong and what to do; nil on a healthy connection.
  package var sentence: PlainText? {
    switch status.overall {
    case .live: return nil
    case .connecting where status.failure == nil: return nil
    default:
      var text = PlainText(status.detail, limit: 400)
      if let failure = status.failure {
        text = PlainText(failure.description, limit: 600)
      }
      return text.isEmpty ? nil : text
    }
  }

  /// The backend sends an event every 3 s at least (contract 2): the figure stays constant until a
  /// beat is missed, because one that changes with every event is meaningless and costs a redraw.
  private static let beatMs: Int64 = 4_000

  private var age: PlainText {
    guard let ms = dataAgeMs else { return "" }
    return ms < Self.beatMs ? " <4s" : " " + Figures.age(ms: ms)
  }

  /// Since the last byte of the stream that spoke last, in ms.
  package var dataAgeMs: Int64? {
    guard let last = status.lastByteAtNs, last > 0 else { return nil }
    return monotonicNs > last ? Int64((monotonicNs - last) / 1_000_000) : 0
  }

  private var retryIn: PlainText? {
    guard let at = status.retryAtNs else { return nil }
    let ms = at > monotonicNs ? (at - monotonicNs) / 1_000_000 : 0
    return PlainText("\((ms + 999) / 1000)s")
  }
}

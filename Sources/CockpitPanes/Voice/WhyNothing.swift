import CockpitDomain
import Networking
import CockpitStores
import TerminalCore

extension ViewContext {
  /// Whether the backend has sent no voice state at all.
  var isUnheard: Bool { voice.state == nil }

  /// Whether anything is known about the bot's activity. Until then there is nothing to count, and
  /// 0 would be a claim.
  var hasActivity: Bool { stats != nil || activity.log.count > 0 }

  /// The placeholder of session panels without a session.
  var noSession: PlainText {
    isUnheard
      ? (replay == nil ? "nothing was heard yet" : "no voice state was recorded by then")
      : scopeName.map { "no live voice session in " + $0 } ?? "no live voice session"
  }

  /// Why requests to the backend have stopped, and what to do.
  var whyStopped: PlainText {
    PlainText(status.detail, limit: 300)
      + " :setup takes another address or token without a restart."
  }

  /// Why there is no voice state, and what to do: the placeholder of VOICE and BRAIN.
  var whyNothingCame: PlainText {
    guard replay == nil else {
      return "No voice state was recorded up to this moment; rows of voice are in PULSE."
    }
    let detail = PlainText(status.detail, limit: 300)
    return switch status.overall {
    case .connecting: detail + " The first voice state comes within seconds."
    case .live, .polling: "Connected; the first voice state comes within seconds."
    case .stopped: whyStopped
    case .stale, .reconnecting, .degraded:
      detail + " It is tried again by itself; " + keys.text(.refresh) + " tries now."
    }
  }
}

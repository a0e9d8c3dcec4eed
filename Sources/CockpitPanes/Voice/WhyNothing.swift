import ClankyLink
import CockpitStores
import TerminalCore

extension Facts {
  /// Whether nothing at all was heard of voice sessions, not even that there is none.
  var isUnheard: Bool { voice.state == nil }

  /// What stands in the panels of a session while there is none.
  var noSession: PlainText {
    isUnheard ? "nothing was heard from the backend yet" : "no live voice session"
  }

  /// Why there is no voice state, and what to do: stands where VOICE and BRAIN have nothing to draw.
  var whyNothingCame: PlainText {
    let detail = PlainText(status.detail, limit: 300)
    return switch status.overall {
    case .connecting: detail + " The first voice state comes within seconds."
    case .live, .polling: "Connected; the first voice state comes within seconds."
    case .stopped: detail + " Mend that and start again."
    case .stale, .reconnecting, .degraded:
      detail + " It is tried again by itself; r tries now."
    }
  }
}

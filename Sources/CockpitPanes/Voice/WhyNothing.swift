import ClankyLink
import TerminalCore

extension Facts {
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

import ClankyLink
import ClankyWire
import CockpitStores
import TerminalCore

/// The window title as the terminal's form of a live activity: `clanky: LIVE voice $2.47 !1`.
/// State of the connection, whether the bot is in voice, cost of the UTC day, and failures as PULSE
/// counts them under ERR. Only words of this program and numbers.
package enum WindowTitle {
  @MainActor package static func words(_ facts: Facts) -> TitleWords {
    var title = TitleWords("clanky:")
    switch facts.status.overall {
    case .live: title.add("LIVE")
    case .connecting: title.add("CONNECTING")
    case .stale: title.add("STALE")
    case .reconnecting: title.add("RECONNECTING")
    case .polling: title.add("POLLING")
    case .degraded: title.add("DEGRADED")
    case .stopped: title.add("STOPPED")
    }
    if facts.voice.state?.sessions.isEmpty == false { title.add("voice") }
    if let cost = facts.costToday { title.add(dollars: cost) }
    let failures = facts.activity.log.totals.retained.failures
    if failures > 0 { title.add("!", min(failures, 9999)) }
    return title
  }
}

import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// Times and numbers of a voice session as displayed; `-` for unknown.
@MainActor
struct VoiceFigures {
  let facts: ViewContext

  /// `01:23:45` since a moment.
  func elapsed(since start: WireTime?) -> PlainText {
    guard let start else { return "-" }
    return Self.clock(ms: facts.nowMs - start.milliseconds)
  }

  /// `01:23:45`; hours grow as they must.
  static func clock(ms: Int64) -> PlainText {
    let seconds = min(max(0, ms / 1000), 3_599_999)
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return PlainText("\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))")
  }

  /// Time since: `12s`; `-` for never or unknown.
  func age(_ time: WireTime?) -> PlainText {
    Figures.age(ms: time.map { facts.nowMs - $0.milliseconds })
  }

  /// Time until: `4m57s`, `1h59m`; `-` if there is no end, `over` if it has passed.
  func left(_ time: WireTime?) -> PlainText {
    guard let time else { return "-" }
    let rest = time.milliseconds - facts.nowMs
    return rest < 0 ? "over" : Figures.left(ms: rest)
  }

  func time(_ time: WireTime?) -> PlainText {
    time.map { facts.clock.time(ms: $0.milliseconds) } ?? "-"
  }

  func ms(_ value: Int?) -> PlainText { Figures.duration(ms: value.map(Double.init)) }

  /// The length of a session from its own times, if both are known: rounded seconds beside them
  /// would disagree.
  func length(of past: HistorySession) -> PlainText {
    Figures.duration(ms: past.lengthMs(lastEventMs: facts.voice.lastEventMs(of: past.sessionID)))
  }

  /// `cut off, last event 23:45:13`: of a session that has no end; `after` where later events are not here.
  func cutOff(_ id: String) -> PlainText {
    facts.voice.cutOffEvidence(of: id).text(facts.clock)
  }

  /// The place of a past session, if rows report it: `#channel, guild`; nil if unknown.
  ///
  /// - Parameter width: if both do not fit, only the channel is shown.
  func place(of past: HistorySession, width: Int = .max) -> PlainText? {
    let guild = past.guildID.flatMap { $0.isEmpty ? nil : $0 }
    let channel = facts.voice.channelID(of: past.sessionID)
    let parts: [PlainText] = [
      channel.map { "#" + PlainText(facts.names.channel($0), limit: 60) },
      guild.map { PlainText(facts.names.guild($0), limit: 60) },
    ].compactMap(\.self)
    let both = parts.joined(separator: ", ")
    return both.columns <= width ? (parts.isEmpty ? nil : both) : parts.first
  }

  /// The name of a user by id, `-` for no user.
  func user(_ id: String?) -> PlainText {
    guard let id, !id.isEmpty else { return "-" }
    return PlainText(facts.names.user(id), limit: 40)
  }

  /// Untrusted text, or `-`.
  func text(_ text: String?, limit: Int = 200) -> PlainText {
    guard let text, !text.isEmpty else { return "-" }
    return PlainText(text, limit: limit)
  }

  func yesNo(_ value: Bool?) -> PlainText { value.map { $0 ? "yes" : "no" } ?? "-" }
}

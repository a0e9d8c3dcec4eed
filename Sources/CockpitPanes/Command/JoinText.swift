import ClankyWire
import TerminalCore

/// The meaning of the answers to a join request (contract 3.4.1).
enum JoinText {
  /// A word or two, and whether the bot is in the channel.
  static func short(_ result: JoinResult) -> (PlainText, Bool) {
    let isIn = result.ok == true
    guard let reason = result.reason else { return (isIn ? "joined" : "refused", isIn) }
    return (PlainText(reason.rawValue.replacingUnderscores, limit: 60), isIn)
  }

  /// What happened and what to do, in one sentence.
  static func sentence(_ result: JoinResult) -> PlainText {
    guard let reason = result.reason else {
      return result.ok == true
        ? "The bot joined the voice channel."
        : "The bot refused and gave no reason; look at the voice errors in PULSE."
    }
    return PlainText(reason.sentence, limit: 400)
  }
}

extension String {
  /// Words of the wire as people write them.
  fileprivate var replacingUnderscores: String { String(map { $0 == "_" ? " " : $0 }) }
}

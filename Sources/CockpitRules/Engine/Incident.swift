/// How much an incident matters.
package enum RuleLevel: String, Comparable, CaseIterable, Sendable {
  case info
  case warning
  case critical

  private var rank: Int {
    switch self {
    case .info: 0
    case .warning: 1
    case .critical: 2
    }
  }

  package static func < (left: RuleLevel, right: RuleLevel) -> Bool { left.rank < right.rank }
}

/// Something that a rule found: what, when, and the rows it rests on.
package struct Incident: Identifiable, Hashable, Sendable {
  /// A hash of the rule and of the anchor's time and name, 12 hexadecimal digits: the same live, in replay, on another
  /// machine and in a redacted bundle, which replaces ids and text.
  package let id: String
  package let rule: RuleID
  package var level: RuleLevel
  package var sessionID: String?
  package var guildID: String?
  package var channelID: String?
  /// The person it is about, by id.
  package var userID: String?
  /// Ms since 1970: of the first event it rests on, and of the last or of the deadline that passed.
  package var fromMs: Int64
  package var toMs: Int64
  /// One sentence with what was measured and the threshold. Wire words in it are untrusted text.
  package var sentence: String
  /// The rows it rests on, oldest first; the first is the anchor. At most `maxEvidence`: the first and the newest.
  package var evidence: [Citation]
  /// The event that should have come; nil if absence is not the finding.
  package var missing: String?
  /// What probably caused it; nil if nothing is known.
  package var cause: String?
  /// What to try.
  package var advice: String
  /// How often it happened, repeats within `repeatMs` counted here.
  package var count = 1

  package static let maxEvidence = 12
  /// A repeat of the same rule, session and person within this time is the same incident, in ms.
  package static let repeatMs: Int64 = 300_000

  /// - Parameter place: 0, or a number that tells apart incidents whose anchors share rule, time and name.
  static func id(_ rule: RuleID, anchor: Citation, place: Int = 0) -> String {
    var print = Fingerprint()
    print.add(rule.rawValue)
    print.add(anchor.timeMs)
    print.add(anchor.name)
    if place > 0 { print.add(Int64(place)) }
    let digits = String(print.value & 0xFFFF_FFFF_FFFF, radix: 16)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }
}

/// Whether a rule could judge.
package enum Judgement: Hashable, Sendable {
  case judged
  /// Not one event that it looks at has come: it found nothing because there was nothing to look at.
  case idle
  /// What it needs is not sent, as a phrase: `no voice state on this backend`.
  case unknown(String)
}

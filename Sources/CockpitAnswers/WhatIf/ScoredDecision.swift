package import CockpitStores
internal import ClankyWire
internal import LenientJSON

/// What a score decides.
package enum ScoreFamily: String, CaseIterable, Hashable, Sendable {
  /// Whether a message was for the bot, on the row of what came of it.
  case text
  /// Whether a message was let in.
  case admission
  /// Whether speech was for the bot.
  case voice
  /// Whether what was recognised is sure enough, as a mean log-probability.
  case recognition
  /// Whether the bot posts or speaks without being addressed.
  case initiative

  /// Thresholds of the table without one that is asked for.
  package var steps: [Double] {
    self == .recognition
      ? [-2, -1.5, -1.25, -1, -0.75, -0.5] : [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
  }

  /// What it is about, in a few words.
  package var subject: String {
    switch self {
    case .text: "messages and their outcome, by addressing.confidence"
    case .admission: "admissions of messages, by addressSignal.confidence"
    case .voice: "turns of speech, by directedConfidence"
    case .recognition: "recognised speech, by meanLogprob"
    case .initiative: "thoughts and posts of its own, by score"
    }
  }
}

/// One decision, with the score that is logged of it.
package struct ScoredDecision: Hashable, Sendable {
  package var family: ScoreFamily
  package var evidence: Answer.Evidence
  /// The message or transcript, if the row contains it. Untrusted text: convert it to `PlainText` before output.
  package var words: String
  package var wasAnswered: Bool
  /// nil if the row has none.
  package var score: Double?
  /// nil if the row has none.
  package var threshold: Double?
  /// Whether the score can have decided: not a name that was called, a lock, or a rule.
  package var isByScore: Bool

  package enum Flip: String, Hashable, Sendable {
    /// It was silent, and the score would have passed.
    case answered
    /// It answered, and the score would not have passed.
    case lost
  }

  /// What another threshold would have changed; nil for nothing, or where the score did not decide.
  package func flip(at other: Double) -> Flip? {
    guard isByScore, let score else { return nil }
    if wasAnswered { return score < other ? .lost : nil }
    return score >= other ? .answered : nil
  }
}

extension ScoredDecision {
  private static let wordLimit = 160

  /// nil if the row decides nothing by a score.
  package init?(_ row: ActionRowView) {
    switch (row.kind, row.label.event ?? "") {
    case ("sent_reply", _), ("sent_message", _): self.init(row, .text, wasAnswered: true)
    case ("reply_skipped", _): self.init(row, .text, wasAnswered: false)
    case ("text_runtime", "reply_admission_decision"):
      self.init(row, .admission, wasAnswered: nil)
    case ("voice_runtime", "voice_turn_addressing"): self.init(row, .voice, wasAnswered: nil)
    case ("voice_runtime", "voice_turn_dropped_asr_low_confidence"):
      self.init(row, .recognition, wasAnswered: false)
    case ("voice_runtime", "file_asr_transcript"):
      self.init(row, .recognition, wasAnswered: true)
    case ("voice_runtime", let event) where event.hasSuffix("_asr_final_segment"):
      self.init(row, .recognition, wasAnswered: true)
    case ("initiative_post", _): self.init(row, .initiative, wasAnswered: true)
    case ("initiative_skip", _): self.init(row, .initiative, wasAnswered: false)
    default: return nil
    }
  }

  /// - Parameter wasAnswered: nil for what `allow` of the row says.
  private init?(_ row: ActionRowView, _ family: ScoreFamily, wasAnswered: Bool?) {
    let details = row.metadata()
    guard let answered = wasAnswered ?? details["allow"]?.bool else { return nil }
    self.family = family
    self.wasAnswered = answered
    evidence = Answer.Evidence(row, "")
    func number(_ value: JSONValue?) -> Double? {
      value?.double.flatMap { $0.isFinite ? $0 : nil }
    }
    var isForced = false
    switch family {
    case .text, .admission:
      let signal = details[family == .text ? "addressing" : "addressSignal"]
      score = number(signal?["confidence"])
      threshold = number(signal?["threshold"])
      let source = signal?["confidenceSource"]?.string
      isForced =
        signal?["direct"]?.bool == true || source == "direct" || source == "exact_name"
      words =
        row.kind == "sent_reply" || row.kind == "sent_message"
        ? row.content(limit: Self.wordLimit) ?? "" : ""
    case .voice:
      score = number(details["directedConfidence"])
      threshold = number(details["threshold"])
      isForced =
        details["directAddressed"]?.bool == true || details["outputLockReason"]?.string != nil
        || details["reason"]?.string == "bot_turn_open"
      words = details["heard"]?.string ?? ""
    case .recognition:
      score = number(details["meanLogprob"])
      threshold = number(details["threshold"])
      words = details["transcript"]?.string ?? ""
    case .initiative:
      score = number(details["score"])
      threshold = number(details["threshold"])
      words = details["thoughtText"]?.string ?? row.content(limit: Self.wordLimit) ?? ""
    }
    words = String(words.prefix(Self.wordLimit))
    // A decision against its own score was made by something else.
    let agrees =
      if let score, let threshold { (score >= threshold) == answered } else { true }
    isByScore = score != nil && !isForced && agrees
  }
}

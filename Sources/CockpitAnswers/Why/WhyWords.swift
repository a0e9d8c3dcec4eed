internal import CockpitText

/// Words that several rules use.
enum WhyWords {
  /// The beginning of a sentence about something that goes on.
  static func underway(_ exchange: Exchange) -> String {
    exchange.isCutOff ? "Not over yet when the connection was lost: " : "Not over yet: "
  }

  /// What to do about it.
  @Sendable static func waiting(_ exchange: Exchange) -> Answer.NextStep {
    Answer.NextStep(
      exchange.isCutOff
        ? "Ask again once the connection is back." : "Ask again at a later moment.")
  }

  /// Untrusted text in quotes, on one line and truncated.
  static func quote(_ text: String, limit: Int = 60) -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > limit ? "\"\(line.prefix(limit - 1))…\"" : "\"\(line)\""
  }

  /// `it was addressed directly (hard_address)`
  static func reason(_ code: String?) -> String {
    guard let code, !code.isEmpty else { return "no reason on record" }
    guard let words = reasons[code]?.words else { return String(code.prefix(80)) }
    return "\(words) (\(code))"
  }

  /// The same in words alone, where there are some: `K` has the code.
  static func words(_ code: String?) -> String {
    guard let code, !code.isEmpty else { return "no reason on record" }
    return reasons[code]?.words ?? String(code.prefix(80)).replacing("_", with: " ")
  }

  /// How close it was, such as `, 21 % sure that it was meant where 62 % are needed`; empty where no row says so.
  static func closeness(_ addressing: Exchange.Addressing?) -> String {
    guard let addressing, let confidence = addressing.confidence,
      let threshold = addressing.threshold
    else { return "" }
    func share(_ value: Double) -> String { "\(Int((min(max(value, 0), 1) * 100).rounded())) %" }
    return ", \(share(confidence)) sure that it was meant where \(share(threshold)) are needed"
  }

  /// The advice for a reason code.
  static func advice(_ code: String?) -> String? { code.flatMap { reasons[$0]?.advice } }

  static func span(_ ms: Int) -> String { "\(Figures.duration(ms: Double(ms)))" }

  /// `claude-opus-4-6 with web_search`; nil when no call is on record.
  static func making(_ exchange: Exchange) -> String? {
    guard !exchange.calls.isEmpty else { return nil }
    var models: [String] = []
    for case let model? in exchange.calls.map(\.model) where !models.contains(model) {
      models.append(model)
    }
    var text = models.isEmpty ? "a model" : models.joined(separator: ", ")
    let tools = exchange.tools.map { $0.isSuccess == false ? "\($0.name) (failed)" : $0.name }
    if !tools.isEmpty { text += " with " + tools.prefix(4).joined(separator: ", ") }
    return text
  }

  /// How a message that was admitted came to its answer, such as
  /// `it was addressed directly (hard_address), by claude-opus-4-6`.
  static func path(_ exchange: Exchange) -> String {
    var parts: [String] = []
    if let admission = exchange.admission, admission.allow != false {
      parts.append(reason(admission.reason))
    }
    if let making = making(exchange) { parts.append("by \(making)") }
    if let ms = exchange.totalMs { parts.append("after \(span(ms))") }
    return parts.isEmpty ? "how it came to it is not on record" : parts.joined(separator: ", ")
  }

  /// The error of a model call, such as `529 overloaded_error`.
  static func failure(_ text: String) -> String {
    guard let brace = text.firstIndex(of: "{") else { return quote(text, limit: 50) }
    let status = text[..<brace].split(separator: " ").first.map(String.init)
    let type =
      text.components(after: "\"type\":\"").filter { $0 != "error" }.first
    return [status, type].compactMap { $0 }.joined(separator: " ")
  }

  /// The wire's codes for text in a reader's words, and what to do about them (contract 4.5).
  private static let reasons: [String: (words: String, advice: String?)] = [
    "hard_address": ("it was addressed directly", nil),
    "direct_address": ("it was addressed directly", nil),
    "ambient_allowed": ("messages for nobody in particular are answered there", nil),
    "ambient_low_confidence": (
      "it was not sure enough to be meant", "Say its name or reply to it to be sure of an answer."
    ),
    "ambient_no_signal": (
      "nothing in it was for the bot", "Say its name or reply to it to be sure of an answer."
    ),
    "cold_ambient_gate_closed": (
      "it was in no conversation there and left the message alone",
      "Say its name or reply to it to be sure of an answer."
    ),
    "unsolicited_replies_disabled": (
      "it answers only who addresses it",
      "Say its name, or allow unsolicited replies in the bot's settings."
    ),
    "not_reply_channel": (
      "it does not reply in that channel", "Add the channel to the reply channels in its settings."
    ),
    "send_budget_exhausted": (
      "its messages for now were used up", "Wait, or raise its message limit in the bot's settings."
    ),
    "talk_now_blocked": (
      "it was not to talk at that moment", "See the gate's row for what blocked it."
    ),
    "context_should_not_run": (
      "the pipeline decided not to run", "See the gate's row for what it knew."
    ),
    "llm_skip": (
      "the model chose to say nothing", "Read the prompt and the output of the call in BRAIN."
    ),
    "empty_reply": ("the model's reply was empty", "Read the output of the call in BRAIN."),
    "duplicate_reply": (
      "the reply repeated an earlier one", "Compare the reply with the ones before it in PULSE."
    ),
    "stale_context": (
      "the conversation had moved on meanwhile", "See what was slow: the answer came too late."
    ),
    "queue_full": (
      "the queue of replies was full", "See which channel has the replies that are waiting."
    ),
    "message_expired": (
      "it had waited too long in the queue", "See which channel has the replies that are waiting."
    ),
  ]
}

extension String {
  /// The texts that stand between a mark and the next quote.
  fileprivate func components(after mark: String) -> [String] {
    var rest = self[...]
    var found: [String] = []
    while let range = rest.firstRange(of: mark), found.count < 8 {
      rest = rest[range.upperBound...]
      found.append(String(rest.prefix { $0 != "\"" }))
    }
    return found
  }
}

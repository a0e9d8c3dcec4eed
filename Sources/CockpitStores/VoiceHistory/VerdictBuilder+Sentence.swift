internal import Foundation
internal import LenientJSON

/// The verdict in one sentence, and the words for its reasons.
extension VerdictBuilder {
  var who: String {
    switch turn.origin {
    case .speech: turn.speaker ?? turn.speakerID ?? "somebody"
    case .roomEvent: "an event of the room"
    case .thought: "a thought of its own"
    }
  }

  var sentence: String {
    if turn.mergedInto != nil {
      return "\(who) was answered together with another turn: \(outcomeClause)."
    }
    switch turn.outcome {
    case .responded: return answer
    case .interrupted:
      let by = turn.interruptedBy.map { record.name($0) ?? $0 }
      return "Cut off\(by.map { " by \($0)" } ?? ""): " + answer
    case .pending:
      if isOpen { return underway }
      let step = stop.map { "no row about \($0.rawValue)" } ?? "no row about its end"
      return "Unknown: \(step) is on record, so why it was silent cannot be told."
    case .denied, .dropped, .failed:
      return "Silent: \(outcomeClause)."
    }
  }

  /// The progress of an unfinished turn.
  private var underway: String {
    let decision = turn.decision
    guard decision?.allow == true || turn.generation != nil || turn.replyRequested != nil else {
      return "Not decided yet: \(who) is being heard or answered."
    }
    let reason = decision?.reason.map { " by \($0)" } ?? ""
    return "Allowed\(reason): the answer to \(who) is on its way."
  }

  var outcomeClause: String {
    switch turn.outcome {
    case .denied where turn.skipped != nil && turn.reason == "llm_skip":
      "the model chose to say nothing to \(who)"
    case .denied where turn.skipped != nil:
      "the reply to \(who) was skipped (\(turn.reason ?? "?"))"
    case .denied: "it was decided not to answer \(who): \(reasonText)"
    case .dropped where turn.areWordsDiscarded && turn.words.isEmpty:
      "no words of \(who) were recognised: \(reasonText)"
    case .dropped where turn.areWordsDiscarded:
      "what the recogniser made of \(who) was discarded: \(reasonText)"
    case .dropped: "what \(who) said was let go: \(reasonText)"
    case .failed where stop == .audio: "an answer to \(who) was made and not heard: \(reasonText)"
    case .failed: "the answer to \(who) failed: \(reasonText)"
    case .responded: "it was heard"
    case .interrupted: "it was cut off"
    case .pending: "how it ended is not on record"
    }
  }

  /// Why the bot said it: trigger, assumed speaker, tools, memory, model.
  var answer: String {
    var parts: [String] = []
    let decision = turn.decision
    switch turn.origin {
    case .speech:
      parts.append(
        decision?.directAddressed == true
          ? "\(who) addressed the bot directly" : "\(who) spoke")
    case .roomEvent: parts.append(turn.words.isEmpty ? who : turn.words)
    case .thought: parts.append("It spoke a thought of its own")
    }
    if let reason = decision?.reason { parts.append("allowed by \(reason)") }
    if let confidence = decision?.confidence {
      parts.append("sure to \(Self.share(confidence)) it was for \(decision?.talkingTo ?? "it")")
    }
    if !turn.tools.isEmpty {
      let names = turn.tools.map { $0.isSuccess == false ? $0.name + " (failed)" : $0.name }
      parts.append("used " + names.joined(separator: ", "))
    }
    if let facts { parts.append(facts) }
    if !turn.models.isEmpty { parts.append("by " + turn.models.joined(separator: ", ")) }
    return parts.joined(separator: ", ") + "."
  }

  /// Counts from the row about loaded memory.
  var facts: String? {
    for id in turn.events {
      guard let event = record.event(id), event.name.hasSuffix("memory_loaded"),
        case .object(let object) = event.metadata
      else { continue }
      // `userFactCount`, `guidanceFactCount` …
      let counts = object.members.compactMap { member -> String? in
        guard member.key.hasSuffix("FactCount"), let count = member.value.int, count > 0 else {
          return nil
        }
        return "\(count) \(member.key.dropLast("FactCount".count))"
      }
      if !counts.isEmpty { return "with facts loaded: " + counts.joined(separator: ", ") }
    }
    return nil
  }

  var reasonText: String {
    guard let reason = turn.reason ?? turn.decision?.reason else { return "no reason on record" }
    if turn.decision?.outputLockReason == reason { return "the output was locked (\(reason))" }
    guard let words = Self.reasons[reason] else { return reason }
    return "\(words) (\(reason))" + closeness
  }

  /// How sure the recogniser was of a word on average, and how sure it has to be; empty where no row says so. The
  /// wire has the logarithms of both.
  private var closeness: String {
    for id in turn.events.reversed() {
      guard let metadata = record.event(id)?.metadata, let mean = metadata["meanLogprob"]?.double,
        let threshold = metadata["threshold"]?.double
      else { continue }
      return
        ", \(Self.share(exp(mean))) sure of a word where \(Self.share(exp(threshold))) are needed"
    }
    return ""
  }

  /// The wire's words (contract appendix A) in a reader's.
  static let reasons = [
    "bot_turn_open": "the bot was speaking",
    "command_only_not_addressed": "only commands are answered and it was not addressed",
    "llm_unavailable": "the model was not available",
    "missing_transcript": "nothing was recognised",
    "model_no": "the model said it was not for the bot",
    "music_playing_not_awake": "music was playing and nobody had woken the bot",
    "owned_tool_followup_other_speaker_blocked": "a tool was waiting for somebody else",
    "classifier_runtime_error": "the classifier failed",
    "unparseable_classifier_output": "the classifier's answer could not be read",
    "silence_gate": "it was too quiet",
    "provisional_capture": "it never counted as speech",
    "empty_capture": "there was no audio in it",
    "asr_low_confidence": "the recogniser was not sure",
    "asr_control_tokens": "the recogniser heard no words",
    "asr_sparse_transcript": "the recogniser heard too little",
    "idle_hallucination": "the recogniser made it up out of silence",
    "no_bridge_transcript": "no transcript came",
    "empty_transcript": "nothing was recognised",
    "superseded": "newer speech took its place",
    "generation_watchdog_timeout": "the model took too long",
    "never_played": "generated but never played",
    "response_silent_fallback": "the provider gave no sound",
    "response_silent_hard_recovery": "the provider gave no sound",
    "llm_skip": "the model chose to say nothing",
  ]

  /// In full: the view wraps it. The state holds 700 characters of a turn at most (contract 5.2.4).
  func quoted(_ text: String) -> String {
    text.count > 2000 ? "\"\(text.prefix(1999))…\"" : "\"\(text)\""
  }

  static func span(_ ms: Int) -> String {
    ms < 1000 ? "\(ms) ms" : "\(ms / 1000).\(ms % 1000 / 100) s"
  }

  /// `92 %`
  static func share(_ value: Double) -> String {
    "\(Int((min(max(value, 0), 1) * 100).rounded())) %"
  }
}

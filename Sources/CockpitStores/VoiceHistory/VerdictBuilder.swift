internal import ClankyWire

extension Verdict {
  /// The verdict on a turn, from what its record holds.
  @MainActor
  init(turn: VoiceTurnRecord, in record: VoiceSessionRecord, nowMs: Int64) {
    let builder = VerdictBuilder(turn: turn, record: record, isOpen: turn.isOpen(at: nowMs))
    stop = builder.stop
    isAnswer = turn.outcome == .responded || turn.outcome == .interrupted
    items = builder.steps.map(builder.item)
    sentence = builder.sentence
  }
}

@MainActor
private struct VerdictBuilder {
  typealias Item = Verdict.Item
  typealias Step = Verdict.Step

  let turn: VoiceTurnRecord
  let record: VoiceSessionRecord
  let isOpen: Bool
  let stop: Step?
  let steps: [Step]
  /// The last step that a row reports.
  private let reached: Int

  init(turn: VoiceTurnRecord, record: VoiceSessionRecord, isOpen: Bool) {
    self.turn = turn
    self.record = record
    self.isOpen = isOpen
    steps =
      turn.origin == .speech
      ? Step.allCases : [.decision, .generation, .tools, .reply, .audio]
    reached = steps.lastIndex { Self.evidence($0, turn) != nil } ?? 0
    stop = isOpen ? nil : Self.stop(of: turn, steps: steps)
  }

  // MARK: where it stopped

  private static func evidence(_ step: Step, _ turn: VoiceTurnRecord) -> VoiceTurnRecord.Mark? {
    switch step {
    case .capture: turn.finalized ?? turn.promoted
    case .promoted: turn.promoted
    case .asr: turn.asrFinal ?? turn.firstPartial
    case .decision: turn.decision?.mark
    case .generation: turn.generation
    case .tools:
      turn.tools.first.flatMap { tool in
        tool.events.last.map {
          VoiceTurnRecord.Mark(timeMs: tool.endMs ?? tool.startMs ?? 0, event: $0)
        }
      }
    case .reply: turn.replyRequested
    case .audio: turn.audioStarted
    }
  }

  private static func stop(of turn: VoiceTurnRecord, steps: [Step]) -> Step? {
    switch turn.outcome {
    case .responded: return nil
    case .interrupted: return .audio
    case .denied:
      guard turn.skipped != nil else { return .decision }
      return turn.reason == "llm_skip" ? .generation : .reply
    case .failed: return turn.replyRequested != nil || isSoundFailure(turn) ? .audio : .generation
    case .dropped: return dropStep(turn)
    case .pending:
      // The first step that should have come and is not on record.
      let last = steps.last { $0 != .tools && evidence($0, turn) != nil }
      guard let last, let place = steps.firstIndex(of: last) else { return steps.first }
      return steps[(place + 1)...].first { $0 != .tools }
    }
  }

  private static func isSoundFailure(_ turn: VoiceTurnRecord) -> Bool {
    let reason = turn.reason ?? ""
    return reason == "never_played" || reason.hasPrefix("response_silent")
      || reason.hasPrefix("realtime_audio_write")
  }

  private static func dropStep(_ turn: VoiceTurnRecord) -> Step {
    let reason = turn.reason ?? ""
    if reason == "superseded" {
      return turn.decision?.allow == true || turn.replyRequested != nil ? .reply : .decision
    }
    if reason.contains("asr") || reason.contains("transcript") || reason.contains("hallucination") {
      return .asr
    }
    if turn.promoted == nil, turn.asrFinal == nil { return .promoted }
    return turn.asrFinal == nil ? .capture : .asr
  }

  // MARK: the checklist

  func item(_ step: Step) -> Item {
    let mark = Self.evidence(step, turn)
    let place = steps.firstIndex(of: step) ?? 0
    var item: Item
    if step == stop {
      item = stopped(step)
    } else if let stop, let end = steps.firstIndex(of: stop), place > end, mark == nil {
      item = make(step, .skipped, "not reached", nil)
    } else if let mark {
      item = make(step, mark.isInferred ? .inferred : .passed, detail(step), mark.event)
    } else if step == .tools {
      item = make(step, .skipped, "no tool was used", nil)
    } else if place < reached {
      item = make(step, .inferred, inferredDetail(step), nil)
    } else if isOpen {
      let isNext = steps[(reached + 1)...].first { $0 != .tools } == step
      item = make(step, isNext ? .running : .skipped, isNext ? "goes on" : "not yet", nil)
    } else {
      item = make(step, .unknown, "not on record", nil)
    }
    if step == .tools, turn.tools.contains(where: { $0.isSuccess == false }) {
      item.state = .failed
    }
    if step == .tools, turn.tools.contains(where: \.isRunning), isOpen { item.state = .running }
    return item
  }

  private func make(
    _ step: Step, _ state: Verdict.State, _ detail: String, _ id: VoiceEvent.ID?
  ) -> Item {
    let event = id.flatMap { record.event($0) }
    return Item(
      step: step, state: state, detail: detail, event: id, rowID: event?.rowID,
      actionID: event?.actionID, timeMs: event?.timeMs)
  }

  private func inferredDetail(_ step: Step) -> String {
    switch step {
    case .capture, .promoted: "not on record; later steps need it"
    case .asr:
      turn.words.isEmpty
        ? "no transcript on record" : "no final segment; the decision heard \(quoted(turn.words))"
    default: "no row says so; later steps need it"
    }
  }

  private func stopped(_ step: Step) -> Item {
    let mark = Self.evidence(step, turn)
    switch turn.outcome {
    case .pending:
      return make(step, .unknown, "nothing more on record", nil)
    case .dropped:
      let isFault = step == .asr && turn.reason?.contains("empty") == true
      return make(step, isFault ? .failed : .stopped, reasonText, turn.dropped?.event)
    case .denied:
      return make(
        step, .stopped, step == .decision ? detail(.decision) : reasonText,
        turn.skipped?.event ?? mark?.event)
    case .failed:
      let isInferred = turn.failed?.isInferred == true
      return make(
        step, isInferred ? .inferred : .failed,
        isInferred ? reasonText + "; no sound within 30 s of the request" : reasonText,
        turn.failed?.event)
    case .interrupted:
      let who = turn.interruptedBy.map { record.name($0) ?? $0 }
      return make(
        step, .stopped, "cut off" + (who.map { " by \($0)" } ?? ""), turn.interrupted?.event)
    case .responded:
      return make(step, .passed, detail(step), mark?.event)
    }
  }

  private func detail(_ step: Step) -> String {
    switch step {
    case .capture:
      let length = turn.captureMs.map { Self.span($0) + " of audio" } ?? "audio"
      return length + (turn.captureReason.map { ", ended by \($0)" } ?? "")
    case .promoted:
      let delay = turn.promotionDelayMs.map { " after " + Self.span($0) } ?? ""
      return (turn.promotionReason ?? "counted as speech") + delay
    case .asr:
      let text = quoted(turn.words)
      return turn.isPartial ? "so far \(text)" : text
    case .decision: return decisionText
    case .generation:
      let by = turn.models.isEmpty ? "" : turn.models.joined(separator: ", ")
      let way: String =
        switch turn.path {
        case .bridge: "transcript handed to the realtime provider"
        case .native: "made by the realtime provider"
        case .brain, .unknown: by.isEmpty ? "began" : ""
        }
      return [way, by].filter { !$0.isEmpty }.joined(separator: ", ")
    case .tools:
      return turn.tools.map { tool in
        let time = tool.durationMs.map { " " + Self.span($0) } ?? ""
        let end =
          tool.isSuccess == false
          ? " failed" + (tool.error.map { ": \($0)" } ?? "") : tool.isRunning ? " runs" : ""
        return tool.name + time + end
      }.joined(separator: ", ")
    case .reply:
      return turn.reply.map(quoted) ?? "speech was asked for"
    case .audio:
      let delay = turn.latency?.replyRequestToAudioStartMs.map { " \(Self.span($0)) later" } ?? ""
      return "first sound" + delay
    }
  }

  private var decisionText: String {
    guard let decision = turn.decision else { return "no decision on record" }
    var parts: [String] = []
    if let allow = decision.allow { parts.append(allow ? "allow" : "deny") }
    if let reason = decision.outputLockReason { parts.append("output lock \(reason)") }
    if let reason = decision.reason { parts.append(reason) }
    if decision.directAddressed == true { parts.append("addressed directly") }
    if let target = decision.talkingTo { parts.append("talking to \(target)") }
    if let confidence = decision.confidence { parts.append(Self.share(confidence)) }
    return parts.joined(separator: ", ")
  }

  // MARK: the sentence

  private var who: String {
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
      if isOpen { return "Not decided yet: \(who) is being heard or answered." }
      let step = stop.map { " \($0.rawValue)" } ?? " the end"
      return "Unknown: nothing is on record of\(step), so why it was silent cannot be told."
    case .denied, .dropped, .failed:
      return "Silent: \(outcomeClause)."
    }
  }

  private var outcomeClause: String {
    switch turn.outcome {
    case .denied where turn.skipped != nil && turn.reason == "llm_skip":
      "the model chose to say nothing to \(who)"
    case .denied where turn.skipped != nil:
      "the reply to \(who) was skipped (\(turn.reason ?? "?"))"
    case .denied: "it was decided not to answer \(who): \(reasonText)"
    case .dropped: "what \(who) said was let go: \(reasonText)"
    case .failed where stop == .audio: "an answer to \(who) was made and not heard: \(reasonText)"
    case .failed: "the answer to \(who) failed: \(reasonText)"
    case .responded: "it was heard"
    case .interrupted: "it was cut off"
    case .pending: "how it ended is not on record"
    }
  }

  /// Why it said that: what set it off, whom it took it to be for, tools, memory, model.
  private var answer: String {
    var parts: [String] = []
    let decision = turn.decision
    switch turn.origin {
    case .speech:
      parts.append(
        decision?.directAddressed == true
          ? "\(who) addressed the bot directly" : "\(who) spoke")
    case .roomEvent: parts.append(turn.words.isEmpty ? who : turn.words)
    case .thought: parts.append(who)
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

  /// What the row about loaded memory says, as counts.
  private var facts: String? {
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

  private var reasonText: String {
    guard let reason = turn.reason ?? turn.decision?.reason else { return "no reason on record" }
    if turn.decision?.outputLockReason == reason { return "the output was locked (\(reason))" }
    guard let words = Self.reasons[reason] else { return reason }
    return "\(words) (\(reason))"
  }

  /// The wire's words (contract appendix A) in a reader's.
  private static let reasons = [
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

  private func quoted(_ text: String) -> String {
    text.count > 120 ? "\"\(text.prefix(119))…\"" : "\"\(text)\""
  }

  private static func span(_ ms: Int) -> String {
    ms < 1000 ? "\(ms) ms" : "\(ms / 1000).\(ms % 1000 / 100) s"
  }

  /// `92 %`
  private static func share(_ value: Double) -> String {
    "\(Int((min(max(value, 0), 1) * 100).rounded())) %"
  }
}

internal import ClankyWire

extension Verdict {
  /// The verdict on a turn, from its record.
  @MainActor
  init(turn: VoiceTurnRecord, in record: VoiceSessionRecord, nowMs: Int64) {
    let builder = VerdictBuilder(turn: turn, record: record, isOpen: turn.isOpen(at: nowMs))
    stop = builder.stop
    isAnswer = turn.outcome == .responded || turn.outcome == .interrupted
    items = builder.steps.map(builder.item)
    sentence = builder.sentence
  }
}

/// Walks the steps of a turn up to where it stopped.
@MainActor
struct VerdictBuilder {
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

  // MARK: Where it stopped

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
      // The first expected step that was not recorded.
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
      if turn.areWordsDiscarded {
        return turn.words.isEmpty ? "no words" : "the recogniser made \(text) of it"
      }
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
}

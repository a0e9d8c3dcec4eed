import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore

extension SummaryBuilder {
  /// The voice, recogniser and speech kinds. Speech is quoted, the speaker comes first (contract
  /// 4.5, Voice, and Appendix A).
  package mutating func voice() {
    switch action.kind {
    case "voice_turn_in":
      add(speaker, .voice)
      add("speaks", .muted)
      pair("after", "promotionReason")
      durationMs = number("promotionDelayMs")
    case "voice_turn_out":
      add("bot audio starts", .muted)
    case "voice_session_start":
      let id = string("voiceChannelId") ?? afterColon
      add("joined " + "#" + names.channel(id), .positive)
      add(string("mode"), .muted)
      add(string("requestedByUserId").map { "for " + names.user($0) }, .muted)
    case "voice_session_end":
      add("left: \(action.content ?? "unknown")", .warning)
      add(string("mode"), .muted)
      durationMs = number("durationSeconds").map { $0 * 1000 }
    case "voice_soundboard_play":
      add("sound \(action.content ?? "?")", .tool)
      pair("reason", "reason")
    case "voice_runtime", "voice_error":
      if isFailure, action.kind == "voice_error" { outcome = .failed }
      voiceEvent(event)
    case "voice_music":
      add(string("query").map { "\"\($0)\"" })
      pair("on", "platform")
      count(number("resultCount"), "results")
      durationMs = durationMs ?? number("totalMs")
    case "asr_call", "tts_call":
      add(string("model") ?? action.content, .heading)
      add(string("source"), .muted)
      pair("language", "language")
      count(number("textChars"), "chars")
      pair("voice", "voice")
    case "asr_error", "tts_error":
      failure()
      addOnce(string("model"), .muted)
    default: other()
    }
  }

  private mutating func voiceEvent(_ event: String) {
    switch event {
    case "openai_realtime_asr_partial_segment":
      add(speaker, .voice)
      quote(string("transcript"), .muted)
    case "openai_realtime_asr_final_segment", "file_asr_transcript":
      add(speaker, .voice)
      quote(string("transcript"))
    case "voice_turn_addressing", "voice_runtime_event_decision":
      add(speaker, .voice)
      decision()
      quote(string("heard") ?? string("transcript"))
    case "voice_brain_tool_call":
      tool(arguments: metadata["toolInput"])
      result(isSuccess)
      addCause(string("error"))
    case "realtime_tool_call_started":
      tool(arguments: metadata["arguments"])
      outcome = .running
      add("running", .muted)
    case "realtime_tool_call_completed":
      tool(arguments: metadata["arguments"])
      result(true)
    case "realtime_tool_call_failed":
      tool(arguments: metadata["arguments"])
      result(false)
      addCause(string("error"))
    case "realtime_reply_requested":
      quote(string("replyText"))
      add(string("talkingTo").map { "to \($0)" }, .muted)
    case "realtime_reply_skipped":
      outcome = .skipped
      add(string("skipCause"), .warning)
      quote(string("replyTextPreview"), .muted)
    case "bot_utterance_completed":
      quote(string("utteranceTextPreview"))
      durationMs = number("estimatedPlaybackMs")
    case "voice_latency_stage":
      latency()
    case "voice_membership_changed":
      add(string("displayName") ?? string("memberUserId").map(names.user), .voice)
      add(string("eventType") == "leave" ? "left" : "joined", .muted)
      count(number("participantCount"), "people")
    case "voice_thought_decision", "voice_thought_spoken":
      add(string("action"), .info)
      quote(string("finalThought") ?? string("thought"), .muted)
      add(string("reason"), .muted)
    case "voice_barge_in_gate":
      add(speaker, .voice)
      decision()
    default:
      if event.hasSuffix("_response_done") {
        add(string("responseStatus"), .muted)
        add(string("responseModel"), .heading)
        if let usage = metadata["responseUsage"], usage.object != nil {
          add(
            Figures.short(usage["inputTokens"]?.double) + ">"
              + Figures.short(usage["outputTokens"]?.double) + " tok", .muted)
        }
      } else if event.hasSuffix("_transcript") {
        add(string("transcriptSource") == "output" ? "bot" : speaker, .voice)
        quote(string("transcript"))
      } else {
        otherVoiceEvent()
      }
    }
  }

  private mutating func otherVoiceEvent() {
    if let speaker = string("speakerName") { add(speaker, .voice) }
    add(detail)
    quote(string("transcript"), .muted)
    if bool("allow") != nil { decision() } else { add(string("reason"), .muted) }
    pair("stage", "stage")
    pair("state", "state")
    addCause(string("error") ?? string("message"))
    pair("note", "note")
    durationMs = durationMs ?? number("elapsedMs")
  }

  /// `allow direct .95` or `deny model_no`
  private mutating func decision() {
    if let allow = bool("allow") {
      outcome = allow ? .ok : .skipped
      add(allow ? "allow" : "deny", allow ? .positive : .warning)
    }
    if bool("directAddressed") == true { add("direct", .info) }
    add(string("reason"), .muted)
    if let confidence = number("directedConfidence"), confidence > 0 {
      add(Figures.unit(confidence), .muted)
    }
  }

  private mutating func tool(arguments: JSONValue?) {
    add("\(string("toolName") ?? "?")(\((arguments ?? .null).arguments))", .tool)
  }

  /// The backend's four latency stages (contract 7.2), by their names in VOICE; the total is their
  /// sum.
  private mutating func latency() {
    add(string("stage"), .muted)
    var total: Double?
    for stage in LatencyStage.allCases {
      guard let ms = number(stage.key) else { continue }
      total = (total ?? 0) + ms
      add(PlainText(stage.name) + " " + Figures.duration(ms: ms), .muted)
    }
    durationMs = string("stage") == "audio_started" ? total : nil
  }
}

import ClankyWire
import CockpitRules

/// Rows as the backend sends them, a thousand a second.
struct SyntheticEvening {
  let startMs: Int64 = 1_767_614_400_000
  let count: Int
  private let prompt = String(
    repeating: "Answer the person who asked before the room. ", count: 220)

  /// The JSON of the rows of a second.
  func lines(ofSecond second: Int) -> [[UInt8]] {
    (0..<1000).map { Array(line(second * 1000 + $0).utf8) }
  }

  /// What comes every three seconds.
  func documents(ofSecond second: Int) -> [RuleEvent] {
    guard second % 3 == 0 else { return [] }
    let at = startMs + Int64(second) * 1000 + 999
    let sample = VoiceSample(
      sessionID: "s1", guildID: "g1", phase: .idle, pendingTurns: 1, recognisers: ["u1": true])
    return [
      RuleEvent(timeMs: at, body: .voice([sample])),
      RuleEvent(
        timeMs: at,
        body: .health(HealthSample(isReady: true, isReconnecting: false, queuedReplies: 0))),
    ]
  }

  private func line(_ index: Int) -> String {
    let turn = index / 20
    let session = #""sessionId":"s\#(turn % 3)","mode":"openai_realtime","source":"realtime""#
    switch index % 20 {
    case 0: return row(index, "voice_turn_in", "voice_activity_started", session, turn)
    case 1...5:
      return row(
        index, "voice_runtime", "openai_realtime_asr_partial_segment",
        session + #","transcript":"are you th","itemId":"i\#(turn)""#, turn)
    case 6:
      return row(
        index, "voice_runtime", "openai_realtime_asr_final_segment",
        session + #","transcript":"are you there","itemId":"i\#(turn)""#, turn)
    case 7:
      return row(
        index, "voice_runtime", "voice_turn_addressing",
        session + #","allow":true,"directAddressed":true,"heard":"are you there""#, turn)
    case 8:
      return row(
        index, "voice_runtime", "realtime_reply_requested",
        session + #","requestId":\#(turn),"replyText":"Yes, I am here.""#, turn)
    case 9: return row(index, "voice_turn_out", "bot_audio_started", session, turn)
    case 10:
      return row(
        index, "voice_runtime", "voice_latency_stage",
        session
          + #","stage":"audio_started","finalizedToAsrStartMs":10,"asrToGenerationStartMs":90,"#
          + #""generationToReplyRequestMs":\#(700 + turn % 90),"replyRequestToAudioStartMs":100,"queueWaitMs":0"#,
        turn)
    case 11, 12:
      return row(
        index, "llm_call", "claude-oauth:opus",
        #""source":"message_event","event":"reply_pipeline:message_create","messageId":"m\#(turn)","#
          + #""toolCallCount":0,"transcript":"Here it is.","systemPrompt":"\#(prompt)","userPrompt":"u\#(turn)""#,
        turn)
    case 13:
      return row(
        index, "text_runtime", "reply_admission_decision",
        #""triggerMessageId":"m\#(turn)","allow":true,"reason":"hard_address","addressSignal":{"direct":true}"#,
        turn)
    case 14:
      return row(
        index, "text_runtime", "reply_pipeline_gate",
        #""triggerMessageIds":["m\#(turn)"],"allow":true,"reason":"ready""#, turn)
    case 15:
      return row(
        index, "sent_reply", "Here it is.",
        #""triggerMessageId":"m\#(turn)","performance":{"totalMs":\#(2000 + turn % 100)},"llm":{"model":"opus"}"#,
        turn)
    case 16:
      return row(
        index, "voice_runtime", "realtime_tool_call_started",
        session + #","callId":"c\#(turn)","toolName":"web_search""#, turn)
    case 17:
      return row(
        index, "voice_runtime", "realtime_tool_call_completed",
        session + #","callId":"c\#(turn)","toolName":"web_search","runtimeMs":300"#, turn)
    case 18 where turn % 50 == 0:
      return row(index, "llm_error", "529 overloaded", #""status":529"#, turn)
    default:
      return row(
        index, "memory_embedding_call", "text-embedding-3-small",
        #""model":"text-embedding-3-small","inputChars":64"#, turn)
    }
  }

  private func row(
    _ index: Int, _ kind: String, _ content: String, _ metadata: String, _ turn: Int
  ) -> String {
    let time = WireTime(milliseconds: startMs + Int64(index)).iso
    return #"{"createdAt":"\#(time)","kind":"\#(kind)","guildId":"g1","channelId":"c\#(turn % 9)","#
      + #""userId":"u\#(turn % 7)","content":"\#(content)","metadata":{\#(metadata)}}"#
  }
}

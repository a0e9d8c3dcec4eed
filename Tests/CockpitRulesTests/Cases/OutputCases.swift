import ClankyWire
import CockpitRules

/// Recordings for the rules about the bot's output, its tools and its connections.
enum OutputCases {
  static let all = lock + stuck + noOutput + tools + ownership + stale + reconnects + screens

  private static func denied(
    _ tape: inout RuleTape, _ at: Double, lock: String = #","outputLockReason":"bot_audio_live""#,
    how: String = #""directAddressed":true"#, user: String = "ada"
  ) {
    tape.voice(
      "voice_turn_addressing", at, #""allow":false,\#(how),"heard":"clanky stop""# + lock,
      user: user)
  }

  static let lock: [RuleCase] = [
    .fires(.deniedByLock, "addressed, and the output was locked", [.critical]) { denied(&$0, 0) },
    .fires(.deniedByLock, "by confidence", [.critical]) {
      denied(&$0, 0, how: #""directedConfidence":0.93"#)
    },
    .fires(.deniedByLock, "its own turn was open", [.critical]) {
      denied(&$0, 0, lock: #","reason":"bot_turn_open""#)
    },
    .fires(.deniedByLock, "the same words were allowed six seconds later", [.info]) {
      denied(&$0, 0)
      $0.voice(
        "voice_turn_addressing", 6, #""allow":true,"directAddressed":true,"heard":"clanky stop""#)
    },
    .quiet(.deniedByLock, "not addressed") { denied(&$0, 0, how: #""directAddressed":false"#) },
    .quiet(.deniedByLock, "hardly addressed") { denied(&$0, 0, how: #""directedConfidence":0.7"#) },
    .quiet(.deniedByLock, "denied for another reason") {
      denied(&$0, 0, lock: #","reason":"model_no""#)
    },
    .quiet(.deniedByLock, "the person interrupted just after") {
      denied(&$0, 0)
      $0.voice("voice_barge_in_interrupt", 1.5)
    },
    .quiet(.deniedByLock, "the person had interrupted just before") {
      $0.voice("voice_barge_in_interrupt", 0)
      denied(&$0, 1)
    },
    .quiet(.deniedByLock, "allowed") {
      $0.voice("voice_turn_addressing", 0, #""allow":true,"directAddressed":true,"heard":"hi""#)
    },
  ]

  static let stuck: [RuleCase] = [
    .fires(.lockStuck, "cleared as stale", [.warning]) {
      $0.voice("openai_realtime_active_response_cleared_stale", 0, #""staleAgeMs":31000"#)
    },
    .fires(.lockStuck, "pending in two states", [.warning]) {
      for at in [6.0, 9] {
        $0.state(at) {
          $0.phase = .responsePending
          $0.phaseEnteredMs = RuleTape.base
          $0.requestID = 4
        }
      }
    },
    .fires(.lockStuck, "a lease ran out", [.warning]) {
      $0.voice("voice_output_lease_granted", 0, #""requestId":3,"expiresAt":\#(RuleTape.ms(8))"#)
    },
    .quiet(.lockStuck, "one state only") {
      $0.state(6) {
        $0.phase = .responsePending
        $0.phaseEnteredMs = RuleTape.base
        $0.requestID = 4
      }
    },
    .quiet(.lockStuck, "another request in the second state") {
      for (at, id) in [(6.0, 4), (9, 5)] {
        $0.state(at) {
          $0.phase = .responsePending
          $0.phaseEnteredMs = RuleTape.base
          $0.requestID = id
        }
      }
    },
    .quiet(.lockStuck, "audio came") {
      $0.voice("bot_audio_started", 5)
      for at in [6.0, 9] {
        $0.state(at) {
          $0.phase = .responsePending
          $0.phaseEnteredMs = RuleTape.base
          $0.requestID = 4
        }
      }
    },
    .quiet(.lockStuck, "a tool runs") {
      for at in [6.0, 9] {
        $0.state(at) {
          $0.phase = .awaitingToolOutputs
          $0.phaseEnteredMs = RuleTape.base
          $0.requestID = 4
        }
      }
    },
    .quiet(.lockStuck, "the lease was released") {
      $0.voice("voice_output_lease_granted", 0, #""requestId":3,"expiresAt":\#(RuleTape.ms(8))"#)
      $0.voice("voice_output_lease_released", 2, #""requestId":3,"reason":"audio_started""#)
    },
    .quiet(.lockStuck, "the session ended before the lease") {
      $0.voice("voice_output_lease_granted", 0, #""requestId":3,"expiresAt":\#(RuleTape.ms(8))"#)
      $0.voice("voice_session_end", 4)
    },
    .quiet(.lockStuck, "pending for four seconds") {
      for at in [2.0, 4] {
        $0.state(at) {
          $0.phase = .responsePending
          $0.phaseEnteredMs = RuleTape.base
          $0.requestID = 4
        }
      }
    },
  ]

  private static func request(
    _ tape: inout RuleTape, _ at: Double, id: Int = 7, text: String = "It is noon."
  ) {
    tape.voice(
      "realtime_reply_requested", at, #""requestId":\#(id),"replyText":"\#(text)""#, user: "bot")
  }

  static let noOutput: [RuleCase] = [
    .fires(.generatedNoOutput, "nothing for fifteen seconds", [.critical]) { request(&$0, 0) },
    .fires(.generatedNoOutput, "the provider gave up", [.critical]) {
      request(&$0, 0)
      $0.voice("response_silent_fallback", 4, #""requestId":7"#)
    },
    .fires(.generatedNoOutput, "one of two was heard", [.critical]) {
      request(&$0, 0, id: 7)
      request(&$0, 1, id: 8)
      $0.voice("bot_utterance_completed", 5, #""requestId":8,"hadAudio":true"#)
    },
    .fires(.generatedNoOutput, "completed without audio", [.critical]) {
      request(&$0, 0)
      $0.voice("bot_utterance_completed", 5, #""requestId":7,"hadAudio":false"#)
    },
    .fires(.generatedNoOutput, "drained from the queue and never heard", [.critical]) {
      request(&$0, 0)
      $0.voice("realtime_assistant_utterance_queued", 0.1)
      $0.voice("realtime_assistant_utterance_queue_drained", 40)
    },
    .quiet(.generatedNoOutput, "audio started") {
      request(&$0, 0)
      $0.voice("bot_audio_started", 2, user: "bot")
    },
    .quiet(.generatedNoOutput, "an output transcript") {
      request(&$0, 0)
      $0.voice(
        "openai_realtime_transcript", 3, #""transcriptSource":"output","transcript":"It is noon.""#)
    },
    .quiet(.generatedNoOutput, "newer input superseded it") {
      request(&$0, 0)
      $0.voice("realtime_reply_superseded_newer_input", 3, #""requestId":7"#)
    },
    .quiet(.generatedNoOutput, "it was skipped") {
      request(&$0, 0)
      $0.voice("realtime_reply_skipped", 3, #""requestId":7"#)
    },
    .quiet(.generatedNoOutput, "leaving was requested") {
      request(&$0, 0)
      $0.row(
        "voice_session_end", 5, #""sessionId":"s1""#, content: "assistant_leave_directive",
        user: "bot")
    },
    .quiet(.generatedNoOutput, "somebody interrupted") {
      request(&$0, 0)
      $0.voice("voice_barge_in_interrupt", 3)
    },
    .quiet(.generatedNoOutput, "a sound, no words") {
      request(&$0, 0, text: "[[SOUNDBOARD:airhorn]]")
    },
    .quiet(.generatedNoOutput, "it waits in the queue") {
      request(&$0, 0)
      $0.voice("realtime_assistant_utterance_queued", 0.1)
      $0.voice("realtime_assistant_utterance_queue_drained", 40)
      $0.voice("bot_audio_started", 42)
    },
    .quiet(.generatedNoOutput, "the session ended") {
      request(&$0, 0)
      $0.voice("voice_session_end", 5)
    },
  ]

  private static func call(
    _ tape: inout RuleTape, _ at: Double, _ tool: String, ms: Int?, id: String
  ) {
    tape.voice("realtime_tool_call_started", at, #""callId":"\#(id)","toolName":"\#(tool)""#)
    guard let ms else { return }
    tape.voice(
      "realtime_tool_call_completed", at + Double(ms) / 1000,
      #""callId":"\#(id)","toolName":"\#(tool)","runtimeMs":\#(ms)"#)
  }

  static let tools: [RuleCase] = [
    .fires(.toolStalled, "no end within ten seconds", [.warning]) {
      call(&$0, 0, "web_search", ms: nil, id: "a")
    },
    .fires(.toolStalled, "it ended late", [.warning]) {
      call(&$0, 0, "web_search", ms: 14_000, id: "a")
    },
    .fires(.toolStalled, "a tool of the brain", [.warning]) {
      $0.voice("voice_brain_tool_call", 20, #""toolName":"web_search","durationMs":12000"#)
    },
    .fires(.toolStalled, "a slow tool beyond three times its own p95", [.warning]) {
      for index in 0..<20 {
        call(&$0, Double(index) * 30, "browser_open", ms: 5000, id: "b\(index)")
      }
      call(&$0, 700, "browser_open", ms: 16_000, id: "late")
    },
    .fires(.toolStalled, "lost by a restart", [.info]) {
      call(&$0, 0, "web_search", ms: nil, id: "a")
      $0.row("bot_lifecycle", 5, content: "bot_logged_in")
    },
    .quiet(.toolStalled, "it ended in time") { call(&$0, 0, "web_search", ms: 9000, id: "a") },
    .quiet(.toolStalled, "a failure is an end") {
      call(&$0, 0, "web_search", ms: nil, id: "a")
      $0.row(
        "voice_error", 4, #""sessionId":"s1","callId":"a""#, content: "realtime_tool_call_failed")
    },
    .quiet(.toolStalled, "a tool that is known to be slow") {
      call(&$0, 0, "browser_open", ms: 60_000, id: "a")
    },
    .quiet(.toolStalled, "the session ended") {
      call(&$0, 0, "web_search", ms: nil, id: "a")
      $0.voice("voice_session_end", 5)
    },
    .quiet(.toolStalled, "its own p95 allows it") {
      for index in 0..<20 { call(&$0, Double(index) * 30, "web_search", ms: 9000, id: "b\(index)") }
      call(&$0, 700, "web_search", ms: 20_000, id: "late")
    },
  ]

  static let ownership: [RuleCase] = [
    .fires(.toolOwnership, "the provider ran one of the bot's", [.warning]) {
      $0.state(0) { $0.ownership = .transportOnly }
      call(&$0, 10, "web_search", ms: 100, id: "a")
    },
    .fires(.toolOwnership, "the bot ran one of the provider's", [.warning]) {
      $0.state(0) { $0.ownership = .providerNative }
      $0.voice("voice_brain_tool_call", 10, #""toolName":"web_search","durationMs":10"#)
    },
    .fires(.toolOwnership, "a row tells the ownership", [.warning]) {
      $0.voice(
        "voice_brain_tool_call", 1,
        #""toolName":"web_search","durationMs":10,"realtimeToolOwnership":"transport_only""#)
      call(&$0, 10, "web_search", ms: 100, id: "a")
    },
    .quiet(.toolOwnership, "no tool ran") {
      $0.state(0) { $0.ownership = .transportOnly }
      $0.voice("voice_activity_started", 10)
    },
    .quiet(.toolOwnership, "the bot ran its own") {
      $0.state(0) { $0.ownership = .transportOnly }
      $0.voice("voice_brain_tool_call", 10, #""toolName":"web_search","durationMs":10"#)
    },
    .quiet(.toolOwnership, "the provider ran its own") {
      $0.state(0) { $0.ownership = .providerNative }
      call(&$0, 10, "web_search", ms: 100, id: "a")
    },
    .quiet(.toolOwnership, "nobody told the ownership") {
      call(&$0, 10, "web_search", ms: 100, id: "a")
    },
    .quiet(.toolOwnership, "settings changed three seconds before") {
      $0.state(0) { $0.ownership = .transportOnly }
      $0.voice("voice_session_settings_reconciled", 7, #""realtimeToolOwnership":"transport_only""#)
      call(&$0, 10, "web_search", ms: 100, id: "a")
    },
    .quiet(.toolOwnership, "settings changed three seconds after") {
      $0.state(0) { $0.ownership = .transportOnly }
      call(&$0, 10, "web_search", ms: 100, id: "a")
      $0.voice("voice_session_settings_reconciled", 13)
    },
    .quiet(.toolOwnership, "another session") {
      $0.state(0) { $0.ownership = .transportOnly }
      $0.voice("realtime_tool_call_started", 10, #""callId":"a","toolName":"x""#, in: "s2")
    },
  ]

  static let stale: [RuleCase] = [
    .fires(.staleResponse, "three states without a sound of the provider", [.warning]) {
      for at in [3.0, 6, 9] {
        $0.state(at) {
          $0.activeResponseID = "r1"
          $0.lastEventMs = RuleTape.base
        }
      }
    },
    .fires(.staleResponse, "a retry", [.warning]) {
      $0.voice("response_silent_retry", 0, #""requestId":2"#)
    },
    .fires(.staleResponse, "a turn that waited too long", [.warning]) {
      $0.voice("realtime_turn_skipped_stale", 0)
    },
    .quiet(.staleResponse, "two states") {
      for at in [6.0, 9] {
        $0.state(at) {
          $0.activeResponseID = "r1"
          $0.lastEventMs = RuleTape.base
        }
      }
    },
    .quiet(.staleResponse, "the provider was heard") {
      for at in [3.0, 6, 9] {
        $0.state(at) {
          $0.activeResponseID = "r1"
          $0.lastEventMs = RuleTape.ms(at - 1)
        }
      }
    },
    .quiet(.staleResponse, "waiting for a tool") {
      for at in [3.0, 6, 9, 12] {
        $0.state(at) {
          $0.phase = .awaitingToolOutputs
          $0.activeResponseID = "r1"
          $0.lastEventMs = RuleTape.base
        }
      }
    },
    .quiet(.staleResponse, "it speaks") {
      for at in [3.0, 6, 9, 12] {
        $0.state(at) {
          $0.phase = .speakingBuffered
          $0.activeResponseID = "r1"
          $0.lastEventMs = RuleTape.base
        }
      }
    },
    .quiet(.staleResponse, "no response") {
      for at in [3.0, 6, 9, 12] { $0.state(at) { $0.lastEventMs = RuleTape.base } }
    },
  ]

  static let reconnects: [RuleCase] = [
    .fires(.reconnects, "three abnormal closes", [.warning]) {
      for at in [0.0, 60, 200] { $0.voice("openai_realtime_asr_ws_closed", at, #""code":1006"#) }
    },
    .fires(.reconnects, "circuit breakers", [.warning]) {
      for at in [0.0, 60, 200] { $0.voice("openai_realtime_asr_circuit_breaker_reconnect", at) }
    },
    .fires(.reconnects, "the bot itself", [.warning]) {
      for at in [0.0, 60, 200] { $0.row("bot_error", at, content: "gateway_disconnected: 4000") }
    },
    .fires(.reconnects, "attempts rise", [.warning]) {
      for (at, count) in [(0.0, 0), (10, 1), (20, 2), (30, 3)] {
        $0.health(at) { $0.reconnectAttempts = count }
      }
    },
    .quiet(.reconnects, "normal closes") {
      for at in [0.0, 20, 60, 88] {
        $0.voice("openai_realtime_asr_socket_closed", at, #""code":1000"#)
      }
    },
    .quiet(.reconnects, "idle sockets") {
      for at in [0.0, 20, 60] {
        $0.voice("openai_realtime_asr_ws_closed", at, #""code":1005,"reason":"idle_ttl""#)
      }
    },
    .quiet(.reconnects, "the two rows of one close are one") {
      for at in [0.0, 100] {
        $0.voice("openai_realtime_asr_ws_closed", at, #""code":1006"#)
        $0.voice("openai_realtime_asr_socket_closed", at + 0.03, #""code":1006"#)
      }
    },
    .quiet(.reconnects, "the session ended") {
      for at in [0.0, 20] { $0.voice("openai_realtime_asr_ws_closed", at, #""code":1006"#) }
      $0.voice("voice_session_end", 30)
      $0.voice("openai_realtime_asr_ws_closed", 40, #""code":1006"#)
    },
    .quiet(.reconnects, "over ten minutes") {
      for at in [0.0, 290, 580] { $0.voice("openai_realtime_asr_ws_closed", at, #""code":1006"#) }
    },
    .quiet(.reconnects, "another error of the bot") {
      for at in [0.0, 60, 200] { $0.row("bot_error", at, content: "search_failed: x") }
    },
  ]

  private static func comment(
    _ tape: inout RuleTape, _ at: Double, _ reason: String = "scene_change"
  ) {
    tape.voice("stream_watch_commentary_requested", at, #""triggerReason":"\#(reason)""#)
  }

  static let screens: [RuleCase] = [
    .fires(.commentaryStorm, "six within a minute", [.info]) {
      for at in 0..<6 { comment(&$0, Double(at) * 10) }
    },
    .fires(.commentaryStorm, "somebody addressed the bot meanwhile", [.warning]) {
      for at in 0..<6 { comment(&$0, Double(at) * 10) }
      $0.voice("voice_turn_addressing", 25, #""directAddressed":true,"allow":false,"heard":"stop""#)
    },
    .fires(.commentaryStorm, "that was answered", [.info]) {
      for at in 0..<6 { comment(&$0, Double(at) * 10) }
      $0.voice("voice_turn_addressing", 25, #""directAddressed":true,"allow":true,"heard":"stop""#)
      $0.voice("bot_audio_started", 27)
    },
    .quiet(.commentaryStorm, "five") { for at in 0..<5 { comment(&$0, Double(at) * 10) } },
    .quiet(.commentaryStorm, "over two minutes") {
      for at in 0..<6 { comment(&$0, Double(at) * 24) }
    },
    .quiet(.commentaryStorm, "somebody asked") {
      for at in 0..<8 { comment(&$0, Double(at) * 5, "user_request") }
    },
    .quiet(.commentaryStorm, "first frames") {
      for at in 0..<8 { comment(&$0, Double(at) * 5, "first_frame") }
    },
    .quiet(.commentaryStorm, "three each in two sessions") {
      for at in 0..<6 {
        $0.voice("stream_watch_commentary_requested", Double(at), in: at % 2 == 0 ? "s1" : "s2")
      }
    },
  ]
}

import ElevenLabsSource
import ElevenLabsWire
import Testing

@Suite struct ConversationPhaseTests {
  @Test func itGoesFromIdleToActiveToEnded() {
    var script = Script()
    #expect(script.conversation.phase == .idle)
    script.take(.start(owner: "a", agent: "agent", replaces: false))
    #expect(script.conversation.phase == .connecting && script.fetches == ["agent"])
    script.take(.addressed)
    script.take(.opened)
    guard case .initiation(let first)? = script.sent.first else {
      Issue.record("the first frame is another one")
      return
    }
    #expect(first.overrides != nil && !first.wantsAudio && script.sent.count == 1)
    script.connect()
    #expect(script.conversation.phase == .active)
    #expect(script.conversation.metadata?.conversationID == "conv_1")
    script.take(.end)
    #expect(script.closes == [1_000])
    #expect(script.conversation.phase == .over(.ended(reason: nil)))
    script.take(.start(owner: "a", agent: "agent", replaces: false))
    #expect(script.conversation.phase == .connecting)
  }

  @Test func withoutMetadataItFailsAfter15Seconds() {
    var script = Script()
    script.take(.start(owner: "a", agent: "agent", replaces: false))
    script.take(.addressed)
    script.take(.opened)
    #expect(script.conversation.wakeNs == 16_000_000_000)
    script.nowMs += 14_999
    script.take(.woke)
    #expect(script.conversation.phase == .connecting)
    script.nowMs += 1
    script.take(.woke)
    #expect(script.conversation.phase.word == "error" && script.closes == [1_000])
  }

  @Test func overridesThatAreRefusedAreLeftOutOnce() {
    var script = Script()
    script.take(.start(owner: "a", agent: "agent", replaces: false))
    script.take(.addressed)
    script.take(.opened)
    script.hear(error: 1_008, "override_error")
    // A signed address opens one conversation: there is another one.
    #expect(script.fetches == ["agent", "agent"] && script.remarks.count == 1)
    script.take(.addressed)
    script.take(.opened)
    guard case .initiation(let second)? = script.sent.last else {
      Issue.record("no second initiation")
      return
    }
    #expect(second.overrides == nil && script.conversation.isWithoutOverrides)
    script.hear(error: 1_008, "override_error")
    #expect(script.conversation.phase.word == "error" && script.fetches.count == 2)
  }

  @Test func aCrashIsTriedOnceMoreBeforeAnythingIsSaid() {
    var script = Script()
    script.begin()
    script.hear(error: 1_011, "unknown")
    #expect(script.conversation.phase == .retrying(atNs: 6_000_000_000))
    #expect(script.conversation.wakeNs == 6_000_000_000)
    script.nowMs += 5_000
    script.take(.woke)
    #expect(script.fetches.count == 2)
    script.connect()
    script.hear(error: 1_011, "unknown")
    #expect(script.conversation.phase.word == "error" && script.fetches.count == 2)
  }

  @Test func aCrashAfterALineIsNotTriedAgain() {
    var script = Script.active()
    script.take(.say("Hi"))
    script.hear(error: 1_011, "unknown_websocket_crash")
    #expect(script.conversation.phase.word == "error" && script.fetches.isEmpty)
    #expect(script.texts == ["user: Hi"])
  }

  static let ends: [(code: Int, type: String, word: String)] = [
    (1_000, "max_duration_exceeded", "ended"), (1_002, "transport_receive_timeout", "ended"),
    (1_002, "llm_timeout", "error"), (1_008, "value_error", "error"),
    (1_008, "missing_dynamic_variable", "error"), (1_006, "", "error"),
  ]

  @Test("an end has its state", arguments: ends.indices)
  func states(place: Int) {
    var script = Script.active()
    let (code, type, word) = Self.ends[place]
    script.hear(error: code, type)
    #expect(script.conversation.phase.word == word)
    script.take(.woke)
    #expect(script.fetches.isEmpty)
  }

  @Test func aSecondConversationAsksFirst() {
    var script = Script.active()
    script.take(.start(owner: "b", agent: "agent", replaces: false))
    #expect(script.notices == [.busy(owner: "a")] && script.conversation.owner == "a")
    script.take(.start(owner: "b", agent: "agent", replaces: true))
    #expect(script.closes == [1_000] && script.conversation.owner == "b")
    #expect(script.conversation.phase == .connecting && script.fetches == ["agent"])
  }

  @Test func aRefusedKeyStopsIt() {
    var script = Script()
    script.take(.start(owner: "a", agent: "agent", replaces: false))
    script.take(.unaddressed(ServiceRefusal(status: 401)))
    guard case .over(.blocked(let sentence)) = script.conversation.phase else {
      Issue.record("\(script.conversation.phase)")
      return
    }
    #expect(sentence.contains("key"))
  }
}

@Suite struct ConversationTextTests {
  @Test func pingsAreAnsweredAtOnce() {
    var script = Script.active()
    script.hear(#"{"type":"ping","ping_event":{"event_id":9,"ping_ms":41}}"#)
    #expect(script.sent == [.pong(EventID(9))] && script.conversation.latencyMs == 41)
  }

  @Test func theFullTextReplacesItsParts() {
    var script = Script.active()
    script.hear(part: "", "start", id: 1)
    script.hear(part: "It is ", id: 1)
    script.hear(part: "nine.", id: 1)
    #expect(script.texts == ["agent: It is nine."])
    #expect(script.conversation.mode(nowNs: 0) == .speaking)
    script.hear(part: "", "stop", id: 1)
    script.hear(response: "It is nine o'clock.", id: 1)
    #expect(script.texts == ["agent: It is nine o'clock."])
    #expect(script.conversation.mode(nowNs: 0) == .listening)
    script.hear(response: "It is ten.", id: 1)
    #expect(script.texts == ["agent: It is ten."])
  }

  @Test func oddOrdersAreTolerated() {
    var script = Script.active()
    script.hear(part: "", "stop", id: 4)
    #expect(script.texts.isEmpty)
    script.hear(part: "without a start", id: 5)
    script.hear(part: "", "stop", id: 5)
    #expect(script.texts == ["agent: without a start"])
    script.hear(response: "whole", id: 6)
    script.hear(part: "late", id: 6)
    #expect(script.texts == ["agent: without a start", "agent: whole"])
  }

  @Test func aCorrectionHasTheLastWord() {
    var script = Script.active()
    script.hear(part: "Booked and I have", id: 5)
    script.hear(#"{"type":"interruption","interruption_event":{"event_id":5}}"#)
    #expect(script.notices.contains(.interrupted(EventID(5))))
    script.hear(response: "Booked and I have written.", id: 5)
    script.hear(correction: "Booked", id: 5)
    script.hear(response: "Booked and I have written.", id: 5)
    #expect(script.texts == ["agent: Booked"])
    #expect(script.conversation.lines.first?.isInterrupted == true)
  }

  @Test func anOwnLineThatComesBackIsThatLine() {
    var script = Script.active()
    script.take(.say("Stop.  Now"))
    #expect(script.sent == [.message("Stop.  Now")])
    script.nowMs += 9_000
    script.hear(transcript: " stop. now ", id: 6)
    #expect(script.texts == ["user: Stop.  Now"])
    script.hear(transcript: " stop. now ", id: 6)
    #expect(script.texts.count == 1)
    script.nowMs += 2_000
    script.hear(transcript: "Stop. Now", id: 7)
    #expect(script.texts.count == 2)
  }

  @Test func aSpokenLineIsShown() {
    var script = Script.active()
    script.hear(
      #"{"type":"tentative_user_transcript","tentative_user_transcription_event":{"user_transcript":"goo"}}"#
    )
    #expect(script.conversation.tentative == "goo")
    script.hear(transcript: "Good evening", id: 3)
    #expect(script.texts == ["user: Good evening"] && script.conversation.tentative == nil)
  }

  @Test func aMessageWaitsForTheGreeting() {
    var script = Script()
    script.take(.start(owner: "a", agent: "agent", replaces: false))
    script.take(.say("Hi"))
    script.connect()
    script.forget()
    script.hear(part: "Good ", id: 1)
    script.nowMs += 3_000
    script.take(.woke)
    #expect(script.sent.isEmpty)
    script.hear(response: "Good evening.", id: 1)
    #expect(script.sent == [.message("Hi")])
  }

  @Test func withoutAGreetingItIsSentAfter1500Milliseconds() {
    var script = Script()
    script.take(.start(owner: "a", agent: "agent", replaces: false))
    script.connect()
    script.forget()
    script.take(.say("Hi"))
    #expect(script.sent.isEmpty && script.conversation.wakeNs == 2_500_000_000)
    script.nowMs += 1_500
    script.take(.woke)
    #expect(script.sent == [.message("Hi")])
  }

  @Test func typingIsToldOnceASecond() {
    var script = Script.active()
    for _ in 0..<25 {
      script.take(.typing)
      script.nowMs += 100
    }
    #expect(script.sent == [.activity, .activity, .activity])
  }

  @Test func theOwnersOtherFramesAreSentWhileActive() {
    var script = Script.active()
    script.take(.contextualUpdate("x", id: nil))
    script.take(.feedback(EventID(3), .dislike))
    #expect(script.sent == [.contextualUpdate("x", id: nil), .feedback(EventID(3), .dislike)])
    script.take(.end)
    script.forget()
    script.take(.contextualUpdate("x", id: nil))
    script.take(.say("x"))
    script.take(.typing)
    #expect(script.sent.isEmpty)
  }

  @Test func figuresAreKept() {
    var script = Script.active()
    script.hear(
      #"{"type":"context_usage","context_usage_event":{"model":"m","context_tokens":8,"context_limit_tokens":9}}"#
    )
    script.hear(#"{"type":"vad_score","vad_score_event":{"vad_score":0.5}}"#)
    script.hear(#"{"type":"moon_landed"}"#)
    script.take(.unreadable)
    #expect(script.conversation.context?.tokens == 8 && script.conversation.voiceActivity == 0.5)
    #expect(script.conversation.unknownFrames == 2)
    for text in ["Friday ", "is free."] {
      script.hear(
        #"{"type":"agent_reasoning_response_part","reasoning_response_part":{"text":"\#(text)","event_id":"r-5"}}"#
      )
    }
    #expect(script.conversation.reasoning == "Friday is free.")
  }

  @Test func typingOfTheAgentIsSpeaking() {
    var script = Script.active()
    script.hear(#"{"type":"agent_typing","agent_typing_event":{"is_typing":true}}"#)
    #expect(script.conversation.mode(nowNs: 0) == .speaking)
    script.hear(response: "Hi", id: 2)
    #expect(script.conversation.mode(nowNs: 0) == .listening)
  }
}

@Suite struct ConversationToolTests {
  private let call =
    #"{"type":"client_tool_call","client_tool_call":{"tool_name":"lamp","tool_call_id":"ct_1","parameters":{}}}"#

  @Test func anUnknownToolIsAnsweredOnce() {
    var script = Script.active()
    script.hear(call)
    script.hear(call)
    #expect(script.sent == [.toolResult(call: "ct_1", result: "unknown tool", isError: true)])
    #expect(script.conversation.tools.map(\.state) == [.failed])
  }

  @Test func aKnownToolIsRunAndAnsweredOnce() {
    var script = Script.active(.init(version: "1", tools: ["lamp"]))
    script.hear(call)
    script.hear(call)
    #expect(script.runs.map(\.id) == ["ct_1"] && script.sent.isEmpty)
    script.take(.toolResult(call: "ct_1", result: "on", isError: false))
    script.take(.toolResult(call: "ct_1", result: "on", isError: false))
    #expect(script.sent == [.toolResult(call: "ct_1", result: "on", isError: false)])
    #expect(script.conversation.tools.map(\.state) == [.done])
  }

  @Test func approvalsAreAskedAndAnswered() {
    var script = Script.active()
    script.hear(mcp: "m1", "awaiting_approval")
    script.hear(mcp: "m1", "awaiting_approval")
    #expect(script.conversation.approvals.map(\.call.id) == ["m1"])
    script.take(.decide(call: "m1", isApproved: true))
    script.take(.decide(call: "m1", isApproved: false))
    #expect(script.sent == [.approval(call: "m1", isApproved: true)])
    script.hear(mcp: "m1", "loading")
    #expect(script.conversation.approvals.isEmpty && script.settled == ["approved"])
    script.hear(mcp: "m1", "success")
    #expect(script.conversation.tools.map(\.state) == [.done])
    // What is over does not wait again.
    script.hear(mcp: "m1", "awaiting_approval")
    #expect(script.conversation.approvals.isEmpty)
  }

  @Test func aDeniedAndAnExpiredApprovalAreToldApart() {
    var script = Script.active()
    script.hear(mcp: "m1", "awaiting_approval")
    script.take(.decide(call: "m1", isApproved: false))
    script.hear(mcp: "m1", "failure")
    script.hear(mcp: "m2", "awaiting_approval")
    script.hear(mcp: "m2", "failure")
    #expect(script.settled == ["denied", "expired"])
  }

  @Test func anApprovalExpiresWithoutAWordOfTheServer() {
    var script = Script.active()
    script.hear(mcp: "m1", "awaiting_approval", timeout: 3)
    script.nowMs += 4_999
    script.take(.woke)
    #expect(script.conversation.approvals.count == 1)
    script.nowMs += 1
    script.take(.woke)
    #expect(script.conversation.approvals.isEmpty && script.settled == ["expired"])
    script.take(.decide(call: "m1", isApproved: true))
    #expect(script.sent.isEmpty)
  }

  @Test func anEndSettlesWhatWaits() {
    var script = Script.active()
    script.hear(mcp: "m1", "awaiting_approval")
    script.take(.closed(code: 1_006, reason: ""))
    #expect(script.conversation.approvals.isEmpty)
    #expect(script.settled == ["the conversation ended"])
    #expect(script.conversation.tools.map(\.state) == [.unknown])
  }
}

@Suite struct ConversationAudioTests {
  private func audio(_ id: Int) -> String {
    #"{"type":"audio","audio_event":{"audio_base_64":"AAEAAQ==","event_id":\#(id)}}"#
  }

  @Test func inTextItIsIgnored() {
    var script = Script.active()
    script.hear(audio(1))
    script.take(.audio([0, 0]))
    #expect(script.notices.isEmpty && script.sent.isEmpty)
  }

  @Test func interruptedSpeechIsDropped() {
    var script = Script.active(.init(version: "1", wantsAudio: true))
    script.hear(audio(4))
    #expect(script.notices.first == .audio([0, 1, 0, 1], EventID(4)))
    let nowNs = script.nowMs * 1_000_000
    #expect(script.conversation.mode(nowNs: nowNs) == .speaking)
    script.hear(#"{"type":"interruption","interruption_event":{"event_id":5}}"#)
    #expect(script.conversation.mode(nowNs: nowNs) == .listening)
    script.forget()
    for id in [3, 5] { script.hear(audio(id)) }
    #expect(script.notices.isEmpty)
    script.hear(audio(6))
    #expect(script.notices.first == .audio([0, 1, 0, 1], EventID(6)))
  }

  @Test func mutedSpeechIsNotPlayed() {
    var script = Script.active(.init(version: "1", wantsAudio: true))
    script.take(.mute(true))
    #expect(script.notices.contains(.interrupted(nil)))
    script.forget()
    script.hear(audio(1))
    #expect(script.notices.isEmpty)
    script.take(.mute(false))
    script.hear(audio(2))
    #expect(script.notices.contains(.audio([0, 1, 0, 1], EventID(2))))
  }

  @Test func theMicrophoneIsSent() {
    var script = Script.active(.init(version: "1", wantsAudio: true))
    script.take(.audio([1, 2]))
    #expect(script.sent == [.audio([1, 2])])
  }
}

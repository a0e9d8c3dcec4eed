import ElevenLabsSource
import ElevenLabsWire
import JSONTestKit
import Testing

/// What holds whatever the server sends, in any order and any number of times.
@Suite struct ConversationPropertyTests {
  private static func input(_ random: inout SeededRandom) -> ConversationInput {
    func id() -> Int { Int.random(in: 1...4, using: &random) }
    let texts = [
      #"{"type":"ping","ping_event":{"event_id":\#(id())}}"#,
      #"{"type":"agent_chat_response_part","text_response_part":{"text":"a","type":"start","event_id":\#(id())}}"#,
      #"{"type":"agent_chat_response_part","text_response_part":{"text":"b","type":"delta","event_id":\#(id())}}"#,
      #"{"type":"agent_chat_response_part","text_response_part":{"text":"","type":"stop","event_id":\#(id())}}"#,
      #"{"type":"agent_response","agent_response_event":{"agent_response":"full","event_id":\#(id())}}"#,
      #"{"type":"agent_response_correction","agent_response_correction_event":{"corrected_agent_response":"cut","event_id":\#(id())}}"#,
      #"{"type":"user_transcript","user_transcription_event":{"user_transcript":"Hi","event_id":\#(id())}}"#,
      #"{"type":"interruption","interruption_event":{"event_id":\#(id())}}"#,
      #"{"type":"audio","audio_event":{"audio_base_64":"AAAA","event_id":\#(id())}}"#,
      #"{"type":"client_tool_call","client_tool_call":{"tool_name":"lamp","tool_call_id":"c\#(id())"}}"#,
      #"{"type":"client_tool_call","client_tool_call":{"tool_name":"x","tool_call_id":"d\#(id())"}}"#,
      #"{"type":"agent_tool_request","agent_tool_request":{"tool_name":"t","tool_call_id":"t\#(id())"}}"#,
      #"{"type":"agent_tool_response","agent_tool_response":{"tool_name":"t","tool_call_id":"t\#(id())"}}"#,
      #"{"type":"mcp_tool_call","mcp_tool_call":{"tool_name":"m","tool_call_id":"m\#(id())","state":"awaiting_approval","approval_timeout_secs":2}}"#,
      #"{"type":"mcp_tool_call","mcp_tool_call":{"tool_name":"m","tool_call_id":"m\#(id())","state":"failure"}}"#,
      #"{"type":"error","error_event":{"code":1002,"error_type":"llm_error"}}"#,
      #"{"type":"conversation_initiation_metadata"}"#, #"{"type":"moon_landed"}"#,
    ]
    switch Int.random(in: 0...13, using: &random) {
    case 0: return .say("Hi")
    case 1: return .decide(call: "m\(id())", isApproved: Bool.random(using: &random))
    case 2: return .woke
    case 3: return .toolResult(call: "c\(id())", result: "on", isError: false)
    case 4:
      return [.addressed, .opened, .end, .typing, .mute(true), .mute(false), .unreadable]
        .randomElement(using: &random) ?? .woke
    case 5:
      return .start(
        owner: "o\(id())", agent: "agent", replaces: Bool.random(using: &random))
    case 6:
      return .closed(
        code: [1_000, 1_002, 1_006, 1_008, 1_011].randomElement(using: &random) ?? 1_000,
        reason: "")
    default:
      let text = texts.randomElement(using: &random) ?? ""
      return ServerFrame(Array(text.utf8)).map { .frame($0) } ?? .unreadable
    }
  }

  @Test("any order of anything", arguments: 0..<150)
  func anyOrder(seed: Int) {
    var random = SeededRandom(UInt64(seed) + 1)
    var conversation = Conversation(
      .init(version: "1", wantsAudio: seed % 2 == 0, tools: ["lamp"]))
    var nowNs: UInt64 = 1_000_000_000
    // Of the present conversation.
    var results: [String: Int] = [:]
    var decisions: [String: Int] = [:]
    for _ in 0..<400 {
      nowNs += UInt64.random(in: 0...900_000_000, using: &random)
      let wasLive = conversation.phase.isLive
      let input = Self.input(&random)
      for command in conversation.take(input, nowNs: nowNs) {
        switch command {
        case .fetchAddress:
          (results, decisions) = ([:], [:])
        case .send(.toolResult(let call, _, _)):
          results[call, default: 0] += 1
          #expect(results[call] == 1, "one result for each call")
        case .send(.approval(let call, _)):
          decisions[call, default: 0] += 1
          #expect(decisions[call] == 1, "one decision for each call")
        case .send(let frame):
          #expect(wasLive, "nothing is sent in a conversation that is over: \(frame)")
        case .tell(.audio): #expect(conversation.setup.wantsAudio)
        default: break
        }
      }
      var seen: Set<String> = []
      for line in conversation.lines {
        if let id = line.eventID {
          #expect(
            seen.insert("\(line.speaker) \(id.text)").inserted, "one line for each event")
        }
        if line.isCorrected { #expect(line.text == "cut") }
      }
      if !conversation.phase.isLive {
        #expect(conversation.approvals.isEmpty)
        #expect(conversation.tools.allSatisfy { $0.endedNs != nil })
        #expect(conversation.mode(nowNs: nowNs) == nil)
      }
      #expect(Set(conversation.lines.map(\.id)).count == conversation.lines.count)
    }
  }

  @Test("full texts do not depend on what comes twice", arguments: 0..<40)
  func duplicates(seed: Int) {
    var random = SeededRandom(UInt64(seed) + 7)
    var once = Script.active()
    var twice = Script.active()
    for _ in 0..<60 {
      let id = Int.random(in: 1...5, using: &random)
      let kind = Int.random(in: 0...3, using: &random)
      for repetition in 0...1 {
        switch kind {
        case 0:
          if repetition == 0 { once.hear(response: "r\(id)", id: id) }
          twice.hear(response: "r\(id)", id: id)
        case 1:
          if repetition == 0 { once.hear(correction: "c\(id)", id: id) }
          twice.hear(correction: "c\(id)", id: id)
        case 2:
          if repetition == 0 { once.hear(transcript: "t\(id)", id: id) }
          twice.hear(transcript: "t\(id)", id: id)
        default:
          if repetition == 0 { once.hear(mcp: "m\(id)", "awaiting_approval") }
          twice.hear(mcp: "m\(id)", "awaiting_approval")
        }
      }
    }
    #expect(once.texts == twice.texts)
    #expect(
      once.conversation.approvals.map(\.call.id) == twice.conversation.approvals.map(\.call.id))
  }

  @Test func nothingGrowsWithoutALimit() {
    var script = Script.active()
    for id in 1...3_000 {
      script.hear(response: "x", id: id)
      script.hear(
        #"{"type":"client_tool_call","client_tool_call":{"tool_name":"x","tool_call_id":"c\#(id)"}}"#
      )
      script.hear(mcp: "m\(id)", "awaiting_approval")
      script.hear(
        #"{"type":"agent_reasoning_response_part","reasoning_response_part":{"text":"\#(String(repeating: "r", count: 100))","event_id":"r"}}"#
      )
    }
    #expect(script.conversation.lines.count <= 500 && script.conversation.tools.count <= 200)
    #expect(script.conversation.approvals.count <= 50)
    #expect(script.conversation.reasoning.utf8.count <= 70_000)
  }
}

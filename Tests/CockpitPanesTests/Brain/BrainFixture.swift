import ClankyWire
import CockpitStores
import TerminalCore

@testable import CockpitPanes

/// A voice session in full, one with hardly anything, and none, for BRAIN.
extension Fixture {
  static let guide = (1...18).map { line in
    "\(line). Speak plainly, joke gently, and never pretend to know what you have not looked up."
  }.joined(separator: "\\n")

  static func bundle(_ user: String, tools: Int = 2, system: String = guide) -> String {
    let tools = (0..<tools).map {
      #"{"name":"tool_\#($0)","description":"Does thing \#($0).","parameters":{"type":"object","properties":{"query":{"type":"string"}}}}"#
    }.joined(separator: ",")
    return
      #"{"hiddenByDefault":true,"systemPrompt":"=== IDENTITY ===\nYou are Clanky.\n\#(system)","initialUserPrompt":"\#(user)","followupUserPrompts":["tool results: five headlines"],"followupSteps":1,"tools":[\#(tools)],"promptTiers":[{"key":"identity","label":"Identity","present":true,"sources":["system"],"details":{"systemPromptChars":120}},{"key":"curated_memory","label":"Curated Always-On Memory","present":false,"sources":["system","user"],"details":null}]}"#
  }

  /// One voice state; `second` moves the captures on.
  static func voiceState(second: Int, user: String, sessions: String = "") -> String {
    let at = "2026-03-01T14:32:0\(second).000Z"
    func snapshot(_ bundle: String) -> String {
      #"{"updatedAt":"\#(at)","source":"realtime","replyPrompts":\#(bundle)}"#
    }
    return #"""
      {"activeCount":1,"sessions":[{"sessionId":"s-1","guildId":"500000000000000001",\#
      "voiceChannelId":"600000000000000009","textChannelId":"600000000000000001","mode":"openai_realtime",\#
      "participants":[{"userId":"700000000000000001","displayName":"james"}],\#
      "conversation":{"modelContext":{"generation":{"source":"voice_full_brain","capturedAt":"\#(at)",\#
      "availableTurns":\#(10 + second),"sentTurns":\#(6 + second),"maxTurns":50,"contextChars":\#(4000 + 150 * second),\#
      "transcriptChars":\#(2100 + 40 * second),"directAddressed":true},"decider":null,"trackedTurns":7,\#
      "trackedTurnLimit":8,"trackedTranscriptTurns":43}},\#
      "lastGenerationContext":{"capturedAt":"\#(at)","incomingTranscript":"hey clanky what's the latest on the rust compiler?",\#
      "speakerName":"james","directAddressed":true,"isEagerTurn":false,\#
      "contextMessages":[{"role":"user","content":"hello"},{"role":"assistant","content":"hi james"}],\#
      "conversationContext":{"attentionMode":"ACTIVE","currentSpeakerActive":true,"msSinceAssistantReply":12000},\#
      "participantRoster":["james","作者 Ada","sarah"],\#
      "membershipEvents":[{"eventType":"join","displayName":"sarah","ageMs":9000}],"effectEvents":[],\#
      "memoryFacts":{"guidanceFacts":[],"behavioralFacts":[],\#
      "userFacts":[{"id":1042,"subject":"700000000000000001","fact":"Prefers concise answers without filler.","fact_type":"preference","confidence":0.92},\#
      {"id":1043,"subject":"700000000000000001","fact":"Senior developer, writes Rust.","fact_type":"profile","confidence":0.85}],\#
      "relevantFacts":[{"id":77,"subject":"__lore__","fact":"The server is about game development.","fact_type":"other","confidence":0.78}]},\#
      "recentConversationHistory":[],"durableContext":[{"text":"demo on friday","category":"plan","at":1772375000000}],\#
      "sessionTiming":{"timeoutWarningActive":false,"timeoutWarningReason":"none","maxSecondsRemaining":2160,"inactivitySecondsRemaining":540},\#
      "tools":{"soundboard":true,"webSearch":true,"browserBrowse":false,"screenShare":true,"memory":true},\#
      "soundboardCandidateCount":12,"activityReactivity":0.6,"soundboardEagerness":0.3,\#
      "llmConfig":{"provider":"claude-oauth","model":"claude-opus-4-6","temperature":0.7,"maxOutputTokens":2048},\#
      "source":"voice_full_brain","mode":"openai_realtime"},\#
      "promptState":{"instructions":\#(snapshot(bundle("", tools: 0))),"classifier":null,\#
      "generation":\#(snapshot(bundle(user))),"bridge":null}}\#(sessions)]}
      """#
  }

  /// Calls, errors and a list of tools, besides the story.
  static let brainRows: [String] =
    story + [
      row(
        21, "14:31:10.000", "llm_call", content: "openai:gpt-5.4-mini", cost: 0.0004,
        metadata: """
          {"provider":"openai","model":"gpt-5.4-mini","usage":{"inputTokens":610,"outputTokens":12,\
          "cacheWriteTokens":0,"cacheReadTokens":0},"toolCallCount":0,"toolNames":null,\
          "stopReason":"stop","source":"voice_classifier","systemPrompt":"Decide.","userPrompt":"?"}
          """),
      row(
        22, "14:30:50.000", "llm_call", content: "claude-oauth:claude-opus-4-6",
        metadata: """
          {"provider":"claude-oauth","model":"claude-opus-4-6","usage":{"inputTokens":980,\
          "outputTokens":210,"cacheWriteTokens":0,"cacheReadTokens":2400},"toolCallCount":1,\
          "toolNames":"memory_search","stopReason":"end_turn","source":"voice_full_brain",\
          "systemPrompt":"You are Clanky.\\nBe brief and kind.","userPrompt":"james: and before?"}
          """),
      row(
        23, "14:31:50.500", "text_runtime", content: "reply_tool_availability",
        metadata: """
          {"sessionId":null,"includedTools":["web_search","memory_search","play_soundboard"],\
          "excludedTools":[{"name":"generate_image","reason":"budget_blocked"},\
          {"name":"browser_browse","reason":"settings_disabled"},\
          {"name":"spawn_code_worker","reason":"settings_disabled"}]}
          """),
    ]

  /// A session that has generated three times, its prompt changing.
  static func brain() -> Fixture {
    let fixture = Fixture(rows: brainRows)
    let asked = [
      "james: hello", "james: hello\\nclanky: hi james",
      "james: hello\\nclanky: hi there, james\\njames: what's the latest on the rust compiler?",
    ]
    for (index, user) in asked.enumerated() {
      withBytes(voiceState(second: 2 * index + 1, user: user)) {
        fixture.voice.apply($0, atNs: Self.monotonicNs)
      }
    }
    if let state = fixture.voice.state { fixture.connection.learn(state) }
    fixture.voice.follow(fixture.activity.log)
    return fixture
  }

  /// The reduced form of the provider's path: nearly everything missing.
  static func sparseBrain() -> Fixture {
    let fixture = Fixture(rows: [row(1, "14:32:00.000", "llm_call", content: "x:model-x")])
    withBytes(
      """
      {"activeCount":1,"sessions":[{"sessionId":"s-2","mode":null,"lastGenerationContext":\
      {"capturedAt":"2026-03-01T14:32:05.000Z","incomingTranscript":"hm","speakerName":null,\
      "directAddressed":null,"contextMessages":[],"conversationContext":null,"userFacts":[],\
      "relevantFacts":[]},"promptState":{"bridge":{"updatedAt":null,"source":null,\
      "replyPrompts":{"systemPrompt":"Say this.","initialUserPrompt":"hm"}}}}]}
      """
    ) { fixture.voice.apply($0, atNs: Self.monotonicNs) }
    return fixture
  }

  static func noBrain() -> Fixture {
    let fixture = Fixture(rows: [])
    withBytes("{\"activeCount\":0,\"sessions\":[]}") {
      fixture.voice.apply($0, atNs: Self.monotonicNs)
    }
    return fixture
  }
}

import ClankyWire
import LenientJSON
import Testing

@Suite("Voice states")
struct VoiceStateTests {
  @Test("unknown words are kept, empty ones mean nothing")
  func openWords() throws {
    let wake = VoiceWake(try .parse(#"{"attentionMode": "DREAMING"}"#))
    #expect(wake?.attentionMode?.rawValue == "DREAMING")
    #expect(wake?.attentionMode?.description == "DREAMING")
    #expect(
      VoiceTurn(try .parse(#"{"kind": "", "role": "assistant"}"#)) == VoiceTurn(role: .assistant))
  }

  @Test("an output summary may be text, an object or nothing")
  func outputSummary() throws {
    func summary(_ text: String) throws -> JSONValue? {
      try #require(ToolCall(try .parse(#"{"outputSummary": \#(text)}"#))).outputSummary
    }
    #expect(try summary(#""done""#) == .string("done"))
    #expect(try summary(#"{"ok": true}"#)?["ok"] == .bool(true))
    #expect(try summary("null") == nil)
  }

  @Test("a durable note's time may be text or milliseconds")
  func durableNote() throws {
    let text = DurableNote(try .parse(#"{"at": "2026-05-09T19:03:45.010Z"}"#))
    let number = DurableNote(try .parse(#"{"at": 1778353425010}"#))
    #expect(text?.at?.milliseconds == 1_778_353_425_010)
    #expect(text == number)
  }

  @Test("the reduced generation context of the bridge path is read")
  func bridgeContext() throws {
    let context = try #require(
      GenerationContext(
        try .parse(
          #"""
          {"capturedAt": "2026-05-09T19:03:45.010Z", "incomingTranscript": "hey",
           "speakerName": "james", "directAddressed": true, "isEagerTurn": false,
           "contextMessages": [], "conversationContext": null,
           "userFacts": [{"fact": "f", "created_at": "2026-05-09T19:03:45.010Z"}],
           "relevantFacts": []}
          """#)))
    let time = WireTime(milliseconds: 1_778_353_425_010)
    #expect(
      context
        == GenerationContext(
          capturedAt: time, incomingTranscript: "hey", speakerName: "james", directAddressed: true,
          isEagerTurn: false, userFacts: [Fact(createdAt: time, fact: "f")]))
    #expect(context.tools == nil && context.llmConfig == nil && context.memoryFacts == nil)
  }

  @Test("no tools differs from tools the provider does not own")
  func brainTools() throws {
    #expect(VoiceSession(try .parse(#"{"brainTools": null}"#))?.brainTools == nil)
    #expect(VoiceSession(try .parse(#"{"brainTools": []}"#))?.brainTools == [])
  }

  @Test("both spellings of stream notes end in the same members")
  func streamWatch() throws {
    let may = try #require(VoiceSession(try FullSession.json())).streamWatch
    var march = try #require(VoiceSession(try FullSession.marchJSON())).streamWatch
    #expect(march.dialect == .march && may.dialect == .may)
    march.dialect = .may
    #expect(march == may)
  }

  @Test("speaking covers both speaking phases")
  func speaking() {
    #expect(AssistantOutput(phase: .speakingLive).isSpeaking)
    #expect(AssistantOutput(phase: .speakingBuffered).isSpeaking)
    #expect(!AssistantOutput(phase: .responsePending).isSpeaking)
    #expect(!AssistantOutput().isSpeaking)
  }

  @Test("a fixture names only what it is about")
  func fixture() {
    let session = VoiceSession(
      sessionID: "s", participants: [VoiceParticipant(userID: "1", displayName: "james")],
      music: VoiceMusic(
        phase: .playing, queueState: MusicQueue(tracks: [.init(title: "T")], nowPlayingIndex: 0)))
    #expect(session.music.queueState.nowPlaying?.title == "T")
    #expect(session.conversation.wake.attentionMode == nil)
  }
}

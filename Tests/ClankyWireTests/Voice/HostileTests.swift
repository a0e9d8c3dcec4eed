import ClankyWire
import LenientJSON
import Testing

@Suite("Hostile voice states and figures")
struct HostileTests {
  @Test("lone surrogates are kept, show as replacement characters and cost nothing else")
  func surrogates() throws {
    let turn = try #require(
      VoiceTurn(
        try .parse(
          #"{"kind": "speech", "speakerName": "\udc00x", "text": "cut \ud83d", "role": "user"}"#)))
    #expect(turn.text?.withoutHalves == "cut \u{FFFD}")
    #expect(turn.speakerName?.withoutHalves == "\u{FFFD}x")
    let text = try #require(turn.text)
    #expect(JSONText.quote(text) == Array(#""cut \ud83d""#.utf8))
    #expect(turn.role == .user)
  }

  @Test("the last of repeated keys counts")
  func duplicates() throws {
    let json = try JSONValue.parse(
      #"{"mode": "a", "mode": "voice_agent", "botTurnOpen": true, "botTurnOpen": null}"#)
    let session = try #require(VoiceSession(json))
    #expect(session.mode == .voiceAgent)
    #expect(session.botTurnOpen == nil)
  }

  @Test(
    "numbers that are none are missing",
    arguments: ["NaN", "Infinity", "-Infinity", "1e999", "\"NaN\"", "\"inf\"", "[]", "\"\""])
  func noNumbers(text: String) throws {
    let queue = try #require(
      MusicQueue(try .parse(#"{"volume": \#(text), "nowPlayingIndex": \#(text), "tracks": [{}]}"#)))
    #expect(queue == MusicQueue(tracks: [MusicTrack()]))
    #expect(queue.nowPlaying == nil)
  }

  @Test("numbers at the edges neither trap nor wrap (promise P11)")
  func edges() throws {
    func note(_ at: String) throws -> WireTime? {
      DurableNote(try .parse(#"{"at": \#(at)}"#))?.at
    }
    #expect(try note("1e308") == nil)
    #expect(try note("-9223372036854775808") == nil)
    #expect(try note("9223372036854775807") == nil)
    #expect(try note("1778353425010") == WireTime(milliseconds: 1_778_353_425_010))
    #expect(try note("8640000000000000") == WireTime(milliseconds: 8_640_000_000_000_000))
    #expect(try note("8640000000000001") == nil)
    #expect(try note("-0")?.milliseconds == 0)
    #expect(try note("true") == nil)
    let cost = try #require(DailyCost(try .parse(#"{"usd": 1e308, "day": "2026-05-09"}"#)))
    #expect(cost.usd == 1e308)
    let counts = try #require(
      Stats(
        try .parse(
          #"{"last24h": {"a": 9007199254740993, "b": 1e308, "c": "4", "d": -0, "e": 1.5}}"#)))
    #expect(counts.last24h == ["a": 9_007_199_254_740_993, "c": 4, "d": 0])
    #expect(MusicQueue(tracks: [MusicTrack()], nowPlayingIndex: -1).nowPlaying == nil)
    #expect(MusicQueue(tracks: [MusicTrack()], nowPlayingIndex: .max).nowPlaying == nil)
    #expect(
      AutomationSchedule(try .parse(#"{"kind": "daily", "hour": 1e300, "minute": 0}"#)) != nil)
  }

  @Test("a branch that is nested too deeply costs itself")
  func deepNesting() throws {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    for key in ["toolCalls", "music", "promptState", "streamWatch", "mode", "conversation"] {
      let json = try JSONValue.parse(#"{"sessionId": "s", "\#(key)": \#(deep), "guildId": "7"}"#)
      let session = try #require(VoiceSession(json))
      #expect(session.sessionID == "s" && session.guildID == "7")
    }
    let call = try #require(
      ToolCall(try .parse(#"{"callId": "c", "outputSummary": \#(deep), "success": true}"#)))
    #expect(call.callID == "c" && call.success == true && call.outputSummary != nil)
  }

  @Test("text is kept as it came: cleaning it is the drawing side's work, losing it is nobody's")
  func controls() throws {
    let name = "\u{1B}]0;x\u{7}\u{202E}\u{200B}e\u{301}\u{0}"
    let escaped = name.unicodeScalars.map { scalar in
      let hex = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    }.joined()
    let participant = VoiceParticipant(try .parse(#"{"displayName": "\#(escaped)"}"#))
    #expect(participant?.displayName?.unicodeScalars.elementsEqual(name.unicodeScalars) == true)
  }

  @Test("large states are read in one pass")
  func size() throws {
    let row = #"{"kind":"speech","role":"user","text":"\#(String(repeating: "x", count: 700))"}"#
    let rows = Array(repeating: row, count: 5_000).joined(separator: ",")
    let session = try #require(VoiceSession(try .parse(#"{"recentTurns":[\#(rows)]}"#)))
    #expect(session.recentTurns.count == 5_000)
    let keys = (0..<50_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
    let stats = try #require(Stats(try .parse(#"{"last24h":{\#(keys)}}"#)))
    #expect(stats.last24h.count == 50_000)
  }
}

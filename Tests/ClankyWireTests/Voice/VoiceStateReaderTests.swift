import Testing

@testable import ClankyWire

/// Whatever comes in whatever order: the reader gives what reading the whole text gives.
@Suite struct VoiceStateReaderTests {
  private static func session(
    id: String = "s", age: Int = 1, prompt: String = "be kind", extra: String = "",
    front: String = ""
  ) -> String {
    """
    {\(front)"sessionId":"\(id)","guildId":"1","inactivityEndsAt":"2026-05-09T18:22:4\(age).307Z",
     "participants":[{"userId":"1","displayName":"Nadia"},{"userId":"2","displayName":"花 Hana"}],
     "membershipEvents":[{"userId":"1","eventType":"join","ageMs":\(age)}],
     "promptState":{"generation":{"updatedAt":"2026-05-09T18:22:41.307Z","source":"realtime",
       "replyPrompts":{"systemPrompt":"\(prompt)","tools":[{"name":"web_search"}]}}},
     "brainTools":null,"latency":{"turnCount":3}\(extra)}
    """
  }

  private static func state(_ sessions: String...) -> String {
    "{\"activeCount\":\(sessions.count),\"sessions\":[" + sessions.joined(separator: ", ") + "]}"
  }

  private func read(
    _ reader: inout VoiceStateReader, _ text: String
  ) throws -> VoiceStateReader.Reading? {
    var text = text
    let result = text.withUTF8 { bytes in
      Result { () throws(JSONError) in try reader.read(UnsafeRawBufferPointer(bytes)) }
    }
    return try result.get()
  }

  private func whole(_ text: String) throws -> VoiceState? {
    VoiceState(try JSONValue.parse(text))
  }

  @Test(arguments: [
    [state(session()), state(session(age: 2)), state(session(age: 3, prompt: "be brief"))],
    [state(session(), session(id: "t", age: 4)), state(session(id: "t", age: 5)), state()],
    [state(), state(session()), state(session(id: "u")), state(session(id: "u"), session())],
    // A part that comes, goes and is null; one that is of another type.
    [
      state(session(extra: ",\"batchAsr\":{\"pendingTurns\":1}")), state(session()),
      state(session(extra: ",\"batchAsr\":null")), state(session(extra: ",\"music\":[1]")),
    ],
    // Odd ones between good ones: keys twice, escaped keys, elements that are no sessions.
    [
      state(session()), state(session(extra: ",\"latency\":{\"turnCount\":9}")),
      state(session(age: 2)), state(session(extra: ",\"m\\u0075sic\":{\"phase\":\"playing\"}")),
      state("null", session()), state(session(), "7", session(id: "t")), state(session(age: 5)),
    ],
    [
      state(session()), "{}", state(session()), "{\"sessions\":{}}", state(session()),
      "{\"activeCount\":1,\"sessions\":null}", " { \"sessions\" : [ ] } ",
      "{\"sessions\":[],\"sessions\":[\(session())]}",
    ],
    // A key before the others, one in their middle, one that is gone; the same key twice.
    [
      state(session()), state(session(front: "\"new\":1,")), state(session(age: 2)),
      state(session().replacing("\"guildId\":\"1\",", with: "")),
      state(session(front: "\"latency\":{\"turnCount\":9},")), state(session(age: 3)),
      state(session().replacing("brainTools", with: "toolCalls")),
      state(session().replacing("guildId", with: "latency")), state(session(age: 4)),
    ],
    [state(session(prompt: "\\ud800 \\u00e9\\n")), state(session(age: 2, prompt: "\\ud800"))],
  ]) func givesWhatTheWholeTextGives(texts: [String]) throws {
    var reader = VoiceStateReader()
    for text in texts + texts.reversed() + texts {
      let reading = try read(&reader, text)
      #expect(try reading?.state == whole(text), "\(text)")
      #expect(reader.payload == Array(text.utf8))
    }
  }

  @Test func keepsThePartsThatAreTheSame() throws {
    var reader = VoiceStateReader()
    let first = try #require(try read(&reader, Self.state(Self.session())))
    #expect(first.kept == [[]])
    let second = try #require(try read(&reader, Self.state(Self.session(age: 2))))
    #expect(
      second.kept == [[.participants, .promptState, .brainTools, .latency]])
    #expect(second.keeps(.promptState, at: 0))
    #expect(!second.keeps(.promptState, at: 1))
    let third = try #require(
      try read(&reader, Self.state(Self.session(age: 2, prompt: "be brief"))))
    #expect(!third.keeps(.promptState, at: 0))
    #expect(third.keeps(.membershipEvents, at: 0))
  }

  @Test func keepsThePartsThatStandInAnotherPlace() throws {
    var reader = VoiceStateReader()
    _ = try read(&reader, Self.state(Self.session()))
    for front in ["\"new\":1,", "", "\"music\":null,"] {
      let text = Self.state(Self.session(front: front))
      let reading = try #require(try read(&reader, text))
      #expect(
        reading.kept == [[.participants, .membershipEvents, .promptState, .brainTools, .latency]])
      #expect(try reading.state == whole(text))
    }
  }

  /// A session in which every part has something in it, told again a second later.
  @Test func everyPartIsKeptInItsPlace() throws {
    var reader = VoiceStateReader()
    let before = Self.state(FullSession.text)
    let after = Self.state(
      FullSession.text.replacing("2026-05-09T19:00:05.185Z", with: "2026-05-09T19:00:06.185Z"))
    _ = try read(&reader, before)
    let reading = try #require(try read(&reader, after))
    #expect(reading.kept == [Set(VoiceSessionPart.allCases)])
    #expect(try reading.state == whole(after))
    #expect(try reading.state != whole(before))
  }

  @Test(arguments: [
    "", "nonsense", "{\"sessions\":[{]}", "{\"sessions\":[{}", "{\"sessions\":[{}]} x",
    "{\"sessions\":[{},]}", "{\"sessions\":[{\"latency\":{},}]}", "{\"sessions\":[],}",
  ]) func whatIsNoJSONLeavesTheLastState(text: String) throws {
    var reader = VoiceStateReader()
    let good = Self.state(Self.session())
    _ = try read(&reader, good)
    #expect(throws: JSONError.self) { try read(&reader, text) }
    #expect(reader.payload == Array(good.utf8))
    #expect(try read(&reader, Self.state(Self.session(age: 2)))?.keeps(.latency, at: 0) == true)
  }

  @Test func whatIsNoObjectIsNothing() throws {
    var reader = VoiceStateReader()
    #expect(try read(&reader, "[1]") == nil)
    #expect(reader.payload.isEmpty)
  }

  /// Every cut and every changed byte of a state, after the state itself.
  @Test func brokenTextsAreReadAsEver() throws {
    let good = Array(Self.state(Self.session(), Self.session(id: "t")).utf8)
    var reader = VoiceStateReader()
    for place in stride(from: 0, to: good.count, by: 3) {
      for byte in [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "\\"), 0xFF, 0x30] {
        var text = good
        text[place] = byte
        _ = try good.withUnsafeBytes { try reader.read($0) }
        let expected = try? VoiceState(JSONValue.parse(text))
        let got = text.withUnsafeBytes { try? reader.read($0) }
        #expect(got?.state == expected, "\(place) \(byte)")
      }
    }
  }
}

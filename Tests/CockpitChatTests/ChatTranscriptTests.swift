import CockpitChat
import Testing

@Suite struct ChatTranscriptTests {
  private func answered(_ events: [ChatEvent]) -> ChatTranscript {
    var transcript = ChatTranscript()
    transcript.send("hello", idempotencyKey: "k1", atMs: 1_000)
    let id = transcript.beginAnswer(atMs: 1_100)
    for (step, event) in events.enumerated() {
      transcript.apply(event, to: id, atMs: 1_200 + Int64(step) * 100)
    }
    return transcript
  }

  @Test func `events of a run become one message with its tools, usage and cost`() throws {
    let transcript = answered([
      .started(run: "r1"), .phase("starting_model"), .model("m"),
      .tool(ChatTool(id: "t1", name: "exec", state: .running)),
      .tool(ChatTool(id: "t1", name: "exec", state: .done, durationMs: 2_100)),
      .tool(ChatTool(id: "t2", name: "read", state: .done, durationMs: 2_000)),
      .text("It is "), .text("noon."),
      .usage(ChatUsage(inputTokens: 5, outputTokens: 7, costUSD: 0.5)),
      .ended(.completed),
    ])
    let answer = try #require(transcript.entries.last)
    #expect(answer.text == "It is noon.")
    #expect(answer.run == "r1")
    #expect(answer.tools.map(\.name) == ["exec", "read"])
    #expect(answer.toolMs == 4_100)
    #expect(answer.durationMs == 1_000)
    #expect(transcript.state == .idle)
    #expect(transcript.usage?.total == 12)
    #expect(transcript.usage?.costUSD == 0.5)
    #expect(transcript.unpriced == 0)
  }

  @Test func `the state is thinking until the first text and streaming until the end`() {
    #expect(ChatTranscript().state == .idle)
    #expect(answered([]).state == .thinking)
    #expect(answered([.tool(ChatTool(id: "1", name: "x", state: .running))]).state == .thinking)
    #expect(answered([.text("a")]).state == .streaming)
    #expect(answered([.text("a"), .ended(.aborted)]).state == .idle)
  }

  @Test func `a replaced text is the whole text, and what comes after the end is ignored`() {
    let transcript = answered([
      .text("wrong"), .replaced("right"), .text(" on"), .ended(.completed), .text("late"),
      .ended(.aborted),
    ])
    #expect(transcript.entries.last?.text == "right on")
    #expect(transcript.entries.last?.end == .completed)
    #expect(transcript.entries.last?.replacements == 1)
  }

  @Test func `a tool whose end was not told is unknown once the answer is over`() {
    let transcript = answered([
      .tool(ChatTool(id: "1", name: "x", state: .running)), .ended(.aborted),
    ])
    #expect(transcript.entries.last?.tools.map(\.state) == [.unknown])
  }

  @Test func `a failed message can be sent again with its key, and the empty failure goes`() {
    var transcript = answered([.ended(.failed(ChatFailure(.connection, "gone")))])
    #expect(transcript.retryable?.idempotencyKey == "k1")
    _ = transcript.beginAnswer(atMs: 9_000)
    #expect(transcript.entries.map(\.author) == [.user, .agent])
    #expect(answered([.text("x"), .ended(.completed)]).retryable == nil)
  }

  @Test func `a new conversation has its own history and usage`() {
    var transcript = answered([
      .text("old"), .usage(ChatUsage(totalTokens: 9)), .ended(.completed),
    ])
    transcript.beginSession(2, atMs: 5_000)
    #expect(transcript.history.isEmpty)
    #expect(transcript.usage == nil)
    transcript.send("again", images: ["a.png"], idempotencyKey: "k2", atMs: 6_000)
    #expect(transcript.history == [ChatMessage(.user, "again\n[image a.png]")])
    transcript.beginSession(3, atMs: 7_000)
    transcript.beginSession(4, atMs: 7_000)
    #expect(transcript.entries.count { $0.author == .session } == 2)
    #expect(transcript.version == 4)
  }
}

@Suite struct ChatRecordTests {
  private func conversation() -> ChatTranscript {
    var transcript = ChatTranscript()
    transcript.send("a \"q\"\n\u{1B}[31m ü", images: ["a.png"], idempotencyKey: "k", atMs: 1)
    let id = transcript.beginAnswer(atMs: 2)
    for event: ChatEvent in [
      .started(run: "r"), .model("m"),
      .tool(ChatTool(id: "t", name: "exec", state: .failed, durationMs: 3)),
      .text(String(repeating: "ä😀x", count: 60_000)),
      .usage(ChatUsage(inputTokens: 1, outputTokens: 2, totalTokens: 3, costUSD: 0.25)),
      .ended(.completed),
    ] { transcript.apply(event, to: id, atMs: 10) }
    transcript.beginSession(2, atMs: 11)
    transcript.send("b", idempotencyKey: "k2", atMs: 12)
    let second = transcript.beginAnswer(atMs: 13)
    transcript.apply(.text("half"), to: second, atMs: 14)
    transcript.apply(.ended(.aborted), to: second, atMs: 15)
    return transcript
  }

  @Test func `a conversation comes back as it was`() {
    let transcript = conversation()
    let lines = transcript.entries.flatMap(ChatRecords.lines)
    #expect(lines.allSatisfy { $0.count < 800_000 && !$0.contains(0x0A) })
    #expect(lines.allSatisfy { $0.allSatisfy { (0x20..<0x7F).contains($0) } })
    let back = ChatRecords.transcript(lines, version: 1)
    #expect(back.entries == transcript.entries)
    #expect(back.version == 2)
    #expect(back.unreadable == 0)
  }

  @Test func `a torn last line costs that record and is counted`() {
    let lines = conversation().entries.flatMap(ChatRecords.lines)
    for cut in [1, lines.last!.count / 2, lines.last!.count - 1] {
      let torn = lines.dropLast() + [Array(lines.last!.prefix(cut))]
      let back = ChatRecords.transcript(Array(torn), version: 1)
      #expect(back.unreadable == 1)
      #expect(back.entries.count == conversation().entries.count - 1)
      #expect(back.retryable?.text == "b")
    }
  }

  @Test func `an unknown record and parts without an end cost themselves`() {
    let lines = conversation().entries.flatMap(ChatRecords.lines)
    let parts = lines.filter { String(decoding: $0, as: UTF8.self).contains("\"kind\":\"part\"") }
    #expect(!parts.isEmpty)
    let odd =
      [Array(#"{"kind":"picture","text":"?"}"#.utf8), parts[0], Array("garbage".utf8)] + lines
      + [parts[0]]
    let back = ChatRecords.transcript(odd, version: 1)
    #expect(back.entries.map(\.text) == conversation().entries.map(\.text))
    #expect(back.unreadable == 4)
  }

  @Test func `an answer under way has no line yet`() {
    var transcript = ChatTranscript()
    _ = transcript.beginAnswer(atMs: 0)
    #expect(transcript.entries.flatMap(ChatRecords.lines).isEmpty)
  }
}

@Suite struct ChatChannelTests {
  @Test func `a channel's session key names agent, channel and version`() {
    var list = ChatChannelList()
    let id = list.add(name: "  Büro &  Code ", source: "s", agent: "ops").id
    #expect(id == "b-ro-code")
    #expect(list[id]?.name == "Büro & Code")
    #expect(list[id]?.sessionKey(defaultAgent: nil) == "agent:ops:cockpit-b-ro-code-v1")
    list.bumpVersion(id)
    #expect(list[id]?.sessionKey(defaultAgent: nil) == "agent:ops:cockpit-b-ro-code-v2")
    list.setAgent(id, to: nil)
    #expect(list[id]?.sessionKey(defaultAgent: nil) == "agent:main:cockpit-b-ro-code-v3")
    #expect(list[id]?.sessionKey(defaultAgent: "wren") == "agent:wren:cockpit-b-ro-code-v3")
  }

  @Test func `ids are taken once, those of deleted channels too`() {
    var list = ChatChannelList()
    let ids = (0..<3).map { _ in list.add(name: "chat", source: "s", agent: nil).id }
    #expect(ids == ["chat", "chat-2", "chat-3"])
    list.remove("chat-2")
    let next = list.add(name: "chat", source: "s", agent: nil, taken: ["chat-2"])
    #expect(next.id == "chat-4")
    #expect(list.add(name: "///", source: "s", agent: nil).name == "///")
  }

  @Test func `channels move among those of their source`() {
    var list = ChatChannelList()
    list.add(name: "a", source: "x", agent: nil)
    list.add(name: "b", source: "y", agent: nil)
    list.add(name: "c", source: "x", agent: nil)
    list.move("c", by: -1)
    #expect(list.channels(of: "x").map(\.id) == ["c", "a"])
    #expect(list.channels(of: "y").map(\.id) == ["b"])
    list.move("c", by: -5)
    list.move("a", by: 9)
    #expect(list.channels(of: "x").map(\.id) == ["c", "a"])
  }

  @Test func `a list comes back from its file; a bad line costs itself`() {
    var list = ChatChannelList()
    list.add(name: "a\u{1B}]0;x", source: "x", agent: "main")
    list.add(name: "b", source: "y", agent: nil)
    #expect(ChatChannelList(bytes: list.bytes) == list)
    let torn = list.bytes + Array(#"{"id":"c","na"#.utf8)
    #expect(ChatChannelList(bytes: torn).channels == list.channels)
    #expect(ChatChannelList(bytes: torn).unreadable == 1)
    let evil = Array(#"{"id":"../x","name":"n","source":"s"}"#.utf8)
    #expect(ChatChannelList(bytes: evil).channels.isEmpty)
  }
}

import CockpitChat
import JSONTestKit
import Testing

@Suite struct StreamDecoderTests {
  private func play(
    _ chunks: [[UInt8]], isChat: Bool, isGateway: Bool = true
  ) -> [ChatEvent] {
    var decoder = StreamDecoder(isChat ? .chat : .responses, isGateway: isGateway)
    var told: [ChatEvent] = []
    for chunk in chunks { chunk.withUnsafeBytes { told += decoder.feed($0) } }
    return told + decoder.finish()
  }

  private func play(_ text: String, isChat: Bool, isGateway: Bool = true) -> [ChatEvent] {
    play([Array(text.utf8)], isChat: isChat, isGateway: isGateway)
  }

  private func text(_ events: [ChatEvent]) -> String {
    events.reduce(into: "") { text, event in
      switch event {
      case .text(let more): text += more
      case .replaced(let whole): text = whole
      default: break
      }
    }
  }

  private func failure(_ events: [ChatEvent]) -> ChatFailure? {
    if case .ended(.failed(let failure)) = events.last { failure } else { nil }
  }

  // MARK: What is said

  @Test func aCompletionIsStartNameTextUsageEnd() {
    #expect(
      play(Shapes.completion, isChat: true) == [
        .started(run: "chatcmpl_r1"), .model("openclaw/wren"), .text("Grüße, "),
        .text("🐦 wren\n"), .text("énd."),
        .usage(ChatUsage(inputTokens: 12, outputTokens: 5, totalTokens: 17)), .ended(.completed),
      ])
  }

  @Test func aResponseSaysTheSame() {
    #expect(
      play(Shapes.responses, isChat: false) == [
        .started(run: "resp_r1"), .model("openclaw/wren"), .text("Grüße, "), .text("🐦 wren\n"),
        .text("énd."), .usage(ChatUsage(inputTokens: 12, outputTokens: 5, totalTokens: 17)),
        .ended(.completed),
      ])
  }

  @Test func onlyAGatewaysIdIsThatOfARun() {
    #expect(
      play(Shapes.completion, isChat: true, isGateway: false).first == .started(run: nil))
  }

  @Test func failuresInsideTheStreamKeepTheText() {
    for (shape, isChat) in [(Shapes.failedCompletion, true), (Shapes.failedResponses, false)] {
      let events = play(shape, isChat: isChat)
      #expect(text(events) == "One")
      #expect(
        failure(events)?.sentence
          == "The agent failed: the provider says 400. See the gateway's log, then send the message again."
      )
    }
  }

  @Test func anEmptyStopOfProtocol3IsNoAnswer() {
    for (shape, isChat) in [(Shapes.emptyCompletion, true), (Shapes.nothingResponses, false)] {
      let events = play(shape, isChat: isChat)
      #expect(text(events).isEmpty)
      #expect(failure(events)?.sentence == "The agent gave no answer; see the gateway's log.")
    }
    // Another server may really say these words.
    #expect(
      text(play(Shapes.nothingResponses, isChat: false, isGateway: false))
        == "No response from OpenClaw.")
  }

  @Test func aStreamThatBreaksOffIsNoWholeAnswer() {
    let events = play(Shapes.cutCompletion, isChat: true)
    #expect(text(events) == "Half an" && failure(events)?.kind == .connection)
    #expect(failure(play(Shapes.begun, isChat: false))?.kind == .connection)
    #expect(failure(play("", isChat: true))?.kind == .connection)
  }

  @Test func anEndWithoutDoneIsAnEnd() {
    let events = play(
      Shapes.chunk(#"{"content":"Yes"}"#) + Shapes.chunk("{}", #""stop""#), isChat: true)
    #expect(events.last == .ended(.completed))
  }

  @Test func aLimitOfTokensIsSaid() {
    let events = play(Shapes.limitedCompletion, isChat: true)
    #expect(
      text(events) == "So far"
        && failure(events)?.sentence
          == "The model stopped at its limit of tokens; ask it to go on."
    )
  }

  @Test func partsThatArePutRightReplaceTheText() {
    let events = play(Shapes.twoParts, isChat: false)
    #expect(events.contains(.replaced("I look.\n\nFound it.")))
    #expect(text(events) == "I look.\n\nFound it." && events.last == .ended(.completed))
  }

  @Test func nothingIsToldAfterTheEnd() {
    let events = play(
      Shapes.completion + Shapes.chunk(#"{"content":"late"}"#) + Shapes.done, isChat: true)
    #expect(text(events) == Shapes.completionText)
    #expect(events.count { if case .ended = $0 { true } else { false } } == 1)
  }

  @Test func badEventsCostThemselves() {
    let events = play(
      "data: {broken\n\n: comment\n\ndata: 7\n\n" + Shapes.completion, isChat: true)
    #expect(text(events) == Shapes.completionText && events.last == .ended(.completed))
  }

  @Test func wholeBodiesAreAnswersToo() {
    var chat = StreamDecoder(.chat, isGateway: false)
    #expect(
      chat.whole(
        Array(
          #"{"id":"x","model":"m","choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}"#
            .utf8)) == [
          .started(run: nil), .model("m"), .text("Hi"),
          .usage(ChatUsage(inputTokens: 1, outputTokens: 1, totalTokens: 2)), .ended(.completed),
        ])
    var responses = StreamDecoder(.responses, isGateway: false)
    #expect(
      responses.whole(
        Array(
          #"{"id":"r","status":"completed","output":[{"type":"reasoning"},{"type":"message","content":[{"type":"output_text","text":"Hi"}]}]}"#
            .utf8)) == [.started(run: nil), .text("Hi"), .ended(.completed)])
    var bad = StreamDecoder(.chat, isGateway: false)
    #expect(failure(bad.whole(Array("<html>".utf8)))?.kind == .request)
  }

  @Test func aVeryLongAnswerIsCutAndSaysSo() {
    let piece = String(repeating: "é", count: 300_000)
    let events = play(
      String(repeating: Shapes.chunk(#"{"content":"\#(piece)"}"#), count: 5)
        + Shapes.chunk("{}", #""stop""#) + Shapes.done, isChat: true)
    #expect(text(events).utf8.count == AnswerText.maximumBytes)
    #expect(
      failure(events)?.sentence == "The answer is longer than 2 MiB; the rest of it was left out.")
  }

  // MARK: For every input

  @Test(arguments: Shapes.all.indices)
  func everySplitTellsTheSame(index: Int) {
    let (name, isChat, shape) = Shapes.all[index]
    let bytes = Array(shape.utf8)
    let whole = play([bytes], isChat: isChat)
    for at in 1..<bytes.count {
      let split = play([Array(bytes[..<at]), Array(bytes[at...])], isChat: isChat)
      #expect(split == whole, "\(name) split at \(at)")
    }
    #expect(play(bytes.map { [$0] }, isChat: isChat) == whole, "\(name), byte by byte")
  }

  @Test(arguments: 0..<400)
  func mutatedStreamsEndExactlyOnce(seed: Int) {
    var random = SeededRandom(UInt64(seed))
    let (_, isChat, shape) = Shapes.all[Int(random.next() % UInt64(Shapes.all.count))]
    var bytes = Array(shape.utf8)
    for _ in 0..<(1 + random.next() % 12) where !bytes.isEmpty {
      let at = Int(random.next() % UInt64(bytes.count))
      switch random.next() % 4 {
      case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes.remove(at: at)
      case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: at)
      default:
        let end = min(bytes.count, at + Int(random.next() % 200))
        bytes.insert(contentsOf: bytes[at..<end], at: at)
      }
    }
    var chunks: [[UInt8]] = []
    var at = 0
    while at < bytes.count {
      let end = min(bytes.count, at + 1 + Int(random.next() % 90))
      chunks.append(Array(bytes[at..<end]))
      at = end
    }
    let events = play(chunks, isChat: isChat)
    #expect(events.count { if case .ended = $0 { true } else { false } } == 1)
    if case .ended = events.last {} else { Issue.record("the end is not last") }
  }
}

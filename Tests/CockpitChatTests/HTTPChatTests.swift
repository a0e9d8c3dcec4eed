import CockpitChat
import LenientJSON
import Networking
import Testing

@MainActor
@Suite struct HTTPChatTests {
  private static let models =
    #"{"object":"list","data":[{"id":"openclaw"},{"id":"openclaw/default"},{"id":"openclaw/wren"},{"id":"openclaw/moss"}]}"#
  private static let png = ChatImage(
    name: "jar.png", mimeType: "image/png", bytes: [0x89, 0x50, 0x4E, 0x47, 1])

  @Test func aMessageToAGatewayCarriesItsKeyAndNoHistory() throws {
    let scene = Scene()
    let chat = try scene.chat()
    scene.send(.plain(), on: chat)
    #expect(scene.target == "/v1/chat/completions" && scene.requests.count == 1)
    #expect(scene.requests[0].method == .post && scene.requests[0].purpose == .stream)
    #expect(scene.header("Authorization") == "Bearer s3cret-token")
    #expect(scene.header("x-openclaw-session-key") == "agent:wren:cockpit-desk-v1")
    #expect(scene.header("x-openclaw-message-channel") == "clanky-cockpit")
    #expect(scene.header("x-openclaw-agent-id") == nil)
    #expect(
      scene.body.serialized()
        == #"{"model":"openclaw","messages":[{"role":"user","content":"Hello"}],"stream":true,"stream_options":{"include_usage":true}}"#
    )
    scene.stream(Shapes.completion)
    #expect(scene.events.last == .ended(.completed))
  }

  @Test func historyOfTheClientIsSentWholeAndWithoutAKey() throws {
    let scene = Scene()
    let chat = try scene.chat()
    let earlier = [
      ChatMessage(.user, "Look", images: [Self.png]), ChatMessage(.assistant, "A jar."),
    ]
    scene.send(.plain("And now?", history: .client(earlier)), on: chat)
    #expect(scene.header("x-openclaw-session-key") == nil)
    #expect(
      scene.body["messages"]?.serialized()
        == #"[{"role":"user","content":"Look\n[image: jar.png]"},{"role":"assistant","content":"A jar."},{"role":"user","content":"And now?"}]"#
    )
  }

  @Test func otherServersGetNoHeadersOfAGateway() throws {
    let scene = Scene()
    let chat = try scene.chat(
      .other(model: "gpt-test"), url: "https://llm.example/v1", secret: nil)
    #expect(!chat.abilities.contains(.serverHistory) && chat.abilities.contains(.images))
    scene.send(.plain(), on: chat)
    #expect(
      scene.requests[0].base.absolute(scene.requests[0].target).hasSuffix("/v1/chat/completions"))
    #expect(!scene.requests[0].base.absolute(scene.requests[0].target).contains("/v1/v1"))
    #expect(scene.requests[0].headers.map(\.name) == ["Accept"])
    #expect(scene.body["model"]?.string == "gpt-test")
  }

  @Test func aServerWithoutAModelIsAskedForItsFirst() throws {
    let scene = Scene()
    let chat = try scene.chat(.other(model: nil))
    scene.send(.plain(), on: chat)
    #expect(scene.target == "/v1/models")
    scene.answer(200, #"{"data":[{"id":"small"},{"id":"large"}]}"#)
    #expect(scene.body["model"]?.string == "small")
    scene.stream(Shapes.completion)
    scene.send(.plain(), on: chat)
    #expect(scene.requests.count == 3)
  }

  @Test func anAgentIsCheckedOnceAgainstTheModels() throws {
    let scene = Scene()
    let chat = try scene.chat()
    scene.send(.plain(agent: "openclaw:wren"), on: chat)
    #expect(scene.target == "/v1/models")
    scene.answer(200, Self.models)
    #expect(scene.body["model"]?.string == "openclaw/wren")
    #expect(scene.header("x-openclaw-agent-id") == "wren")
    scene.stream(Shapes.completion)
    scene.send(.plain(agent: "otter"), on: chat)
    #expect(scene.requests.count == 2)
    #expect(
      scene.failure?.sentence == "The gateway has no agent otter; choose one of wren, moss.")
  }

  @Test func agentsOfAGatewayAreItsModelsWithoutTheDefaults() throws {
    let scene = Scene()
    var found: [ChatAgent] = []
    try scene.chat().agents { found = (try? $0.get()) ?? [] }
    scene.answer(200, Self.models)
    #expect(found == [ChatAgent(id: "wren"), ChatAgent(id: "moss")])
  }

  // MARK: Images

  @Test func imagesHaveTheFormOfTheInterface() throws {
    let scene = Scene()
    scene.send(.plain("Look", images: [Self.png]), on: try scene.chat())
    let url = "data:image/png;base64,iVBORwE="
    #expect(
      scene.body[path: "messages"]?.array?.first?["content"]?.serialized()
        == #"[{"type":"text","text":"Look"},{"type":"image_url","image_url":{"url":"\#(url)"}}]"#)
    scene.send(.plain("Look", images: [Self.png]), on: try scene.chat(.gateway, .responses))
    #expect(scene.target == "/v1/responses")
    #expect(
      scene.body["input"]?.array?.first?["content"]?.array?.last?.serialized()
        == #"{"type":"input_image","source":{"type":"base64","media_type":"image/png","data":"iVBORwE="}}"#
    )
    scene.send(
      .plain("Look", images: [Self.png]), on: try scene.chat(.other(model: "m"), .responses))
    #expect(
      scene.body["input"]?.array?.first?["content"]?.array?.last?.serialized()
        == #"{"type":"input_image","image_url":"\#(url)"}"#)
  }

  @Test func imagesThatAreNotTakenAreNotSent() throws {
    let scene = Scene()
    let chat = try scene.chat()
    let large = ChatImage(
      name: "large.png", mimeType: "image/png", bytes: [UInt8](repeating: 0, count: 7_000_000))
    let wide = ChatImage(
      name: "wide.png", mimeType: "image/png", bytes: [UInt8](repeating: 0, count: 6_000_000))
    let text = ChatImage(name: "notes.txt", mimeType: "text/plain", bytes: [1])
    for (images, sentence) in [
      ([ChatImage](repeating: Self.png, count: 9), "8 images at most"),
      ([large], "large.png has 6.7 MiB"),
      ([text], "notes.txt is no PNG"), ([wide, wide, wide], "send fewer"),
    ] {
      scene.send(.plain("Look", images: images), on: chat)
      #expect(scene.failure?.kind == .request && scene.failure?.sentence.contains(sentence) == true)
    }
    #expect(scene.requests.isEmpty)
  }

  @Test func base64HasAllItsEnds() {
    #expect(
      ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map { Base64.encoded(Array($0.utf8)) }
        == ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"])
  }

  // MARK: Fallback

  @Test func whatIsNotThereIsAskedForTheOtherWayAndRemembered() throws {
    let scene = Scene()
    let chat = try scene.chat(.gateway, .responses)
    scene.send(.plain(), on: chat)
    #expect(scene.target == "/v1/responses")
    scene.answer(404, "Not Found")
    #expect(scene.target == "/v1/chat/completions" && scene.events.isEmpty)
    scene.stream(Shapes.completion)
    #expect(scene.events.last == .ended(.completed))
    scene.send(.plain(), on: chat)
    #expect(scene.target == "/v1/chat/completions")
  }

  @Test func aGatewayWithoutBothSaysWhatToSwitchOn() throws {
    let scene = Scene()
    scene.send(.plain(), on: try scene.chat())
    scene.answer(404, "Not Found")
    scene.answer(404, "Not Found")
    #expect(scene.requests.count == 2 && scene.failure?.kind == .unsupported)
    #expect(scene.failure?.sentence.contains("gateway.http.endpoints.") == true)
  }

  @Test func aModelThatIsNotThereIsNoMissingInterface() throws {
    let scene = Scene()
    scene.send(.plain(), on: try scene.chat(.other(model: "m")))
    scene.answer(
      404, #"{"error":{"message":"The model `m` does not exist","code":"model_not_found"}}"#)
    #expect(scene.requests.count == 1 && scene.failure?.kind == .request)
  }

  // MARK: Refusals

  @Test(arguments: [
    (401, ChatFailure.Kind.authentication), (403, .authentication), (400, .request),
    (408, .connection), (413, .request), (429, .rateLimit), (500, .agent), (502, .connection),
    (503, .connection), (302, .request),
  ])
  func everyRefusalHasASentenceWithANextStep(status: Int, kind: ChatFailure.Kind) throws {
    let scene = Scene()
    scene.send(.plain(), on: try scene.chat())
    scene.answer(
      status, #"{"error":{"message":"no, S3CRET-token","type":"x"}}"#,
      [HTTPHeader("Retry-After", "7")])
    #expect(scene.failure?.kind == kind && scene.events.count == 1)
    let sentence = scene.failure?.sentence ?? ""
    #expect(sentence.hasSuffix(".") && !sentence.lowercased().contains("s3cret"))
    #expect((scene.failure?.retryAfterMs == 7_000) == [429, 502, 503].contains(status))
  }

  @Test func anErrorThatComesAsAnEventIsRead() throws {
    let scene = Scene()
    scene.send(.plain(), on: try scene.chat(.other(model: "m")))
    scene.head(500)
    scene.say("data: {\"error\": {\"message\": \"out of memory\"}}\n\ndata: [DONE]\n\n")
    scene.close()
    #expect(scene.failure?.sentence == "The server failed (out of memory); look at its log.")
  }

  @Test func aDateSaysWhenToComeBack() throws {
    let scene = Scene()
    scene.wallMs = try #require(HTTPDate.milliseconds("Sun, 06 Nov 1994 08:49:37 GMT"))
    scene.send(.plain(), on: try scene.chat())
    scene.answer(429, "", [HTTPHeader("Retry-After", "Sun, 06 Nov 1994 08:50:37 GMT")])
    #expect(scene.failure?.retryAfterMs == 60_000)
    #expect(scene.failure?.sentence.contains("in about 60 s") == true)
  }

  @Test func connectionsThatFailSaySo() throws {
    for error in [
      TransportError.refused, .unknownHost, .unreachable("x"), .timedOut(.connect),
      .timedOut(.headers), .tls(.expired, "x"), .notTLS("x"), .proxy("x"), .connectionLost("x"),
      .tooLarge, .malformed("x"), .redirectRefused("x"), .tooManyRedirects, .other("x"),
    ] {
      let scene = Scene()
      scene.send(.plain(), on: try scene.chat())
      scene.close(error)
      #expect(scene.failure?.kind == .connection && scene.events.count == 1, "\(error)")
    }
  }

  @Test func whatIsNoChatServerIsNamed() throws {
    let scene = Scene()
    scene.send(.plain(), on: try scene.chat(.other(model: "m")))
    scene.head(200, "text/html")
    scene.say("<html>")
    scene.close()
    #expect(scene.failure?.sentence.contains("is no chat server: it sent text/html") == true)
  }

  @Test func anObstacleSendsNothing() throws {
    let scene = Scene()
    let chat = HTTPChat(
      ChatServer(
        kind: .gateway, base: try BackendURL("http://127.0.0.1:1"), secret: nil, interface: .chat,
        obstacle: ChatFailure(.authentication, "No.")), transport: scene, clock: scene)
    scene.send(.plain(), on: chat)
    #expect(scene.failure?.sentence == "No." && scene.requests.isEmpty)
  }

  // MARK: Ends

  @Test func cancellingClosesTheConnection() throws {
    let scene = Scene()
    let answer = scene.send(.plain(), on: try scene.chat())
    scene.head()
    scene.say(Shapes.chunk(#"{"content":"One"}"#))
    answer.cancel()
    #expect(scene.isCancelled && scene.events.last == .text("One"))
    scene.pass(ms: 1)
    answer.cancel()
    scene.pass(ms: 1)
    #expect(scene.events.last == .ended(.aborted))
    #expect(scene.events.count { if case .ended = $0 { true } else { false } } == 1)
  }

  @Test func cancellingBeforeTheRequestSendsNothing() throws {
    let scene = Scene()
    let chat = try scene.chat()
    let answer = chat.send(.plain()) { scene.events.append($0) }
    answer.cancel()
    #expect(scene.events.isEmpty)
    scene.pass(ms: 1)
    #expect(scene.events == [.ended(.aborted)] && scene.requests.isEmpty)
  }

  @Test func aSilentStreamIsGivenUp() throws {
    let scene = Scene()
    scene.send(.plain(), on: try scene.chat())
    scene.head()
    scene.say(Shapes.chunk(#"{"content":"One"}"#))
    scene.pass(ms: 299_000)
    // A comment is a sign of life.
    scene.say(": still here\n\n")
    scene.pass(ms: 299_000)
    #expect(scene.failure == nil)
    scene.pass(ms: 2_000)
    #expect(scene.failure?.kind == .connection && scene.isCancelled)
    #expect(scene.failure?.sentence.contains("for 5 minutes") == true)
  }

  @Test func severalAnswersMayBeUnderWay() throws {
    let scene = Scene()
    let chat = try scene.chat()
    var first: [ChatEvent] = []
    let one = chat.send(.plain()) { first.append($0) }
    scene.pass(ms: 0)
    scene.send(.plain(), on: chat)
    one.cancel()
    scene.pass(ms: 1)
    scene.stream(Shapes.completion)
    #expect(first == [.ended(.aborted)] && scene.events.last == .ended(.completed))
  }
}

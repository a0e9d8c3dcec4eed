import CockpitChat
import DeviceKeys
import LenientJSON
import Networking
import OpenClawWire
import Testing

@testable import OpenClawSource

/// A conversation over sockets and time that a test moves.
@MainActor
private final class Talk {
  let wires = Wires()
  let talk: GatewayTalk
  var events: [CockpitChat.ChatEvent] = []
  var sequence = 0

  init(scopes: [String] = ["operator.read", "operator.write"]) throws {
    let key = try #require(DeviceKey(seed: (0..<32).map { UInt8($0) }))
    talk = GatewayTalk(
      WebSocketRequest(url: try WebSocketURL("ws://127.0.0.1:1")),
      identity: GatewayIdentity(
        key: key, client: .init(version: "1", platform: "linux", instanceId: "i", displayName: "d"),
        scopes: scopes, token: "t", deviceToken: nil),
      transport: wires, clock: wires, store: { _, _ in }, onState: { _ in })
    talk.start()
  }

  var socket: Wires.Socket { wires.sockets[wires.sockets.count - 1] }
  func say(_ text: String) { wires.say(text, on: wires.sockets.count - 1) }
  var methods: [String] { socket.sent.compactMap { $0["method"]?.string } }

  func greet(_ version: Int = 4, scopes: String = #""operator.read","operator.write""#) {
    sequence = 0
    wires.delegate?.opened(socket)
    say(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1790000000005}}"#)
    answer(
      #"{"type":"hello-ok","protocol":\#(version),"auth":{"scopes":[\#(scopes)]},"policy":{"attachments":{"maxBytes":2000,"maxImageBytes":1000}}}"#
    )
    // The subscription of the recovery.
    answer("{}", to: "sessions.subscribe")
  }

  func answer(_ payload: String, to method: String = "connect") {
    guard let id = socket.sent.last(where: { $0["method"]?.string == method })?["id"]?.string
    else { return }
    say(#"{"type":"res","id":"\#(id)","ok":true,"payload":\#(payload)}"#)
  }

  func refuse(_ error: String, to method: String) {
    guard let id = socket.sent.last(where: { $0["method"]?.string == method })?["id"]?.string
    else { return }
    say(#"{"type":"res","id":"\#(id)","ok":false,"error":\#(error)}"#)
  }

  func event(_ state: String, _ more: String = "", run: String = "k1") {
    sequence += 1
    say(
      #"{"type":"event","event":"chat","payload":{"runId":"\#(run)","state":"\#(state)"\#(more.isEmpty ? "" : "," + more)},"seq":\#(sequence)}"#
    )
  }

  @discardableResult
  func send(
    _ text: String = "Hello", images: [ChatImage] = [], history: ChatTurn.History = .server,
    key: String = "k1"
  ) -> any ChatAnswer {
    let answer = talk.chat.send(
      ChatTurn(
        agent: "wren", sessionKey: "agent:wren:cockpit-desk-v1",
        message: ChatMessage(.user, text, images: images), history: history, idempotencyKey: key)
    ) { [weak self] in self?.events.append($0) }
    wires.pass(seconds: 0)
    return answer
  }

  func drop() {
    wires.delegate?.socket(socket, ended: .closed(code: 1_006, reason: ""))
    wires.pass(seconds: 2)
  }

  /// A message is sent, its answer has begun, and the connection is lost and back.
  func loseConnectionMidAnswer() {
    greet()
    send()
    answer(#"{"runId":"k1"}"#, to: "chat.send")
    event("delta", #""deltaText":"One ""#)
    drop()
    greet()
  }

  var text: String {
    events.reduce(into: "") { text, event in
      switch event {
      case .text(let more): text += more
      case .replaced(let whole): text = whole
      default: break
      }
    }
  }

  var failure: ChatFailure? {
    if case .ended(.failed(let failure)) = events.last { failure } else { nil }
  }

  func history(_ messages: String, inFlight: String? = nil) -> String {
    let run = inFlight.map { #","inFlightRun":{"runId":"k1","text":"\#($0)"}"# } ?? ""
    return #"{"sessionKey":"x","messages":[\#(messages)]\#(run)}"#
  }
}

@MainActor
@Suite struct GatewayChatTests {
  private static let question = #"{"role":"user","content":"Hello"}"#
  private static func reply(_ text: String, _ reason: String = "stop") -> String {
    #"{"role":"assistant","content":[{"type":"text","text":"\#(text)"}],"stopReason":"\#(reason)","model":"birch-1"}"#
  }

  @Test(arguments: [3, 4])
  func aMessageIsSentOnceAndItsRunIsTold(version: Int) throws {
    let talk = try Talk()
    talk.greet(version)
    talk.send()
    let sent = talk.socket.sent.last
    #expect(
      sent?["params"]?.serialized()
        == #"{"sessionKey":"agent:wren:cockpit-desk-v1","message":"Hello","idempotencyKey":"k1"}"#)
    talk.answer(#"{"runId":"k1","status":"started"}"#, to: "chat.send")
    talk.event("delta", #""deltaText":"Good ","message":{"content":"Good "}"#)
    talk.event("delta", #""deltaText":"day.","message":{"content":"Good day."}"#)
    talk.event("final", #""message":{"content":"Good day."}"#)
    #expect(
      talk.events == [
        .started(run: "k1"), .text("Good "), .text("day."), .ended(.completed),
      ])
    #expect(talk.methods.count { $0 == "chat.send" } == 1)
  }

  @Test func imagesAreAttachmentsWithinTheGatewaysLimits() throws {
    let talk = try Talk()
    talk.greet()
    talk.send(images: [ChatImage(name: "a.png", mimeType: "image/png", bytes: [1, 2, 3])])
    #expect(
      talk.socket.sent.last?[path: "params", "attachments"]?.serialized()
        == #"[{"type":"image","mimeType":"image/png","fileName":"a.png","content":"AQID"}]"#)
    talk.send(
      images: [
        ChatImage(name: "b.png", mimeType: "image/png", bytes: [UInt8](repeating: 1, count: 1_001))
      ], key: "k2")
    #expect(talk.failure?.sentence.contains("b.png has") == true)
    #expect(talk.methods.count { $0 == "chat.send" } == 1)
  }

  @Test func whatCannotBeSentIsNotSent() throws {
    let talk = try Talk()
    talk.send()
    #expect(talk.failure?.kind == .connection)
    talk.greet(scopes: #""operator.read""#)
    talk.send(key: "k2")
    #expect(
      talk.failure?.kind == .authentication
        && talk.failure?.sentence.contains("operator.write") == true)
    talk.send(history: .client([]), key: "k3")
    #expect(talk.failure?.kind == .unsupported)
    #expect(!talk.methods.contains("chat.send"))
  }

  @Test func refusalsEndTheAnswer() throws {
    let talk = try Talk()
    talk.greet()
    talk.send()
    talk.refuse(
      #"{"code":"INVALID_REQUEST","message":"unknown agent id"}"#, to: "chat.send")
    #expect(talk.failure?.kind == .request && talk.events.count == 1)
  }

  @Test func aBusyGatewayIsAskedAgainWithTheSameKey() throws {
    let talk = try Talk()
    talk.greet()
    talk.send()
    talk.refuse(
      #"{"code":"UNAVAILABLE","message":"starting","retryable":true,"retryAfterMs":500}"#,
      to: "chat.send")
    talk.wires.pass(seconds: 1)
    let keys = talk.socket.sent.compactMap { $0[path: "params", "idempotencyKey"]?.string }
    #expect(keys == ["k1", "k1"])
  }

  @Test func cancelStopsTheRun() throws {
    let talk = try Talk()
    talk.greet()
    let answer = talk.send()
    talk.answer(#"{"runId":"k1"}"#, to: "chat.send")
    talk.event("delta", #""deltaText":"One""#)
    answer.cancel()
    answer.cancel()
    #expect(talk.methods.count { $0 == "chat.abort" } == 1)
    #expect(
      talk.socket.sent.last?["params"]?.serialized()
        == #"{"sessionKey":"agent:wren:cockpit-desk-v1","runId":"k1"}"#)
    talk.answer(#"{"ok":true,"aborted":true}"#, to: "chat.abort")
    talk.event("aborted")
    #expect(talk.events.last == .ended(.aborted) && talk.text == "One")
  }

  @Test func anAbortThatIsNotHeardOfEndsAllTheSame() throws {
    let talk = try Talk()
    talk.greet()
    let answer = talk.send()
    talk.answer(#"{"runId":"k1"}"#, to: "chat.send")
    answer.cancel()
    talk.answer(#"{"ok":true,"aborted":true}"#, to: "chat.abort")
    talk.wires.pass(seconds: 11)
    #expect(talk.events == [.started(run: "k1"), .ended(.aborted)])
  }

  // MARK: Lost connections

  @Test func aBrokenConnectionLosesAndDoublesNoWord() throws {
    let talk = try Talk()
    talk.greet()
    talk.send()
    talk.answer(#"{"runId":"k1"}"#, to: "chat.send")
    talk.event("delta", #""deltaText":"One ","message":{"content":"One "}"#)
    talk.drop()
    talk.greet()
    // These come before the history is here, with what the history has too.
    talk.event("delta", #""deltaText":"three ","message":{"content":"One two three "}"#)
    #expect(talk.text == "One ")
    talk.answer(talk.history(Self.question, inFlight: "One two "), to: "chat.history")
    talk.event("delta", #""deltaText":"four.","message":{"content":"One two three four."}"#)
    talk.event("final")
    #expect(talk.text == "One two three four.")
    #expect(talk.events.last == .ended(.completed))
    #expect(!talk.events.contains { if case .replaced = $0 { true } else { false } })
    #expect(talk.wires.sockets.flatMap(\.sent).count { $0["method"]?.string == "chat.send" } == 1)
  }

  @Test func aRunThatEndedMeanwhileIsReadFromTheHistory() throws {
    let talk = try Talk()
    talk.loseConnectionMidAnswer()
    talk.answer(
      talk.history(Self.question + "," + Self.reply("One two.")), to: "chat.history")
    #expect(talk.text == "One two." && talk.events.last == .ended(.completed))
  }

  @Test func aRunThatDiedIsMarkedWithItsText() throws {
    let talk = try Talk()
    talk.loseConnectionMidAnswer()
    talk.answer(talk.history(Self.question), to: "chat.history")
    #expect(talk.text == "One " && talk.failure?.kind == .connection)
    #expect(talk.failure?.sentence.contains("ended while the gateway was out of reach") == true)
  }

  @Test func onProtocol3ARunWithoutAnAnswerIsWaitedFor() throws {
    let talk = try Talk()
    talk.greet(3)
    talk.send()
    talk.answer(#"{"runId":"k1"}"#, to: "chat.send")
    talk.event("delta", #""message":{"content":"One "}"#)
    talk.drop()
    talk.greet(3)
    talk.answer(talk.history(Self.question), to: "chat.history")
    talk.event("delta", #""message":{"content":"One two."}"#)
    talk.event("final")
    #expect(talk.text == "One two." && talk.events.last == .ended(.completed))
  }

  @Test func aMessageThatNeverArrivedIsSentWithTheSameKey() throws {
    let talk = try Talk()
    talk.greet()
    talk.send()
    talk.drop()
    talk.greet()
    #expect(talk.methods.contains("chat.history") && !talk.methods.contains("chat.send"))
    talk.answer(talk.history(#"{"role":"user","content":"Earlier"}"#), to: "chat.history")
    #expect(talk.socket.sent.last?[path: "params", "idempotencyKey"]?.string == "k1")
    talk.answer(#"{"runId":"k1","status":"started"}"#, to: "chat.send")
    talk.event("final", #""message":{"content":"Yes."}"#)
    #expect(talk.text == "Yes.")
  }

  @Test func aMessageThatArrivedIsNotSentAgain() throws {
    let talk = try Talk()
    talk.greet()
    talk.send()
    talk.drop()
    talk.greet()
    talk.answer(
      talk.history(Self.question + "," + Self.reply("Yes.")), to: "chat.history")
    #expect(talk.text == "Yes." && talk.events.last == .ended(.completed))
    #expect(!talk.methods.contains("chat.send"))
  }

  @Test func aHistoryThatIsRebuiltIsAskedForAgain() throws {
    let talk = try Talk()
    talk.greet()
    talk.send()
    talk.answer(#"{"runId":"k1"}"#, to: "chat.send")
    talk.drop()
    talk.greet()
    talk.refuse(
      #"{"code":"UNAVAILABLE","message":"rebuilding","retryable":true,"retryAfterMs":250}"#,
      to: "chat.history")
    talk.wires.pass(seconds: 1)
    #expect(talk.methods.count { $0 == "chat.history" } == 2)
    talk.answer(talk.history(Self.question, inFlight: "Yes"), to: "chat.history")
    #expect(talk.text == "Yes")
  }

  @Test func lostEventsOfALivingConnectionAreMadeGood() throws {
    let talk = try Talk()
    talk.greet()
    talk.send()
    talk.answer(#"{"runId":"k1"}"#, to: "chat.send")
    talk.event("delta", #""deltaText":"One ""#)
    talk.sequence += 3
    talk.event("delta", #""deltaText":"five ""#)
    talk.answer("{}", to: "sessions.subscribe")
    talk.answer(
      talk.history(Self.question + "," + Self.reply("One two three four five six.")),
      to: "chat.history")
    talk.event("final", #""message":{"content":"One two three four five six."}"#)
    #expect(talk.text == "One two three four five six." && talk.events.last == .ended(.completed))
    #expect(talk.events.count { if case .ended = $0 { true } else { false } } == 1)
  }

  @Test func aCancelWhileDisconnectedStopsTheRunLater() throws {
    let talk = try Talk()
    talk.greet()
    let answer = talk.send()
    talk.answer(#"{"runId":"k1"}"#, to: "chat.send")
    talk.wires.delegate?.socket(talk.socket, ended: .closed(code: 1_006, reason: ""))
    answer.cancel()
    talk.wires.pass(seconds: 0)
    #expect(talk.events.last == .ended(.aborted))
    talk.wires.pass(seconds: 2)
    talk.greet()
    #expect(talk.methods.contains("chat.abort") && !talk.methods.contains("chat.history"))
    #expect(talk.events.count { if case .ended = $0 { true } else { false } } == 1)
  }

  @Test func aDeviceThatIsRemovedHearsTheEnd() throws {
    let talk = try Talk()
    talk.greet()
    talk.send()
    talk.answer(#"{"runId":"k1"}"#, to: "chat.send")
    talk.wires.delegate?.socket(talk.socket, ended: .closed(code: 4_001, reason: "device removed"))
    #expect(talk.failure?.kind == .connection && talk.events.count == 2)
  }

  @Test func stoppingEndsWhatIsUnderWay() throws {
    let talk = try Talk()
    talk.greet()
    talk.send()
    talk.talk.stop()
    #expect(talk.failure?.kind == .connection && !talk.wires.isWaiting)
  }

  @Test func agentsAreListed() throws {
    let talk = try Talk()
    talk.greet()
    var found: [ChatAgent] = []
    talk.talk.chat.agents { found = (try? $0.get()) ?? [] }
    talk.answer(
      #"{"defaultId":"wren","agents":[{"id":"wren","name":"Wren"},{"name":"no id"},{"id":"moss"}]}"#,
      to: "agents.list")
    #expect(found == [ChatAgent(id: "wren", name: "Wren"), ChatAgent(id: "moss")])
  }
}

import CockpitChat
import CockpitDomain
import CompanionWire
import DeviceKeys
import LenientJSON
import Networking
import Testing

@testable import CompanionSource

/// A source on a socket, a clock and commands that the test plays.
@MainActor
final class Desk: SourceSink, CapabilityRunner {
  final class Run: CapabilityRun {
    let command: String
    let done: @MainActor (Result<CapabilityOutput, CapabilityFailure>) -> Void
    var isCancelled = false

    init(
      _ command: String,
      _ done: @escaping @MainActor (Result<CapabilityOutput, CapabilityFailure>) -> Void
    ) {
      (self.command, self.done) = (command, done)
    }

    func cancel() { isCancelled = true }
  }

  let wires = Wires()
  private(set) var source: CompanionSource?
  var rows: [JSONValue] = []
  var board: JSONValue = .null
  var canvas: JSONValue = .null
  var state = LinkState.connecting
  var sentence: String?
  var runs: [Run] = []
  var knownRows: (any KnownRows)? { nil }
  private let gateway: DeviceKey

  init(_ policy: GrantPolicy) throws {
    let key = try #require(DeviceKey(seed: (0..<32).map { UInt8($0) }))
    gateway = try #require(DeviceKey(seed: (1...32).map { UInt8($0) }))
    let source = CompanionSource(
      WebSocketRequest(url: try WebSocketURL("ws://127.0.0.1:1/companion")), key: key,
      gatewayKey: gateway.publicKeyText, policy: policy, runner: self, transport: wires,
      clock: wires)
    self.source = source
    source.start(into: self)
  }

  func receive(_ event: SourceEvent, at time: ReceiveTime) {
    switch event {
    case .row(let json, _):
      rows.append((try? JSONValue.parse(Array(UnsafeRawBufferPointer(json)))) ?? .null)
    case .document(.canvas, let json): canvas = (try? JSONValue.parse(Array(json))) ?? .null
    case .document(.control, let json): board = (try? JSONValue.parse(Array(json))) ?? .null
    case .status(let status):
      state = status.overall
      if case .stated(let words)? = status.failure { sentence = words }
    default: break
    }
  }

  func ingest(_ batch: RowBatch, at time: ReceiveTime) -> RowReport { RowReport() }

  func run(
    _ command: String, for request: CapabilityRequest,
    done: @escaping @MainActor (Result<CapabilityOutput, CapabilityFailure>) -> Void
  ) -> any CapabilityRun {
    let run = Run(command, done)
    runs.append(run)
    return run
  }

  func say(_ text: String) { wires.say(text, on: wires.sockets.count - 1) }

  func connect() {
    let socket = wires.sockets[wires.sockets.count - 1]
    wires.delegate?.opened(socket)
    say(
      #"{"type":"status","payload":{"state":"ready","session_id":"s1","server_time":\#(wires.wallMs)}}"#
    )
  }

  func ask(
    _ id: String, _ capability: String = "camera.front.once", agent: String = "wren",
    token: String? = nil
  ) {
    let more = token.map { #","token":\#($0)"# } ?? ""
    say(
      #"{"type":"capability_request","agent_id":"\#(agent)","attention_level":"interrupt","payload":{"request_id":"\#(id)","capability":"\#(capability)","duration_s":60,"purpose":"see"\#(more)}}"#
    )
  }

  func token(_ capability: String, nonce: String, by key: DeviceKey? = nil) throws -> String {
    let (from, to) = ("2026-09-21T14:13:19Z", "2026-09-21T14:14:00Z")
    let text = "\(capability)|\(from)|\(to)|s1|\(nonce)"
    let signature = try #require((key ?? gateway).signature(of: text))
    return
      #"{"capability":"\#(capability)","granted_at":"\#(from)","expires_at":"\#(to)","session_id":"s1","nonce":"\#(nonce)","signature":"\#(signature)"}"#
  }

  func decide(_ id: String, _ choice: String) -> ControlOutcome? {
    let card = board["waiting"]?.array?.first { $0["id"]?.string == id }
    var outcome: ControlOutcome?
    source?.decide(
      ControlDecision(
        item: id, fingerprint: card?["fingerprint"]?.string ?? "", choice: .offered(choice))
    ) { outcome = $0 }
    wires.pass(seconds: 0)
    return outcome
  }

  var sent: [JSONValue] { wires.sockets.last?.sent ?? [] }
  var lastPayload: JSONValue? { sent.last?["payload"] }
  var kinds: [String] { rows.compactMap { $0["kind"]?.string } }
  var grants: [String] {
    (board["runs"]?.array ?? []).compactMap { $0["tool"]?.string }
  }
}

@MainActor
@Suite struct CompanionSourceTests {
  private static let policy = GrantPolicy(
    profile: .extended, commands: ["camera": "snap", "notify": "tell"])

  @Test("a request is a card; the decision is sent, the command runs, its output goes to the agent")
  func granted() throws {
    let desk = try Desk(Self.policy)
    desk.connect()
    #expect(desk.state == .live)
    desk.ask("r1")
    let card = try #require(desk.board["waiting"]?.array?.first)
    #expect(card["kind"]?.string == "capability" && card["agent"]?.string == "wren")
    #expect(card["choices"]?.array?.compactMap(\.string) == ["deny", "once", "timed", "session"])
    #expect(desk.runs.isEmpty)
    #expect(desk.decide("r1", "once")?.isDone == true)
    #expect(desk.lastPayload?["decision"]?.string == "once")
    #expect(desk.lastPayload?["expires_at"]?.string != nil)
    #expect(desk.runs.map(\.command) == ["snap"] && desk.grants == ["camera.front.once"])
    desk.runs[0].done(.success(CapabilityOutput([0xFF, 0xD8, 0xFF, 0x00])))
    #expect(desk.lastPayload?["message_id"]?.string == "r1")
    #expect(desk.lastPayload?["text"]?.string == "data:image/jpeg;base64,/9j/AA==")
    // Used once, so over.
    #expect(desk.grants.isEmpty)
    #expect(
      desk.kinds == [
        "gateway_connected", "grant_asked", "grant_given", "grant_used",
      ])
  }

  @Test("no command, a profile that forbids it: denied at once with the reason, and a row says so")
  func refused() throws {
    let desk = try Desk(Self.policy)
    desk.connect()
    desk.ask("r1", "location.once")
    #expect(desk.lastPayload?["decision"]?.string == "deny")
    #expect(desk.lastPayload?["reason"]?.string == "unavailable")
    desk.ask("r2", "ble.scan")
    #expect(desk.lastPayload?["reason"]?.string == "not_allowed")
    #expect(desk.board["waiting"]?.array?.isEmpty == true && desk.runs.isEmpty)
    #expect(desk.kinds.suffix(2) == ["grant_refused", "grant_refused"])
  }

  @Test("tokens: the gateway's own is taken once; forged and replayed ones can only be denied")
  func tokens() throws {
    let desk = try Desk(Self.policy)
    desk.wires.wallMs = 1_790_000_000_000
    desk.connect()
    let good = try desk.token("camera.front.once", nonce: "n1")
    desk.ask("r1", token: good)
    #expect(desk.decide("r1", "session")?.isDone == true)
    desk.ask("r2", "camera.front.once", agent: "moss", token: good)
    let replayed = desk.board["waiting"]?.array?.first
    #expect(replayed?["choices"]?.array?.compactMap(\.string) == ["deny"])
    #expect(desk.decide("r2", "session")?.isDone == false)
    let stranger = try #require(DeviceKey(seed: (2...33).map { UInt8($0) }))
    desk.ask("r3", token: try desk.token("camera.front.once", nonce: "n2", by: stranger))
    let forged = desk.board["waiting"]?.array?.last
    #expect(forged?["choices"]?.array?.compactMap(\.string) == ["deny"])
    // The session's grant of r1 covers no request with a bad token.
    #expect(desk.runs.count == 1)
  }

  @Test("a timed grant ends on time with a silent gateway, a set clock and a sleep")
  func ends() throws {
    let desk = try Desk(Self.policy)
    desk.connect()
    desk.ask("r1", "notify")
    _ = desk.decide("r1", "timed")
    #expect(desk.grants == ["notify"])
    desk.wires.wallMs -= 3_600_000
    desk.wires.pass(seconds: 59)
    #expect(desk.grants == ["notify"])
    desk.wires.pass(seconds: 1)
    #expect(desk.grants.isEmpty && desk.kinds.contains("grant_ended"))
    let other = try Desk(Self.policy)
    other.connect()
    other.ask("r1", "notify")
    _ = other.decide("r1", "timed")
    // Suspended for an hour: no timer has fired, the next tick ends it.
    other.wires.asleepNs += 3_600_000_000_000
    other.source?.tick()
    #expect(other.grants.isEmpty && other.runs[0].isCancelled)
  }

  @Test("revoking, stopping everything and losing the session end grants and kill commands")
  func stops() throws {
    let desk = try Desk(Self.policy)
    desk.connect()
    for (id, name) in [("r1", "camera.a"), ("r2", "camera.b"), ("r3", "notify")] {
      desk.ask(id, name)
      if id != "r3" { _ = desk.decide(id, "session") }
    }
    desk.source?.revoke("camera.a")
    #expect(desk.lastPayload?["revoke"]?.string == "camera.a" && desk.runs[0].isCancelled)
    var steps: [ControlStep] = []
    desk.source?.stopEverything { steps.append($0) }
    #expect(desk.grants.isEmpty && desk.board["waiting"]?.array?.isEmpty == true)
    #expect(desk.runs[1].isCancelled && steps.count == 4)
    #expect(steps.last?.state == .impossible)
    desk.ask("r4", "camera.c")
    _ = desk.decide("r4", "session")
    desk.wires.delegate?.socket(
      desk.wires.sockets[0], ended: .closed(code: 4_401, reason: ""))
    #expect(desk.state == .stopped && desk.grants.isEmpty && desk.runs.last?.isCancelled == true)
    #expect(desk.sentence?.contains("pair it again") == true)
  }

  @Test("without the focus no command runs, if the policy says so")
  func focus() throws {
    var policy = Self.policy
    policy.needsFocus = true
    let desk = try Desk(policy)
    desk.connect()
    desk.ask("r1", "notify")
    _ = desk.decide("r1", "session")
    #expect(desk.runs.count == 1)
    desk.source?.noteFocus(false)
    #expect(desk.board["runs"]?.array?.first?["phase"]?.string == "suspended")
    desk.ask("r2", "notify")
    #expect(desk.runs.count == 1)
    desk.source?.noteFocus(true)
    desk.ask("r3", "notify")
    #expect(desk.runs.count == 2)
  }

  @Test(
    "a conversation: frames replace each other, the last ends the answer; a lost session fails it")
  func chat() throws {
    let desk = try Desk(Self.policy)
    desk.connect()
    var events: [ChatEvent] = []
    let turn = ChatTurn(
      agent: nil, sessionKey: "k", message: ChatMessage(.user, "hi"), history: .server,
      idempotencyKey: "m1")
    let answer = desk.source?.chat.send(turn) { events.append($0) }
    desk.wires.pass(seconds: 0)
    #expect(desk.lastPayload?["text"]?.string == "hi" && events == [.started(run: nil)])
    desk.say(#"{"type":"text","agent_id":"wren","payload":{"text":"Hel","message_id":"a1"}}"#)
    desk.say(
      #"{"type":"text","agent_id":"wren","payload":{"text":"Hello","message_id":"a1","final":true}}"#
    )
    #expect(
      events == [
        .started(run: nil), .replaced("Hel"), .replaced("Hello"), .ended(.completed),
      ])
    #expect(desk.kinds.last == "sent_reply")
    events = []
    let second = desk.source?.chat.send(turn) { events.append($0) }
    desk.wires.pass(seconds: 0)
    desk.wires.delegate?.socket(
      desk.wires.sockets[0], ended: .closed(code: 1_006, reason: ""))
    guard case .ended(.failed(let failure))? = events.last else {
      Issue.record("\(events)")
      return
    }
    #expect(failure.kind == .connection)
    withExtendedLifetime((answer, second)) {}
  }

  @Test("hostile requests: 200 of them, unknown families, repeated ids, and none runs a command")
  func hostile() throws {
    let desk = try Desk(Self.policy)
    desk.connect()
    for index in 0..<200 {
      desk.ask("h\(index % 60)", index % 3 == 0 ? "camera.n\(index % 60)" : "x\u{1B}[2J\(index)")
    }
    #expect((desk.board["waiting"]?.array?.count ?? 0) <= GrantBook.maximumWaiting)
    #expect(desk.runs.isEmpty && desk.grants.isEmpty)
  }
}

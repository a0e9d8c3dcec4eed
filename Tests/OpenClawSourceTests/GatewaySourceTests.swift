import CockpitDomain
import DeviceKeys
import LenientJSON
import Networking
import OpenClawWire
import Testing

@testable import OpenClawSource

/// A source with sockets and time that a test moves, and all that it gives to its sink.
@MainActor
final class Desk: SourceSink {
  /// The device tokens that were handed over, with their scopes.
  final class Kept { var tokens: [String] = [] }

  let wires = Wires()
  let kept = Kept()
  let source: GatewaySource
  var rows: [JSONValue] = []
  var states: [LinkState] = []
  var control: JSONValue = .null
  var overview: JSONValue = .null
  var provenMs: [Int64] = []
  /// What came of lookups, as JSON or as a sentence.
  var found: [(lookup: GatewayLookup, document: JSONValue?, sentence: String?)] = []
  let web = Web()
  var knownRows: (any KnownRows)? { nil }

  /// - Parameter token: the shared secret, for HTTP; nil for a device that has a token of its own alone.
  init(
    scopes: [String] = ["operator.read", "operator.write", "operator.approvals"],
    token: String? = "t"
  ) throws {
    let key = try #require(DeviceKey(seed: (0..<32).map { UInt8($0) }))
    source = GatewaySource(
      WebSocketRequest(url: try WebSocketURL("ws://127.0.0.1:1")),
      identity: GatewayIdentity(
        key: key, client: .init(version: "1", platform: "linux", instanceId: "i", displayName: "d"),
        scopes: scopes, token: token, deviceToken: token == nil ? "dt" : nil),
      transport: wires,
      tools: GatewayTools(
        base: try BackendURL("http://127.0.0.1:1"), secret: token, transport: web), clock: wires,
      store: { [kept] in kept.tokens.append("\($0 ?? "-") \($1)") }
    )
    source.start(into: self)
  }

  func receive(_ event: SourceEvent, at time: ReceiveTime) {
    switch event {
    case .row(let json, _):
      rows.append((try? JSONValue.parse(Array(UnsafeRawBufferPointer(json)))) ?? .null)
    case .status(let status): states.append(status.overall)
    case .document(.control, let json): control = (try? JSONValue.parse(Array(json))) ?? .null
    case .document(.gateway, let json): overview = (try? JSONValue.parse(Array(json))) ?? .null
    case .proven(let claim): provenMs.append(claim.fromMs)
    case .found(let lookup, .success(let json)):
      found.append((lookup, try? JSONValue.parse(json), nil))
    case .found(let lookup, .failure(let failure)):
      found.append((lookup, nil, failure.sentence))
    default: break
    }
  }

  /// Rows that came as a batch: those of the past.
  var earlier: [JSONValue] = []

  func ingest(_ batch: RowBatch, at time: ReceiveTime) -> RowReport {
    earlier += (try? JSONValue.parse(Array(batch.json)))?.array ?? []
    return RowReport()
  }

  /// Greets the newest socket, and answers every list of the recovery.
  func connect(
    lists: [String: String] = [:], scopes: String? = nil, clockMs: Int = 1_790_000_000_000,
    deviceToken: String? = nil, protocolVersion: Int = 4
  ) {
    let token = deviceToken.map { #","deviceToken":"\#($0)""# } ?? ""
    let index = wires.sockets.count - 1
    wires.delegate?.opened(wires.sockets[index])
    wires.say(
      #"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":\#(clockMs)}}"#,
      on: index)
    let granted = scopes ?? #""operator.read","operator.write","operator.approvals""#
    answer(
      #"{"type":"hello-ok","protocol":\#(protocolVersion),"server":{"version":"2026.8.1"},"auth":{"scopes":[\#(granted)]\#(token)}}"#
    )
    for _ in 0..<12 {
      guard let method = socket.sent.last?["method"]?.string, method != "connect",
        !answered.contains(lastID)
      else { break }
      let empty = method.hasSuffix("approval.list") ? "[]" : "{}"
      answer(lists[method] ?? empty)
    }
  }

  private var answered: Set<String> = []
  var socket: Wires.Socket { wires.sockets[wires.sockets.count - 1] }
  var lastID: String { "\(wires.sockets.count)/" + (socket.sent.last?["id"]?.string ?? "") }

  func answer(_ payload: String) {
    answered.insert(lastID)
    wires.say(
      #"{"type":"res","id":"\#(socket.sent.last?["id"]?.string ?? "")","ok":true,"payload":\#(payload)}"#,
      on: wires.sockets.count - 1)
  }

  func refuse(_ error: String) {
    wires.say(
      #"{"type":"res","id":"\#(socket.sent.last?["id"]?.string ?? "")","ok":false,"error":\#(error)}"#,
      on: wires.sockets.count - 1)
  }

  func event(_ name: String, _ payload: String) {
    wires.say(
      #"{"type":"event","event":"\#(name)","payload":\#(payload)}"#, on: wires.sockets.count - 1)
    wires.pass(seconds: 1)
  }

  var kinds: [String] { rows.map { $0["kind"]?.string ?? "" } }
  var card: JSONValue? { control["waiting"]?.array?.first }
  func methods() -> [String] { socket.sent.compactMap { $0["method"]?.string } }
}

@MainActor
@Suite struct GatewaySourceTests {
  private static let approval =
    #"{"id":"ap-1","request":{"command":"make","agentId":"wren"},"createdAtMs":1790000000000,"expiresAtMs":1790001800000}"#

  private func decision(
    _ desk: Desk, _ choice: String = "allow-once", fingerprint: String? = nil
  ) -> ControlDecision {
    ControlDecision(
      item: desk.card?["id"]?.string ?? "ap-1",
      fingerprint: fingerprint ?? desk.card?["fingerprint"]?.string ?? "",
      choice: .offered(choice))
  }

  @Test("what waits is stated after the connect, with what the profile is not shown")
  func states() throws {
    let desk = try Desk()
    desk.connect(lists: ["exec.approval.list": "[\(Self.approval)]"])
    #expect(desk.states.last == .live && desk.kinds.contains("gateway_connected"))
    #expect(desk.card?["subject"]?.string == "make" && desk.card?["agent"]?.string == "wren")
    #expect(desk.control["can_answer"]?.bool == true && desk.control["can_stop"]?.bool == true)
    #expect(desk.control["notes"]?.array?.count == 1)
    #expect(desk.overview["server"]?["version"]?.string == "2026.8.1")
  }

  @Test("rows and what is proven have the gateway's clock from the first one on")
  func clock() throws {
    let desk = try Desk()
    desk.connect(clockMs: 1_790_000_600_000)
    #expect(desk.source.status.skewMs == 600_000)
    #expect(desk.rows.first?["createdAt"]?.string?.hasPrefix("2026-09-21T14:23:20") == true)
    #expect(desk.provenMs == [1_790_000_600_000])
  }

  @Test("a device token is kept with the scopes that came with it, not with those asked for")
  func deviceToken() throws {
    let desk = try Desk()
    desk.connect(scopes: #""operator.read""#, deviceToken: "dt-1")
    #expect(desk.kept.tokens == [#"dt-1 ["operator.read"]"#])
  }

  @Test("an answer is sent for the card that was seen, and its outcome is told")
  func answers() throws {
    let desk = try Desk()
    desk.connect(lists: ["exec.approval.list": "[\(Self.approval)]"])
    var outcome: ControlOutcome?
    desk.source.decide(decision(desk)) { outcome = $0 }
    let request = try #require(desk.socket.sent.last)
    #expect(request["method"]?.string == "exec.approval.resolve")
    #expect(
      request["params"] == .body([("id", .string("ap-1")), ("decision", .string("allow-once"))]))
    #expect(outcome == nil)
    desk.answer(#"{"ok":true}"#)
    #expect(outcome?.isDone == true)
    desk.event(
      "exec.approval.resolved",
      #"{"id":"ap-1","decision":"allow-once","resolvedBy":"clanky-cockpit"}"#)
    #expect(desk.card == nil)
    #expect(desk.control["over"]?.array?.first?["words"]?.string == "allow-once by clanky-cockpit")
  }

  @Test("nothing is sent for a card that has changed, is over, or did not offer the choice")
  func refusals() throws {
    let desk = try Desk()
    desk.connect(lists: ["exec.approval.list": "[\(Self.approval)]"])
    let seen = decision(desk)
    let count = desk.socket.sent.count
    var sentences: [String] = []
    func decide(_ decision: ControlDecision) {
      desk.source.decide(decision) { sentences.append("\($0.isDone) \($0.sentence)") }
      desk.wires.pass(seconds: 1)
    }
    decide(decision(desk, "allow-always"))
    desk.event(
      "exec.approval.requested",
      #"{"id":"ap-1","request":{"command":"make clean","agentId":"wren"}}"#)
    decide(seen)
    desk.event("exec.approval.resolved", #"{"id":"ap-1","decision":"deny","resolvedBy":"Ingrid"}"#)
    decide(seen)
    #expect(desk.socket.sent.count == count)
    #expect(
      sentences == [
        "false That was not offered; nothing was sent.",
        "false It has changed since it was shown; nothing was sent. Look again.",
        "false Already over: deny by Ingrid.",
      ])
  }

  @Test("another operator was faster: the answer says who")
  func late() throws {
    let desk = try Desk()
    desk.connect(lists: ["exec.approval.list": "[\(Self.approval)]"])
    var outcome: ControlOutcome?
    desk.source.decide(decision(desk)) { outcome = $0 }
    let id = desk.socket.sent.last?["id"]?.string ?? ""
    desk.event("exec.approval.resolved", #"{"id":"ap-1","decision":"deny","resolvedBy":"Ingrid"}"#)
    desk.wires.say(
      #"{"type":"res","id":"\#(id)","ok":false,"error":{"code":"INVALID_REQUEST","message":"unknown or expired approval id","details":{"reason":"APPROVAL_NOT_FOUND"}}}"#,
      on: 0)
    #expect(outcome == ControlOutcome(isDone: false, "Already over: deny by Ingrid."))
  }

  @Test("an answer whose connection breaks is told as unknown, and never sent again")
  func broken() throws {
    let desk = try Desk()
    desk.connect(lists: ["exec.approval.list": "[\(Self.approval)]"])
    var outcomes: [ControlOutcome] = []
    desk.source.decide(decision(desk)) { outcomes.append($0) }
    desk.wires.delegate?.socket(desk.socket, ended: .closed(code: 1006, reason: ""))
    #expect(outcomes.map(\.isDone) == [false])
    desk.wires.pass(seconds: 40)
    #expect(desk.wires.sockets.count > 1)
    desk.connect(lists: ["exec.approval.list": "[\(Self.approval)]"])
    #expect(!desk.methods().contains("exec.approval.resolve") && outcomes.count == 1)
    #expect(desk.kinds.contains("gateway_gap_warning"))
  }

  @Test("stopping everything aborts each run, denies what waits, and says what came of it")
  func stop() throws {
    let desk = try Desk()
    desk.connect(lists: [
      "exec.approval.list": "[\(Self.approval)]",
      "sessions.list": #"{"sessions":[{"key":"agent:owl:main","hasActiveRun":true}]}"#,
    ])
    desk.event(
      "agent",
      #"{"runId":"r1","stream":"lifecycle","ts":1790000001000,"data":{"phase":"start"},"sessionKey":"agent:wren:main"}"#
    )
    var steps: [Int: ControlStep] = [:]
    desk.source.stopEverything { steps[$0.number] = $0 }
    let sent = desk.socket.sent.suffix(3)
    #expect(
      sent.map { $0["method"]?.string } == ["chat.abort", "chat.abort", "exec.approval.resolve"])
    #expect(sent.first?["params"]?["runId"]?.string == "r1")
    #expect(sent.last?["params"]?["decision"]?.string == "deny")
    #expect((1...3).allSatisfy { steps[$0]?.state == .asked } && steps[4]?.state == .impossible)
    for request in sent.dropLast() {
      desk.wires.say(
        #"{"type":"res","id":"\#(request["id"]?.string ?? "")","ok":true,"payload":{}}"#, on: 0)
    }
    // The last one is never answered.
    desk.wires.pass(seconds: 31)
    #expect(steps[1]?.state == .done && steps[2]?.state == .done && steps[3]?.state == .failed)
  }

  @Test("what the profile may not do is said and not tried")
  func scopes() throws {
    let desk = try Desk(scopes: ["operator.read"])
    desk.connect(scopes: #""operator.read""#)
    desk.event(
      "agent",
      #"{"runId":"r1","stream":"lifecycle","data":{"phase":"start"},"sessionKey":"agent:wren:main"}"#
    )
    let count = desk.socket.sent.count
    var steps: [ControlStep] = []
    desk.source.stopEverything { steps.append($0) }
    #expect(desk.socket.sent.count == count && steps.allSatisfy { $0.state == .impossible })
    #expect(desk.control["can_answer"]?.bool == false)
  }

  @Test("a run that was live at the loss and is no longer listed ended while disconnected")
  func endedMeanwhile() throws {
    let desk = try Desk()
    desk.connect()
    desk.event(
      "chat", #"{"runId":"r1","sessionKey":"agent:wren:main","state":"delta","deltaText":"Half"}"#)
    desk.event(
      "chat", #"{"runId":"r2","sessionKey":"agent:owl:main","state":"delta","deltaText":"Other"}"#)
    // Of this one's session nothing is known afterwards.
    desk.event(
      "chat", #"{"runId":"r3","sessionKey":"agent:jay:main","state":"delta","deltaText":"Third"}"#)
    desk.wires.delegate?.socket(desk.socket, ended: .closed(code: 1012, reason: "service restart"))
    desk.wires.pass(seconds: 40)
    desk.connect(lists: [
      "sessions.list":
        #"{"sessions":[{"key":"agent:owl:main","activeRunIds":["r2"]},{"key":"agent:wren:main","activeRunIds":[]},{"key":"agent:jay:main"}]}"#
    ])
    let ended = desk.rows.filter { $0["kind"]?.string == "llm_run_ended_warning" }
    #expect(ended.map { $0["content"]?.string } == ["Half"])
    // The other one goes on, and no word of it is doubled or lost.
    desk.event(
      "chat", #"{"runId":"r2","sessionKey":"agent:owl:main","state":"delta","deltaText":" words"}"#)
    desk.event("chat", #"{"runId":"r2","sessionKey":"agent:owl:main","state":"final"}"#)
    #expect(desk.rows.last?["content"]?.string == "Other words")
  }
}

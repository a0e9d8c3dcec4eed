import LenientJSON
import Testing

@testable import OpenClawWire

@Suite struct NodeTests {
  private static func invocation(_ payload: String) throws -> NodeInvocation? {
    NodeInvocation(
      GatewayEvent(
        name: "node.invoke.request", payload: try JSONValue.parse(Array(payload.utf8)),
        sequence: nil))
  }

  private static let asked = GatewayEvent(
    name: "node.invoke.request",
    payload: .body([
      ("id", .string("i1")), ("nodeId", .string("n1")), ("command", .string("system.notify")),
    ]), sequence: nil)
  private static let event = NodeInvocation(asked)
  static let done = NodeResult(id: "i1", nodeId: "n1")
  static let refused = NodeResult(
    id: "i1", nodeId: "n1", failure: .init("INVALID_REQUEST", "no\u{1B}"))

  @Test func invocationsOfBothProtocols() throws {
    let whole = try #require(
      try Self.invocation(
        #"{"id":"i1","nodeId":"n1","command":"system.notify","paramsJSON":"{}","timeoutMs":5,"idempotencyKey":"k","more":1}"#
      ))
    #expect(whole.id == "i1" && whole.nodeId == "n1" && whole.command == "system.notify")
    #expect(whole.parameters == "{}" && whole.idempotencyKey == "k")
    let bare = try #require(
      try Self.invocation(#"{"id":"i1","nodeId":"n1","command":"x","paramsJSON":null}"#))
    #expect(bare.parameters == nil && bare.idempotencyKey == nil)
    #expect(try Self.invocation(#"{"nodeId":"n1","command":"x"}"#) == nil)
    #expect(try Self.invocation(#"[]"#) == nil)
    #expect(Self.event.map { NodeResult($0) } == Self.done)
  }

  @Test func notifications() throws {
    let all = try SystemNotification(
      #"{"title":" Ping ","body":"ready\nnow","priority":"timeSensitive","sound":"glass","delivery":"auto"}"#
    )
    #expect(all.title == "Ping" && all.body == "ready\nnow" && all.sound == "glass")
    #expect(all.priority == .timeSensitive)
    let odd = try SystemNotification(#"{"body":"b","priority":"loud"}"#)
    #expect(odd.title == "" && odd.body == "b" && odd.priority == nil)
  }

  @Test func longTextIsCutAndNotRefused() throws {
    let long = String(repeating: "e\u{301}", count: 3_000)
    let notification = try SystemNotification(#"{"title":"\#(long)","body":"\#(long)"}"#)
    #expect(notification.title.unicodeScalars.count == SystemNotification.maximumTitle + 1)
    #expect(notification.body.unicodeScalars.count == SystemNotification.maximumBody + 1)
    #expect(notification.body.hasSuffix("…"))
  }

  @Test(
    "what is no notification is refused with the reason",
    arguments: [nil, "", "[]", "{", #"{"title":" ","body":"\n"}"#, #"{"title":7}"#])
  func refusals(json: String?) {
    #expect(throws: NodeResult.Failure.self) { try SystemNotification(json) }
  }

  @Test func hugeParametersAreNotRead() {
    let huge = #"{"title":"\#(String(repeating: "a", count: 70_000))"}"#
    #expect(throws: NodeResult.Failure.self) { try SystemNotification(huge) }
  }

  @Test func aNodeConnectsAsOne() throws {
    let request = ConnectRequest(
      client: .init(version: "1", platform: "linux", instanceId: "i", displayName: "d"),
      role: .node(commands: ["system.notify"]), scopes: [], credential: .token("t"))
    let parameters = request.parameters(
      .init(id: "d", publicKey: "p", signature: "s", signedAt: 5, nonce: "n"))
    #expect(ClosedSchema.fault(GatewayRequest.connect(id: "c1", parameters)) == nil)
    #expect(parameters["role"]?.string == "node")
    #expect(parameters[path: "client", "id"]?.string == "node-host")
    #expect(parameters[path: "client", "mode"]?.string == "node")
    #expect(parameters["commands"]?.array == [.string("system.notify")])
    #expect(parameters["scopes"]?.array == [])
    #expect(
      request.signedText(deviceId: "d", signedAt: 5, nonce: "n")
        == "v3|d|node-host|node|node||5|t|n|linux|terminal")
  }
}

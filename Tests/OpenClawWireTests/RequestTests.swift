import DeviceKeys
import LenientJSON
import Testing

@testable import OpenClawWire

@Suite struct RequestTests {
  static let requests: [GatewayRequest] = [
    .subscribeSessions, .listSessions(limit: 200), .listAgents,
    .history(sessionKey: "agent:wren:main", limit: 50), .listApprovals(.exec),
    .listApprovals(.plugin), .listQuestions, .listPairings,
    .approval(id: "plugin:1"), .listFiles(agent: "wren"),
    .file(agent: "wren", name: "MEMORY.md"),
    .listWorkspace(agent: "wren", path: "", offset: 0, limit: 500),
    .listWorkspace(agent: "wren", path: "memory", offset: 500, limit: 500),
    .workspaceFile(agent: "wren", path: "memory/a.md"),
    .listActivity(afterMs: 5, cursor: nil, limit: 500),
    .listActivity(afterMs: -5, cursor: "12", limit: 500), .listNodes,
    .tailLog(cursor: nil, limit: 500), .tailLog(cursor: 8_662, limit: 500),
    .resolveApproval(.exec, id: "ap-\u{1B}1", .deny),
    .resolveApproval(.exec, id: "ap-1", .allowOnce),
    .resolveApproval(.plugin, id: "plugin:1", .allowAlways),
    .sendMessage(sessionKey: "agent:wren:main", text: "Hello\u{1B}", key: "k1", images: []),
    .sendMessage(
      sessionKey: "agent:wren:main", text: "", key: "k2",
      images: [.init(mimeType: "image/png", fileName: "a.png", content: "AAAA")]),
    .abortRun(sessionKey: "agent:wren:main", runId: nil),
    .abortRun(sessionKey: "agent:wren:main", runId: "r1"), .listJobs,
    .answerQuestion(id: "q1", ["one": ["Upper"], "two": ["Red", "Blue"]]),
    .patchSession(key: "agent:wren:main", .model("a/b")),
    .patchSession(key: "agent:wren:main", .thinkingLevel(nil)),
    .cancelQuestion(id: "q1"), .approvePairing(id: "pr-1"), .rejectPairing(id: "pr-1"),
    .speak("Good day."), .nodeResult(NodeTests.done), .nodeResult(NodeTests.refused),
  ]

  /// A new request does not compile here until it has a number, and the list above has to have all of them.
  private static func number(_ request: GatewayRequest) -> Int {
    switch request {
    case .subscribeSessions: 0
    case .listSessions: 1
    case .listAgents: 2
    case .history: 3
    case .sendMessage: 4
    case .listApprovals: 5
    case .resolveApproval: 6
    case .approval: 7
    case .listQuestions: 8
    case .answerQuestion: 9
    case .cancelQuestion: 10
    case .listPairings: 11
    case .approvePairing: 12
    case .rejectPairing: 13
    case .abortRun: 14
    case .listJobs: 15
    case .listFiles: 16
    case .file: 17
    case .listNodes: 18
    case .tailLog: 19
    case .listActivity: 20
    case .listWorkspace: 21
    case .workspaceFile: 22
    case .patchSession: 23
    case .speak: 24
    case .nodeResult: 25
    }
  }

  @Test func everyRequestIsTried() {
    #expect(Set(Self.requests.map(Self.number)) == Set(0...25))
  }

  @Test("every request fits the closed schemas", arguments: requests)
  func closed(request: GatewayRequest) {
    #expect(ClosedSchema.fault(request.frame(id: "c7")) == nil)
  }

  private func connect(
    _ credential: ConnectRequest.Credential, scopes: [String] = ["operator.read"]
  ) -> ConnectRequest {
    ConnectRequest(
      client: .init(
        version: "0.9.0", platform: "linux", instanceId: "5f1d2c3b-7a88-4e0b-9a51-2c1f0e9d7a10",
        displayName: "Desk \u{1F600}"),
      scopes: scopes, credential: credential)
  }

  @Test(
    "every connect fits them too",
    arguments: [ConnectRequest.Credential.none, .token("a\"b"), .deviceToken("dt_1")])
  func connectIsClosed(credential: ConnectRequest.Credential) {
    let device = ConnectRequest.Device(
      id: "d", publicKey: "p", signature: "s", signedAt: 1_790_000_000_005, nonce: "n")
    var request = connect(credential)
    let frame = GatewayRequest.connect(id: "c1", request.parameters(device))
    #expect(ClosedSchema.fault(frame) == nil)
    request.password = "sesame"
    let parameters = request.parameters(device)
    #expect(ClosedSchema.fault(GatewayRequest.connect(id: "c1", parameters)) == nil)
    #expect(parameters[path: "auth", "password"]?.string == "sesame")
    #expect(!request.signedText(deviceId: "d", signedAt: 1, nonce: "n").contains("sesame"))
  }

  @Test func theValidatorFindsWhatIsWrong() {
    let frames = [
      #"{"type":"req","id":"1","method":"exec.approval.list","params":{"bogus":1}}"#,
      #"{"type":"req","id":"1","method":"exec.approval.resolve","params":{"id":"a","decision":"yes"}}"#,
      #"{"type":"req","id":"1","method":"exec.approval.resolve","params":{"id":null,"decision":"deny"}}"#,
      #"{"type":"req","id":"1","method":"chat.history","params":{"limit":5}}"#,
      #"{"type":"req","id":"1","method":"agents.list"}"#,
      #"{"type":"req","id":"1","method":"question.resolve","params":{"id":"q","answers":{"one":["a"]}}}"#,
      #"{"type":"req","id":"1","method":"question.resolve","params":{"id":"q"}}"#,
      #"{"type":"req","id":"1","method":"chat.send","params":{"sessionKey":"a","message":"b","idempotencyKey":"c","agentId":"d"}}"#,
    ]
    for frame in frames { #expect(ClosedSchema.fault(Array(frame.utf8)) != nil, "\(frame)") }
  }

  /// The contract's key: the bytes 00 01 … 1f.
  private static let id = "56475aa75463474c0285df5dbf2bcab73da651358839e9b77481b2eab107708c"

  @Test func theSignedTextOfTheContract() {
    #expect(
      connect(
        .token("demo-token"), scopes: ["operator.approvals", "operator.read", "operator.write"]
      )
      .signedText(deviceId: Self.id, signedAt: 1_737_264_000_000, nonce: "nonce-0001")
        == "v3|\(Self.id)|gateway-client|ui|operator|operator.approvals,operator.read,operator.write|1737264000000|demo-token|nonce-0001|linux|terminal"
    )
    var plain = connect(.none, scopes: [])
    plain.client.platform = " macOS\u{C9} "
    #expect(
      plain.signedText(deviceId: "i", signedAt: 5, nonce: "n|with|bars")
        == "v3|i|gateway-client|ui|operator||5||n|with|bars|macos\u{C9}|terminal")
  }
}

@Suite struct DeviceKeyTests {
  private static let key = DeviceKey(seed: (0..<32).map { UInt8($0) })
  private static let id = "56475aa75463474c0285df5dbf2bcab73da651358839e9b77481b2eab107708c"

  @Test func theKeyOfTheContract() throws {
    let key = try #require(Self.key)
    #expect(key.publicKeyText == "A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg")
    #expect(key.id == Self.id)
  }

  static let vectors: [(String, String)] = [
    (
      "v3|ID|gateway-client|ui|operator|operator.approvals,operator.read,operator.write|1737264000000|demo-token|nonce-0001|linux|terminal",
      "4oJl99aM5toy8MsugDuH1IX5TnPgxibXHGLmjhZihHmEF1PfAmKB7hXU5uHcqHb-U989xhWmWc9wNIaQngIIDQ"
    ),
    (
      "v3|ID|gateway-client|ui|operator|operator.read|1790000000123|dt_desk_0001|2d9b6f6e-1c5a-4f2f-8c0a-7a1f8f4e0001|linux|terminal",
      "XWBxpHuuOLHbuxv9tPaQCTcFXymYBJ1ZbNYRqx_S-CXoL6QKRZfw6NAS7whxGzPm6mxx9lokRsyeW-hGOqFKDA"
    ),
    (
      "v3|ID|gateway-client|ui|operator||1790000000123||n|with|bars|macos|",
      "AmIiwTmCWiC9XHCwXeEEyxhG8c-lR5eDp3E2_ao1YIrYT8EYHSfXTtVz3eGAL1vwuCD59c5fhHQcuyy2zhG7DQ"
    ),
    (
      "v2|ID|gateway-client|ui|operator|operator.approvals,operator.read,operator.write|1737264000000|demo-token|nonce-0001",
      "LcK3zJuwEJjgn0JltjfXJPhusREm3yR0NWtcCLIC8PCr5VAK68cEUCAYrUtI0Xyt_Xqkdl2lCI6kxxJ0Nt1PCA"
    ),
  ]

  @Test("the contract's signatures are valid, and so are ours", arguments: vectors)
  func vector(text: String, signature: String) throws {
    let key = try #require(Self.key)
    let text = text.replacing("ID", with: Self.id)
    #expect(DeviceKey.verifies(signature, of: text, publicKey: key.publicKeyText))
    #expect(!DeviceKey.verifies(signature, of: text + "x", publicKey: key.publicKeyText))
    let own = try #require(key.signature(of: text))
    #expect(DeviceKey.verifies(own, of: text, publicKey: key.publicKeyText))
    let other = try #require(DeviceKey.makeText().flatMap(DeviceKey.init(text:)))
    #expect(!DeviceKey.verifies(own, of: text, publicKey: other.publicKeyText))
  }

  @Test func textThatIsNoKey() throws {
    for text in ["", "AAAA", "not base64!", String(repeating: "A", count: 44)] {
      #expect(DeviceKey(text: text) == nil)
    }
    let text = try #require(DeviceKey.makeText())
    #expect(DeviceKey(text: text) != nil && DeviceKey.makeText() != text)
    #expect(Base64URL.decoded(Base64URL.encoded([0xFB, 0xFF])) == [0xFB, 0xFF])
    #expect(Base64URL.encoded([0xFB, 0xFF]) == "-_8" && Base64URL.decoded("-_9") == nil)
  }
}

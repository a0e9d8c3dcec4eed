import Foundation
import LenientJSON
import OpenClawWire
import Testing

@Suite struct DecodingTests {
  private func event(_ text: String) throws -> GatewayEvent {
    guard case .event(let event) = GatewayFrame(Array(text.utf8)) else {
      throw POSIXError(.EINVAL)
    }
    return event
  }

  private func refusal(_ error: String) throws -> ConnectRefusal {
    let value = try JSONValue.parse(error)
    return ConnectRefusal(try #require(GatewayError(value)))
  }

  @Test func framesOfAllKinds() throws {
    guard
      case .response(let bare) = GatewayFrame(
        Array(#"{"type":"res","id":7,"ok":true,"payload":[{"id":"a"}],"extra":1}"#.utf8)),
      case .response(let failed) = GatewayFrame(
        Array(
          #"{"type":"res","id":"c","ok":false,"payload":{"a":1},"error":{"code":"X","message":"m"}}"#
            .utf8)), case .unknown("cancel") = GatewayFrame(Array(#"{"type":"cancel"}"#.utf8))
    else {
      Issue.record("not told apart")
      return
    }
    #expect(bare.id == "7" && bare.isOK && bare.payload?.array?.count == 1)
    #expect(!failed.isOK && failed.payload != nil && failed.error?.code == "X")
    for text in ["", "[]", "null", "{}", #"{"type":"res"}"#, #"{"type":"event"}"#, "\u{0}"] {
      #expect(GatewayFrame(Array(text.utf8)) == nil)
    }
    let challenge = try #require(
      ConnectChallenge(
        try event(
          #"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1790000000005}}"#
        )))
    #expect(challenge.nonce == "n" && challenge.ts == 1_790_000_000_005)
  }

  @Test func anApprovalKeepsEveryByteOfItsCommand() throws {
    let payload = try event(
      #"{"type":"event","event":"exec.approval.requested","payload":{"id":"ap-1","request":{"command":"rm \u001b[2K -rf\u202e x","cwd":"/home","nodeId":null,"allowedDecisions":["allow-once","someday","deny"],"agentId":"wren"},"createdAtMs":"1790001200500","expiresAtMs":1790003000500.0,"more":{}}}"#
    ).payload
    let approval = try #require(Approval(payload, kind: .exec))
    #expect(approval.subject == "rm \u{1B}[2K -rf\u{202E} x")
    #expect(approval.decisions == [.allowOnce, .deny])
    #expect(approval.createdAtMs == 1_790_001_200_500 && approval.expiresAtMs == 1_790_003_000_500)
    #expect(approval.details.map(\.name) == ["cwd", "agent"])
    #expect(approval.shownText.contains(approval.subject))
    let bare = try JSONValue.parse(#"{"id":"p","request":{"title":"t"}}"#)
    #expect(Approval(bare, kind: .plugin)?.decisions == [.allowOnce, .deny])
    #expect(Approval(bare, kind: .exec) == nil)
  }

  @Test func nothingOfARequestIsHidden() throws {
    let text =
      #"{"id":"a","request":{"command":"ls","cwd":5,"env":{"PATH":"/tmp"},"title":"t","later":"x","sessionId":null}}"#
    let approval = try #require(Approval(try JSONValue.parse(text), kind: .exec))
    #expect(
      approval.details.map { "\($0.name)=\($0.value)" } == [
        "cwd=5", #"env={"PATH":"/tmp"}"#, "title=t", "later=x",
      ])
    let odd = try JSONValue.parse(#"{"id":"a","request":{"command":["ls"],"commandPreview":"ls"}}"#)
    #expect(Approval(odd, kind: .exec)?.details.map(\.name) == ["preview", "command"])
  }

  @Test func anIdForAShellHasLettersOfIdsAlone() {
    #expect(ConnectRefusal.approvalCommand("pr-1") == "openclaw devices approve pr-1")
    for id in ["", "a; rm -rf /", "$(reboot)", "-x", "a\nb", "é"] {
      #expect(ConnectRefusal.approvalCommand(id) == "openclaw devices list")
    }
  }

  @Test func aRecordOfAnApprovalThatIsOver() throws {
    let text =
      #"{"approval":{"id":"a","status":"denied","decision":"deny","reason":"user","resolver":{"kind":"device","id":"Ada"},"more":1}}"#
    let record = try #require(ApprovalRecord(try JSONValue.parse(text)))
    #expect(record.status == "denied" && record.decision == "deny" && record.resolvedBy == "Ada")
    #expect(ApprovalRecord(try JSONValue.parse("{}")) == nil)
    let bare = try JSONValue.parse(#"{"status":"expired","resolver":{"kind":"system"}}"#)
    #expect(ApprovalRecord(bare)?.resolvedBy == nil)
  }

  @Test func aDenialWithoutANameIsAnExpiry() throws {
    let expired = try JSONValue.parse(#"{"id":"a","decision":"deny"}"#)
    let denied = try JSONValue.parse(#"{"id":"a","decision":"deny","resolvedBy":"Ada"}"#)
    #expect(ApprovalResolution(expired)?.isExpiry == true)
    #expect(ApprovalResolution(denied)?.isExpiry == false)
  }

  @Test func refusedConnects() throws {
    #expect(
      try refusal(
        #"{"code":"INVALID_REQUEST","message":"unauthorized","details":{"code":"AUTH_TOKEN_MISMATCH"}}"#
      ) == .tokenMismatch)
    #expect(
      try refusal(
        #"{"code":"NOT_PAIRED","message":"pairing required","details":{"code":"PAIRING_REQUIRED","requestId":"pr-1","reason":"not-paired"}}"#
      ) == .pairing(requestId: "pr-1", reason: "not-paired", approvedScopes: [], mayPoll: false))
    #expect(
      try refusal(
        #"{"code":"INVALID_REQUEST","message":"protocol mismatch","details":{"expectedProtocol":5}}"#
      )
        == .protocolMismatch(expected: 5))
    #expect(
      try refusal(
        #"{"code":"UNAVAILABLE","message":"gateway starting","retryable":true,"retryAfterMs":9000}"#
      )
        == .starting(retryAfterMs: 2_000))
    #expect(
      try refusal(
        #"{"code":"INVALID_REQUEST","message":"x","details":{"code":"DEVICE_AUTH_NONCE_MISMATCH"}}"#
      )
        == .signature("DEVICE_AUTH_NONCE_MISMATCH"))
    #expect(
      "\(try refusal(#"{"code":"NOT_PAIRED","message":"","details":{"requestId":"pr-1"}}"#))"
        .contains("openclaw devices approve pr-1"))
    // Protocol 3 tells a missing scope in words.
    let words = GatewayError(
      try JSONValue.parse(#"{"code":"INVALID_REQUEST","message":"missing scope: operator.write"}"#))
    #expect(words?.missingScope == "operator.write")
  }

  @Test func onlyScopesThatWereAskedForCount() throws {
    let hello = GatewayHello(
      try JSONValue.parse(
        #"{"type":"hello-ok","protocol":3,"auth":{"scopes":["operator.read","operator.admin"]},"policy":{"tickIntervalMs":-1}}"#
      ), requested: ["operator.read"])
    #expect(hello?.scopes == ["operator.read"])
    #expect(hello?.tickIntervalMs == 1_000)
    let bare = GatewayHello(try JSONValue.parse(#"{"type":"hello-ok"}"#), requested: [])
    #expect(bare?.protocolVersion == 3 && bare?.deviceToken == nil)
  }

  @Test func theTextOfARun() throws {
    func text(_ payloads: [String]) throws -> RunText {
      var run = RunText()
      for payload in payloads {
        run.take(try #require(ChatEvent(try JSONValue.parse(payload))).state)
      }
      return run
    }
    let four = try text([
      #"{"runId":"r","state":"delta","deltaText":"Hel"}"#,
      #"{"runId":"r","state":"delta","deltaText":"lo"}"#,
      #"{"runId":"r","state":"final"}"#, #"{"runId":"r","state":"delta","deltaText":"late"}"#,
    ])
    #expect(four.text == "Hello" && four.isOver)
    let three = try text([
      #"{"runId":"r","state":"delta","message":{"content":[{"type":"text","text":"Hi"}]}}"#,
      #"{"runId":"r","state":"delta","message":{"content":[{"type":"text","text":"Hi you"}]}}"#,
    ])
    #expect(three.text == "Hi you")
    let replaced = try text([
      #"{"runId":"r","state":"delta","deltaText":"abc"}"#,
      #"{"runId":"r","state":"delta","deltaText":"xyz","replace":true}"#,
    ])
    #expect(replaced.text == "xyz")
  }
}

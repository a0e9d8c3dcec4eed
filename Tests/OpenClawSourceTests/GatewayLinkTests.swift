import DeviceKeys
import JSONTestKit
import LenientJSON
import Networking
import OpenClawSource
import OpenClawWire
import Testing

@Suite struct GatewayLinkTests {
  @Test func theHandshake() throws {
    var scene = try GatewayScene()
    scene.take(.start)
    scene.challenge()
    let params = try #require(scene.sent.last?["params"])
    #expect(scene.lastMethod == "connect")
    #expect(params[path: "auth", "token"]?.string == "shared")
    #expect(params[path: "device", "nonce"]?.string == "n1")
    #expect(params[path: "device", "signedAt"]?.int == 1_790_000_600_000)
    let device = try #require(params["device"])
    let text =
      "v3|\(device["id"]?.string ?? "")|gateway-client|ui|operator|operator.read,operator.approvals|1790000600000|shared|n1|linux|terminal"
    #expect(
      DeviceKey.verifies(
        device["signature"]?.string ?? "", of: text, publicKey: device["publicKey"]?.string ?? ""))
    scene.connect(deviceToken: "dt1")
    #expect(
      scene.told() == [
        "connecting", "greeting", "connected", "hello", "sessions.subscribe", "exec.approval.list",
        "plugin.approval.list", "sessions.list", "recovered",
      ])
    // The gateway is ten minutes ahead.
    guard case .hello(_, let skewMs) = scene.notices[3] else { return }
    #expect(skewMs == 600_000)
    #expect(scene.stored == ["dt1"])
  }

  @Test("a device token is preferred, rotated, and forgotten when it is refused")
  func deviceToken() throws {
    var scene = try GatewayScene(deviceToken: "dt1")
    scene.take(.start)
    scene.challenge()
    #expect(scene.sent.last?[path: "params", "auth"] == .body([("deviceToken", .string("dt1"))]))
    scene.refuse(
      #"{"code":"INVALID_REQUEST","message":"","details":{"code":"AUTH_DEVICE_TOKEN_MISMATCH"}}"#)
    #expect(scene.stored == [nil] && scene.connects == 2)
    scene.connect(deviceToken: "dt2")
    #expect(scene.sent.contains { $0[path: "params", "auth", "token"]?.string == "shared" })
    #expect(scene.stored == [nil, "dt2"])
    #expect(scene.link.state == .connected)
  }

  @Test("what the gateway gave for less asks for no more: the profile's own secret does")
  func scopes() throws {
    var scene = try GatewayScene(deviceToken: "dt1")
    let error =
      #"{"code":"INVALID_REQUEST","message":"","details":{"code":"AUTH_SCOPE_MISMATCH"}}"#
    scene.take(.start)
    scene.challenge()
    scene.refuse(error)
    scene.challenge()
    #expect(scene.sent.last?[path: "params", "auth"] == .body([("token", .string("shared"))]))
    scene.refuse(error)
    #expect(scene.connects == 2 && scene.stored.isEmpty)
    #expect(scene.link.state == .stopped(.refused(.scopeMismatch)))
    var bare = try GatewayScene(token: nil, deviceToken: "dt1")
    bare.take(.start)
    bare.challenge()
    bare.refuse(error)
    #expect(bare.connects == 1)
  }

  @Test(
    "no loop after a refusal",
    arguments: [
      "AUTH_TOKEN_MISMATCH", "AUTH_TOKEN_MISSING", "AUTH_SCOPE_MISMATCH", "AUTH_RATE_LIMITED",
      "DEVICE_AUTH_SIGNATURE_INVALID", "PROTOCOL_MISMATCH", "SOMETHING_NEW",
    ])
  func refused(code: String) throws {
    var scene = try GatewayScene()
    scene.take(.start)
    scene.challenge()
    scene.refuse(#"{"code":"INVALID_REQUEST","message":"m","details":{"code":"\#(code)"}}"#)
    scene.take(.ended(.closed(code: 1_008, reason: "m")))
    scene.pass(seconds: 3_600)
    #expect(scene.connects == 1)
    guard case .stopped(.refused) = scene.link.state else {
      Issue.record("\(scene.link.state)")
      return
    }
    scene.take(.retry)
    #expect(scene.connects == 2)
  }

  @Test func pairingIsAskedForAgainForFiveMinutesAndAtOnceOnAKey() throws {
    var scene = try GatewayScene()
    let error =
      #"{"code":"NOT_PAIRED","message":"","details":{"code":"PAIRING_REQUIRED","requestId":"pr-1","reason":"not-paired"}}"#
    scene.take(.start)
    scene.challenge()
    scene.refuse(error)
    guard case .pairing("pr-1", _, let refusal) = scene.link.state else {
      Issue.record("\(scene.link.state)")
      return
    }
    #expect("\(refusal)".hasSuffix("openclaw devices approve pr-1"))
    for round in 2...15 {
      scene.pass(seconds: 20)
      #expect(scene.connects == round)
      scene.challenge()
      scene.refuse(error)
    }
    scene.take(.retry)
    #expect(scene.connects == 16)
    scene.challenge()
    scene.refuse(error)
    scene.pass(seconds: 3_600)
    #expect(scene.connects == 16)
    // Approved at last.
    scene.take(.retry)
    scene.connect()
    #expect(scene.link.state == .connected)
  }

  @Test func aDropInTheMiddleOfARun() throws {
    var scene = try GatewayScene()
    scene.take(.start)
    scene.connect()
    let id = scene.request(.history(sessionKey: "s", limit: 5))
    scene.event("chat", #"{"n":1}"#)
    scene.event("chat", #"{"n":2}"#)
    let start = scene.notices.count
    scene.take(.ended(.closed(code: 1_006, reason: "reset")))
    #expect(scene.told(from: start) == ["\(id) failed", "waiting"])
    #expect(scene.waitNs() == 1_000_000_000)
    scene.pass(seconds: 1)
    #expect(scene.connects == 2)
    scene.connect(approvals: #"[{"id":"a","request":{"command":"x"}}]"#)
    scene.event("chat", #"{"n":3}"#)
    let told = scene.told(from: start)
    #expect(told.suffix(2) == ["recovered", "chat 3"])
    #expect(told.filter { $0.hasPrefix("chat") } == ["chat 3"])
  }

  @Test("a jump of seq asks for everything again, and holds what comes meanwhile")
  func gap() throws {
    var scene = try GatewayScene()
    scene.take(.start)
    scene.connect()
    scene.event("chat", #"{"n":1}"#)
    let start = scene.notices.count
    scene.sequence += 7
    scene.event("chat", #"{"n":9}"#)
    scene.event("chat", #"{"n":10}"#)
    // One that was told before, and one that is not counted.
    scene.sequence -= 1
    scene.event("chat", #"{"n":9}"#)
    scene.sequence += 1
    scene.event("voice", #"{"n":0}"#, counted: false)
    scene.finishRecovery()
    #expect(
      scene.told(from: start) == [
        "gap 7", "sessions.subscribe", "exec.approval.list", "plugin.approval.list",
        "sessions.list", "recovered", "chat 9", "chat 10", "voice 0",
      ])
    #expect(scene.connects == 1)
  }

  @Test func theGatewayIsOffForTenMinutes() throws {
    var scene = try GatewayScene()
    scene.take(.start)
    scene.connect()
    scene.pass(seconds: 1)
    scene.take(.ended(.closed(code: 1_006, reason: "reset")))
    var waits: [UInt64] = []
    let end = scene.nowNs + 600_000_000_000
    while scene.nowNs < end, let wait = scene.waitNs() {
      waits.append(wait / 1_000_000)
      scene.pass(seconds: Double(wait) / 1e9)
      scene.take(.ended(.failed(.refused)))
    }
    #expect(waits.prefix(7) == [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    #expect(waits.count < 30)
    scene.pass(seconds: 30)
    scene.connect(approvals: "[]")
    #expect(scene.told().last == "recovered")
    // After a minute of health it begins anew.
    for _ in 0..<3 {
      scene.pass(seconds: 25)
      scene.event("tick")
    }
    scene.take(.ended(.closed(code: 1_011, reason: "")))
    #expect(scene.waitNs() == 1_000_000_000)
  }

  @Test func restartStartingAndCloseCodes() throws {
    var scene = try GatewayScene()
    scene.take(.start)
    scene.connect()
    scene.event("shutdown", #"{"reason":"restart","restartExpectedMs":4500}"#)
    scene.take(.ended(.closed(code: 1_012, reason: "service restart")))
    #expect(scene.waitNs() == 4_500_000_000)
    scene.pass(seconds: 4.5)
    scene.challenge()
    scene.refuse(
      #"{"code":"UNAVAILABLE","message":"gateway starting","retryable":true,"retryAfterMs":500}"#)
    scene.take(.ended(.closed(code: 1_013, reason: "gateway starting")))
    #expect(scene.waitNs() == 500_000_000)
    scene.pass(seconds: 0.5)
    scene.connect()
    #expect(scene.link.state == .connected)
    scene.take(.ended(.closed(code: 4_001, reason: "auth changed")))
    #expect(scene.waitNs() != nil)
    scene.pass(seconds: 30)
    scene.connect()
    scene.take(.ended(.closed(code: 4_001, reason: "auth changed")))
    #expect(scene.link.state == .stopped(.closed(.credentialsChanged)))
    scene.take(.retry)
    scene.connect()
    scene.take(.ended(.closed(code: 4_001, reason: "device removed")))
    #expect(scene.link.state == .stopped(.closed(.deviceRemoved)))
  }

  @Test func silenceAndLateAnswers() throws {
    var scene = try GatewayScene()
    scene.take(.start)
    scene.connect()
    let id = scene.request(.listAgents)
    // A tick keeps it alive; the request runs out on its own.
    scene.pass(seconds: 29)
    scene.event("tick")
    let start = scene.notices.count
    scene.pass(seconds: 2)
    #expect(scene.told(from: start) == ["\(id) failed"])
    scene.say(#"{"type":"res","id":"\#(id)","ok":true,"payload":{}}"#)
    scene.say(#"{"type":"res","id":"zzz","ok":true,"payload":{}}"#)
    #expect(scene.told(from: start) == ["\(id) failed"])
    scene.pass(seconds: 61)
    #expect(scene.closes == [4_000])
    #expect(scene.told(from: start).contains("waiting"))
    // No challenge within 15 s.
    scene.pass(seconds: 30)
    scene.take(.opened)
    scene.pass(seconds: 16)
    guard case .waiting(_, .noChallenge) = scene.link.state else {
      Issue.record("\(scene.link.state)")
      return
    }
  }

  @Test func atMost64RequestsWait() throws {
    var scene = try GatewayScene()
    scene.take(.start)
    scene.connect()
    let start = scene.notices.count
    for _ in 0..<65 { _ = scene.request(.listAgents) }
    #expect(scene.told(from: start).count == 1)
    scene.say("not json")
    scene.say(#"{"type":"cancel","id":"1"}"#)
    #expect(scene.told(from: start).suffix(2) == ["unread", "unread"])
    #expect(scene.link.state == .connected)
  }

  @Test(
    "whatever happens in whatever order: never two connects at once, never a request unanswered",
    arguments: 0..<300)
  func schedules(seed: Int) throws {
    var random = SeededRandom(UInt64(seed))
    var scene = try GatewayScene()
    scene.take(.start)
    var asked: Set<String> = []
    for _ in 0..<60 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        scene.take(
          .ended(
            .closed(
              code: [1_000, 1_006, 1_012, 4_000].randomElement(using: &random) ?? 1_006, reason: "")
          ))
      case 1: scene.take(.retry)
      case 2: scene.take(.slept)
      case 3: scene.pass(seconds: Double.random(in: 0...70, using: &random))
      case 4: asked.insert(scene.request(.listAgents))
      case 5: scene.sequence += Int.random(in: -2...3, using: &random)
      case 6: scene.answer()
      case 7: scene.refuse(#"{"code":"UNAVAILABLE","message":"","retryAfterMs":1}"#)
      case 8: scene.say("\u{0}")
      case 9 where scene.link.state == .connecting: scene.connect()
      case 10: scene.finishRecovery()
      default: scene.event("chat", #"{"n":1}"#)
      }
      if let due = scene.link.wakeNs { #expect(due > 0) }
    }
    scene.take(.ended(.closed(code: 1_006, reason: "")))
    let answered = scene.notices.compactMap { notice -> String? in
      if case .answer(let id, _) = notice { id } else { nil }
    }
    #expect(answered.count == Set(answered).count)
    #expect(asked.isSubset(of: answered))
    let told = scene.told().filter {
      ["connecting", "waiting", "connected", "greeting", "stopped", "pairing"].contains($0)
    }
    for (one, two) in zip(told, told.dropFirst()) {
      #expect(!(one == "connecting" && two == "connecting"))
    }
  }
}

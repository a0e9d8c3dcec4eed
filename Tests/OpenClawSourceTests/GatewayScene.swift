import DeviceKeys
import LenientJSON
import Networking
import OpenClawSource
import OpenClawWire
import Testing

/// A link with a clock that is moved by hand and a gateway that says what a test tells it.
struct GatewayScene {
  var link: GatewayLink
  var nowNs: UInt64 = 1_000_000_000_000
  var sent: [JSONValue] = []
  var notices: [GatewayNotice] = []
  var connects = 0
  var drops = 0
  var closes: [Int] = []
  var stored: [String?] = []
  var sequence = 0

  init(
    token: String? = "shared", deviceToken: String? = nil, pollsPairing: Bool = true,
    scopes: [String] = ["operator.read", "operator.approvals"]
  ) throws {
    let key = try #require(DeviceKey(seed: (0..<32).map { UInt8($0) }))
    link = GatewayLink(
      GatewayIdentity(
        key: key,
        client: .init(version: "1", platform: "linux", instanceId: "i", displayName: "desk"),
        scopes: scopes, token: token, deviceToken: deviceToken), pollsPairing: pollsPairing)
  }

  mutating func take(_ input: GatewayLink.Input) {
    carryOut(link.take(input, nowNs: nowNs, wallMs: 1_790_000_000_000, random: 0.5))
  }

  private mutating func carryOut(_ commands: [GatewayLink.Command]) {
    for command in commands {
      switch command {
      case .connect: connects += 1
      case .send(let bytes): sent.append((try? JSONValue.parse(bytes)) ?? .null)
      case .close(let code, _): closes.append(code)
      case .drop: drops += 1
      case .storeDeviceToken(let token): stored.append(token)
      case .forgetDeviceToken: stored.append(nil)
      case .tell(let notice): notices.append(notice)
      }
    }
  }

  mutating func request(_ request: GatewayRequest) -> String {
    let (id, commands) = link.request(request, nowNs: nowNs)
    carryOut(commands)
    return id
  }

  /// Time passes, and the link is woken whenever it asked for it.
  mutating func pass(seconds: Double) {
    let end = nowNs + UInt64(seconds * 1e9)
    while let due = link.wakeNs, due <= end {
      nowNs = max(nowNs, due)
      take(.woke)
    }
    nowNs = end
  }

  mutating func say(_ text: String) { take(.text(Array(text.utf8))) }

  mutating func event(_ name: String, _ payload: String = "{}", counted: Bool = true) {
    if counted { sequence += 1 }
    let number = counted ? ",\"seq\":\(sequence)" : ""
    say(#"{"type":"event","event":"\#(name)","payload":\#(payload)\#(number)}"#)
  }

  var lastId: String { sent.last?["id"]?.string ?? "" }
  var lastMethod: String { sent.last?["method"]?.string ?? "" }

  mutating func answer(_ payload: String = "{}") {
    say(#"{"type":"res","id":"\#(lastId)","ok":true,"payload":\#(payload)}"#)
  }

  mutating func refuse(_ error: String) {
    say(#"{"type":"res","id":"\#(lastId)","ok":false,"error":\#(error)}"#)
  }

  mutating func challenge() {
    sequence = 0
    take(.opened)
    say(
      #"{"type":"event","event":"connect.challenge","payload":{"nonce":"n1","ts":1790000600000}}"#)
  }

  /// Greeted, and everything of the recovery answered.
  mutating func connect(
    protocolVersion: Int = 4, deviceToken: String? = nil, approvals: String = "[]"
  ) {
    challenge()
    let token = deviceToken.map { #","deviceToken":"\#($0)""# } ?? ""
    answer(
      #"{"type":"hello-ok","protocol":\#(protocolVersion),"auth":{"scopes":["operator.read","operator.approvals"]\#(token)},"policy":{"tickIntervalMs":30000}}"#
    )
    finishRecovery(approvals: approvals)
  }

  mutating func finishRecovery(approvals: String = "[]") {
    for _ in 0..<10 {
      let id = lastId
      switch lastMethod {
      case "exec.approval.list": answer(approvals)
      case "plugin.approval.list": answer("[]")
      case "sessions.subscribe", "sessions.list", "question.list", "device.pair.list": answer()
      default: return
      }
      if lastId == id { return }
    }
  }

  /// The names of what was told since, in order.
  func told(from start: Int = 0) -> [String] {
    notices[start...].map { notice in
      switch notice {
      case .state(let state):
        switch state {
        case .idle: "idle"
        case .connecting: "connecting"
        case .greeting: "greeting"
        case .connected: "connected"
        case .waiting: "waiting"
        case .pairing: "pairing"
        case .stopped: "stopped"
        }
      case .hello: "hello"
      case .listed(let request, let result):
        "\(request.method)\((try? result.get()) == nil ? " failed" : "")"
      case .recovered: "recovered"
      case .gap(let lost): "gap \(lost)"
      case .event(let event): event.payload["n"]?.int.map { "\(event.name) \($0)" } ?? event.name
      case .answer(let id, let result): "\(id) \((try? result.get()) == nil ? "failed" : "ok")"
      case .unread: "unread"
      }
    }
  }

  func waitNs() -> UInt64? {
    if case .waiting(let until, _) = link.state { until - nowNs } else { nil }
  }
}

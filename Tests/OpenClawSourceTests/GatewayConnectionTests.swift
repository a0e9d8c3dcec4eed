import DeviceKeys
import LenientJSON
import Networking
import OpenClawSource
import OpenClawWire
import Testing

@MainActor
@Suite struct GatewayConnectionTests {
  private static let challenge =
    #"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1790000000005}}"#
  private static let hello =
    #"{"type":"res","id":"c1","ok":true,"payload":{"type":"hello-ok","protocol":4,"auth":{"deviceToken":"dt","scopes":[]}}}"#

  private func connection(
    _ wires: Wires, store: @escaping (String?) -> Void = { _ in },
    tell: @escaping (GatewayNotice) -> Void = { _ in }
  ) throws -> GatewayConnection {
    let key = try #require(DeviceKey(seed: (0..<32).map { UInt8($0) }))
    return GatewayConnection(
      WebSocketRequest(url: try WebSocketURL("ws://127.0.0.1:1")),
      identity: GatewayIdentity(
        key: key, client: .init(version: "1", platform: "linux", instanceId: "i", displayName: "d"),
        scopes: ["operator.read"], token: "t", deviceToken: nil), pollsPairing: false,
      transport: wires, clock: wires, store: store, tell: tell)
  }

  @Test func aConnectionIsMadeLostAndMadeAgain() throws {
    let wires = Wires()
    var stored: [String?] = []
    let link = try connection(wires, store: { stored.append($0) })
    link.start()
    #expect(wires.sockets.count == 1)
    wires.delegate?.opened(wires.sockets[0])
    wires.say(Self.challenge, on: 0)
    #expect(wires.sockets[0].sent.first?["method"]?.string == "connect")
    wires.say(Self.hello, on: 0)
    #expect(stored == ["dt"] && link.hello?.protocolVersion == 4)
    // The far side falls silent: twice 30 s, then a pause of about a second.
    wires.pass(seconds: 61)
    #expect(wires.sockets[0].closed == 4_000 && wires.sockets[0].isCancelled)
    wires.pass(seconds: 2)
    #expect(wires.sockets.count == 2)
    // What the old socket still says is not heard.
    wires.delegate?.socket(wires.sockets[0], ended: .closed(code: 4_001, reason: "device removed"))
    wires.delegate?.opened(wires.sockets[1])
    wires.say(Self.challenge, on: 1)
    #expect(
      wires.sockets[1].sent.first?[path: "params", "auth", "deviceToken"]?.string == "dt")
    link.stop()
    #expect(wires.sockets[1].closed == 1_000 && !wires.isWaiting)
  }

  @Test func afterASleepTheConnectionIsMadeAnew() throws {
    let wires = Wires()
    let link = try connection(wires)
    link.start()
    wires.delegate?.opened(wires.sockets[0])
    wires.say(Self.challenge, on: 0)
    wires.say(Self.hello, on: 0)
    wires.asleepNs += 3_600_000_000_000
    wires.say(#"{"type":"event","event":"tick","payload":{}}"#, on: 0)
    #expect(wires.sockets[0].isCancelled)
    wires.pass(seconds: 1)
    #expect(wires.sockets.count == 2)
  }

  @Test func aRequestWithoutAConnectionFailsAtOnce() throws {
    let wires = Wires()
    var failures = 0
    let link = try connection(
      wires,
      tell: { notice in
        if case .answer(_, .failure(.disconnected)) = notice { failures += 1 }
      })
    link.send(.listAgents)
    #expect(failures == 1)
  }
}

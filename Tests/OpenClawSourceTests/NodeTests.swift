import DeviceKeys
import LenientJSON
import Networking
import OpenClawWire
import Testing

@testable import OpenClawSource

/// A node with a socket and time that a test moves, and a runner whose commands end when the test says so.
@MainActor
private final class NodeBench: NotificationRunner {
  let wires = Wires()
  var stored: [String?] = []
  var news: [GatewayNode.News] = []
  var shown: [SystemNotification] = []
  var isStopped = false
  private var open: [@MainActor (String?) -> Void] = []
  private(set) var node: GatewayNode?

  init() throws {
    let key = try #require(DeviceKey(seed: (0..<32).map { UInt8($0) }))
    let identity = GatewayIdentity(
      key: key, client: .init(version: "1", platform: "linux", instanceId: "i", displayName: "d"),
      scopes: ["operator.read"], token: "t", deviceToken: "operator's")
    node = GatewayNode(
      WebSocketRequest(url: try WebSocketURL("ws://127.0.0.1:1")),
      identity: identity.asNode(commands: ["system.notify"], deviceToken: nil), runner: self,
      transport: wires, clock: wires, store: { [weak self] in self?.stored.append($0) })
    node?.start { [weak self] in self?.news.append($0) }
  }

  func show(_ notification: SystemNotification, done: @escaping @MainActor (String?) -> Void) {
    shown.append(notification)
    open.append(done)
  }

  func stop() { isStopped = true }

  func end(_ problem: String? = nil) { open.removeFirst()(problem) }

  func challenge() {
    wires.delegate?.opened(socket)
    wires.say(
      #"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1790000000000}}"#,
      on: wires.sockets.count - 1)
  }

  func connect() {
    challenge()
    wires.say(
      #"{"type":"res","id":"\#(lastID)","ok":true,"payload":{"type":"hello-ok","protocol":4,"auth":{"role":"node","scopes":[],"deviceToken":"dt"}}}"#,
      on: wires.sockets.count - 1)
  }

  var socket: Wires.Socket { wires.sockets[wires.sockets.count - 1] }
  private var lastID: String { socket.sent.last?["id"]?.string ?? "" }

  func ask(_ id: String, _ command: String = "system.notify", key: String? = nil) {
    let key = key.map { #","idempotencyKey":"\#($0)""# } ?? ""
    wires.say(
      #"{"type":"event","event":"node.invoke.request","payload":{"id":"\#(id)","nodeId":"n","command":"\#(command)","paramsJSON":"{\"title\":\"\#(id)\"}"\#(key)}}"#,
      on: wires.sockets.count - 1)
  }

  /// The results that were sent: the id, and the code of the error.
  var results: [String] {
    socket.sent.filter { $0["method"]?.string == "node.invoke.result" }.map { frame in
      let params = frame["params"]
      let code = params?["error"]?["code"]?.string
      return (params?["id"]?.string ?? "") + " " + (params?["ok"]?.bool == true ? "ok" : code ?? "")
    }
  }
}

@MainActor
@Suite("this device as a node") struct NodeTests {
  @Test("it connects with the shared secret and keeps the token that it is given")
  func connects() throws {
    let bench = try NodeBench()
    bench.challenge()
    let params = try #require(bench.socket.sent.first?["params"])
    #expect(params["role"]?.string == "node" && params["scopes"]?.array == [])
    #expect(params["commands"]?.array == [.string("system.notify")])
    // The operator's token is not that of the node.
    #expect(params["auth"]?["token"]?.string == "t" && params["auth"]?["deviceToken"] == nil)
    bench.wires.say(
      #"{"type":"res","id":"c1","ok":true,"payload":{"type":"hello-ok","protocol":3,"auth":{"deviceToken":"dt"}}}"#,
      on: 0)
    #expect(bench.stored == ["dt"] && bench.news.last == .state(.connected))
    // A node asks for nothing by itself.
    #expect(bench.socket.sent.count == 1)
  }

  @Test("a notification is shown, and answered when its command has ended")
  func shows() throws {
    let bench = try NodeBench()
    bench.connect()
    bench.ask("a")
    #expect(bench.shown.map(\.title) == ["a"] && bench.results == [])
    bench.end()
    #expect(bench.results == ["a ok"])
    bench.ask("b")
    bench.end("its command failed with status 1")
    #expect(bench.results.last == "b UNAVAILABLE")
    #expect(
      bench.news.last
        == .failed(bench.shown[1], problem: "its command failed with status 1"))
  }

  @Test("any other command is refused at once, and the owner sees five a minute of them")
  func others() throws {
    let bench = try NodeBench()
    bench.connect()
    for number in 0..<50 { bench.ask("i\(number)", "system.run") }
    #expect(bench.shown.isEmpty && bench.results.count == 50)
    #expect(bench.results.allSatisfy { $0.hasSuffix("INVALID_REQUEST") })
    let refused = bench.news.filter { if case .refused = $0 { true } else { false } }
    #expect(refused.count == NodeDesk.shownPerMinute)
    bench.wires.nowNs += 60_000_000_000
    bench.ask("later", "camera.snap")
    #expect(
      bench.news.last
        == .refused(
          command: "camera.snap",
          reason: "this node carries out system.notify and nothing else"))
  }

  @Test("ten a minute and four at a time are shown, the rest is refused")
  func bounded() throws {
    let bench = try NodeBench()
    bench.connect()
    for number in 0..<6 { bench.ask("a\(number)") }
    #expect(bench.shown.count == NodeDesk.maximumRunning && bench.results.count == 2)
    for _ in 0..<4 { bench.end() }
    for number in 0..<20 {
      bench.ask("b\(number)")
      if bench.shown.count > 4 + number { bench.end() }
    }
    #expect(bench.shown.count == NodeDesk.perMinute)
    bench.wires.nowNs += 60_000_000_000
    bench.ask("c")
    #expect(bench.shown.count == NodeDesk.perMinute + 1)
  }

  @Test("the same key is shown once, and again if its command failed")
  func keys() throws {
    let bench = try NodeBench()
    bench.connect()
    bench.ask("a", key: "k")
    bench.end()
    bench.ask("b", key: "k")
    #expect(bench.shown.count == 1 && bench.results == ["a ok", "b ok"])
    bench.ask("c", key: "l")
    bench.end("no")
    bench.ask("d", key: "l")
    #expect(bench.shown.count == 3)
  }

  @Test("after everything was stopped nothing is shown until the owner tries again")
  func frozen() throws {
    let bench = try NodeBench()
    bench.connect()
    bench.node?.freeze()
    bench.ask("a")
    #expect(bench.results == ["a PANIC"] && bench.shown.isEmpty)
    bench.node?.retry()
    bench.ask("b")
    #expect(bench.shown.count == 1)
  }

  @Test("a command whose connection is gone answers nobody; the end kills what runs")
  func gone() throws {
    let bench = try NodeBench()
    bench.connect()
    bench.ask("a")
    bench.wires.delegate?.socket(bench.socket, ended: .closed(code: 1012, reason: ""))
    bench.end()
    bench.wires.pass(seconds: 3)
    #expect(bench.wires.sockets.count == 2 && bench.results == [])
    bench.node?.stop()
    #expect(bench.isStopped)
  }
}

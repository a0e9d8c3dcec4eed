import LenientJSON
import Networking
import OpenClawSource

/// A small generator with a seed (SplitMix64, Steele, Lea and Flood 2014).
struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ (value >> 31)) % UInt64(limit))
  }
}

/// A gateway on the clock of `Wires` that asks for approvals, and fails in every way that a network and a gateway have.
/// What it knows is the truth that a source is compared with.
@MainActor
final class FaultyGateway {
  struct Approval {
    var createdS: Int
    var expiresMs: Int64
  }

  enum Fault: CaseIterable {
    case drop, restart, silence, lostEvent, doubledEvent, refused, noChallenge, listsFail, listsHang
    case clockStep, sleep
  }

  private let desk: Desk
  private var dice: Dice
  private var sequence = 0
  private var answered = 0
  private var opened = 0
  private var isGreeted = false
  private var lastEvent: String?
  private var number = 0
  /// Until then the fault lasts, in seconds of the test.
  private var endS: [Fault: Int] = [:]
  private(set) var second = 0
  /// Its own clock, which nobody sets.
  private var clockMs: Int64
  private(set) var pending: [String: Approval] = [:]
  private(set) var asked: [String: Approval] = [:]
  private var expiredS: [String: Int] = [:]
  /// How long each waited, in seconds.
  private var waitedS: [String: Int] = [:]
  /// When the last fault ended, in seconds of the test.
  private(set) var faultyUntilS = 0
  private(set) var faults: [Fault: Int] = [:]

  init(_ desk: Desk, seed: UInt64) {
    self.desk = desk
    clockMs = desk.wires.wallMs
    dice = Dice(seed)
  }

  private func lasts(_ fault: Fault) -> Bool { endS[fault].map { $0 > second } ?? false }

  private var index: Int { desk.wires.sockets.count - 1 }
  /// The client has neither been told of the end of this socket nor ended it.
  private var isOpen: Bool {
    opened == desk.wires.sockets.count && !desk.socket.isCancelled && desk.socket.closed == nil
  }

  // MARK: Time

  /// One second of the gateway's life, and of the client's.
  func pass() {
    second += 1
    if dice.below(360) == 0, !Fault.allCases.contains(where: lasts) { begin() }
    for (id, approval) in pending where approval.expiresMs <= clockMs {
      pending[id] = nil
      expiredS[id] = second
    }
    for id in pending.keys { waitedS[id, default: 0] += 1 }
    if dice.below(240) == 0 { ask() }
    if dice.below(600) == 0, let id = pending.keys.sorted().first { resolve(id) }
    wait()
    serve()
    if second % 30 == 0 { say("tick", "{}") }
    desk.source.tick()
  }

  /// A second in which the gateway does nothing.
  func wait() {
    clockMs += 1_000
    desk.wires.wallMs += 1_000
    desk.wires.pass(seconds: 1)
  }

  /// Whether it waited longer than any fault lasts, with the way back from it.
  func wasLong(_ id: String) -> Bool { waitedS[id, default: 0] > 600 }

  /// A client may wait a moment for the gateway's own word that it has expired; this one says none.
  var justExpired: Set<String> { Set(expiredS.filter { second - $0.value <= 10 }.keys) }

  private func ask() {
    number += 1
    let approval = Approval(createdS: second, expiresMs: clockMs + 1_800_000)
    (pending["ap-\(number)"], asked["ap-\(number)"]) = (approval, approval)
    say("exec.approval.requested", json("ap-\(number)"))
  }

  private func resolve(_ id: String) {
    pending[id] = nil
    say("exec.approval.resolved", #"{"id":"\#(id)","decision":"deny","resolvedBy":"Ingrid"}"#)
  }

  private func json(_ id: String) -> String {
    #"{"id":"\#(id)","request":{"command":"make \#(id)"},"expiresAtMs":\#(pending[id]?.expiresMs ?? 0)}"#
  }

  // MARK: Faults

  private func begin() {
    let fault = Fault.allCases[dice.below(Fault.allCases.count)]
    faults[fault, default: 0] += 1
    let seconds = 1 + dice.below(150)
    endS[fault] = second + seconds
    faultyUntilS = second + seconds
    switch fault {
    case .drop, .refused, .noChallenge: end(1006)
    case .restart:
      // What waited does not survive it.
      say("shutdown", #"{"reason":"restart","restartExpectedMs":1500}"#)
      pending = [:]
      end(1012)
    case .clockStep: desk.wires.wallMs += Int64(dice.below(2) == 0 ? 600_000 : -600_000)
    case .sleep: desk.wires.asleepNs += UInt64(seconds) * 1_000_000_000
    case .doubledEvent:
      if let lastEvent { hear(lastEvent) }
    // A list is asked for after a connect.
    case .listsFail, .listsHang: end(1006)
    // The first events of a connection, or later ones.
    case .lostEvent: if dice.below(2) == 0 { end(1006) }
    case .silence: break
    }
  }

  private func end(_ code: Int) {
    guard isOpen else { return }
    let socket = desk.socket
    opened = -1
    desk.wires.delegate?.socket(socket, ended: .closed(code: code, reason: ""))
  }

  // MARK: Talking

  private func say(_ event: String, _ payload: String) {
    guard isGreeted, isOpen else { return }
    sequence += 1
    let text = #"{"type":"event","event":"\#(event)","payload":\#(payload),"seq":\#(sequence)}"#
    lastEvent = text
    // Half of the events of a bad stretch.
    if lasts(.lostEvent), dice.below(2) == 0 { return }
    hear(text)
  }

  private func hear(_ text: String) {
    guard isOpen, !lasts(.silence) else { return }
    desk.wires.say(text, on: index)
  }

  /// Lets the client in, and answers what it has asked.
  private func serve() {
    let count = desk.wires.sockets.count
    if opened != count, !desk.socket.isCancelled, desk.socket.closed == nil, count != ended {
      greet(count)
    }
    while isOpen, answered < desk.socket.sent.count, !lasts(.silence) {
      let request = desk.socket.sent[answered]
      let isList = request["method"]?.string?.hasSuffix("list") == true
      if isList, lasts(.listsHang) { return }
      answered += 1
      let id = request["id"]?.string ?? ""
      if isList, lasts(.listsFail) {
        hear(
          #"{"type":"res","id":"\#(id)","ok":false,"error":{"code":"UNAVAILABLE","message":"busy"}}"#
        )
      } else {
        hear(#"{"type":"res","id":"\#(id)","ok":true,"payload":\#(payload(for: request))}"#)
      }
    }
  }

  /// The number of the socket that has ended.
  private var ended = -1

  private func greet(_ count: Int) {
    (sequence, answered, isGreeted, lastEvent) = (0, 0, false, nil)
    guard !lasts(.refused) else {
      ended = count
      desk.wires.delegate?.socket(desk.socket, ended: .closed(code: 1006, reason: ""))
      return
    }
    opened = count
    desk.wires.delegate?.opened(desk.socket)
    guard !lasts(.noChallenge) else { return }
    hear(
      #"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":\#(clockMs)}}"#
    )
  }

  private func payload(for request: JSONValue) -> String {
    switch request["method"]?.string {
    case "connect":
      isGreeted = true
      return
        #"{"type":"hello-ok","protocol":4,"auth":{"scopes":["operator.read","operator.write","operator.approvals"]},"policy":{"tickIntervalMs":30000}}"#
    case "exec.approval.list":
      return "[" + pending.keys.sorted().map(json).joined(separator: ",") + "]"
    case "plugin.approval.list": return "[]"
    default: return "{}"
    }
  }
}

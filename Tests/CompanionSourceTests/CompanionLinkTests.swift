import CompanionWire
import DeviceKeys
import LenientJSON
import Networking
import Testing

@testable import CompanionSource

/// The session with a gateway: what goes out at which moment.
@Suite struct CompanionLinkTests {
  private static let second: UInt64 = 1_000_000_000
  private static let wallMs: Int64 = 1_790_000_000_000

  /// A link with a clock that the test turns.
  private struct Desk {
    var link: CompanionLink
    var nowNs: UInt64 = 0
    var sent: [JSONValue] = []
    var states: [CompanionLink.State] = []
    var connects = 0
    var drops = 0

    init() throws {
      let seed = (0..<32).map { UInt8($0) }
      link = CompanionLink(key: try #require(DeviceKey(seed: seed)))
    }

    mutating func take(_ input: CompanionLink.Input) throws {
      try carry(
        link.take(
          input, nowNs: nowNs, wallMs: CompanionLinkTests.wallMs + Int64(nowNs / 1_000_000),
          random: 0.5))
    }

    mutating func carry(_ commands: [CompanionLink.Command]) throws {
      for command in commands {
        switch command {
        case .connect: connects += 1
        case .drop: drops += 1
        case .send(let bytes): sent.append(try JSONValue.parse(bytes))
        case .tell(.state(let state)): states.append(state)
        case .tell: break
        }
      }
    }

    mutating func hear(_ text: String) throws { try take(.text(Array(text.utf8))) }

    mutating func pass(_ seconds: UInt64) throws {
      for _ in 0..<seconds {
        nowNs += CompanionLinkTests.second
        if let wake = link.wakeNs, wake <= nowNs { try take(.woke) }
      }
    }

    mutating func connect(serverMs: Int64 = CompanionLinkTests.wallMs) throws {
      try take(.start)
      try take(.opened)
      try hear(
        #"{"type":"status","payload":{"state":"ready","session_id":"s1","server_time":\#(serverMs)}}"#
      )
    }
  }

  @Test("ready begins the session; messages carry its id and the gateway's time")
  func ready() throws {
    var desk = try Desk()
    #expect(desk.link.send(.heartbeat, wallMs: 0) == nil)
    try desk.connect(serverMs: Self.wallMs + 600_000)
    #expect(desk.link.state == .ready(session: "s1"))
    let commands = desk.link.send(.text("hi", id: "m1"), wallMs: Self.wallMs)
    try desk.carry(try #require(commands))
    #expect(desk.sent.last?["session_id"]?.string == "s1")
    #expect(desk.sent.last?["timestamp"]?.int == Int(Self.wallMs + 600_000))
  }

  @Test("a heartbeat every 20 s; two without an answer end the connection, which is made again")
  func heartbeats() throws {
    var desk = try Desk()
    try desk.connect()
    try desk.pass(20)
    #expect(desk.sent.map { $0["type"]?.string } == ["heartbeat"])
    try desk.hear(#"{"type":"status","payload":{"state":"alive"}}"#)
    try desk.pass(40)
    #expect(desk.sent.count == 3 && desk.drops == 0)
    try desk.pass(20)
    #expect(desk.drops == 1 && desk.sent.count == 3)
    guard case .waiting(_, .closed(.silent)) = desk.link.state else {
      Issue.record("\(desk.link.state)")
      return
    }
    try desk.pass(2)
    #expect(desk.connects == 2)
  }

  @Test("a gateway that is not ready within 15 s is left")
  func notReady() throws {
    var desk = try Desk()
    try desk.take(.start)
    try desk.take(.opened)
    try desk.hear(#"{"type":"text","payload":{"text":"hi","message_id":"m"}}"#)
    try desk.pass(15)
    #expect(desk.drops == 1)
    guard case .waiting(_, .notReady) = desk.link.state else {
      Issue.record("\(desk.link.state)")
      return
    }
  }

  @Test(
    "closes: which are final, and what they say",
    arguments: [
      (4_401, false, "pair it again"), (4_409, false, "newer session"), (4_429, true, "too fast"),
      (1_008, false, "extra key"), (1_000, true, "ended the session"), (1_006, true, "1006"),
    ])
  func closes(code: Int, reconnects: Bool, words: String) throws {
    var desk = try Desk()
    try desk.connect()
    try desk.take(.ended(.closed(code: code, reason: code == 1_008 ? "extra key" : "")))
    switch desk.link.state {
    case .waiting(_, let loss): #expect(reconnects && loss.sentence.contains(words))
    case .stopped(let loss): #expect(!reconnects && loss.sentence.contains(words))
    default: Issue.record("\(desk.link.state)")
    }
    try desk.pass(120)
    #expect((desk.connects > 1) == reconnects)
    // The user may always try.
    let before = desk.connects
    try desk.take(.retry)
    #expect(desk.connects == before + (reconnects ? 0 : 1))
  }

  @Test("a refused token stops; a pause grows to 30 s and is short again after a good session")
  func pauses() throws {
    var desk = try Desk()
    try desk.take(.start)
    try desk.take(.ended(.refused(status: 401, reason: "", body: [])))
    #expect(desk.link.state == .stopped(.refused))
    var other = try Desk()
    try other.take(.start)
    var waits: [UInt64] = []
    for _ in 0..<7 {
      try other.take(.ended(.closed(code: 1_006, reason: "")))
      guard case .waiting(let until, _) = other.link.state else { break }
      waits.append((until - other.nowNs) / Self.second)
      other.nowNs = until
      try other.take(.woke)
    }
    #expect(waits == [1, 2, 4, 8, 16, 30, 30])
    try other.take(.opened)
    try other.hear(#"{"type":"status","payload":{"state":"ready","session_id":"s2"}}"#)
    other.nowNs += 61 * Self.second
    try other.take(.ended(.closed(code: 1_006, reason: "")))
    guard case .waiting(let until, _) = other.link.state else { return }
    #expect((until - other.nowNs) / Self.second == 1)
  }

  @Test("after a sleep the connection is made anew, and nothing is said into the old one")
  func sleep() throws {
    var desk = try Desk()
    try desk.connect()
    try desk.take(.slept)
    #expect(desk.drops == 1 && desk.link.send(.heartbeat, wallMs: 0) == nil)
  }

  @Test("frames that are none are counted, and cost nothing else")
  func unread() throws {
    var desk = try Desk()
    try desk.connect()
    for text in ["", "[]", "{", "7", "{\"type\":7}"] { try desk.hear(text) }
    #expect(desk.link.state == .ready(session: "s1"))
  }
}

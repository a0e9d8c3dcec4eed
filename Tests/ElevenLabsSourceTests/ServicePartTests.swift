import ClankyWire
import ElevenLabsSource
import ElevenLabsWire
import LenientJSON
import Networking
import Testing

@Suite struct ServicePartTests {
  @Test func pausesDoubleFrom30Seconds() {
    var schedule = PollSchedule()
    let seconds = (0..<8).map { _ in schedule.next(.failed) / 1_000_000_000 }
    #expect(seconds == [30, 60, 120, 240, 480, 960, 960, 960])
    #expect(schedule.next(.answered) == 60_000_000_000)
    #expect(schedule.next(.failed) == 30_000_000_000)
    #expect(schedule.next(.offline) == 5_000_000_000)
  }

  @Test func aSignedAddressIsOpenedVerbatim() throws {
    let base = try BackendURL("https://api.example")
    let request = try #require(
      ConversationAddress.signed(
        "wss://api.example/v1/convai/conversation?agent_id=a&conversation_signature=s%2B1", at: base
      ))
    #expect(
      request.target == "/v1/convai/conversation?agent_id=a&conversation_signature=s%2B1")
    #expect(request.url.origin == "wss://api.example")
  }

  @Test(
    "an address that would not be safe is refused",
    arguments: [
      "ws://api.example/v1?conversation_signature=s", "https://api.example/v1?x=1",
      "wss://api.example/v1", "wss://api.example/v1?a b", "wss://api.example/v1?a\r\nX: y",
      "wss://api.example/v1?a#b", "wss://user@api.example/v1?a", "",
    ])
  func unsafe(address: String) throws {
    #expect(
      ConversationAddress.signed(address, at: try BackendURL("https://api.example")) == nil)
  }

  @Test func aPublicAgentHasAnAddress() throws {
    let request = try #require(
      ConversationAddress.open("agent a&b", at: try BackendURL("http://127.0.0.1:81")))
    #expect(request.target == "/v1/convai/conversation?agent_id=agent%20a%26b")
    #expect(request.url.origin == "ws://127.0.0.1:81")
  }

  private func page(_ rows: String) throws -> ConversationPage {
    try #require(
      ConversationPage(try JSONValue.parse(Array("{\"conversations\":[\(rows)]}".utf8))))
  }

  @Test func newConversationsBecomeRowsOnce() throws {
    var history = ServiceHistory()
    let done =
      #"{"conversation_id":"c1","agent_name":"Fern","start_time_unix_secs":100,"call_duration_secs":20,"status":"done","call_successful":"success"}"#
    let first = history.take(try page(done))
    #expect(first.rows.map(\.kind) == ["conversation_ended"] && !first.areNews)
    #expect(first.rows.first?.timeMs == 120_000 && first.rows.first?.agent == "Fern")
    let running = #"{"conversation_id":"c2","start_time_unix_secs":200,"status":"in-progress"}"#
    let second = history.take(try page(running + "," + done))
    #expect(second.rows.map(\.kind) == ["conversation_started"] && second.areNews)
    let failed =
      #"{"conversation_id":"c2","start_time_unix_secs":200,"call_duration_secs":9,"status":"failed","termination_reason":"agent failed"}"#
    let third = history.take(try page(failed + "," + done))
    #expect(third.rows.map(\.kind) == ["conversation_failed"])
    #expect(history.take(try page(failed + "," + done)).rows.isEmpty)
  }

  @Test func ownConversationsAreNotRowsTwice() throws {
    var history = ServiceHistory()
    history.own("c1")
    let done = #"{"conversation_id":"c1","start_time_unix_secs":100,"status":"done"}"#
    #expect(history.take(try page(done)).rows.isEmpty)
    #expect(history.rows.count == 1)
  }

  @Test func networkKinds() {
    let head =
      "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
    func v4(_ name: String, _ metric: Int) -> String {
      "\(name)\t00000000\t0101A8C0\t0003\t0\t0\t\(metric)\t00000000\t0\t0\t0\n"
    }
    func kind(_ routes: String?, _ routes6: String? = nil) -> NetworkKind {
      NetworkKind(routes: routes, routes6: routes6) { $0.hasPrefix("wl") }
    }
    #expect(kind(head + v4("wlan0", 600)) == .wifi)
    #expect(kind(head + v4("wlan0", 600) + v4("eth0", 100)) == .wired)
    #expect(kind(head + v4("wwan0", 1)) == .cellular && kind(head + v4("ppp0", 1)) == .cellular)
    #expect(kind(head) == .none && kind(nil) == .unknown)
    // A route that is down, and one to a network only.
    #expect(kind(head + "eth0\t00000000\t0101A8C0\t0002\t0\t0\t1\t00000000\t0\t0\t0\n") == .none)
    #expect(kind(head + "eth0\t0001A8C0\t00000000\t0001\t0\t0\t1\t00FFFFFF\t0\t0\t0\n") == .none)
    let zero = String(repeating: "0", count: 32)
    let v6 = "\(zero) 00 \(zero) 00 fe800000000000000000000000000001 00000400 1 0 00000003 wlan0\n"
    let none = "\(zero) 00 \(zero) 00 \(zero) ffffffff 1 0 00200200 lo\n"
    #expect(kind(head, v6) == .wifi && kind(head, none) == .none)
    #expect(kind("broken", "broken") == .none)
  }

  @Test("a row keeps no secret member, at any depth")
  func secrets() throws {
    let row = LiveRow(
      of: RowOrigin.elevenLabs, "tool_started", "look up", atMs: 0, agent: "a", session: "c",
      [("parameters", try JSONValue.parse(Array(#"{"list":[{"Authorization":"s3cret"}]}"#.utf8)))])
    let text = String(decoding: row.json, as: UTF8.self)
    #expect(!text.contains("s3cret") && text.contains("parameters"), "\(text)")
    #expect(text.contains(#""source":"elevenlabs""#))
  }
}

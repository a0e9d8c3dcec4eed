import CockpitDomain
import CompanionWire
import LenientJSON
import Testing

@testable import CompanionSource

/// What an agent draws as a document, and what is done on it as frames.
@MainActor
@Suite struct CompanionCanvasTests {
  private func desk() throws -> Desk {
    let desk = try Desk(GrantPolicy(profile: .extended, commands: [:]))
    desk.connect()
    return desk
  }

  private func draw(_ desk: Desk, _ action: String, _ elements: String, agent: String = "wren") {
    desk.say(
      #"{"type":"canvas_update","agent_id":"\#(agent)","attention_level":"passive","payload":{"action":"\#(action)","transition":"fade","elements":[\#(elements)]}}"#
    )
  }

  private func touch(_ desk: Desk, _ touch: CanvasTouch) -> ControlOutcome? {
    var outcome: ControlOutcome?
    desk.source?.touch(touch) { outcome = $0 }
    #expect(outcome == nil, "never during the call")
    desk.wires.pass(seconds: 0)
    return outcome
  }

  private static let button =
    #"{"id":"open","type":"text","bounds":{"x":500,"y":300,"width":300,"height":100},"content":"Open","interactive":true}"#

  @Test("each change is a document: who drew, when, all elements, and what was left out")
  func document() throws {
    let desk = try desk()
    draw(desk, "draw", Self.button + #",{"type":"text"},{"id":"b","type":"hologram"}"#)
    #expect(desk.canvas["agent"]?.string == "wren")
    #expect(desk.canvas["changed_ms"]?.int == 1_790_000_000_000)
    #expect(desk.canvas["transition"]?.string == "fade")
    #expect(desk.canvas["left_out"]?["unreadable"]?.int == 2)
    let element = try #require(desk.canvas["elements"]?.array?.first)
    #expect(element["id"]?.string == "open" && element["bounds"]?["x"]?.double == 500)
    draw(desk, "update", #"{"id":"c","type":"shape","content":"rect","style":{"fill":"red"}}"#)
    #expect(desk.canvas["elements"]?.array?.compactMap { $0["id"]?.string } == ["open", "c"])
    #expect(desk.canvas["elements"]?.array?.last?["style"]?["fill"]?.string == "red")
    draw(desk, "clear", "")
    #expect(desk.canvas["elements"]?.array?.isEmpty == true)
    #expect(desk.canvas["left_out"]?["unreadable"]?.int == 0)
    #expect(desk.kinds.suffix(3).allSatisfy { $0 == "canvas_drawn" })
  }

  @Test("a tap and a long press name the element and the place; a drawing carries its PNG")
  func events() throws {
    let desk = try desk()
    draw(desk, "draw", Self.button)
    let tap = CanvasTouch(.tap, element: "open", seen: "Open", x: 650, y: 350)
    #expect(touch(desk, tap)?.isDone == true)
    #expect(desk.sent.last?["type"]?.string == "canvas_event")
    let payload = try #require(desk.lastPayload)
    #expect(payload["element_id"]?.string == "open" && payload["event"]?.string == "tap")
    #expect(payload["point"]?.serialized() == #"{"x":650,"y":350}"#)
    #expect(payload.object?.members.map(\.key) == ["element_id", "event", "point"])
    let long = CanvasTouch(.longPress, element: "open", seen: "Open", x: -5, y: 1e9)
    #expect(touch(desk, long)?.isDone == true)
    #expect(desk.lastPayload?["event"]?.string == "long_press")
    #expect(desk.lastPayload?["point"]?["x"]?.double == 0)
    #expect(desk.lastPayload?["point"]?["y"]?.double == 1_000)
    let drawing = CanvasTouch(.draw(png: [0x89, 0x50, 0x4E, 0x47]), element: nil)
    #expect(touch(desk, drawing)?.isDone == true)
    #expect(desk.lastPayload?["element_id"]?.string == "canvas")
    #expect(desk.lastPayload?["png"]?.string == "iVBORw==")
    #expect(desk.lastPayload?["point"] == nil)
  }

  @Test("nothing is sent for an element that has changed, is gone, or takes no tap")
  func changed() throws {
    let desk = try desk()
    draw(desk, "draw", Self.button + #",{"id":"still","type":"text","content":"Still"}"#)
    let before = desk.sent.count
    for touched in [
      CanvasTouch(.tap, element: "open", seen: "Close"),
      CanvasTouch(.tap, element: "still", seen: "Still"),
      CanvasTouch(.tap, element: "gone", seen: ""), CanvasTouch(.longPress, element: nil),
    ] {
      #expect(touch(desk, touched)?.isDone == false)
    }
    #expect(desk.sent.count == before)
  }

  @Test("without a session nothing is sent, and the outcome says so")
  func away() throws {
    let desk = try desk()
    draw(desk, "draw", Self.button)
    desk.source?.stop()
    let outcome = touch(desk, CanvasTouch(.tap, element: "open", seen: "Open"))
    #expect(outcome == ControlOutcome(isDone: false, "Not connected; nothing was sent."))
    #expect(
      touch(desk, CanvasTouch(.draw(png: [1]), element: "open"))?.isDone == false)
  }

  @Test("the document of a full canvas is bounded: texts are cut, images are whole")
  func bounded() throws {
    let desk = try desk()
    let text = String(repeating: "x", count: 1 << 20)
    let image = "data:image/png;base64," + String(repeating: "A", count: 1 << 20)
    draw(
      desk, "draw",
      #"{"id":"t","type":"text","content":"\#(text)"},{"id":"i","type":"image","content":"\#(image)"}"#
    )
    let elements = try #require(desk.canvas["elements"]?.array)
    #expect((elements[0]["content"]?.string?.utf8.count ?? 0) <= 32 << 10)
    #expect(elements[1]["content"]?.string == image)
  }
}

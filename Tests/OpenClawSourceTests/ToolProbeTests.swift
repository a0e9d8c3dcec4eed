import CockpitDomain
import LenientJSON
import Networking
import Testing

@testable import OpenClawSource

/// Which tools of a gateway there are, and what those answer that only read.
@MainActor
@Suite struct ToolProbeTests {
  private static let ok = #"{"ok":true,"result":{"content":[],"details":{"sessions":[]}}}"#
  private static let missing =
    #"{"ok":false,"error":{"type":"not_found","message":"Tool not available: x"}}"#

  private static func refusal(_ words: String) -> String {
    #"{"ok":false,"error":{"type":"tool_error","message":"\#(words)"}}"#
  }

  private func states(_ desk: Desk) -> [String: String] {
    let tools = desk.found.last?.document?["tools"]?.array ?? []
    return Dictionary(
      uniqueKeysWithValues: tools.compactMap { tool in
        tool["name"]?.string.map { ($0, tool["state"]?.string ?? "") }
      })
  }

  @Test("all are asked at once; 404 is off, a refusal of missing arguments is on, others fail")
  func probe() throws {
    let desk = try Desk()
    desk.connect()
    desk.source.look(up: .tools(agent: "wren"))
    let asked = desk.web.requests.compactMap { request in
      request.body.flatMap { try? JSONValue.parse($0) }?["tool"]?.string
    }
    #expect(asked == GatewayToolCall.probed)
    desk.web.answer(200, Self.ok, tool: "sessions_list")
    desk.web.answer(404, Self.missing, tool: "memory_get")
    desk.web.answer(500, Self.refusal("query required"), tool: "memory_search")
    desk.web.answer(500, Self.refusal("no browser"), tool: "browser")
    desk.web.answer(403, Self.refusal("blocked by a rule"), tool: "session_status")
    desk.web.answer(400, Self.refusal("sessionKey required"), tool: "sessions_history")
    #expect(desk.found.isEmpty, "one is still awaited")
    desk.web.answer(200, "no json", tool: "agents_list")
    #expect(
      states(desk) == [
        "agents_list": "on", "sessions_list": "on", "session_status": "failing",
        "sessions_history": "on", "memory_search": "on", "memory_get": "off",
        "browser": "failing",
      ])
    let words = desk.found.last?.document?["tools"]?.array?.compactMap { $0["words"]?.string }
    #expect(words == ["blocked by a rule", "no browser"])
  }

  @Test("what concerns the gateway and not a tool is one sentence, said once")
  func gatewayFails() throws {
    let desk = try Desk()
    desk.connect()
    desk.source.look(up: .tools(agent: "wren"))
    for name in GatewayToolCall.probed { desk.web.answer(401, "{}", tool: name) }
    #expect(desk.found.count == 1)
    #expect(desk.found.last?.sentence?.contains("refused the token") == true)
    let poor = try Desk(token: nil)
    poor.connect()
    poor.source.look(up: .tools(agent: "wren"))
    #expect(poor.web.requests.isEmpty && poor.found.count == 1)
  }

  @Test("a call has its tool, agent and arguments; a result that is too long is cut")
  func calls() throws {
    let desk = try Desk()
    desk.connect()
    func call(_ tool: GatewayToolCall.Tool) -> JSONValue? {
      desk.source.look(up: .tool(GatewayToolCall(agent: "wren", tool)))
      return desk.web.body
    }
    let history = call(.history(session: "agent:wren:main"))
    #expect(history?["tool"]?.string == "sessions_history")
    #expect(history?["agentId"]?.string == "wren")
    #expect(history?["args"]?["sessionKey"]?.string == "agent:wren:main")
    #expect(call(.browserTabs)?["args"]?["action"]?.string == "tabs")
    #expect(call(.status(session: nil))?["args"]?.object?.count == 0)
    desk.web.answer(200, #"{"ok":true,"result":{"details":{"statusText":"fine"}}}"#)
    #expect(desk.found.last?.document?["result"]?["statusText"]?.string == "fine")
    let screenshot = call(.browserScreenshot)
    #expect(screenshot?["tool"]?.string == "browser")
    #expect(screenshot?["args"]?["action"]?.string == "screenshot")
    desk.web.answer(
      200,
      #"{"ok":true,"result":{"content":[{"type":"text","text":"MEDIA:/x"},{"type":"image","data":"iVBO","mimeType":"image/png"}],"details":{"path":"/x"}}}"#
    )
    #expect(desk.found.last?.document?["image"]?.string == "iVBO")
    #expect(desk.found.last?.document?["result"]?["path"]?.string == "/x")
    _ = call(.browserScreenshot)
    desk.web.answer(200, #"{"ok":true,"result":{"content":[],"details":{"path":"/x"}}}"#)
    #expect(desk.found.last?.sentence?.contains("has no image") == true)
    _ = call(.sessions)
    let long = String(repeating: "x", count: 2 << 20)
    desk.web.answer(200, #"{"ok":true,"result":{"details":{"statusText":"\#(long)"}}}"#)
    #expect(desk.found.last?.document?["result"] == nil)
    #expect(desk.found.last?.document?["cut"]?.string?.utf8.count == 1 << 20)
  }
}

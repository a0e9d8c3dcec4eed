import CockpitDomain
import CockpitStores
import LenientJSON
import TerminalCore
import TerminalUI
import Testing

@testable import CockpitPanes

/// The tools sheet in CMD of a gateway.
@MainActor
@Suite struct GatewayToolsViewTests {
  private static let body = Rect(x: 0, y: 0, width: 110, height: 24)
  private static let screen = Size(width: 110, height: 28)
  private static let tools = (
    GatewayLookup.tools(agent: "wren"),
    #"{"tools":[{"name":"sessions_list","state":"on"},{"name":"memory_search","state":"on"},{"name":"browser","state":"failing","words":"no \u001b[31mdisplay"},{"name":"memory_get","state":"off"}]}"#
  )

  private func facts(
    _ answers: [(GatewayLookup, String)] = [], failure: (GatewayLookup, String)? = nil
  ) throws -> ViewContext {
    var fixture = Fixture(rows: [])
    var facts = fixture.facts()
    facts.kind = .openclaw
    facts.gateway = GatewayOverview(
      try JSONValue.parse(Array(#"{"agents":[{"id":"wren","name":"Wren"}]}"#.utf8)))
    for (lookup, text) in answers {
      facts.findings.take(
        lookup, .success(try JSONValue.parse(Array(text.utf8))), atMs: Fixture.nowMs)
    }
    if let failure {
      facts.findings.take(
        failure.0, .failure(LookupFailure(failure.1)), atMs: Fixture.nowMs)
    }
    return facts
  }

  private func opened(_ facts: ViewContext) -> GatewayPane {
    var pane = GatewayPane(.cmd)
    press(&pane, .nextView, facts)
    press(&pane, .nextView, facts)
    return pane
  }

  private func press(_ pane: inout GatewayPane, _ command: KeyAction, _ facts: ViewContext) {
    _ = pane.perform(command, on: facts, body: Self.body, screen: Self.screen)
  }

  private func text(_ pane: GatewayPane, _ facts: ViewContext) -> String {
    var frame = Frame(size: Self.screen)
    pane.render(facts, in: Self.body, into: &frame)
    return (0..<Self.body.height).map { frame.canvas.text(row: $0) }.joined(separator: "\n")
  }

  @Test("each tool is on, off with what would enable it, or fails with the gateway's words")
  func sheet() throws {
    let pane = opened(try facts())
    #expect(pane.needs(try facts()) == [.gateway(Self.tools.0)])
    #expect(text(pane, try facts()).contains("not asked yet"))
    let screen = text(pane, try facts([Self.tools]))
    #expect(screen.contains("2 of 4, as of"))
    #expect(screen.contains("off    memory_get") && screen.contains("tools.profile coding or full"))
    #expect(screen.contains("fails  browser") && screen.contains("display"))
    let failed = text(pane, try facts(failure: (Self.tools.0, "The gateway refused the token.")))
    #expect(failed.contains("The gateway refused the token."))
    let old = text(pane, try facts([Self.tools], failure: (Self.tools.0, "Try again.")))
    #expect(old.contains("2 of 4, as of") && old.contains("Not refreshed: Try again."))
  }

  @Test("Enter lists sessions, Enter on one reads it, J shows the JSON, Esc goes back")
  func drill() throws {
    var facts = try facts([Self.tools])
    var pane = opened(facts)
    press(&pane, .down, facts)
    press(&pane, .open, facts)
    let list = GatewayToolCall(agent: "wren", .sessions)
    #expect(pane.needs(facts).last == .gateway(.tool(list)))
    facts = try self.facts([
      Self.tools,
      (
        .tool(list),
        #"{"result":{"sessions":[{"key":"agent:wren:main","status":"running","totalTokens":1200}],"visibility":{"warning":"Others are left out."}}}"#
      ),
    ])
    #expect(text(pane, facts).contains("agent:wren:main"))
    #expect(text(pane, facts).contains("Others are left out."))
    press(&pane, .down, facts)
    press(&pane, .open, facts)
    let history = GatewayToolCall(agent: "wren", .history(session: "agent:wren:main"))
    #expect(pane.needs(facts).last == .gateway(.tool(history)))
    facts = try self.facts([
      Self.tools,
      (
        .tool(history),
        #"{"result":{"messages":[{"role":"user","content":"water the ferns"},{"role":"assistant","content":[{"type":"text","text":"done"},{"type":"image"}]}],"truncated":true}}"#
      ),
    ])
    var screen = text(pane, facts)
    #expect(screen.contains("water the ferns") && screen.contains("[image]"))
    #expect(screen.contains("The gateway leaves out older messages"))
    press(&pane, .rawJSON, facts)
    #expect(text(pane, facts).contains(#""role": "user""#))
    press(&pane, .back, facts)
    press(&pane, .back, facts)
    screen = text(pane, facts)
    #expect(screen.contains("TOOLS") && screen.contains("2 of 4"))
  }

  @Test("a screenshot: taken from the browser's result, shown below its words, saved, as JSON")
  func screenshot() throws {
    let on = (
      GatewayLookup.tools(agent: "wren"), #"{"tools":[{"name":"browser","state":"on"}]}"#
    )
    let status = GatewayToolCall(agent: "wren", .browserStatus)
    let tabs = GatewayToolCall(agent: "wren", .browserTabs)
    let call = GatewayToolCall(agent: "wren", .browserScreenshot)
    var facts = try facts([
      on, (.tool(status), #"{"result":{"running":true}}"#),
      (.tool(tabs), #"{"result":{"tabs":[]}}"#),
    ])
    var pane = opened(facts)
    press(&pane, .down, facts)
    press(&pane, .open, facts)
    #expect(text(pane, facts).contains("Enter here takes a screenshot"))
    press(&pane, .bottom, facts)
    press(&pane, .open, facts)
    #expect(pane.needs(facts).last == .gateway(.tool(call)))
    // "PNG" in base64; what it shows is decoded elsewhere.
    facts = try self.facts([
      on, (.tool(call), #"{"result":{"path":"/a\u001b[31m.png"},"image":"UE5H"}"#),
    ])
    #expect(text(pane, facts).contains("3 B") && !text(pane, facts).contains("▀"))
    var preview = ImagePreview(
      grid: PixelGrid(width: 40, height: 20, colors: .init(repeating: 0x3366CC, count: 800)))
    (preview.width, preview.height) = (1280, 640)
    facts.pictures[.tool(call)] = preview
    let screen = text(pane, facts)
    #expect(screen.contains("1280 x 640 pixels"))
    #expect(screen.split(separator: "\n").filter { $0.contains("▀▀▀") }.count == 10)
    press(&pane, .bottom, facts)
    let effects = pane.perform(.open, on: facts, body: Self.body, screen: Self.screen)
    guard case .saveImage(call, let path)? = effects?.first else {
      Issue.record("\(String(describing: effects))")
      return
    }
    #expect(path.hasPrefix("screenshot-wren-") && path.hasSuffix(".png"))
    press(&pane, .rawJSON, facts)
    #expect(text(pane, facts).contains(#""path":"#) && !text(pane, facts).contains("▀"))
    facts.pictures[.tool(call)] = ImagePreview(problem: "The PNG image is damaged.")
    press(&pane, .rawJSON, facts)
    #expect(text(pane, facts).contains("The PNG image is damaged."))
  }

  @Test("a tool that is off or belongs to MEMORY says so; an answer of another shape is JSON")
  func others() throws {
    var facts = try facts([Self.tools])
    var pane = opened(facts)
    press(&pane, .bottom, facts)
    press(&pane, .open, facts)
    #expect(pane.message?.description.contains("off memory_get tools.profile") == true)
    press(&pane, .top, facts)
    press(&pane, .down, facts)
    press(&pane, .down, facts)
    press(&pane, .open, facts)
    #expect(pane.message?.description.contains("MEMORY") == true)
    press(&pane, .up, facts)
    press(&pane, .open, facts)
    facts = try self.facts([
      Self.tools,
      (.tool(GatewayToolCall(agent: "wren", .sessions)), #"{"result":{"strange":[1,2]}}"#),
    ])
    #expect(text(pane, facts).contains(#""strange": ["#))
  }
}

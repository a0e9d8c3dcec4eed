import CockpitDomain
import CockpitStores
import LenientJSON
import Networking
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// The tabs of a service of conversations.
@MainActor
@Suite struct ServicePaneTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
  ]
  nonisolated static let tabs: [Tab] = [.pulse, .voice, .brain, .memory, .cmd]

  /// As the source writes it, with remote text.
  private static func board(_ text: (String) -> String = { $0 }) -> String {
    let minute = Fixture.nowMs - 60_000
    func row(_ words: String, _ more: String = "") -> String {
      "{\"text\":\(JSONValue.string(text(words)).serialized())\(more)}"
    }
    func section(_ tab: String, _ title: String, _ rows: [String], _ more: String = "") -> String {
      let own = tab == "voice" || tab == "brain" ? ",\"own\":true" : ""
      return
        "{\"tab\":\"\(tab)\",\"title\":\"\(title)\",\"rows\":[\(rows.joined(separator: ","))]\(own)\(more)}"
    }
    let tool = row("create_event  mcp  failed  1200 ms  rejected by user", ",\"role\":\"negative\"")
    let sections = [
      section(
        "pulse", "TODAY",
        [
          row("3 conversations today (UTC)"), row("7 minutes today (UTC)"),
          row("58,200 characters left"),
        ], ",\"read_ms\":\(minute)"),
      section(
        "voice", "CONVERSATION",
        [
          row("active, speaking with Juniper, workshop desk", ",\"role\":\"positive\""),
          row("began", ",\"at_ms\":\(minute)"), row("ping 38 ms"),
          row("voice activity", ",\"bar\":0.35"),
        ]),
      section(
        "voice", "TRANSCRIPT",
        [
          row("agent: Good evening, this is the workshop desk."),
          row("you: When does the kiln cool down?", ",\"role\":\"focus\""),
          row("agent: It reaches sixty degrees (interrupted)", ",\"role\":\"muted\""),
        ]),
      section("voice", "TOOLS", [tool]),
      section(
        "brain", "CONTEXT",
        [row("812 of 32000 tokens, larch-2-mini", ",\"bar\":0.025")]),
      section("brain", "REASONING", [row("Friday is free.")]),
      section("brain", "TOOLS", [tool]),
      section(
        "brain", "MCP SERVERS",
        [row("mcp_stock  not connected, 0 tools", ",\"role\":\"warning\"")]),
      section("memory", "", [row("What an agent knows is kept elsewhere.", ",\"role\":\"muted\"")]),
      section("cmd", "ELEVENLABS", [row("https://api.example"), row("the API key is accepted")]),
      section(
        "cmd", "QUOTA", [row("41800 of 100000 characters used", ",\"bar\":0.418")],
        ",\"read_ms\":\(minute)"),
      section("cmd", "AGENTS", [row("agent_juniper  Juniper, workshop desk")]),
      section(
        "cmd", "CONVERSATIONS",
        [
          row(
            "Juniper, workshop desk  done  54 s  3 messages",
            ",\"at_ms\":\(minute),\"item\":\"conv_1\"")
        ], ",\"trailing\":\"1\",\"read_ms\":\(minute)"),
    ]
    return
      "{\"name\":\"ElevenLabs\",\"state\":\"active\",\"sections\":[\(sections.joined(separator: ","))]}"
  }

  @MainActor private struct Scene: ShellScene {
    var fixture = Fixture(rows: [], hasVoiceState: false, hasStats: false)
    var board: ServiceBoard
    var findings = GatewayFindings()
    var isLive = true

    init(board: ServiceBoard) { self.board = board }

    mutating func facts(_ shell: CockpitShell) -> ViewContext {
      var facts = fixture.facts(query: shell.pulse.feedQuery)
      var status = SourceStatus()
      status.overall = isLive ? .live : .reconnecting
      if !isLive { status.failure = .stated("Nothing listens at the address.") }
      status[.activity].state = status.overall
      status[.activity].lastByteAtNs = Fixture.monotonicNs - 400_000_000
      facts.status = status
      facts.kind = .elevenlabs
      facts.control = (try? JSONValue.parse(Array("{\"can_answer\":true}".utf8))).flatMap(
        ControlBoard.init)
      facts.service = board
      facts.findings = findings
      facts.profile = "desk"
      return facts
    }
  }

  private func scene(_ text: (String) -> String = { $0 }) throws -> Scene {
    Scene(
      board: try #require(
        ServiceBoard(try JSONValue.parse(Array(Self.board(text).utf8)))))
  }

  @Test("the tabs at three sizes", arguments: sizes)
  func screens(size: Size) throws {
    var scene = try scene()
    for tab in Self.tabs {
      var shell = CockpitShell(tab: tab, size: size)
      let canvas = scene.draw(&shell)
      #expect(SoundCanvas.problems(of: canvas).isEmpty)
      try expectGolden(canvas, "service-\(tab)-\(size.width)x\(size.height)")
    }
  }

  @Test func withoutTheServiceNothingLooksCurrent() throws {
    var scene = try scene()
    scene.isLive = false
    // A conversation has a connection of its own, which is over as well.
    scene.board.state = "error"
    for tab in [Tab.pulse, .voice, .cmd] {
      var shell = CockpitShell(tab: tab, size: Size(width: 120, height: 40))
      try expectGolden(scene.draw(&shell), "service-away-\(tab)")
    }
  }

  @Test("a live conversation is current while the lists cannot be read")
  func ownConnection() throws {
    var scene = try scene()
    let size = Size(width: 120, height: 40)
    var shell = CockpitShell(tab: .voice, size: size)
    let live = scene.draw(&shell).text
    scene.isLive = false
    var away = CockpitShell(tab: .voice, size: size)
    let text = scene.draw(&away).text
    #expect(live.contains("ping 38 ms") && !text.contains("as of"))
    #expect(text.contains("active, speaking with Juniper"))
  }

  @Test func aPastConversationIsOpened() throws {
    var scene = try scene()
    var shell = CockpitShell(tab: .cmd, size: Size(width: 120, height: 40))
    let asked = scene.draw(&shell, keys: "G Enter")
    #expect(asked.text.contains("CONV_1") && asked.text.contains("not asked yet"))
    let json =
      #"{"title":"conv_1","rows":[{"text":"done, 54 s, judged success"},{"text":"4 s  user: Where is my order?","role":"focus"}]}"#
    scene.findings.take(
      .conversation("conv_1"), .success(try JSONValue.parse(Array(json.utf8))),
      atMs: Fixture.nowMs - 1_000)
    try expectGolden(scene.draw(&shell), "service-conversation")
    #expect(!scene.draw(&shell, keys: "q").text.contains("judged success"))
  }

  @Test("hostile text tears no screen", arguments: 0..<Poison.texts.count)
  func hostile(round: Int) throws {
    let words = (try? JSONValue.parse(Poison.texts[round]))?.string ?? ""
    var scene = try scene { "\($0) \(words)" }
    for tab in Self.tabs {
      var shell = CockpitShell(tab: tab, size: Self.sizes[round % Self.sizes.count])
      let found = SoundCanvas.problems(of: scene.draw(&shell))
      #expect(found.isEmpty, "\(tab): \(found.prefix(3))")
    }
  }
}

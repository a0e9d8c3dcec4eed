import CockpitDomain
import CockpitStores
import LenientJSON
import TerminalCore
import TerminalUI
import Testing

@testable import CockpitPanes

/// MEMORY of a gateway: what it needs, what it says, and what keys do.
@MainActor
@Suite struct GatewayMemoryPaneTests {
  private static let body = Rect(x: 0, y: 0, width: 100, height: 20)
  private static let screen = Size(width: 100, height: 24)

  private func json(_ text: String) throws -> JSONValue { try JSONValue.parse(Array(text.utf8)) }

  private func facts(
    _ answers: [(GatewayLookup, String)] = [], failures: [(GatewayLookup, String)] = []
  ) throws -> ViewContext {
    var fixture = Fixture(rows: [])
    var facts = fixture.facts()
    facts.kind = .openclaw
    facts.gateway = GatewayOverview(try json(#"{"agents":[{"id":"wren","name":"Wren"}]}"#))
    for (lookup, text) in answers {
      facts.findings.take(lookup, .success(try json(text)), atMs: Fixture.nowMs)
    }
    for (lookup, words) in failures {
      facts.findings.take(lookup, .failure(LookupFailure(words)), atMs: Fixture.nowMs)
    }
    return facts
  }

  private static let files = (
    GatewayLookup.files(agent: "wren"),
    #"{"files":[{"name":"MEMORY.md","missing":false,"size":12,"updated_ms":1772371929000},{"name":"USER.md","missing":true}]}"#
  )

  private func text(_ pane: GatewayMemoryPane, _ facts: ViewContext, width: Int = 100) -> String {
    var frame = Frame(size: Size(width: width, height: 20))
    pane.render(facts, in: Rect(x: 0, y: 0, width: width, height: 20), into: &frame)
    return (0..<20).map { frame.canvas.text(row: $0) }.joined(separator: "\n")
  }

  private func perform(
    _ pane: inout GatewayMemoryPane, _ command: KeyAction, _ facts: ViewContext
  ) -> [Effect]? {
    pane.perform(command, on: facts, body: Self.body, screen: Self.screen)
  }

  @Test("files are listed with size and age; a missing one and a list that failed are said")
  func list() throws {
    let pane = GatewayMemoryPane()
    #expect(pane.needs(try facts()) == [.gateway(.files(agent: "wren"))])
    #expect(text(pane, try facts()).contains("not asked yet"))
    let screen = text(pane, try facts([Self.files]))
    #expect(screen.contains("MEMORY.md") && screen.contains("12 B") && screen.contains("1h old"))
    #expect(screen.contains("missing") && screen.contains("1 file"))
    let failed = text(
      pane, try facts(failures: [(Self.files.0, "This needs the scope operator.read.")]))
    // It is wrapped, and stands nowhere as "none".
    #expect(failed.contains("This needs the scope") && failed.contains("operator.read."))
    #expect(!failed.contains("no file"))
    let stale = text(pane, try facts([Self.files], failures: [(Self.files.0, "No connection.")]))
    #expect(stale.contains("MEMORY.md") && stale.contains("Not refreshed: No connection."))
  }

  @Test("when the list was read is said, and without a connection nothing of it looks current")
  func age() throws {
    let pane = GatewayMemoryPane()
    var facts = try facts()
    facts.findings.take(
      Self.files.0, .success(try json(Self.files.1)), atMs: facts.nowMs - 180_000)
    facts.status.overall = .live
    for width in [80, 120] {
      facts.status.overall = .live
      let live = text(pane, facts, width: width)
      #expect(live.contains("as of ") && live.contains(", 3m ago"), "\(live)")
      #expect(!live.contains("not connected"))
      facts.status.overall = .reconnecting
      let away = text(pane, facts, width: width)
      #expect(away.contains("not connected, as of ") && away.contains(", 3m ago"), "\(away)")
      #expect(!away.contains("reads the file under the cursor"))
    }
    var unread = try self.facts()
    unread.status.overall = .reconnecting
    #expect(text(pane, unread).contains("not connected: it is read when"))
  }

  @Test("Enter reads the file under the cursor, Esc closes it, and both sizes show it")
  func read() throws {
    var pane = GatewayMemoryPane()
    let listed = try facts([Self.files])
    _ = perform(&pane, .down, listed)
    _ = perform(&pane, .open, listed)
    let lookup = GatewayLookup.file(agent: "wren", name: "MEMORY.md")
    #expect(pane.needs(listed).last == .gateway(lookup))
    #expect(text(pane, listed).contains("not asked yet"))
    let hostile = try facts([
      Self.files, (lookup, #"{"name":"MEMORY.md","text":"one\u001b[2J\ntwo\u202e\n"}"#),
    ])
    for width in [80, 100] {
      let screen = text(pane, hostile, width: width)
      #expect(screen.contains("1 one") && screen.contains("2 two"))
      #expect(!screen.contains("\u{1B}") && !screen.contains("\u{202E}"))
    }
    #expect(perform(&pane, .back, hostile) == [] && pane.opened == nil)
    #expect(perform(&pane, .back, hostile) == nil)
  }

  @Test("a workspace is walked down and up; protocol 3 does not offer it; an image says what it is")
  func workspace() throws {
    var pane = GatewayMemoryPane()
    #expect(!text(pane, try facts([Self.files])).contains("workspace/"))
    let root = GatewayLookup.folder(agent: "wren", path: "")
    let inner = GatewayLookup.folder(agent: "wren", path: "memory")
    let image = GatewayLookup.workspaceFile(agent: "wren", path: "memory/a.png")
    var facts = try facts([
      Self.files,
      (root, #"{"entries":[{"path":"memory","name":"memory\u001b[2J","folder":true}],"total":9}"#),
      (inner, #"{"entries":[{"path":"memory/a.png","name":"a.png","size":70}],"total":1}"#),
      (image, #"{"name":"a.png","type":"image/png","size":70}"#),
    ])
    facts.gateway = GatewayOverview(
      try json(#"{"server":{"protocol":4},"agents":[{"id":"wren","name":"Wren"}]}"#))
    #expect(text(pane, facts).contains("workspace/"))
    for _ in 0..<3 { _ = perform(&pane, .down, facts) }
    _ = perform(&pane, .open, facts)
    #expect(pane.needs(facts).last == .gateway(root))
    let listed = text(pane, facts)
    #expect(listed.contains("wren/workspace") && listed.contains("9 entries"))
    #expect(listed.contains("The first 1 of them") && !listed.contains("\u{1B}"))
    _ = perform(&pane, .down, facts)
    _ = perform(&pane, .open, facts)
    #expect(pane.needs(facts).last == .gateway(inner))
    _ = perform(&pane, .down, facts)
    _ = perform(&pane, .open, facts)
    #expect(pane.opened?.lookup == image)
    #expect(text(pane, facts).contains("no text of this file: it is"))
    _ = perform(&pane, .back, facts)
    _ = perform(&pane, .back, facts)
    #expect(pane.folder?.path == "")
    _ = perform(&pane, .back, facts)
    #expect(pane.folder == nil && perform(&pane, .back, facts) == nil)
  }

  @Test("a search states its need; hits have path, line and score, and open at their line")
  func search() throws {
    var pane = GatewayMemoryPane()
    var facts = try facts([Self.files])
    _ = perform(&pane, .search, facts)
    #expect(pane.isTyping)
    for character in "key" {
      _ = pane.type(
        KeyPress(.char(character), []), on: facts, body: Self.body, screen: Self.screen)
    }
    _ = pane.type(KeyPress(.enter, []), on: facts, body: Self.body, screen: Self.screen)
    let lookup = GatewayLookup.search(agent: "wren", words: "key")
    #expect(!pane.isTyping && pane.needs(facts).contains(.gateway(lookup)))
    facts = try self.facts([
      Self.files,
      (
        lookup,
        #"{"hits":[{"path":"MEMORY.md","start":9,"end":10,"score":0.75,"snippet":"the key"},{"path":"memory/a.md","snippet":"x"}],"degraded":"keyword-only"}"#
      ),
    ])
    let screen = text(pane, facts)
    #expect(screen.contains("MEMORY.md:9-10") && screen.contains("score .75"))
    #expect(screen.contains("no score") && screen.contains("keyword-only"))
    _ = perform(&pane, .down, facts)
    _ = perform(&pane, .open, facts)
    #expect(pane.opened?.lookup == .file(agent: "wren", name: "MEMORY.md"))
    let lines = (1...40).map { "line \($0)\\n" }.joined()
    facts = try self.facts([
      Self.files, (.file(agent: "wren", name: "MEMORY.md"), #"{"name":"M","text":"\#(lines)"}"#),
    ])
    pane.clampSelection(facts, body: Self.body, screen: Self.screen)
    #expect(text(pane, facts).contains("9 line 9") && !text(pane, facts).contains("8 line 8"))
    // One that the gateway does not name is read by the search's own tool.
    _ = perform(&pane, .back, facts)
    let empty = try self.facts([Self.files, (lookup, #"{"hits":[],"problem":"no index"}"#)])
    #expect(text(pane, empty).contains("The gateway did not search:"))
    #expect(text(pane, empty).contains("index") && !text(pane, empty).contains("found nothing"))
  }

  @Test("the log follows its end, and says that a read failed; nothing of it is asked before")
  func log() throws {
    var pane = GatewayPane(.cmd)
    var facts = try facts()
    #expect(pane.needs(facts) == [.gateway(.nodes)])
    _ = pane.perform(.nextView, on: facts, body: Self.body, screen: Self.screen)
    #expect(pane.needs(facts) == [.gateway(.logs)])
    let lines = (1...40).map { #"{"text":"entry \#($0)","level":"WARN"}"# }
      .joined(separator: ",")
    facts = try self.facts(
      [(.logs, #"{"file":"/l/a.log","reset":true,"lines":[\#(lines)]}"#)],
      failures: [(.logs, "Try again.")])
    var frame = Frame(size: Self.screen)
    pane.render(facts, in: Self.body, into: &frame)
    let screen = (0..<20).map { frame.canvas.text(row: $0) }.joined(separator: "\n")
    #expect(screen.contains("entry 40") && !screen.contains("entry 20"))
    #expect(screen.contains("not read on: Try again.") && screen.contains("a.log"))
    #expect(facts.findings.log.lines.count == 40)
  }
}

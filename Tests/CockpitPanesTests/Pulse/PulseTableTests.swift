import CockpitStores
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct PulseTableTests {
  private let size = Size(width: 80, height: 24)

  private func filtered(
    _ text: String, _ fixture: inout Fixture, size: Size? = nil
  ) -> CockpitShell {
    var shell = CockpitShell(size: size ?? self.size)
    shell.type("f", &fixture)
    shell.write(text, &fixture)
    shell.type("Enter", &fixture)
    return shell
  }

  private func canvas(_ shell: CockpitShell, _ fixture: inout Fixture) -> Canvas {
    shell.render(fixture.facts(query: shell.pulse.feedQuery), size: shell.size).canvas
  }

  @Test(
    "a table in the place of the feed, at two sizes",
    arguments: [Size(width: 80, height: 24), Size(width: 120, height: 40)])
  func golden(size: Size) throws {
    var fixture = Fixture()
    let counted = filtered("| count by kind", &fixture, size: size)
    try expectGolden(canvas(counted, &fixture), "pulse-table-\(size.width)x\(size.height)")
    let cost = filtered("since:6h | p95 ms by user, 10m | sort user", &fixture, size: size)
    try expectGolden(canvas(cost, &fixture), "pulse-table-keys-\(size.width)x\(size.height)")
  }

  @Test("what is wrong with a stage is marked where it stands")
  func mistakes() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("f", &fixture)
    shell.write("kind:llm_* | count by modle", &fixture)
    shell.type("Enter", &fixture)
    #expect(shell.pulse.bar == .filter)
    try expectGolden(canvas(shell, &fixture), "pulse-table-error-80x24")
  }

  @Test("Enter shows exactly the rows behind a line, and Esc goes back to it")
  func opening() throws {
    var fixture = Fixture()
    var shell = filtered("| count by kind", &fixture)
    shell.type("j j", &fixture)
    let table = try #require(fixture.facts(query: shell.pulse.feedQuery).feed.table)
    let line = table.lines[2]
    shell.type("Enter", &fixture)
    #expect(shell.pulse.feedQuery.pipeline == nil)
    let facts = fixture.facts(query: shell.pulse.feedQuery)
    #expect(facts.feed.count == line.rows)
    shell.type("Esc", &fixture)
    #expect(shell.pulse.query.text == "| count by kind")
    #expect(shell.pulse.table.line(in: table) == 2)
    // What is at the root is closed as ever.
    shell.type("Esc", &fixture)
    #expect(shell.pulse.query.isEmpty && shell.pulse.query.pipeline == nil)
  }

  @Test("a live row is counted, and the selected line stays the selected one")
  func live() throws {
    var fixture = Fixture()
    var shell = filtered("| count by kind", &fixture)
    shell.type("G", &fixture)
    let before = try #require(fixture.facts(query: shell.pulse.feedQuery).feed.table)
    let selected = before.lines[shell.pulse.table.line(in: before)]
    for second in 1...9 {
      try fixture.live(
        #"{"kind":"sent_reply","createdAt":"2026-03-01T14:33:0\#(second).000Z","content":"x"}"#)
    }
    let after = try #require(fixture.facts(query: shell.pulse.feedQuery).feed.table)
    #expect(after.rows == before.rows + 9)
    #expect(after.lines[shell.pulse.table.line(in: after)].keys == selected.keys)
  }

  @Test("a click on a key figure, a bar of the chart and a top kind shows their rows")
  func figures() throws {
    var fixture = Fixture()
    let size = Size(width: 200, height: 60)
    var shell = CockpitShell(size: size)
    let frame = shell.render(fixture.facts(), size: size)
    var queries: Set<String> = []
    for y in 0..<60 {
      for x in 0..<200 {
        for target in frame.targets(x: x, y: y) {
          if let query = target.as(RowsBehind.self)?.query { queries.insert(query) }
        }
      }
    }
    #expect(queries.contains { $0.hasPrefix("chip:llm since:") }, "\(queries)")
    #expect(queries.contains { $0.hasPrefix("is:costed since:") })
    #expect(queries.contains { $0.hasPrefix("since:2026-03-01T14:32 before:2026-03-01T14:33") })
    #expect(queries.contains { $0.hasPrefix("kind:sent_reply -event:* since:") })
    for query in queries { _ = try Query.parse(piped: query) }
    // A click is carried out by the shell on every tab.
    let bar = (0..<60).lazy.flatMap { y in (0..<200).lazy.map { (x: $0, y: y) } }.first { place in
      frame.targets(x: place.x, y: place.y).first?.as(RowsBehind.self)?.query?
        .hasPrefix("chip:error") ?? false
    }
    let place = try #require(bar)
    shell.send(.mouse(.down(0), column: place.x, row: place.y, []), &fixture)
    #expect(shell.pulse.query.text.hasPrefix("chip:error since:"))
    #expect(fixture.facts(query: shell.pulse.feedQuery).feed.count == 2)
    shell.type("Esc", &fixture)
    #expect(shell.pulse.query.isEmpty)
  }

  @Test("a filter is remembered for the next start, and can be given a name")
  func remembered() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("f", &fixture)
    shell.write("is:error | count", &fixture)
    #expect(
      shell.send(.key(.enter, []), &fixture) == [.keepQueries(["is:error | count"])])
    shell.type(":", &fixture)
    shell.write("view save errors", &fixture)
    #expect(
      shell.send(.key(.enter, []), &fixture)
        == [.saveView(name: "errors", query: "is:error | count")])
  }

  @Test("stages and their fields are completed")
  func completion() {
    let log = ActionLog()
    func titles(_ text: String, _ views: [String: String] = [:]) -> [String] {
      QueryCompletion.items(
        for: text, cursor: text.count, log: log, views: QueryViews(views)
      ).items.map { String($0.title.prefix { $0 != " " }) }
    }
    #expect(titles("kind:a | ").prefix(2) == ["count", "sum"])
    #expect(titles("kind:a | p") == ["p50", "p95", "p99"])
    #expect(titles("kind:a |c") == ["count"])
    #expect(titles("| count b") == ["by"])
    #expect(titles("| count by mo") == ["model"])
    #expect(titles("| count by kind,ho") == ["hour"])
    #expect(titles("| p95 m") == ["ms", "meta.PATH"])
    #expect(titles("| count by kind | sort kind d") == ["desc"])
    #expect(titles("@s", ["slow": "ms>1s", "x": "y"]) == ["@slow"])
    #expect(titles("text:\"a | c") != ["count"])
  }
}

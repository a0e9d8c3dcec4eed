import CockpitStores
import CockpitText
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// PULSE of several sources: two bots whose rows have the same ids, and a gateway.
@MainActor
@Suite struct MergedFeedTests {
  @MainActor struct Scene {
    private var lantern = Fixture()
    private var harbour = Fixture(rows: [
      Fixture.row(1, "14:32:07.500", "sent_reply", content: "harbour answers", user: "7"),
      Fixture.row(2, "14:32:06.500", "text_error", content: "harbour fails"),
      Fixture.row(3, "14:31:00.000", "llm_call", content: "harbour thinks", cost: 0.5),
    ])
    private var claw: GatewayScene
    var focused = 0

    init() throws { claw = try GatewayScene() }

    mutating func facts(_ shell: CockpitShell) -> ViewContext {
      let query = shell.pulse.feedQuery
      let all = [lantern.facts(query: query), harbour.facts(query: query), claw.facts(shell)]
      let names = ["lantern", "harbour", "claw"]
      let tags = SourceTag.tags(names.map { ($0, nil) })
      var facts = all[focused]
      facts.sources = SourceList(
        members: names.indices.map {
          SourceList.Member(name: names[$0], tag: tags[$0], facts: all[$0])
        }, focused: focused, isMerged: true)
      facts.control = ControlBoard(
        of: [ControlBoard.Part(source: "claw", board: all[2].control, isLive: true)])
      return facts
    }

    static func shell(_ size: Size) -> CockpitShell {
      var shell = CockpitShell(size: size)
      _ = shell.exchange(pulse: PulsePane(isOfSeveral: true))
      return shell
    }

    /// The screen after these keys. As in the program, the source of the cursor's row is the one that is shown.
    mutating func draw(_ shell: inout CockpitShell, keys: String = "") -> Canvas {
      for word in keys.split(separator: " ") {
        guard let chord = try? KeyChord(parsing: String(word)) else { continue }
        for press in chord.presses {
          let frame = frame(&shell)
          _ = shell.handle(.key(press.key, press.modifiers), on: facts(shell), frame: frame)
          if let row = shell.pulse.cursor.flatMap(SourceRow.init) { focused = row.source }
        }
      }
      return frame(&shell).canvas
    }

    mutating func frame(_ shell: inout CockpitShell) -> Frame {
      _ = shell.update(facts(shell), size: shell.size)
      return shell.render(facts(shell), size: shell.size)
    }
  }

  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
  ]

  @Test("all sources in one feed, and the detail of a row, at three sizes", arguments: sizes)
  func goldens(size: Size) throws {
    for (name, keys) in [("feed", ""), ("detail", "j j Enter")] {
      var scene = try Scene()
      var shell = Scene.shell(size)
      let canvas = scene.draw(&shell, keys: keys)
      #expect(SoundCanvas.problems(of: canvas).isEmpty)
      try expectGolden(canvas, "several-\(name)-\(size.width)x\(size.height)")
    }
  }

  @Test("every row has the tag of its source, and the cursor's row is of the source that is shown")
  func walk() throws {
    var scene = try Scene()
    var shell = Scene.shell(Size(width: 200, height: 60))
    var seen: [Int: [String]] = [:]
    _ = scene.draw(&shell, keys: "j")
    for _ in 0..<40 {
      let facts = scene.facts(shell)
      let cursor = try #require(shell.pulse.cursor)
      let row = try #require(SourceRow(cursor))
      #expect(row.source == facts.sources?.focused)
      let selected = try #require(shell.pulse.selectedRow(facts))
      #expect(selected.id == row.row)
      let tag = try #require(facts.tag(ofRow: cursor))
      let canvas = scene.draw(&shell)
      let line = try #require(
        canvas.text.split(separator: "\n").first { $0.contains("│>") })
      #expect(line.contains(">" + tag.letters.description))
      // The id is the same at two bots; what is copied is of the row that is selected.
      let copied = shell.pulse.copyItems(facts).map(\.text).joined()
      for (source, name) in [(0, "harbour"), (2, "harbour")] where row.source == source {
        #expect(!copied.contains(name))
      }
      seen[row.source, default: []].append(copied)
      _ = scene.draw(&shell, keys: "j")
    }
    #expect(Set(seen.keys) == [0, 1, 2])
    #expect(seen[1]?.joined().contains("harbour thinks") == true)
  }

  @Test("errors and finds are those of all sources")
  func jumps() throws {
    var scene = try Scene()
    var shell = Scene.shell(Size(width: 120, height: 40))
    var errors: Set<RowID> = []
    for _ in 0..<30 {
      _ = scene.draw(&shell, keys: "]e")
      if let cursor = shell.pulse.cursor { errors.insert(cursor) }
    }
    let facts = scene.facts(shell)
    let all = (facts.sources?.members ?? []).enumerated().flatMap { source, member in
      let log = member.facts.activity.log
      return (0..<log.count).map { log.row(at: $0) }.filter(\.isFailure).map {
        SourceRow(source: source, row: $0.id).id
      }
    }
    #expect(errors == Set(all) && Set(all.compactMap { SourceRow($0)?.source }).count >= 2)
    _ = scene.draw(&shell, keys: "F / h a r b o u r Space t h i n k s Enter")
    let found = scene.facts(shell)
    #expect(shell.pulse.selectedRow(found)?.content() == "harbour thinks")
    #expect(scene.focused == 1)
  }
}

import CockpitStores
import TerminalCore
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// What stands over a tab or beside it: who has an event, who is drawn where.
@MainActor
@Suite struct LayerStackTests {
  /// A layer that fills its area with a letter and takes the keys that it is made for.
  private struct Drawer: Layer {
    let placement: LayerPlacement
    let letter: Character
    var keys: Set<Character> = []

    mutating func handle(_ event: LayerEvent, _ context: LayerContext) -> LayerOutcome {
      switch event {
      case .key(let press):
        guard case .char(let key) = press.key, keys.contains(key) else { return .passed }
        return key == "q" ? .close : .done([.show(row: 7)])
      case .click(let targets):
        return targets.first?.as(Character.self) == letter ? .effects([.refetch]) : .passed
      case .paste, .drag, .wheel: return .passed
      }
    }

    func render(_ context: LayerContext, in area: Rect, into frame: inout Frame) {
      frame.mark(area, Frame.Target(letter))
      frame.canvas.clear(area)
      frame.canvas.inside(area) { canvas in
        for y in 0..<area.height {
          canvas.write(PlainText(String(repeating: letter, count: area.width)), y: y)
        }
      }
    }
  }

  private func lines(_ frame: Frame) -> [String] {
    (0..<frame.canvas.size.height).map { frame.canvas.text(row: $0) }
  }

  @Test(
    "a drawer at the right takes its share; the tab is drawn for what is left",
    arguments: Tab.allCases)
  func right(tab: Tab) {
    var fixture = Fixture()
    let size = Size(width: 160, height: 40)
    var shell = CockpitShell(tab: tab, size: size)
    shell.layers.push(Drawer(placement: .docked(.right, share: 25), letter: "Q"))
    let frame = shell.render(fixture.facts(), size: size)
    let narrow = CockpitShell(tab: tab, size: Size(width: 120, height: 40))
      .render(fixture.facts(), size: Size(width: 120, height: 40))
    // Header and hints have the whole width; between them the tab is that of a screen without the drawer.
    for y in 1..<39 {
      let line = frame.canvas.text(row: y)
      #expect(line.hasSuffix(String(repeating: "Q", count: 40)), "row \(y): \(line)")
      #expect(String(line.dropLast(40)).trimmed == narrow.canvas.text(row: y).trimmed, "row \(y)")
    }
  }

  @Test("a drawer at the bottom takes rows; keys that it does not want are the tab's")
  func bottom() {
    var fixture = Fixture()
    let size = Size(width: 100, height: 40)
    var shell = CockpitShell(size: size)
    shell.layers.push(
      Drawer(placement: .docked(.bottom, share: 50), letter: "Q", keys: ["x", "q"]))
    let frame = shell.render(fixture.facts(), size: size)
    let filled = lines(frame).indices.filter { lines(frame)[$0].allSatisfy { $0 == "Q" } }
    #expect(filled == Array(20..<39))
    #expect(shell.place().body == Rect(x: 0, y: 1, width: 100, height: 19))
    #expect(shell.send(.key(.char("2"), []), &fixture) == [] && shell.tab == .voice)
    #expect(shell.send(.mouse(.down(0), column: 5, row: 30, []), &fixture) == [.refetch])
    #expect(shell.send(.key(.char("q"), []), &fixture) == [] && shell.layers.isEmpty)
  }

  @Test("where a tab would have no room beside it, a drawer lies over the tab")
  func narrow() {
    let body = Rect(x: 0, y: 1, width: 60, height: 20)
    let row = Rect(x: 0, y: 23, width: 60, height: 1)
    let layout = LayerLayout([.docked(.left, share: 50), .line], body: body, lastRow: row)
    #expect(layout.tab == body && layout.areas == [body, row])
    let wide = LayerLayout([.docked(.left, share: 25), .modal], body: body, lastRow: row)
    #expect(wide.tab == Rect(x: 15, y: 1, width: 45, height: 20))
    #expect(wide.areas == [Rect(x: 0, y: 1, width: 15, height: 20), body])
    #expect(wide.screen(Size(width: 60, height: 24)) == Size(width: 45, height: 24))
  }

  @Test("the topmost layer has an event first; a modal one lets nothing through")
  func order() {
    var fixture = Fixture()
    let facts = fixture.facts()
    let context = CockpitShell(size: Size(width: 80, height: 24)).context(facts)
    var stack = LayerStack()
    stack.push(Drawer(placement: .docked(.bottom, share: 30), letter: "A", keys: ["a", "x"]))
    stack.push(Drawer(placement: .docked(.right, share: 30), letter: "B", keys: ["x"]))
    #expect(stack.handle(.key(KeyPress(.char("z"))), context) == nil)
    #expect(stack.handle(.key(KeyPress(.char("x"))), context) == [.show(row: 7)])
    #expect(stack.first(Drawer.self)?.letter == "A")
    stack.push(Drawer(placement: .modal, letter: "C"))
    #expect(stack.handle(.key(KeyPress(.char("a"))), context) == [])
    #expect(stack.first(Drawer.self)?.letter == "C" && stack.hasKeys)
    stack.backendChanged()
    #expect(stack.isEmpty)
  }
}

extension String {
  /// Without the spaces at its end: a letter may have two columns, so that lines cannot be counted off.
  fileprivate var trimmed: Substring {
    self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]
  }
}

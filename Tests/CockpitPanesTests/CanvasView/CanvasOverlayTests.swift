import CockpitDomain
import CockpitStores
import LenientJSON
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// The canvas on the screen: what it looks like, and what its keys send.
@MainActor
@Suite struct CanvasOverlayTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
  ]

  @Test("the canvas at three sizes in both glyph sets", arguments: sizes)
  func goldens(size: Size) throws {
    for set in [SymbolSet.unicode, .ascii] {
      var scene = try CanvasScene.garden()
      var shell = scene.shell(size)
      _ = scene.draw(&shell, keys: "g x 2")
      let canvas = shell.render(scene.facts(shell), size: size, symbols: set).canvas
      #expect(SoundCanvas.problems(of: canvas).isEmpty)
      try expectGolden(canvas, "canvas-\(set.kind.rawValue)-\(size.width)x\(size.height)")
    }
  }

  @Test(
    "its other states: a choice, the raw document, the pencil, a lost connection",
    arguments: [
      ("actions", "g x 1 ."), ("json", "g x J"), ("pencil", "g x d Space c l l Space p l l l"),
      ("lost", "g x"),
    ])
  func states(name: String, keys: String) throws {
    var scene = try CanvasScene.garden()
    scene.isLive = name != "lost"
    var shell = scene.shell()
    let canvas = scene.draw(&shell, keys: keys)
    #expect(SoundCanvas.problems(of: canvas).isEmpty)
    try expectGolden(canvas, "canvas-\(name)-100x30")
  }

  private func sent(_ effects: [Effect]) -> CanvasWish? {
    if case .canvas(let wish)? = effects.first { wish } else { nil }
  }

  @Test("a digit or Tab chooses, Enter taps, Enter once more and . list what else can be done")
  func tap() throws {
    var scene = try CanvasScene.garden()
    var shell = scene.shell()
    _ = try scene.press(&shell, "g x")
    #expect(sent(try scene.press(&shell, "Enter")) == nil, "nothing is chosen yet")
    #expect(try scene.press(&shell, "1").isEmpty)
    #expect(
      sent(try scene.press(&shell, "Enter"))
        == .tap(element: "open", seen: "Open the tap", x: 630, y: 350))
    // The first one is still on its way.
    _ = try scene.press(&shell, "Tab")
    #expect(sent(try scene.press(&shell, "Enter")) == nil)
    #expect(scene.draw(&shell).text.contains("still on its way"))
    shell.takeCanvas(ControlOutcome(isDone: true, "tap: sent"))
    #expect(scene.draw(&shell).text.contains("tap: sent"))
    #expect(
      sent(try scene.press(&shell, "Enter"))
        == .tap(element: "later", seen: "Ask me later", x: 630, y: 515))
    shell.takeCanvas(ControlOutcome(isDone: true, "tap: sent"))
    #expect(sent(try scene.press(&shell, "Enter")) == nil, "the second Enter lists")
    #expect(scene.draw(&shell).text.contains("long press"))
    _ = try scene.press(&shell, "j")
    #expect(
      sent(try scene.press(&shell, "Enter"))
        == .longPress(element: "later", seen: "Ask me later", x: 630, y: 515))
    shell.takeCanvas(ControlOutcome(isDone: false, "Not connected; nothing was sent."))
    #expect(scene.draw(&shell).text.contains("Not connected; nothing was sent."))
    _ = try scene.press(&shell, "S-Tab")
    _ = try scene.press(&shell, ".")
    _ = try scene.press(&shell, "Esc")
    #expect(shell.layers.first(CanvasOverlay.self) != nil)
    _ = try scene.press(&shell, "Esc")
    #expect(shell.layers.first(CanvasOverlay.self) == nil)
  }

  @Test("read-only, in the past of another source and without a connection nothing is sent")
  func hindrances() throws {
    var readOnly = try CanvasScene.garden()
    readOnly.isReadOnly = true
    var lost = try CanvasScene.garden()
    lost.isLive = false
    var recorded = try CanvasScene.garden()
    recorded.hasCanvas = false
    for (var scene, words) in [
      (readOnly, "read-only"), (lost, "not connected"), (recorded, "takes nothing back"),
    ] {
      var shell = scene.shell()
      _ = try scene.press(&shell, "g x")
      _ = try scene.press(&shell, "1")
      #expect(sent(try scene.press(&shell, "Enter")) == nil)
      #expect(scene.draw(&shell).text.contains(words))
      _ = try scene.press(&shell, "d")
      #expect(shell.layers.first(CanvasOverlay.self)?.mode == .look)
      #expect(scene.draw(&shell).text.contains(words))
    }
  }

  @Test("no key opens a canvas where nobody draws, and no help names it")
  func dead() throws {
    var scene = CanvasScene(nil)
    scene.hasCanvas = false
    var shell = scene.shell()
    let keys = KeyTable.complete.working(on: scene.facts(shell))
    #expect(keys.binding(for: .canvas) == nil && keys.binding(for: .canvasDraw) == nil)
    _ = try scene.press(&shell, "g x")
    #expect(shell.layers.first(CanvasOverlay.self) == nil)
    scene.hasCanvas = true
    shell = scene.shell()
    _ = try scene.press(&shell, "g x")
    #expect(scene.draw(&shell).text.contains("no agent has drawn anything yet"))
    var bot = Fixture(rows: [])
    #expect(KeyTable.complete.working(on: bot.facts()).binding(for: .canvas) == nil)
    var readOnly = scene
    readOnly.isReadOnly = true
    let quiet = KeyTable.complete.working(on: readOnly.facts(shell))
    #expect(quiet.binding(for: .canvas) != nil && quiet.binding(for: .canvasDraw) == nil)
  }

  @Test("an element that is gone is no longer chosen: Enter taps nothing")
  func gone() throws {
    var scene = try CanvasScene.garden()
    var shell = scene.shell()
    _ = try scene.press(&shell, "g x")
    _ = try scene.press(&shell, "1")
    scene.board?.elements.removeAll { $0.id == "open" }
    #expect(sent(try scene.press(&shell, "Enter")) == nil)
    #expect(scene.draw(&shell).text.contains("choose an element"))
  }

  @Test("the arrows move, + - 0 zoom, and a number brings its element into sight")
  func viewport() throws {
    var scene = try CanvasScene.garden()
    var shell = scene.shell()
    _ = try scene.press(&shell, "g x")
    #expect(scene.draw(&shell).text.contains("1 outside"))
    for _ in 0..<6 { _ = try scene.press(&shell, "Right") }
    #expect(scene.draw(&shell).text.contains("behind"))
    _ = try scene.press(&shell, "0")
    for _ in 0..<4 { _ = try scene.press(&shell, "+") }
    #expect(scene.draw(&shell).text.contains("zoom 4"))
    _ = try scene.press(&shell, "1")
    #expect(scene.draw(&shell).text.contains("Open the tap"))
    _ = try scene.press(&shell, "-")
    #expect(scene.draw(&shell).text.contains("zoom 3"))
  }

  @Test("the pencil paints, takes back, changes colour, sends, and keeps what was not sent")
  func pencil() throws {
    var scene = try CanvasScene.garden()
    var shell = scene.shell()
    _ = try scene.press(&shell, "g x")
    _ = try scene.press(&shell, "d")
    #expect(sent(try scene.press(&shell, "Enter")) == nil, "an empty drawing is not sent")
    for key in ["Space", "l", "l", "Space", "u", "p", "l", "l", "p"] {
      #expect(try scene.press(&shell, key).isEmpty)
    }
    let pencil = try #require(shell.layers.first(CanvasOverlay.self)?.pencil)
    #expect(pencil.drawing.cells.count { $0 != 0 } == 4)
    #expect(pencil.drawing.color(x: pencil.x, y: pencil.y) == 0xEF4444)
    // Esc puts the pencil away and loses nothing; closing asks.
    _ = try scene.press(&shell, "Esc")
    #expect(scene.draw(&shell).text.contains("kept"))
    _ = try scene.press(&shell, "Esc")
    #expect(scene.draw(&shell).text.contains("not sent"))
    _ = try scene.press(&shell, "d")
    let wish = sent(try scene.press(&shell, "Enter"))
    #expect(wish == .draw(pencil.drawing, element: nil))
    shell.takeCanvas(ControlOutcome(isDone: false, "Not connected; nothing was sent."))
    #expect(shell.layers.first(CanvasOverlay.self)?.pencil != nil)
    #expect(sent(try scene.press(&shell, "Enter")) != nil)
    shell.takeCanvas(ControlOutcome(isDone: true, "The drawing was sent: 812 bytes."))
    #expect(shell.layers.first(CanvasOverlay.self)?.pencil == nil)
    _ = try scene.press(&shell, "Esc")
    #expect(shell.layers.first(CanvasOverlay.self) == nil)
  }

  @Test("the mouse chooses and taps elements, and draws a line while it is dragged")
  func mouse() throws {
    var scene = try CanvasScene.garden()
    var shell = scene.shell()
    _ = try scene.press(&shell, "g x")
    // The first line of the list is that of element 1.
    let row = try #require(
      (0..<30).last { scene.draw(&shell).text(row: $0).contains("1 Open the tap") })
    #expect(scene.event(&shell, .mouse(.down(0), column: 5, row: row, [])).isEmpty)
    #expect(
      sent(scene.event(&shell, .mouse(.down(0), column: 5, row: row, [])))
        == .tap(element: "open", seen: "Open the tap", x: 630, y: 350))
    shell.takeCanvas(ControlOutcome(isDone: true, "tap: sent"))
    #expect(scene.event(&shell, .mouse(.drag(0), column: 9, row: 9, [])).isEmpty)
    _ = try scene.press(&shell, "d")
    _ = scene.event(&shell, .mouse(.down(0), column: 10, row: 10, []))
    _ = scene.event(&shell, .mouse(.drag(0), column: 16, row: 10, []))
    var drawing = try #require(shell.layers.first(CanvasOverlay.self)?.pencil?.drawing)
    #expect(drawing.cells.count { $0 != 0 } == 7)
    _ = try scene.press(&shell, "u")
    drawing = try #require(shell.layers.first(CanvasOverlay.self)?.pencil?.drawing)
    #expect(drawing.isEmpty)
  }

  @Test(":canvas and :draw open it, the second with the pencil")
  func line() throws {
    var scene = try CanvasScene.garden()
    var shell = scene.shell()
    _ = scene.draw(&shell, keys: ": d r a w Enter")
    #expect(shell.layers.first(CanvasOverlay.self)?.mode == .pencil)
    shell = scene.shell()
    _ = scene.draw(&shell, keys: ": c a n v a s Enter")
    #expect(shell.layers.first(CanvasOverlay.self)?.mode == .look)
    _ = scene.draw(&shell, keys: ": d r a w Enter")
    #expect(shell.layers.first(CanvasOverlay.self)?.mode == .pencil)
  }

  @Test("hostile documents tear no screen, whatever key was pressed", arguments: 0..<12)
  func hostile(round: Int) throws {
    let text = """
      {"agent":"wren","changed_ms":1772375400000,"elements":[{"id":"a","type":"text","content":"Open",\
      "interactive":true,"style":{"title":"Tap"}},{"id":"b","type":"video","content":"Clip","interactive":true},\
      {"id":"c","type":"odd","content":"c","interactive":true},{"id":"d","type":"image","content":"d"}]}
      """
    for keys in ["", "1", "1 .", "J", "d Space", "+ + Right", "Tab Tab"] {
      let bytes = try Poisoner.document(text, .texts, round: round)
      var scene = CanvasScene(CanvasBoard(try JSONValue.parse(bytes)) ?? CanvasBoard())
      for size in [Size(width: 40, height: 12), Self.sizes[0]] {
        var shell = scene.shell(size)
        // Elements may cover each other's boxes, and so does the list of what can be done.
        let found = SoundCanvas.problems(of: scene.draw(&shell, keys: "g x " + keys))
          .filter { !$0.contains("is open in row") }
        #expect(found.isEmpty, "\(keys): \(found.prefix(3))")
      }
    }
  }

  @Test("a drawing is an image of twice as high cells, transparent where nothing was painted")
  func image() {
    var drawing = CanvasDrawing(size: Size(width: 2, height: 1))
    drawing.paint(from: (1, 0), to: (1, 0), color: 1)
    let image = drawing.image
    #expect(image.width == 16 && image.height == 16 && image.rgba.count == 16 * 16 * 4)
    #expect(Array(image.rgba[0..<4]) == [0, 0, 0, 0])
    #expect(Array(image.rgba[8 * 4..<9 * 4]) == [0xEF, 0x44, 0x44, 255])
    drawing.clear()
    #expect(drawing.isEmpty)
    drawing.undo()
    #expect(drawing.color(x: 1, y: 0) == 0xEF4444 && drawing.canUndo)
    let huge = CanvasDrawing(size: Size(width: 5_000, height: 5_000)).image
    #expect(huge.width * huge.height <= 4_000_000)
  }
}

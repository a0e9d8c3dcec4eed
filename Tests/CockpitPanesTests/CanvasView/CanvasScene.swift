import CockpitDomain
import CockpitStores
import TerminalCore
import TerminalUI

@testable import CockpitPanes
@testable import CockpitShell

/// A canvas of an invented garden on the screen, and what keys do to it.
@MainActor
struct CanvasScene: ShellScene {
  private var fixture = Fixture(rows: [], hasVoiceState: false, hasStats: false)
  var board: CanvasBoard?
  var pictures: [Int: ImagePreview] = [:]
  var hasCanvas = true
  var isReadOnly = false
  var isLive = true

  init(_ board: CanvasBoard?) { self.board = board }

  /// What an agent draws in the goldens: every kind of element, and one that lies outside.
  static func garden() throws -> CanvasScene {
    typealias Boards = CanvasBoards
    var board = try Boards.board(
      Boards.element(
        "title", "text", (50, 20, 900, 80), "The garden",
        #","style":{"align":"center","weight":"bold"}"#),
      Boards.element("sun", "shape", (800, 100, 130, 170), "circle", #","style":{"fill":"gold"}"#),
      Boards.element("barrel", "shape", (80, 200, 220, 550), "rect", #","style":{"fill":"blue"}"#),
      Boards.element("depth", "text", (100, 600, 180, 100), "85 cm of water"),
      Boards.element("level", "highlight", (80, 300, 220, 60), "85 %"),
      Boards.element("pipe", "shape", (320, 600, 120, 250), "arrow", #","style":{"color":"red"}"#),
      Boards.element("hole", "shape", (320, 200, 100, 160), "ellipse"),
      Boards.element("open", "text", (480, 300, 300, 100), "Open the tap", #","interactive":true"#),
      Boards.element(
        "later", "text", (480, 430, 300, 170), "Ask me later",
        #","interactive":true,"style":{"border":"true"}"#),
      Boards.element(
        "clip", "video", (480, 640, 400, 150), "https://garden.example/barrel.mp4",
        #","interactive":true,"style":{"title":"The barrel, live"}"#),
      Boards.element("photo", "image", (80, 800, 200, 180), "data:image/png;base64,AAAA"),
      Boards.element("wide", "text", (320, 880, 600, 80), "水位 85 % \\u001b[31mrising\\u202e"),
      Boards.element("odd", "Hologram", (880, 500, 110, 100), ""),
      Boards.element("far", "text", (1500, 100, 100, 100), "behind the hedge"))
    board.changedMs = Fixture.nowMs - 12_000
    board.leftOut = [.init(count: 3, reason: "too large")]
    var scene = CanvasScene(board)
    let colors = (0..<64).map { (index: Int) -> UInt32 in
      let (red, green) = (UInt32(index / 8 * 32), UInt32(index % 8 * 32))
      return red << 16 | green << 8 | 0x40
    }
    if let key = board["photo"]?.pictureKey,
      let grid = PixelGrid(width: 8, height: 8, colors: colors)
    {
      scene.pictures[key] = ImagePreview(grid: grid)
    }
    return scene
  }

  mutating func facts(_ shell: CockpitShell) -> ViewContext {
    var facts = fixture.facts(query: shell.pulse.feedQuery)
    facts.kind = .companion
    facts.hasCanvas = hasCanvas
    facts.canvas = board
    facts.canvasPictures = pictures
    facts.isReadOnly = isReadOnly
    facts.status.overall = isLive ? .live : .reconnecting
    facts.keys = KeyTable.complete.working(on: facts)
    return facts
  }

  /// The effects of one key.
  mutating func press(_ shell: inout CockpitShell, _ key: String) throws -> [Effect] {
    var effects: [Effect] = []
    for press in try KeyChord(parsing: key).presses {
      effects += event(&shell, .key(press.key, press.modifiers))
    }
    return effects
  }

  mutating func event(_ shell: inout CockpitShell, _ event: InputEvent) -> [Effect] {
    for _ in 0..<2 { _ = shell.update(facts(shell), size: shell.size) }
    let frame = shell.render(facts(shell), size: shell.size)
    return shell.handle(event, on: facts(shell), frame: frame)
  }

  mutating func shell(_ size: Size = Size(width: 100, height: 30)) -> CockpitShell {
    let facts = facts(CockpitShell(size: size))
    return CockpitShell(tab: .cmd, keys: KeyTable.complete.working(on: facts), size: size)
  }
}

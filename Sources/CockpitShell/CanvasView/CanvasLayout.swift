import CockpitStores
import TerminalCore

/// Where the parts of the canvas overlay stand, in cells of the screen.
struct CanvasLayout: Hashable {
  /// The frame around all of it.
  let frame: Rect
  /// What was drawn.
  let canvas: Rect
  /// The elements that act: beside the canvas on a wide screen, else below it; empty where there are none.
  let list: Rect
  /// What was left out, and what came of the last key.
  let footer: Rect

  init(_ body: Rect, _ board: CanvasBoard?) {
    frame = body
    var rest = body.inset(by: 1)
    footer = rest.takeBottom(min(1, rest.height))
    let count = board?.interactive.count ?? 0
    if count == 0 {
      list = Rect(x: rest.x, y: rest.maxY, width: rest.width, height: 0)
    } else if rest.width >= 100 {
      var column = rest.takeRight(min(40, rest.width / 4))
      _ = column.takeLeft(1)
      list = column
    } else {
      list = rest.takeBottom(min(count, max(1, rest.height / 5)))
    }
    canvas = rest
  }
}

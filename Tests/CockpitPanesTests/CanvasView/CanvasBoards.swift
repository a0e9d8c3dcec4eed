import CockpitStores
import LenientJSON
import TerminalCore

@testable import CockpitPanes

/// Canvases for tests, from JSON as a source gives it.
enum CanvasBoards {
  static func board(_ elements: String...) throws -> CanvasBoard {
    let text = #"{"agent":"wren","elements":[\#(elements.joined(separator: ","))]}"#
    return CanvasBoard(try JSONValue.parse(Array(text.utf8))) ?? CanvasBoard()
  }

  /// - Parameter more: further members, each after a comma.
  static func element(
    _ id: String, _ type: String, _ box: (Double, Double, Double, Double), _ content: String,
    _ more: String = ""
  ) -> String {
    """
    {"id":"\(id)","type":"\(type)","bounds":{"x":\(box.0),"y":\(box.1),"width":\(box.2),"height":\(box.3)},\
    "content":"\(content)"\(more)}
    """
  }

  static func drawn(
    _ raster: CanvasRaster, _ width: Int, _ height: Int, _ set: SymbolSet = .unicode
  )
    -> Canvas
  {
    var canvas = Canvas(size: Size(width: width, height: height), symbols: set)
    raster.draw(into: &canvas)
    return canvas
  }

  static func text(_ raster: CanvasRaster, _ width: Int, _ height: Int, _ set: SymbolSet = .unicode)
    -> [String]
  {
    let canvas = drawn(raster, width, height, set)
    return (0..<height).map { canvas.text(row: $0) }
  }

  /// Random bits from a seed (a linear congruential generator; its upper half is used).
  struct Random {
    var state: UInt64

    mutating func next(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % below
    }
  }
}

import CockpitStores
import LenientJSON
import TerminalCore
import Testing

@testable import CockpitPanes

/// Canvases that were made to hurt: whatever they say, cells stay within the area and no control reaches them.
@Suite struct CanvasHostileTests {
  private typealias Boards = CanvasBoards

  private func check(_ canvas: Canvas) {
    for y in 0..<canvas.size.height {
      for x in 0..<canvas.size.width {
        let cell = canvas[x, y]
        guard cell.pixels == nil else { continue }
        for scalar in cell.glyph.scalars {
          #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value))
          #expect(!(0x202A...0x202E).contains(scalar.value) && scalar.value != 0x200D)
        }
        if cell.width == 2 { #expect(x + 1 < canvas.size.width && canvas[x + 1, y].width == 0) }
      }
    }
  }

  private func read(_ text: String) throws -> CanvasBoard {
    try #require(CanvasBoard(JSONValue.parse(Array(text.utf8))))
  }

  @Test("bounds beyond every measure are finite, and draw within the area")
  func bounds() throws {
    let numbers = ["-1e308", "1e308", "1e999", "-0.0", "\"NaN\"", "\"inf\"", "null", "-5", "{}"]
    for x in numbers {
      for width in numbers {
        let board = try read(
          #"{"elements":[{"id":"a","type":"shape","content":"circle","style":{"fill":"red"},"bounds":{"x":\#(x),"y":\#(x),"width":\#(width),"height":\#(width)}},{"id":"b","type":"text","content":"text","bounds":{"x":\#(x),"y":\#(width),"width":\#(width),"height":\#(x)}},{"id":"c","type":"shape","content":"arrow","bounds":{"x":\#(x),"y":\#(width),"width":\#(width),"height":\#(width)}}]}"#
        )
        for element in board.elements {
          let bounds = element.bounds
          for value in [bounds.x, bounds.y, bounds.width, bounds.height] {
            #expect(value.isFinite && abs(value) <= CanvasElement.Bounds.farthest)
          }
          #expect(bounds.width >= 0 && bounds.height >= 0)
        }
        var raster = CanvasRaster(board)
        for step in 0..<3 {
          raster.viewport.zoom(by: 3, over: board)
          raster.viewport.pan(right: step * 7 - 5, down: step - 40, over: board)
          check(Boards.drawn(raster, 30, 8))
        }
      }
    }
  }

  @Test("depth, numbers of elements, repeated ids and unknown types are bounded and counted")
  func structure() throws {
    let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
    let nested = try read(#"{"elements":[\#(deep),{"id":"a","type":"text","content":\#(deep)}]}"#)
    #expect(nested.elements.map(\.id) == ["a"])
    #expect(nested.leftOut == [.init(count: 1, reason: "not readable")])
    let style = try read(
      #"{"elements":[{"id":"a","type":"text","content":"x","style":{"color":\#(deep)}}]}"#)
    check(Boards.drawn(CanvasRaster(style), 10, 3))
    let many = (0..<700).map { #"{"id":"\#($0 % 400)","type":"text","content":"x"}"# }
    let board = try read(#"{"elements":[\#(many.joined(separator: ","))]}"#)
    #expect(board.elements.count == 400)
    #expect(
      board.leftOut == [
        .init(count: 200, reason: "too many"), .init(count: 100, reason: "with the id of another"),
      ])
    let odd = try read(#"{"elements":[{"id":"z","type":"\u001b[2Jhologram","content":"x"}]}"#)
    let drawn = Boards.drawn(CanvasRaster(odd), 30, 4)
    check(drawn)
    #expect(drawn.text.contains("hologram"))
  }

  @Test("controls, bidirectional text, joiners and wide glyphs stay text in their cells")
  func texts() throws {
    let texts = [
      #"\u001b]8;;http://x\u0007boom"#, #"\u202Eabc\u2066"#, #"👨‍👩‍👧‍👦👨‍👩‍👧‍👦"#, "漢字漢字漢字漢字",
      #"\u0000\u0008\u009b31m"#,
      #"a\u0301\u0301\u0301\u0301"#, #"one\ntwo\r\nthree\u2028four"#, #"\ud800"#,
    ]
    for text in texts {
      for type in ["text", "shape", "highlight", "video", "image", "odd"] {
        for width in [30.0, 70, 333, 1000] {
          let board = try Boards.board(
            Boards.element("a", type, (17, 0, width, 900), text, #","interactive":true"#))
          for set in [SymbolSet.unicode, .ascii] {
            check(Boards.drawn(CanvasRaster(board, selected: "a"), 23, 5, set))
          }
        }
      }
    }
  }

  @Test("two million bytes of text cost no more than what is in sight")
  func longText() throws {
    let text = String(repeating: "abc ", count: 600_000)
    let board = CanvasBoard(elements: [
      CanvasElement(
        id: "a", kind: .text, bounds: .init(x: 0, y: 0, width: 100_000, height: 100_000),
        content: text),
      CanvasElement(
        id: "b", kind: .image, bounds: .init(x: 0, y: 0, width: 1_000, height: 500),
        content: "data:image/png;base64," + text),
    ])
    let time = ContinuousClock().measure {
      for _ in 0..<20 { check(Boards.drawn(CanvasRaster(board), 80, 24)) }
    }
    #expect(time < .seconds(30))
  }

  @Test("of hundreds that fill the screen the upper ones are drawn, and the others are counted")
  func crowd() {
    let elements = (0..<500).map { index in
      CanvasElement(
        id: "\(index)", kind: .shape, bounds: .init(x: 0, y: 0, width: 1_000, height: 1_000),
        content: "rect", style: ["fill": index == 499 ? "red" : "blue"])
    }
    let raster = CanvasRaster(CanvasBoard(elements: elements))
    #expect(raster.hidden(on: Size(width: 80, height: 24)) == 436)
    #expect(Boards.drawn(raster, 80, 24)[5, 5].role == .negative)
    let few = CanvasRaster(CanvasBoard(elements: Array(elements.prefix(64))))
    #expect(few.hidden(on: Size(width: 80, height: 24)) == 0)
  }

  @Test("documents with random bytes and random values never leave the area")
  func fuzz() throws {
    let types = ["text", "shape", "image", "video", "highlight", "x"]
    let contents = ["rect", "circle", "arrow", "line", "漢字 text", "data:image/png;base64,AA", ""]
    let styles = [
      "{}", #"{"fill":"red"}"#, #"{"color":"lime","border":"true"}"#, #"{"direction":"up"}"#,
      #"{"align":"right","background":"blue"}"#, "7", #"{"direction":"left","shape":"arrow"}"#,
    ]
    for seed in 0..<150 {
      var random = Boards.Random(state: UInt64(seed))
      let elements = (0..<random.next(30)).map { index in
        let box = (0..<4).map { _ in Double(random.next(4_000) - 1_500) }
        return """
          {"id":"\(index)","type":"\(types[random.next(6)])","content":"\(contents[random.next(7)])",\
          "style":\(styles[random.next(7)]),"interactive":\(random.next(2) == 0),\
          "bounds":{"x":\(box[0]),"y":\(box[1]),"width":\(box[2]),"height":\(box[3])}}
          """
      }
      var bytes = Array(#"{"elements":[\#(elements.joined(separator: ","))]}"#.utf8)
      if seed % 3 == 0, !bytes.isEmpty { bytes[random.next(bytes.count)] = UInt8(random.next(256)) }
      guard let value = try? JSONValue.parse(bytes), let board = CanvasBoard(value) else {
        continue
      }
      var raster = CanvasRaster(board, selected: "3")
      for _ in 0..<random.next(5) {
        raster.viewport.zoom(by: random.next(3) - 1, over: board)
        raster.viewport.pan(right: random.next(21) - 10, down: random.next(21) - 10, over: board)
      }
      // Beside the region of the canvas nothing may change.
      var canvas = Canvas(size: Size(width: 40, height: 14))
      canvas.inside(Rect(x: 5, y: 2, width: 1 + random.next(30), height: 1 + random.next(10))) {
        raster.draw(into: &$0)
      }
      check(canvas)
      for y in [0, 1, 13] { #expect(canvas.text(row: y).isEmpty) }
      for y in 0..<14 { #expect((0..<5).allSatisfy { canvas[$0, y] == Cell() }) }
    }
  }
}

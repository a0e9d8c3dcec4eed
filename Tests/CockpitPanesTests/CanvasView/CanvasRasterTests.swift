import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes

/// Canvases in cells, against small pictures that were drawn by hand.
@Suite struct CanvasRasterTests {
  private typealias Boards = CanvasBoards

  @Test("a rectangle is box drawing along the edge of its bounds, in ASCII too")
  func rectangle() throws {
    let board = try Boards.board(Boards.element("r", "shape", (100, 200, 500, 600), "rect"))
    #expect(
      Boards.text(CanvasRaster(board), 10, 5) == ["", " ┌───┐", " │   │", " └───┘", ""])
    #expect(
      Boards.text(CanvasRaster(board), 10, 5, .ascii) == ["", " +---+", " |   |", " +---+", ""])
  }

  @Test("a filled rectangle has whole cells, and its colour is a role of the theme")
  func fill() throws {
    let board = try Boards.board(
      Boards.element("r", "shape", (0, 0, 500, 500), "rect", #","style":{"fill":"rgb(255,32,32)"}"#)
    )
    let canvas = Boards.drawn(CanvasRaster(board), 4, 2)
    #expect(canvas.text(row: 0) == "██" && canvas.text(row: 1).isEmpty)
    #expect(canvas[0, 0].role == .negative)
  }

  @Test("an ellipse is made of half cells, filled and as a ring")
  func ellipse() throws {
    let filled = try Boards.board(
      Boards.element("c", "shape", (0, 0, 1000, 1000), "circle", #","style":{"fill":"green"}"#))
    #expect(Boards.text(CanvasRaster(filled), 6, 3) == ["▄████▄", "██████", "▀████▀"])
    let ring = try Boards.board(Boards.element("c", "shape", (0, 0, 1000, 1000), "ellipse"))
    #expect(Boards.text(CanvasRaster(ring), 6, 3) == ["▄▀▀▀▀▄", "█    █", "▀▄▄▄▄▀"])
    #expect(Boards.text(CanvasRaster(ring), 6, 3, .ascii) == [#"_""""_"#, "#    #", #""____""#])
  }

  @Test("lines run between corners, and an arrow has its head at the end")
  func lines() throws {
    let down = try Boards.board(Boards.element("l", "shape", (0, 0, 1000, 1000), "line"))
    #expect(Boards.text(CanvasRaster(down), 4, 2) == ["▀▄", "  ▀▄"])
    let up = try Boards.board(
      Boards.element("l", "shape", (0, 0, 1000, 1000), "line", #","style":{"direction":"up"}"#))
    #expect(Boards.text(CanvasRaster(up), 4, 2) == ["  ▄▀", "▄▀"])
    let arrow = try Boards.board(Boards.element("a", "shape", (0, 0, 1000, 0), "arrow"))
    #expect(Boards.text(CanvasRaster(arrow), 5, 1) == ["────→"])
    let back = try Boards.board(
      Boards.element("a", "shape", (0, 0, 1000, 0), "arrow", #","style":{"direction":"left"}"#))
    #expect(Boards.text(CanvasRaster(back), 5, 1) == ["←────"])
    let fall = try Boards.board(Boards.element("a", "shape", (0, 0, 0, 1000), "arrow"))
    #expect(Boards.text(CanvasRaster(fall), 2, 3) == ["│", "│", "↓"])
  }

  @Test("text wraps in its bounds, and what has no room there is cut")
  func text() throws {
    let board = try Boards.board(
      Boards.element("t", "text", (0, 0, 500, 500), "one two three four"))
    #expect(Boards.text(CanvasRaster(board), 12, 4) == ["one", "two…", "", ""])
    let centred = try Boards.board(
      Boards.element("t", "text", (0, 0, 1000, 1000), "mid", #","style":{"align":"center"}"#))
    #expect(Boards.text(CanvasRaster(centred), 9, 1) == ["   mid"])
    let right = try Boards.board(
      Boards.element("t", "text", (0, 0, 1000, 1000), "end", #","style":{"align":"right"}"#))
    #expect(Boards.text(CanvasRaster(right), 9, 1) == ["      end"])
  }

  @Test("later elements cover earlier ones; text over a figure is cut out of its colour")
  func order() throws {
    let box = Boards.element(
      "r", "shape", (0, 0, 1000, 1000), "rect", #","style":{"fill":"blue"}"#)
    let text = Boards.element("t", "text", (0, 0, 1000, 1000), "ab")
    let over = Boards.drawn(CanvasRaster(try Boards.board(box, text)), 4, 1)
    #expect(over.text(row: 0) == "ab██")
    #expect(over[0, 0].role == over[3, 0].role && over[0, 0].attributes.contains(.reverse))
    #expect(Boards.text(CanvasRaster(try Boards.board(text, box)), 4, 1) == ["████"])
  }

  @Test("a highlight lies behind the text that is there, and has its own")
  func highlight() throws {
    let text = Boards.element("t", "text", (0, 0, 1000, 1000), "abcd")
    let mark = Boards.element("h", "highlight", (250, 0, 500, 1000), "")
    let canvas = Boards.drawn(CanvasRaster(try Boards.board(text, mark)), 4, 1)
    #expect(canvas.text(row: 0) == "abcd")
    #expect((0..<4).map { canvas[$0, 0].background } == [nil, .match, .match, nil])
    let box = Boards.element(
      "r", "shape", (0, 0, 1000, 1000), "rect", #","style":{"fill":"blue"}"#)
    let label = Boards.element("h", "highlight", (0, 0, 500, 1000), "9")
    let figure = Boards.drawn(CanvasRaster(try Boards.board(box, label)), 4, 1)
    #expect(figure.text(row: 0) == "9 ██" && figure[1, 0].background == .match)
  }

  @Test("a decoded picture is half blocks within its bounds; others are a box with words")
  func images() throws {
    let element = Boards.element("i", "image", (0, 0, 1000, 1000), "data:image/png;base64,AAAA")
    let board = try Boards.board(element)
    let key = try #require(board.elements[0].pictureKey)
    let grid = try #require(
      PixelGrid(width: 2, height: 2, colors: [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF]))
    let canvas = Boards.drawn(
      CanvasRaster(board, pictures: [key: ImagePreview(grid: grid)]), 4, 3)
    #expect(canvas[1, 1].pixels == Cell.Pixels(top: 0xFF0000, bottom: 0x0000FF))
    #expect(canvas[2, 1].pixels == Cell.Pixels(top: 0x00FF00, bottom: 0xFFFFFF))
    #expect(canvas[0, 0].pixels == nil)
    let waiting = Boards.text(CanvasRaster(board), 60, 5).joined(separator: "\n")
    #expect(waiting.contains("image, image/png, 3 B: being decoded"))
    let broken = Boards.text(
      CanvasRaster(board, pictures: [key: ImagePreview(problem: "The PNG image is damaged.")]), 60,
      5)
    #expect(broken.joined().contains("The PNG image is damaged."))
    for content in ["https://example.org/a.png", "file:///etc/passwd"] {
      let other = try Boards.board(Boards.element("i", "image", (0, 0, 1000, 1000), content))
      #expect(other.elements[0].pictureKey == nil)
      #expect(
        Boards.text(CanvasRaster(other), 70, 5).joined().contains("nothing is fetched"))
    }
    let omitted = try Boards.board(
      Boards.element("i", "image", (0, 0, 1000, 1000), "data:image/png;omitted,4100"))
    #expect(Boards.text(CanvasRaster(omitted), 70, 5).joined().contains("not recorded"))
  }

  @Test("a video is its title and a link; other schemes than the web's are no link")
  func video() throws {
    let board = try Boards.board(
      Boards.element(
        "v", "video", (0, 0, 1000, 1000), "https://garden.example/a.mp4",
        #","style":{"title":"The barrel"}"#))
    let canvas = Boards.drawn(CanvasRaster(board), 20, 3)
    #expect(canvas.text(row: 1) == "│▸ The barrel      │")
    #expect(canvas.linkRuns[1]?.first?.target.url == "https://garden.example/a.mp4")
    let poster = try Boards.board(
      Boards.element(
        "v", "video", (0, 0, 1000, 1000), "https://garden.example/a.mp4",
        #","style":{"poster":"data:image/png;base64,QUJD"}"#))
    let key = try #require(poster.elements[0].pictureKey)
    let grid = try #require(PixelGrid(width: 2, height: 2, colors: [1, 2, 3, 4]))
    let shown = Boards.drawn(
      CanvasRaster(poster, pictures: [key: ImagePreview(grid: grid)]), 40, 5)
    #expect((0..<40).contains { x in (0..<5).contains { shown[x, $0].pixels != nil } })
    #expect(shown.linkRuns.values.first?.first?.target.url == "https://garden.example/a.mp4")
    let script = try Boards.board(
      Boards.element("v", "video", (0, 0, 1000, 1000), "javascript:alert(1)"))
    #expect(Boards.drawn(CanvasRaster(script), 30, 3).linkRuns.isEmpty)
  }

  @Test("interactive elements have digits in reading order, nine at most")
  func numbers() throws {
    let elements = (0..<12).map { index in
      Boards.element(
        "e\(index)", "text", (0, Double(11 - index) * 80, 1000, 80), "row",
        #","interactive":true"#)
    }
    let board = CanvasBoard(
      elements: try elements.flatMap { try Boards.board($0).elements })
    let rows = Boards.text(CanvasRaster(board), 20, 12)
    #expect(rows[0] == "1 row" && rows[8].hasPrefix("9 ") && rows[9] == "row")
    #expect(board.interactive.first?.id == "e11")
  }

  @Test("what is outside of the part in sight is counted; panning and zooming bring it back")
  func viewport() throws {
    let board = try Boards.board(
      Boards.element("a", "text", (0, 0, 100, 100), "near"),
      Boards.element("b", "text", (1500, 0, 100, 100), "far"))
    var raster = CanvasRaster(board)
    #expect(raster.outside == 1)
    for _ in 0..<20 { raster.viewport.pan(right: 1, down: 0, over: board) }
    #expect(raster.viewport.x == 600 && raster.outside == 1)
    #expect(Boards.text(raster, 40, 10)[0].contains("far"))
    raster.viewport = CanvasViewport()
    for _ in 0..<20 { raster.viewport.zoom(by: 1, over: board) }
    #expect(raster.viewport.zoom == 8)
    #expect(raster.viewport.x >= 0 && raster.viewport.y >= 0)
    for _ in 0..<20 { raster.viewport.zoom(by: -1, over: board) }
    #expect(raster.viewport.zoom == 1)
  }

  @Test("colours by name and in hexadecimal are the nearest role; others are none")
  func colors() {
    let expected: [(String, Role?)] = [
      ("red", .negative), ("#f00", .negative), ("#00FF00", .positive),
      ("rgb(255, 200, 0)", .warning),
      ("#0000ff80", .browser), ("#808080", .muted), ("#fff", .text), ("black", .text),
      ("none", nil), ("transparent", nil), ("#12", nil), ("url(x)", nil), ("rgb(1,2,999)", nil),
      ("", nil),
    ]
    for (name, role) in expected { #expect(CanvasColor.role(name) == role, "\(name)") }
    #expect(CanvasColor.role(nil) == nil)
    #expect(CanvasColor.role(String(repeating: "#", count: 100_000)) == nil)
  }
}

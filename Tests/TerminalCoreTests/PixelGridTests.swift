import TerminalCore
import TerminalTestKit
import Testing

/// Pictures in cells.
@Suite struct PixelGridTests {
  /// A disc of a warm colour on a cold gradient, by its formula.
  static func disc(_ width: Int, _ height: Int) throws -> PixelGrid {
    try #require(
      PixelGrid(
        width: width, height: height,
        colors: (0..<width * height).map { place in
          let (x, y) = (place % width, place / width)
          let (dx, dy) = (2 * x + 1 - width, 2 * y + 1 - height)
          let isInside = (dx * dx + dy * dy) * 4 < min(width, height) * min(width, height) * 3
          return isInside ? 0xF0A030 : UInt32(255 * y / max(1, height - 1))
        }))
  }

  @Test(
    "half blocks at three sizes, with both glyph sets, at each depth",
    arguments: [(8, 4), (24, 16), (48, 24)])
  func goldens(width: Int, height: Int) throws {
    let grid = try #require(try Self.disc(96, 48).scaled(width: width, height: height))
    var text = ""
    for (name, symbols) in [("unicode", SymbolSet.unicode), ("ascii", .ascii)] {
      var canvas = Canvas(size: Size(width: width, height: height / 2), symbols: symbols)
      #expect(canvas.draw(grid) == canvas.size)
      for depth in ColorDepth.allCases.reversed() {
        text += "\(name) \(depth)\n"
        text += canvas.ansi(theme: .plain, depth: depth).joined(separator: "\n") + "\n\n"
      }
    }
    try expectGolden(
      text: text.split(separator: "\u{1B}", omittingEmptySubsequences: false).joined(
        separator: "^["),
      "half-blocks-\(width)x\(height)")
  }

  @Test("a cell of two pixels has their colours, clipped as all other cells")
  func colors() throws {
    let grid = try #require(
      PixelGrid(width: 2, height: 3, colors: [0x112233, 0x445566, 1, 2, 0xFFFFFF, 0]))
    var canvas = Canvas(size: Size(width: 4, height: 3))
    canvas.write("日本", x: 0, y: 0)
    canvas.inside(Rect(x: 1, y: 0, width: 2, height: 2)) { $0.draw(grid) }
    #expect(canvas[1, 0].pixels == Cell.Pixels(top: 0x112233, bottom: 1))
    #expect(canvas[2, 0].pixels == Cell.Pixels(top: 0x445566, bottom: 2))
    #expect(canvas[1, 1].pixels == Cell.Pixels(top: 0xFFFFFF, bottom: 0xFFFFFF))
    #expect(canvas[0, 0].pixels == nil && canvas[0, 0].glyph == .space)
    #expect(canvas[3, 0].pixels == nil && canvas[3, 0].width == 1)
    canvas.write("x", x: 1, y: 0)
    #expect(canvas[1, 0].pixels == nil)
    #expect(canvas.text(row: 1) == " ▀▀")
    // Marks of a glyph are no colours.
    canvas.write("e\u{301}\u{302}\u{303}", x: 0, y: 2)
    #expect(canvas[0, 2].pixels == nil)
  }

  @Test(
    "without colours, black and white keep their halves: white is drawn on a dark screen, black on a light one"
  )
  func blackAndWhite() throws {
    let grid = try #require(
      PixelGrid(
        width: 4, height: 2, colors: [0xFFFFFF, 0xFFFFFF, 0, 0, 0xFFFFFF, 0, 0xFFFFFF, 0]))
    var canvas = Canvas(size: Size(width: 4, height: 1))
    canvas.draw(grid)
    let light = Theme(name: "light", isDark: false, assumedBackground: 0xFFFFFF, entries: [:])
    for (theme, glyphs) in [(Theme.plain, "█▀▄ "), (light, " ▄▀█")] {
      let drawn = (0..<4).compactMap { x in
        canvas[x, 0].pixels.flatMap {
          Unicode.Scalar(theme.look($0, glyph: Cell.Pixels.halfBlock, depth: .mono).glyph)
        }
      }
      #expect(drawn.map(Character.init) == Array(glyphs))
    }
  }

  @Test("scaling averages areas: the sum of the light stays, whatever the size")
  func scaling() throws {
    var random = Seeded(7)
    for _ in 0..<200 {
      let width = Int.random(in: 1...40, using: &random)
      let height = Int.random(in: 1...40, using: &random)
      let grid = try #require(
        PixelGrid(
          width: width, height: height,
          colors: (0..<width * height).map { _ in .random(in: 0...0xFFFFFF, using: &random) }))
      let (toWidth, toHeight) = (
        Int.random(in: 1...50, using: &random), Int.random(in: 1...50, using: &random)
      )
      let scaled = try #require(grid.scaled(width: toWidth, height: toHeight))
      #expect(scaled.colors.count == toWidth * toHeight)
      func mean(_ grid: PixelGrid, _ shift: UInt32) -> Double {
        Double(grid.colors.reduce(0) { $0 + Int($1 >> shift & 0xFF) }) / Double(grid.colors.count)
      }
      for shift: UInt32 in [0, 8, 16] {
        #expect(abs(mean(grid, shift) - mean(scaled, shift)) <= 0.5)
      }
    }
  }

  @Test("a picture keeps its proportions, fits its room, and is never enlarged")
  func fitting() throws {
    func size(_ width: Int, _ height: Int, _ room: Size) throws -> Size {
      let grid = try #require(
        PixelGrid(width: width, height: height, colors: .init(repeating: 0, count: width * height)))
      return grid.cells(in: room)
    }
    #expect(try size(160, 90, Size(width: 48, height: 8)) == Size(width: 28, height: 8))
    #expect(try size(400, 10, Size(width: 40, height: 8)) == Size(width: 40, height: 1))
    #expect(try size(10, 6, Size(width: 40, height: 8)) == Size(width: 10, height: 3))
    #expect(try size(10, 900, Size(width: 40, height: 8)) == Size(width: 1, height: 8))
    #expect(try size(10, 10, Size(width: 0, height: 8)) == Size(width: 0, height: 0))
  }

  @Test("a size and colours that do not fit are no picture")
  func refused() {
    #expect(PixelGrid(width: 2, height: 2, colors: [1, 2, 3]) == nil)
    #expect(PixelGrid(width: 0, height: 0, colors: []) == nil)
    #expect(PixelGrid(width: -1, height: -1, colors: [1]) == nil)
  }
}

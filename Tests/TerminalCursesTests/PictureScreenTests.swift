import Foundation
import TerminalCore
import TerminalCurses
import TerminalTestKit
import Testing

extension TerminalSuite {
  /// Pictures in cells, as a terminal shows them.
  @MainActor @Suite(.serialized) struct PictureScreenTests {
    private func grid(
      _ size: Size, using random: inout some RandomNumberGenerator
    ) throws -> PixelGrid {
      try #require(
        PixelGrid(
          width: size.width, height: size.height * 2,
          colors: (0..<size.width * size.height * 2).map { _ in
            // Eight colours below 8 are the sixteen's in an entry with 24 bits.
            .random(in: 8...0xFFFFFF, using: &random)
          }))
    }

    @Test("24 bits: every half has its colour, however many pictures were shown before")
    func exact() throws {
      setlocale(LC_CTYPE, "C.UTF-8")
      let size = Size(width: 60, height: 20)
      let screen = try CursesScreen(
        term: "xterm-256color", environment: ["COLORTERM": "truecolor"], depth: .direct,
        theme: .plain, size: size)
      let terminal = VirtualTerminal(rows: size.height, columns: size.width)
      var random = SystemRandomNumberGenerator()
      var repaints = 0
      // 1,140 pairs each: more than an entry has, several times over.
      for turn in 0..<40 {
        let grid = try grid(Size(width: 60, height: 19), using: &random)
        var canvas = Canvas(size: size)
        canvas.draw(grid)
        canvas.write(PlainText("picture \(turn)"), y: 19, role: .heading)
        let bytes = screen.frame(canvas)
        if bytes.firstRange(of: "\u{1B}[2J".utf8) != nil { repaints += 1 }
        terminal.feed(bytes)
        for y in 0..<19 {
          for x in 0..<60 {
            let cell = terminal[y, x]
            let (top, bottom) = (grid.colors[y * 120 + x], grid.colors[y * 120 + 60 + x])
            guard cell.text == "▀", cell.foreground == top, cell.background == bottom else {
              Issue.record("picture \(turn): \(x), \(y) is \(cell)")
              return
            }
          }
        }
        #expect(terminal.line(19) == "picture \(turn)" && terminal[19, 0].bold)
      }
      // Once for some 14 pictures, and at the start.
      #expect((2...5).contains(repaints), "\(repaints)")
    }

    /// Whether libvterm 0.1.4 shows the index that is the nearest to a colour: the levels of its cube are equally far apart.
    private static func isCube(_ shown: UInt32?, of color: UInt32) -> Bool {
      let index = Palette.nearest(color)
      guard index < 232 else { return true }
      let cube = UInt32(index) - 16
      return shown == (cube / 36 * 51) << 16 | (cube / 6 % 6 * 51) << 8 | cube % 6 * 51
    }

    @Test("256 colours: the nearest of the fixed ones; none: density; never a torn row")
    func fewer() throws {
      setlocale(LC_CTYPE, "C.UTF-8")
      let size = Size(width: 12, height: 4)
      var random = SystemRandomNumberGenerator()
      let grid = try grid(size, using: &random)
      var canvas = Canvas(size: size)
      canvas.draw(grid)
      for depth in [ColorDepth.indexed256, .ansi16, .ansi8, .mono] {
        let screen = try CursesScreen(
          term: "xterm-256color", environment: [:], depth: depth, theme: .plain, size: size)
        let terminal = VirtualTerminal(rows: size.height, columns: size.width)
        terminal.feed(screen.frame(canvas))
        for y in 0..<size.height {
          for x in 0..<size.width {
            let pixels = try #require(canvas[x, y].pixels)
            let drawn = Theme.plain.look(pixels, glyph: canvas[x, y].glyph.base, depth: depth)
            let cell = terminal[y, x]
            #expect(
              (cell.text.isEmpty ? " " : cell.text)
                == String(Unicode.Scalar(drawn.glyph).map(Character.init) ?? "?"))
            guard depth == .indexed256 else { continue }
            #expect(Self.isCube(cell.foreground, of: pixels.top))
            #expect(Self.isCube(cell.background, of: pixels.bottom))
          }
        }
      }
    }
  }
}

import Foundation
import TerminalCore
import TerminalCurses
import TerminalTestKit
import Testing

@MainActor private final class Gate {
  var isOpen = true
}

extension TerminalSuite {
  @MainActor @Suite(.serialized) struct ScreenTests {
    private func screen(
      _ term: String, _ environment: [String: String] = [:], depth: ColorDepth? = nil,
      theme: Theme = .plain, size: Size = Size(width: 40, height: 10)
    ) throws -> CursesScreen {
      setlocale(LC_CTYPE, "C.UTF-8")
      return try CursesScreen(
        term: term, environment: environment, depth: depth, theme: theme, size: size)
    }

    private func expectSame(_ canvas: Canvas, _ terminal: VirtualTerminal, _ what: String) {
      let expected = canvas.text
      let actual = terminal.text
      guard expected != actual else { return }
      Issue.record("\(what)\nexpected\n\(expected)\nactual\n\(actual)")
    }

    /// A canvas of letters, wide glyphs, marks and colours.
    private func random(_ size: Size, using generator: inout some RandomNumberGenerator) -> Canvas {
      let samples: [PlainText] = [
        "hello", "世界", "e\u{301}a\u{308}", "✓ ok", "👍", "한국어", "שלום", "नमस्ते", "┌──┐", "x", "日", "│",
      ]
      var canvas = Canvas(size: size)
      for _ in 0..<30 {
        let text = samples[Int.random(in: 0..<samples.count, using: &generator)]
        canvas.write(
          text, x: Int.random(in: -3..<max(1, size.width), using: &generator),
          y: Int.random(in: 0..<max(1, size.height), using: &generator),
          role: Role.allCases.randomElement(using: &generator) ?? .text)
      }
      canvas.paintRow(
        Int.random(in: 0..<max(1, size.height), using: &generator), background: .selection)
      return canvas
    }

    /// The same canvas but for a row or two, as after a key.
    private func nearby(_ canvas: Canvas, using generator: inout some RandomNumberGenerator)
      -> Canvas
    {
      let other = random(canvas.size, using: &generator)
      var next = canvas
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        let y = Int.random(in: 0..<canvas.size.height, using: &generator)
        let width = Int.random(in: 1...canvas.size.width, using: &generator)
        let x = Int.random(in: 0...canvas.size.width - width, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: next.paintRow(y, background: .selection)
        case 1: next.clear(Rect(x: x, y: y, width: width, height: 1))
        case 2: next.write("世 e\u{301} 日本 x", x: x - 2, y: y, role: .llm)
        default: next.copy(Rect(x: 0, y: y, width: canvas.size.width, height: 1), from: other)
        }
      }
      return next
    }

    /// Mostly a canvas that is near the last one.
    private func next(
      _ last: Canvas?, _ step: Int, _ size: Size, using generator: inout some RandomNumberGenerator
    ) -> Canvas {
      guard let last, step % 4 > 0 else { return random(size, using: &generator) }
      return nearby(last, using: &generator)
    }

    @Test(
      "random frames arrive as they were drawn",
      arguments: [
        ("xterm-256color", [:]), ("xterm-256color", ["COLORTERM": "truecolor"]),
        ("tmux-256color", [:]), ("screen", [:]), ("xterm", [:]), ("linux", [:]), ("vt100", [:]),
      ])
    func randomFrames(term: String, environment: [String: String]) throws {
      var generator = SystemRandomNumberGenerator()
      var isVisible = false
      let size = Size(width: 40, height: 10)
      let screen = try screen(term, environment, size: size)
      let terminal = VirtualTerminal(rows: size.height, columns: size.width)
      var last: Canvas?
      for step in 0..<600 {
        var canvas = next(last, step, size, using: &generator)
        // Without rmam, wide glyphs near the corner are not drawn.
        canvas.clear(Rect(x: size.width - 5, y: size.height - 1, width: 5, height: 1))
        // Now and then it moves; nothing else is needed for a frame.
        if step % 3 == 0 {
          canvas.cursor = CursorPlace(
            x: Int.random(in: 0..<size.width, using: &generator),
            y: Int.random(in: 0..<size.height, using: &generator),
            isVisible: Int.random(in: 0..<4, using: &generator) == 0)
        }
        last = canvas
        let bytes = screen.frame(canvas)
        terminal.feed(bytes)
        expectSame(canvas, terminal, "\(term), frame \(step)")
        let place = canvas.cursor ?? .home
        #expect(
          terminal.cursor == (place.y, place.x),
          "\(term), frame \(step): the cursor is in its place")
        let text = String(decoding: bytes, as: UTF8.self)
        let shown = text.range(of: "\u{1B}[?25h", options: .backwards)
        let hidden = text.range(of: "\u{1B}[?25l", options: .backwards)
        if let shown { isVisible = hidden.map { $0.lowerBound < shown.lowerBound } ?? true }
        if let hidden, shown == nil { isVisible = hidden.isEmpty }
        if terminalHasCursorModes(term) { #expect(isVisible == place.isVisible) }
        #expect(screen.frame(canvas).isEmpty, "the same once more costs nothing")
      }
    }

    /// Whether terminfo hides and shows the cursor by these two modes.
    private func terminalHasCursorModes(_ term: String) -> Bool {
      !["vt100"].contains(term)
    }

    @Test("under the terminal's own cursor nothing is in reverse: a block would turn it back")
    func drawnCursor() throws {
      let screen = try screen("xterm-256color")
      let terminal = VirtualTerminal(rows: 10, columns: 40)
      for (x, isVisible) in [(4, true), (6, true), (4, false)] {
        var canvas = Canvas(size: Size(width: 40, height: 10))
        canvas.write("日本b", x: 4, y: 2)
        canvas.paint(Rect(x: 4, y: 2, width: 2, height: 1), background: nil, attributes: .reverse)
        canvas.cursor = CursorPlace(x: x, y: 2, isVisible: isVisible)
        terminal.feed(screen.frame(canvas))
        let isOver = x == 4 && isVisible
        #expect(terminal[2, 4].reverse != isOver && terminal[2, 4].underline == isOver)
        #expect(terminal.cursor == (2, x))
      }
    }

    @Test("a cursor that has moved by itself costs a few bytes, and no cell")
    func cursorAlone() throws {
      let screen = try screen("xterm-256color")
      var canvas = Canvas(size: Size(width: 40, height: 10))
      canvas.write("abc", x: 3, y: 2)
      canvas.cursor = CursorPlace(x: 5, y: 5, isVisible: true)
      let terminal = VirtualTerminal(rows: 10, columns: 40)
      terminal.feed(screen.frame(canvas))
      for x in 0..<39 {
        canvas.cursor = CursorPlace(x: x, y: x % 10, isVisible: true)
        let bytes = screen.frame(canvas)
        #expect((1...8).contains(bytes.count))
        terminal.feed(bytes)
        #expect(terminal.cursor == (x % 10, x))
      }
      // Outside of the screen it stays at its edge.
      canvas.cursor = CursorPlace(x: 400, y: 100, isVisible: true)
      terminal.feed(screen.frame(canvas))
      #expect(terminal.cursor == (9, 39))
    }

    @Test(
      "colours of the palette are the user's: they are not set back",
      arguments: ["xterm-256color", "linux"])
    func paletteStays(term: String) throws {
      let screen = try screen(term)
      var canvas = Canvas(size: Size(width: 40, height: 10))
      canvas.write("red", role: .error)
      var bytes = screen.frame(canvas)
      bytes += screen.leave()
      bytes += screen.frame(canvas)
      #expect(!String(decoding: bytes, as: UTF8.self).contains("\u{1B}]"))
    }

    /// Random colours and emphasis for all roles.
    private func randomTheme(using generator: inout some RandomNumberGenerator) -> Theme {
      func emphasis() -> Attributes {
        [.bold, .dim, .italic, .underline, .reverse].filter { _ in
          Int.random(in: 0..<6, using: &generator) == 0
        }.reduce(into: []) { $0.formUnion($1) }
      }
      func maybe<Value>(_ value: Value) -> Value? {
        Int.random(in: 0..<3, using: &generator) > 0 ? value : nil
      }
      var entries: [Role: Theme.Entry] = [:]
      for role in Role.allCases {
        entries[role] = Theme.Entry(
          style: Style(
            foreground: maybe(UInt32.random(in: 8...0xFFFFFF, using: &generator)),
            background: maybe(UInt32.random(in: 8...0xFFFFFF, using: &generator)),
            attributes: emphasis()),
          ansi: AnsiStyle(
            foreground: maybe(UInt8.random(in: 0...15, using: &generator)),
            background: maybe(UInt8.random(in: 0...7, using: &generator)), attributes: emphasis()),
          mono: emphasis())
      }
      return Theme(
        name: "t", isDark: true, background: maybe(0x102030), assumedBackground: 0,
        entries: entries)
    }

    @Test(
      "each cell looks as if it were written alone",
      arguments: [
        ("xterm-256color", ColorDepth.indexed256), ("xterm-256color", .direct),
        ("xterm-256color", .ansi16), ("xterm-256color", .ansi8), ("xterm-256color", .mono),
        ("tmux-256color", .indexed256), ("tmux-256color", .direct), ("vte-256color", .indexed256),
        ("screen-256color", .indexed256), ("rxvt-unicode-256color", .indexed256),
        ("xterm-16color", .ansi16), ("xterm-direct", .direct), ("xterm-direct2", .direct),
      ])
    func looks(term: String, depth: ColorDepth) throws {
      guard CursesScreen.terminfo(of: term) != nil else { return }
      var generator = SystemRandomNumberGenerator()
      let size = Size(width: 40, height: 10)
      let environment = depth == .direct ? ["COLORTERM": "truecolor"] : [:]
      let first = randomTheme(using: &generator)
      let screen = try screen(term, environment, depth: depth, theme: first, size: size)
      #expect(screen.depth == depth)
      let terminal = VirtualTerminal(rows: size.height, columns: size.width)
      var last: Canvas?
      for step in 0..<120 {
        if step == 40 { terminal.feed(screen.leave()) }
        if step % 30 == 29 { screen.adopt(theme: randomTheme(using: &generator), depth: depth) }
        var canvas = next(last, step, size, using: &generator)
        // Without rmam, wide glyphs near the corner are not drawn.
        canvas.clear(Rect(x: size.width - 5, y: size.height - 1, width: 5, height: 1))
        last = canvas
        terminal.feed(screen.frame(canvas))
        expectLooks(of: canvas, term, on: terminal, screen, "frame \(step)")
      }
    }

    /// ncurses forgets with all pairs that the first one is the terminal's own colours, and takes blanks in
    /// black on black for it.
    @Test("blanks in black on black keep their background after a change of theme")
    func blackOnBlack() throws {
      func theme(_ foreground: UInt8) -> Theme {
        let style = Style(foreground: nil, background: nil, attributes: [])
        let ansi = AnsiStyle(foreground: foreground, background: 0, attributes: [])
        return Theme(
          name: "t", isDark: true, background: nil, assumedBackground: 0,
          entries: [.error: Theme.Entry(style: style, ansi: ansi, mono: [])])
      }
      let size = Size(width: 40, height: 10)
      let screen = try screen("xterm-16color", depth: .ansi16, theme: theme(1), size: size)
      let terminal = VirtualTerminal(rows: size.height, columns: size.width)
      var canvas = Canvas(size: size)
      terminal.feed(screen.frame(canvas))
      screen.adopt(theme: theme(0), depth: .ansi16)
      canvas.write("black                                   ", y: 3, role: .error)
      terminal.feed(screen.frame(canvas))
      expectLooks(of: canvas, "xterm-16color", on: terminal, screen, "after the change")
    }

    @Test("every role on every background keeps its look")
    func manyStyles() throws {
      var generator = SystemRandomNumberGenerator()
      let size = Size(width: 40, height: 10)
      let screen = try screen("xterm-256color", theme: randomTheme(using: &generator), size: size)
      let terminal = VirtualTerminal(rows: size.height, columns: size.width)
      for shift in [0, 13, 200] {
        var canvas = Canvas(size: size)
        for cell in 0..<size.width * size.height {
          let roles = (cell + shift).quotientAndRemainder(dividingBy: Role.allCases.count)
          canvas.write(
            "x", x: cell % size.width, y: cell / size.width, role: Role.allCases[roles.remainder],
            background: Role.allCases[roles.quotient])
        }
        terminal.feed(screen.frame(canvas))
        expectLooks(of: canvas, "xterm-256color", on: terminal, screen, "from \(shift)")
      }
    }

    /// Expects each cell to look as if it were written alone.
    private func expectLooks(
      of canvas: Canvas, _ term: String, on terminal: VirtualTerminal, _ screen: CursesScreen,
      _ what: String
    ) {
      let reference = VirtualTerminal(rows: canvas.size.height, columns: canvas.size.width)
      for y in 0..<canvas.size.height {
        for x in 0..<canvas.size.width where canvas[x, y].width > 0 {
          let cell = canvas[x, y]
          var look = screen.theme.look(cell, depth: screen.depth)
          // It has no italics, and its CSI 3 m is something else.
          if term == "screen-256color" { look.attributes.remove(.italic) }
          reference.feed("\u{1B}[\(y + 1);\(x + 1)H\(look.sequence)".utf8)
          reference.feed(String(String.UnicodeScalarView(cell.glyph.scalars)).utf8)
          let (wanted, shown) = (reference[y, x].seen, terminal[y, x].seen)
          guard wanted != shown else { continue }
          Issue.record("\(term), \(what), \(x), \(y): \(shown) instead of \(wanted)")
          return
        }
      }
    }

    @Test("a wide glyph that only moves right is not shown twice")
    func movedWideGlyphs() throws {
      let size = Size(width: 40, height: 10)
      let screen = try screen("tmux-256color")
      let terminal = VirtualTerminal(rows: size.height, columns: size.width)
      for x in [8, 13, 3, 8, 9, 8] {
        var canvas = Canvas(size: size)
        canvas.write("한국어", x: x, y: 7)
        terminal.feed(screen.frame(canvas))
        expectSame(canvas, terminal, "at \(x)")
      }
    }

    @Test(
      "every glyph of random frames has its colours, and every blank its background",
      arguments: 0..<4)
    func randomColors(round: Int) throws {
      var generator = SystemRandomNumberGenerator()
      let colors = Dictionary(
        uniqueKeysWithValues: Role.allCases.enumerated().map { index, role in
          (
            role,
            Theme.Entry(
              style: Style(
                foreground: 0x404040 + UInt32(index) * 0x010203,
                background: index % 5 == 0 ? 0x102030 + UInt32(index) : nil,
                attributes: index % 7 == 0 ? .underline : index % 3 == 0 ? .bold : []))
          )
        })
      let theme = Theme(name: "t", isDark: true, assumedBackground: 0, entries: colors)
      let size = Size(width: 40, height: 10)
      let screen = try screen(
        "xterm-256color", ["COLORTERM": "truecolor"], theme: theme, size: size)
      let terminal = VirtualTerminal(rows: size.height, columns: size.width)
      for step in 0..<20 {
        let canvas = random(size, using: &generator)
        terminal.feed(screen.frame(canvas))
        for y in 0..<size.height {
          for x in 0..<size.width where canvas[x, y].width > 0 {
            let look = theme.look(canvas[x, y], depth: .direct)
            let shown = terminal[y, x]
            let place = "frame \(step), \(x), \(y)"
            #expect(shown.background == look.background.rgb, "\(place)")
            #expect(shown.underline == look.attributes.contains(.underline), "\(place)")
            guard canvas[x, y].glyph != .space else { continue }
            #expect(shown.foreground == look.foreground.rgb, "\(place)")
            #expect(shown.bold == look.attributes.contains(.bold), "\(place)")
          }
        }
      }
    }

    @Test("a blank between two words of different looks costs one byte")
    func blanks() throws {
      func bytes(_ gap: PlainText) throws -> Int {
        let screen = try screen("xterm-256color", theme: .plain)
        var canvas = Canvas(size: Size(width: 40, height: 10))
        _ = screen.frame(canvas)
        var x = 0
        for role in [Role.heading, .muted, .heading, .muted] {
          x = canvas.write("word", x: x, role: role)
          x = canvas.write(gap, x: x)
        }
        return screen.frame(canvas).count
      }
      #expect(try bytes(" ") <= bytes("") + 4)
    }

    @Test("rows that move down are scrolled, however alike they are (target T14)")
    func scrolling() throws {
      let screen = try screen("xterm-256color", theme: .plain, size: Size(width: 80, height: 24))
      func canvas(_ first: Int) -> Canvas {
        var canvas = Canvas(size: Size(width: 80, height: 24))
        for y in 2..<24 {
          let number = first - y
          var x = canvas.write(
            PlainText("14:32:\(10 + number % 40)"), y: y, role: .muted)
          let kind: PlainText = number % 3 == 0 ? "KIND" : "LONG_KIND"
          x = canvas.write(kind, x: x + 1, y: y, role: number % 2 == 0 ? .heading : .title)
          x = canvas.write("somebody", x: x + 1, y: y, role: number % 5 == 0 ? .text : .muted)
          canvas.write("row \(number * 7919)", x: x + 1, y: y)
          canvas.writeRight("-", y: y, role: .faint)
        }
        return canvas
      }
      let terminal = VirtualTerminal(rows: 24, columns: 80)
      let whole = screen.frame(canvas(1000))
      terminal.feed(whole)
      var bytes = 0
      for number in 1001...1020 {
        let frame = screen.frame(canvas(number))
        bytes += frame.count
        terminal.feed(frame)
        expectSame(canvas(number), terminal, "row \(number)")
      }
      #expect(Double(bytes) / 20 <= 0.1 * Double(whole.count))
    }

    @Test("the colours that are in use already change nothing")
    func sameTheme() throws {
      let screen = try screen("xterm-256color")
      var canvas = Canvas(size: Size(width: 40, height: 10))
      canvas.write("hello")
      _ = screen.frame(canvas)
      screen.adopt(theme: .plain)
      #expect(screen.frame(canvas).isEmpty)
    }

    @Test("an equal canvas costs nothing, one cell costs little, a repaint shows all again")
    func bytes() throws {
      let screen = try screen("xterm-256color")
      var canvas = Canvas(size: Size(width: 40, height: 10))
      canvas.panel("a", in: canvas.bounds) { $0.write("hello") }
      #expect(!screen.frame(canvas).isEmpty)
      #expect(screen.frame(canvas).isEmpty)
      canvas.write("x", x: 20, y: 5)
      #expect((1..<40).contains(screen.frame(canvas).count))
      screen.repaint()
      let terminal = VirtualTerminal(rows: 10, columns: 40)
      terminal.feed(screen.frame(canvas))
      expectSame(canvas, terminal, "repaint")
      _ = screen.leave()
      let again = VirtualTerminal(rows: 10, columns: 40)
      again.feed(screen.frame(canvas))
      expectSame(canvas, again, "after leaving")
    }

    @Test("colours are exact where there are 24 bits, and of the sixteen where there are sixteen")
    func colors() throws {
      let theme = Theme(
        name: "t", isDark: true, background: 0x101418, assumedBackground: 0,
        entries: [
          .text: .init(style: Style(foreground: 0xC0FFEE)),
          .llm: .init(
            style: Style(foreground: 0xA78BFA, attributes: .bold),
            ansi: AnsiStyle(foreground: 5), mono: .underline),
          .selection: .init(style: Style(background: 0x2C3A57), mono: .reverse),
        ])
      var canvas = Canvas(size: Size(width: 10, height: 2))
      canvas.write("ab", role: .llm)
      canvas.write("cd", y: 1, role: .llm, background: .selection)

      func cells(_ term: String, _ environment: [String: String] = [:]) throws
        -> (VirtualTerminal.Cell, VirtualTerminal.Cell)
      {
        let screen = try screen(term, environment, theme: theme, size: canvas.size)
        let terminal = VirtualTerminal(rows: 2, columns: 10)
        terminal.feed(screen.frame(canvas))
        return (terminal[0, 0], terminal[1, 0])
      }
      for term in ["xterm-256color", "tmux-256color"] {
        let (plain, selected) = try cells(term, ["COLORTERM": "truecolor"])
        #expect(plain.foreground == 0xA78BFA && plain.background == 0x101418 && plain.bold)
        #expect(selected.foreground == 0xA78BFA && selected.background == 0x2C3A57)
      }
      let indexed = try screen("xterm-256color", theme: theme, size: canvas.size).frame(canvas)
      #expect(indexed.contains(Array("38;5;\(Palette.nearest(0xA78BFA))".utf8)))
      let (eight, _) = try cells("xterm")
      #expect(eight.foreground != nil && eight.background == nil)
      let (mono, selected) = try cells("vt100")
      #expect(mono.foreground == nil && mono.underline && !mono.reverse)
      #expect(selected.reverse && selected.underline)
      let (none, _) = try cells("xterm-256color", ["NO_COLOR": "1", "COLORTERM": "truecolor"])
      #expect(none.foreground == nil && none.background == nil)
    }

    @Test("sizes of nothing and of one cell")
    func sizes() throws {
      let screen = try screen("xterm-256color")
      for size in [(0, 0), (1, 1), (0, 5), (2, 1), (300, 100), (5, 3)] {
        var canvas = Canvas(size: Size(width: size.0, height: size.1))
        canvas.panel("世界", in: canvas.bounds) { $0.write("世界") }
        let bytes = screen.frame(canvas)
        guard size.0 > 0, size.1 > 0 else { continue }
        let terminal = VirtualTerminal(rows: size.1, columns: size.0)
        terminal.feed(bytes)
        expectSame(canvas, terminal, "\(size)")
      }
    }

    @Test(
      "frames: a key at once, keys sixty times a second, a stream ten, a held frame when it can")
    func scheduling() async throws {
      var times: [ContinuousClock.Instant] = []
      let gate = Gate()
      let (stream, done) = AsyncStream.makeStream(of: Void.self)
      var causes: [FrameScheduler.Cause] = []
      let frames = FrameScheduler { cause in
        times.append(.now)
        causes.append(cause)
        done.yield()
      }
      frames.canPaint = { gate.isOpen }
      var painted = stream.makeAsyncIterator()
      let start = ContinuousClock.now
      for _ in 0..<100 { frames.setNeedsFrame(.stream) }
      await painted.next()
      for _ in 0..<100 { frames.setNeedsFrame(.stream) }
      await painted.next()
      #expect(times.count == 2)
      #expect(times[1] - times[0] >= .milliseconds(98))
      frames.streamInterval = .seconds(60)
      frames.setNeedsFrame(.stream)
      frames.setNeedsFrame(.key)
      await painted.next()
      #expect(times[2] - times[1] < .seconds(30), "a key does not wait for the stream")
      frames.setNeedsFrame(.key)
      await painted.next()
      #expect(times[3] - times[2] >= .milliseconds(15))
      gate.isOpen = false
      frames.setNeedsFrame(.key)
      try await Task.sleep(for: .milliseconds(60))
      #expect(times.count == 4)
      gate.isOpen = true
      frames.resume()
      await painted.next()
      #expect(times.count == 5)
      frames.streamInterval = .zero
      frames.setNeedsFrame(.tick)
      await painted.next()
      frames.setNeedsFrame(.tick)
      frames.setNeedsFrame(.stream)
      await painted.next()
      frames.setNeedsFrame(.tick)
      frames.setNeedsFrame(.key)
      await painted.next()
      #expect(
        causes == [
          .stream, .stream, .key, .key, .key, .tick, .streamAtTick, .key,
        ])
      frames.stop()
      frames.setNeedsFrame(.key)
      #expect(ContinuousClock.now - start < .seconds(60))
    }
  }
}

extension TerminalColor {
  /// 24 bits; nil for the terminal's own.
  fileprivate var rgb: UInt32? {
    if case .rgb(let color) = self { color } else { nil }
  }
}

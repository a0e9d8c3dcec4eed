import TerminalCore
import TerminalTestKit
import Testing

@Suite struct CanvasTests {
  /// Every wide cell has its continuation and no continuation is alone.
  private func isSound(_ canvas: Canvas) -> Bool {
    for y in 0..<canvas.size.height {
      for x in 0..<canvas.size.width {
        let cell = canvas[x, y]
        if cell.width == 2, x + 1 >= canvas.size.width || canvas[x + 1, y].width != 0 {
          return false
        }
        if cell.width == 0, x == 0 || canvas[x - 1, y].width != 2 { return false }
        if (cell.width == 0) != (cell.glyph == .continuation) { return false }
      }
    }
    return true
  }

  @Test("a cell has no padding: two cells are equal when their bytes are")
  func cellLayout() {
    #expect(MemoryLayout<Cell>.size == 16)
    #expect(MemoryLayout<Cell>.stride == 16)
  }

  @Test("whatever is drawn wherever, wide glyphs stay whole")
  func wideGlyphs() {
    var generator = SystemRandomNumberGenerator()
    let texts: [PlainText] = ["世界", "a", "👍b", "e\u{301}", "  ", "日本語テキスト"]
    for _ in 0..<500 {
      let size = Size(
        width: Int.random(in: 0..<12, using: &generator),
        height: Int.random(in: 0..<4, using: &generator))
      var canvas = Canvas(
        size: size, symbols: SymbolSet.Kind.allCases.randomElement().map(SymbolSet.init) ?? .unicode
      )
      for _ in 0..<20 {
        let rect = Rect(
          x: Int.random(in: -4..<12, using: &generator),
          y: Int.random(in: -2..<4, using: &generator),
          width: Int.random(in: -2..<12, using: &generator),
          height: Int.random(in: -2..<4, using: &generator))
        canvas.inside(rect) { canvas in
          let text = texts.randomElement(using: &generator) ?? ""
          canvas.write(
            text, x: Int.random(in: -5..<8, using: &generator),
            y: Int.random(in: -1..<3, using: &generator))
          canvas.writeRight(text)
          if Bool.random(using: &generator) { canvas.fill(rect, background: .selection) }
          canvas.panel(text, trailing: text, in: rect) { $0.write(text) }
          canvas.symbol(.dot, x: Int.random(in: -2..<12, using: &generator), y: 0)
          canvas.paintRow(0, background: .fresh, attributes: .bold)
        }
        #expect(isSound(canvas))
      }
    }
  }

  @Test("the rows that differ are those that are given, whole")
  func changedRows() {
    let size = Size(width: 20, height: 4)
    var known = Canvas(size: size)
    known.write("one")
    known.write("世界", x: 18, y: 3)
    var canvas = known
    canvas.write("two", x: 17, y: 2, role: .muted)
    canvas.paintRow(3, background: .selection)
    var rows: [Int] = []
    canvas.forEachChangedRow(since: known) { cells, y in
      rows.append(y)
      #expect(Array(cells) == (0..<20).map { canvas[$0, y] })
    }
    #expect(rows == [2, 3])
    canvas.forEachChangedRow(since: canvas) { _, _ in Issue.record("nothing has changed") }
    for other in [nil, Canvas(size: Size(width: 19, height: 4))] {
      rows = []
      canvas.forEachChangedRow(since: other) { _, y in rows.append(y) }
      #expect(rows == [0, 1, 2, 3])
    }
    Canvas(size: Size(width: 0, height: 0)).forEachChangedRow(since: nil) { _, _ in
      Issue.record("there are no rows")
    }
  }

  @Test("the origin and the clip of nested regions")
  func regions() {
    var canvas = Canvas(size: Size(width: 10, height: 4))
    canvas.inside(Rect(x: 2, y: 1, width: 5, height: 2)) { canvas in
      #expect(canvas.bounds == Rect(width: 5, height: 2))
      #expect(canvas.write("hello world") == 11)
      canvas.inside(Rect(x: 3, y: 1, width: 9, height: 9)) { canvas in
        #expect(canvas.bounds == Rect(width: 2, height: 1))
        canvas.writeRight("xyz")
      }
      canvas.inside(Rect(x: -1, y: 1, width: 3, height: 1)) { $0.write("abc") }
    }
    #expect(canvas.text == "\n  hello\n  bc yz\n")
  }

  @Test("cut text in every symbol set takes the same columns")
  func ellipsis() {
    for (symbols, expected) in [
      (SymbolSet.unicode, "wor…|"), (.safe, "w...|"), (.ascii, "w...|"),
    ] {
      var canvas = Canvas(size: Size(width: 5, height: 1), symbols: symbols)
      canvas.write(PlainText("world").cut(to: 4))
      canvas.write("|", x: 4)
      #expect(canvas.text == expected)
    }
    var canvas = Canvas(size: Size(width: 12, height: 1), symbols: .ascii)
    canvas.write("→ 世é “x”")
    #expect(canvas.text == "> ??? \"x\"")
  }

  @Test("strips of a rectangle never go below nothing")
  func rectangles() {
    var rest = Rect(width: 10, height: 4)
    #expect(rest.takeTop(1) == Rect(width: 10, height: 1))
    #expect(rest.takeBottom(1) == Rect(y: 3, width: 10, height: 1))
    #expect(rest.takeLeft(3) == Rect(y: 1, width: 3, height: 2))
    #expect(rest.takeRight(2) == Rect(x: 8, y: 1, width: 2, height: 2))
    #expect(rest == Rect(x: 3, y: 1, width: 5, height: 2))
    #expect(rest.takeTop(-1).isEmpty)
    #expect(rest.takeTop(99).height == 2)
    #expect(rest.isEmpty)
    #expect(Rect(width: 4, height: 4).inset(by: 3).isEmpty)
    #expect(
      Rect(width: 99, height: 2).centered(in: Rect(x: 2, width: 10, height: 6))
        == Rect(x: 2, y: 2, width: 10, height: 2))
    #expect(Rect(width: 3, height: 3).intersection(Rect(x: 5, width: 3, height: 3)).isEmpty)
  }

  @Test(
    "a panel, with everything on it",
    arguments: [Size(width: 40, height: 8), Size(width: 12, height: 4)])
  func golden(size: Size) throws {
    var canvas = Canvas(size: size)
    canvas.panel("live feed", trailing: "1,842", in: canvas.bounds, isFocused: true) { canvas in
      canvas.symbol(.accent, x: 0, y: 0, role: .llm)
      canvas.write("LLM_CALL", x: 2, role: .llm, attributes: .bold)
      canvas.writeRight("2s", role: .muted)
      canvas.write("作者: hey \u{1B}[31m", x: 2, y: 1)
      canvas.paintRow(1, background: .selection)
      canvas.rule("detail", trailing: "3", y: 2)
      for level in 0...8 { canvas.symbol(.spark(level), x: level, y: 3, role: .number) }
    }
    try expectGolden(canvas, "panel-\(size.width)x\(size.height)")
  }

  @Test("the narrow and the empty")
  func tiny() throws {
    for width in 0...6 {
      for height in 0...3 {
        var canvas = Canvas(size: Size(width: width, height: height))
        canvas.panel("世界", trailing: "x", in: canvas.bounds) { $0.write("世") }
        canvas.rule("ab", y: 0)
        canvas.horizontalRule(y: 9, from: -3, to: 99)
        canvas.verticalRule(x: 9, from: -3, to: 99)
        #expect(isSound(canvas))
      }
    }
  }

  @Test("lines with colours for files")
  func ansi() {
    let theme = Theme(
      name: "t", isDark: true, assumedBackground: 0,
      entries: [
        .llm: .init(
          style: Style(foreground: 0xA78BFA, attributes: .bold),
          ansi: AnsiStyle(foreground: 13), mono: .underline)
      ])
    var canvas = Canvas(size: Size(width: 8, height: 2))
    canvas.write("a", role: .llm)
    canvas.write("世")
    canvas.write("a世", role: .llm)
    #expect(
      canvas.ansi(theme: theme, depth: .direct)[0] == "\u{1B}[0;1;38;2;167;139;250ma世\u{1B}[0m")
    #expect(canvas.ansi(theme: theme, depth: .ansi16)[0] == "\u{1B}[0;95ma世\u{1B}[0m")
    #expect(canvas.ansi(theme: theme, depth: .ansi8)[0] == "\u{1B}[0;1;35ma世\u{1B}[0m")
    #expect(canvas.ansi(theme: theme, depth: .mono)[0] == "\u{1B}[0;4ma世\u{1B}[0m")
    #expect(canvas.ansi(theme: theme, depth: .indexed256)[0].contains("38;5;141"))
    #expect(canvas.ansi(theme: theme, depth: .direct)[1] == "\u{1B}[0m")
  }

  @Test("every symbol of every set is one column")
  func symbols() {
    let all: [Symbol] =
      [
        .accent, .dot, .ring, .bullet, .ellipsis, .arrowRight, .arrowLeft, .up, .down, .folded,
        .unfolded, .check, .cross, .running, .gapMark, .halfUpper, .halfLower, .shade, .horizontal,
        .vertical, .cornerTopLeft, .cornerTopRight, .cornerBottomLeft, .cornerBottomRight, .teeLeft,
        .teeRight, .teeTop, .teeBottom, .crossing, .separator,
      ]
      + (-1...9).flatMap { [Symbol.block($0), .spark($0)] }
    for kind in SymbolSet.Kind.allCases {
      for symbol in all {
        let scalars = SymbolSet(kind).glyph(symbol).scalars
        #expect(scalars.count == 1)
        #expect(PlainText(String(String.UnicodeScalarView(scalars))).columns == 1)
        if kind == .ascii { #expect(scalars[0].isASCII) }
      }
    }
  }
}

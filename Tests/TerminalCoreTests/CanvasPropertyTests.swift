import Testing

@testable import TerminalCore

/// Whatever is drawn wherever: the canvas keeps its size, glyphs keep both halves, and nothing is
/// drawn outside of the region asked for (promise P2).
@Suite("any drawing (promise P2)") struct CanvasPropertyTests {
  private func rect(_ random: inout Seeded) -> Rect {
    Rect(
      x: random.int(-9...30), y: random.int(-5...15), width: random.int(-3...40),
      height: random.int(-3...20))
  }

  /// One random call; `depth` bounds regions in regions.
  private func draw(_ canvas: inout Canvas, _ random: inout Seeded, depth: Int = 0) {
    let (x, y) = (random.int(-12...40), random.int(-4...14))
    switch random.int(0...9) {
    case 0...3: canvas.write(PlainText(random.text(upTo: 30)), x: x, y: y, role: .number)
    case 4: canvas.writeRight(PlainText(random.text(upTo: 30)), y: y)
    case 5: canvas.symbol(random.pick([.dot, .vertical, .block(3), .spark(99)]), x: x, y: y)
    case 6: canvas.fill(rect(&random), background: .selection)
    case 7:
      canvas.paint(rect(&random), background: nil, attributes: .bold)
      canvas.recolor(rect(&random), role: .match)
    case 8:
      let title = PlainText(random.text(upTo: 12))
      canvas.panel(title, trailing: PlainText(random.text(upTo: 12)), in: rect(&random)) {
        guard depth < 3 else { return }
        for _ in 0..<3 { draw(&$0, &random, depth: depth + 1) }
      }
    default:
      guard depth < 3 else { return }
      canvas.inside(rect(&random)) { canvas in
        for _ in 0..<3 { draw(&canvas, &random, depth: depth + 1) }
      }
    }
  }

  private func expectWhole(_ canvas: Canvas, _ size: Size, _ what: String) {
    #expect(canvas.size == size, "\(what)")
    for y in 0..<size.height {
      var columns = 0
      for x in 0..<size.width {
        let cell = canvas[x, y]
        let isRight = x > 0 && canvas[x - 1, y].width == 2
        #expect((cell.width == 0) == isRight, "\(what): a half glyph at \(x), \(y)")
        #expect((cell.glyph == .continuation) == (cell.width == 0), "\(what): \(x), \(y)")
        columns += Int(cell.width)
      }
      #expect(columns == size.width, "\(what): row \(y) has \(columns) columns")
    }
  }

  @Test("half glyphs and clips", arguments: Seeded.seeds(120))
  func whole(seed: UInt64) {
    var random = Seeded(seed)
    let size = Size(width: random.int(0...24), height: random.int(0...10))
    var canvas = Canvas(size: size, symbols: random.pick([.unicode, .safe, .ascii]))
    for step in 0..<40 {
      draw(&canvas, &random)
      if step % 8 == 7 { expectWhole(canvas, size, "seed \(seed), step \(step)") }
    }
  }

  @Test("a region keeps what is drawn in it", arguments: Seeded.seeds(80))
  func region(seed: UInt64) {
    var random = Seeded(seed)
    let size = Size(width: 24, height: 8)
    var canvas = Canvas(size: size)
    for y in 0..<8 { canvas.write(PlainText(String(repeating: "·", count: 24)), y: y) }
    let before = canvas
    let place = rect(&random)
    canvas.inside(place) { canvas in for _ in 0..<20 { draw(&canvas, &random) } }
    for y in 0..<8 {
      for x in 0..<24 where !place.contains(x: x, y: y) {
        #expect(canvas[x, y] == before[x, y], "seed \(seed): \(x), \(y) outside of \(place)")
      }
    }
  }

  @Test("nothing but ASCII where the terminal reads nothing else", arguments: Seeded.seeds(60))
  func ascii(seed: UInt64) {
    var random = Seeded(seed)
    var canvas = Canvas(size: Size(width: 40, height: 6), symbols: .ascii)
    for _ in 0..<30 { draw(&canvas, &random) }
    let foreign = canvas.text.unicodeScalars.filter {
      !(0x20..<0x7F).contains($0.value) && $0 != "\n"
    }
    #expect(foreign.isEmpty, "seed \(seed): \(Array(foreign.prefix(5)))")
  }
}

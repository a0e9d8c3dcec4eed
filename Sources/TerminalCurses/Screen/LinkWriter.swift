import CNcurses
import TerminalCore

/// Writes the links of a frame (OSC 8) after ncurses has drawn it, since ncurses knows none.
///
/// Cells of links are written once more, between an opening and a closing sequence; cells that are of no link any
/// more, without one. Between two frames each cell of the terminal has the link of the canvas and no other. What
/// ncurses writes has no link, so after it the rows that it may have touched are written; where it scrolls, links move
/// with their cells, and every row is looked at in the columns that had one. Without links nothing is done.
@MainActor
struct LinkWriter {
  /// The links on the terminal, by row.
  private var shown: [Int: [LinkSpan]] = [:]

  /// Whether the rows that change have to be known.
  func isNeeded(for canvas: Canvas) -> Bool { !shown.isEmpty || !canvas.links.isEmpty }

  /// Whether a canvas of equal cells has other links.
  func differs(from canvas: Canvas) -> Bool {
    isNeeded(for: canvas) && canvas.linkRuns != shown
  }

  /// The terminal was cleared, or shows something else.
  mutating func forget() { shown = [:] }

  /// The bytes that follow those of ncurses; the cursor is where it was and looks as before.
  ///
  /// - Parameters:
  ///   - touched: the rows that ncurses may have written to.
  ///   - bytes: what it wrote.
  mutating func update(
    to canvas: Canvas, touched: Set<Int>, after bytes: [UInt8], theme: Theme, depth: ColorDepth
  ) -> [UInt8] {
    let wanted = canvas.linkRuns
    defer { shown = wanted }
    guard !wanted.isEmpty || !shown.isEmpty else { return [] }
    let hasScrolled = !shown.isEmpty && Self.mayScroll(bytes)
    let scattered = hasScrolled ? Set(shown.values.joined().flatMap(\.columns)) : []
    var drawn = LinkedCells(canvas: canvas, theme: theme, depth: depth)
    for y in 0..<canvas.size.height {
      let (old, new) = (shown[y] ?? [], wanted[y] ?? [])
      if old.isEmpty, new.isEmpty, !hasScrolled { continue }
      guard hasScrolled || touched.contains(y) || old != new else { continue }
      let stale = scattered.union(old.flatMap(\.columns)).subtracting(new.flatMap(\.columns))
      for columns in Self.ranges(of: stale) { drawn.write(columns, y: y, target: nil) }
      for span in new { drawn.write(span.columns, y: y, target: span.target) }
    }
    return drawn.finished()
  }

  /// Whether bytes of ncurses may move rows: a region, scrolling, inserted and deleted lines, and line feeds, which
  /// are moves of the cursor as well.
  static func mayScroll(_ bytes: [UInt8]) -> Bool {
    var index = 0
    while index < bytes.count {
      defer { index += 1 }
      if bytes[index] == 0x0A { return true }
      guard bytes[index] == 0x1B, index + 1 < bytes.count else { continue }
      index += 1
      switch bytes[index] {
      case UInt8(ascii: "M"), UInt8(ascii: "D"), UInt8(ascii: "E"): return true
      case UInt8(ascii: "["):
        repeat { index += 1 } while index < bytes.count && bytes[index] < 0x40
        if index < bytes.count, "rSTLM".utf8.contains(bytes[index]) { return true }
      default: break
      }
    }
    return false
  }

  private static func ranges(of columns: Set<Int>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for column in columns.sorted() {
      if let last = ranges.last, last.upperBound == column {
        ranges[ranges.count - 1] = last.lowerBound..<column + 1
      } else {
        ranges.append(column..<column + 1)
      }
    }
    return ranges
  }
}

/// Cells of a canvas as bytes, each at its place and in its style.
@MainActor
private struct LinkedCells {
  let canvas: Canvas
  let theme: Theme
  let depth: ColorDepth
  private var bytes: [UInt8] = []

  init(canvas: Canvas, theme: Theme, depth: ColorDepth) {
    (self.canvas, self.theme, self.depth) = (canvas, theme, depth)
  }

  mutating func write(_ columns: Range<Int>, y: Int, target: LinkTarget?) {
    // Both halves of a wide glyph are one.
    var (first, end) = (columns.lowerBound, min(columns.upperBound, canvas.size.width))
    while first > 0, canvas[first, y].width == 0 { first -= 1 }
    while end < canvas.size.width, canvas[end, y].width == 0 { end += 1 }
    guard first < end else { return }
    if bytes.isEmpty { bytes += Array("\u{1B}7".utf8) }
    bytes += Array("\u{1B}[\(y + 1);\(first + 1)H".utf8)
    if let target { bytes += Array(target.open.utf8) }
    var style: CellStyle?
    for x in first..<end where canvas[x, y].width > 0 {
      let cell = canvas[x, y]
      var (glyph, look) = (cell.glyph, theme.look(cell, depth: depth))
      if let pixels = cell.pixels {
        let drawn = theme.look(pixels, glyph: glyph.base, depth: depth)
        (glyph, look) = (Glyph(drawn.glyph), drawn.style)
      }
      if look != style { bytes += Array(look.sequence.utf8) }
      style = look
      // As ncurses has written it: the C library may give the glyph another width.
      if glyph.base >= 0x80, cn_columns(glyph.base) != Int32(cell.width) {
        bytes += [UInt8](repeating: UInt8(ascii: "?"), count: Int(cell.width))
      } else {
        for scalar in glyph.scalars { bytes += Array(String(scalar).utf8) }
      }
    }
    if target != nil { bytes += Array(LinkTarget.close.utf8) }
  }

  func finished() -> [UInt8] { bytes.isEmpty ? [] : bytes + Array("\u{1B}8".utf8) }
}

import CNcurses
import Foundation
import TerminalCore

/// Draws a few cells without ncurses, which is told of them afterwards.
///
/// A key that moves a place changes two rows or three. What ncurses does for these, from row to screen,
/// took half of the time from the key to its first byte.
///
/// The cursor is put where the frame wants it; `SequenceSaver` puts it back by its place before ncurses
/// counts on it. DECSC has one memory in some terminals (libvterm), and there the alternate screen keeps the
/// place of the shell's cursor in it.
@MainActor
struct RowPainter {
  /// Whether blanks can be erased instead of written.
  private let canErase: Bool
  private var bytes: [UInt8] = []
  /// What the terminal has.
  private var rendition = Rendition()

  /// Nil where a terminal does not know the sequences of ECMA-48 that are written here, or
  /// takes other text than UTF-8.
  init?() {
    let codeset = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) }
    guard Self.has("cup", "\u{1B}[%i%p1%d;%p2%dH"), cn_flag("xenl") || !cn_flag("am"),
      codeset == "UTF-8"
    else { return nil }
    canErase = cn_flag("bce") && Self.has("ech", "\u{1B}[%p1%dX")
  }

  private static func has(_ capability: String, _ text: String) -> Bool {
    cn_text(capability).map { String(cString: $0) == text } ?? false
  }

  /// The bytes that draw stretches of a canvas.
  ///
  /// - Parameters:
  ///   - rows: gets to know the styles that it has not seen.
  ///   - pen: what the terminal has of emphasis and colours; then what it has afterwards.
  /// - Returns: nil where a glyph is not as wide for the C library, or a style cannot be told by SGR: what
  ///   becomes of these is for ncurses to say.
  mutating func paint(
    _ stretches: [Canvas.Stretch], of canvas: Canvas, rows: inout RowWriter, pen: inout Rendition
  ) -> [UInt8]? {
    rendition = pen
    bytes = []
    bytes.reserveCapacity(1024)
    for stretch in stretches {
      moveTo(x: stretch.columns.lowerBound, y: stretch.y)
      guard canvas.withRow(stretch.y, { draw($0, stretch.columns, &rows) }) else { return nil }
    }
    pen = rendition
    return bytes
  }

  /// The bytes that put the cursor into a cell.
  mutating func place(x: Int, y: Int) -> [UInt8] {
    bytes = []
    moveTo(x: x, y: y)
    return bytes
  }

  private mutating func draw(
    _ cells: UnsafeBufferPointer<Cell>, _ columns: Range<Int>, _ rows: inout RowWriter
  ) -> Bool {
    var key: UInt32?
    var style: StyleTable.Style?
    var pen: StyleTable.Style?
    var column = columns.lowerBound
    while column < columns.upperBound {
      let cell = PackedCell(cells, column)
      guard cell.width > 0 else {
        column += 1
        continue
      }
      if key != cell.styleKey {
        key = cell.styleKey
        style = rows.style(of: cells[column])
      }
      guard let style, let look = style.rendition else { return false }
      let isSpace = cell.isSpace
      if pen !== style, !(isSpace && pen.map(style.looksLike) ?? false) {
        look.append(since: rendition, to: &bytes)
        rendition = look
        pen = style
      }
      guard isSpace else {
        guard append(cell) else { return false }
        column += 1
        continue
      }
      let start = column
      repeat { column += 1 } while column < columns.upperBound && cells[column] == cells[start]
      blank(column - start, isLast: column == columns.upperBound, canErase && style.isPlainOnBlank)
    }
    return true
  }

  private mutating func blank(_ count: Int, isLast: Bool, _ canErase: Bool) {
    // Erasing leaves the cursor where it was.
    guard canErase, count > (isLast ? 5 : 10) else {
      bytes += repeatElement(0x20, count: count)
      return
    }
    control(count, UInt8(ascii: "X"))
    if !isLast { control(count, UInt8(ascii: "C")) }
  }

  private mutating func append(_ cell: PackedCell) -> Bool {
    // Nothing else is in a canvas; but here it would act.
    guard cell.base >= 0x20, cell.base != 0x7F else { return false }
    guard cell.base >= 0x80 || cell.marks != 0 else {
      bytes.append(UInt8(truncatingIfNeeded: cell.base))
      return true
    }
    guard cell.base < 0x80 || cn_columns(cell.base) == Int32(cell.width) else { return false }
    append(cell.base)
    var marks = cell.marks
    while marks != 0 {
      let mark = UInt32(marks & 0x1F_FFFF)
      guard cn_columns(mark) == 0 else { return false }
      append(mark)
      marks >>= 21
    }
    return true
  }

  private mutating func append(_ scalar: UInt32) {
    guard let scalar = Unicode.Scalar(scalar) else { return }
    bytes.append(
      contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
  }

  private mutating func moveTo(x: Int, y: Int) {
    bytes += [0x1B, UInt8(ascii: "[")]
    append(decimal: y + 1)
    if x > 0 {
      bytes.append(UInt8(ascii: ";"))
      append(decimal: x + 1)
    }
    bytes.append(UInt8(ascii: "H"))
  }

  private mutating func control(_ number: Int, _ last: UInt8) {
    bytes += [0x1B, UInt8(ascii: "[")]
    append(decimal: number)
    bytes.append(last)
  }

  private mutating func append(decimal number: Int) {
    if number >= 10 { append(decimal: number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}

/// A small picture in colours, for cells: 0xRRGGBB, rows from the top.
package struct PixelGrid: Hashable, Sendable {
  /// In pixels.
  package let width, height: Int
  package let colors: [UInt32]

  /// Nil where the number of colours does not fit the size.
  package init?(width: Int, height: Int, colors: [UInt32]) {
    guard width > 0, height > 0, width <= 1 << 16, height <= 1 << 16,
      colors.count == width * height
    else { return nil }
    (self.width, self.height, self.colors) = (width, height, colors)
  }

  /// The size in cells that keeps its proportions, where a cell shows two pixels one above the other; never larger
  /// than the picture itself.
  package func cells(in room: Size) -> Size {
    guard room.width > 0, room.height > 0 else { return Size(width: 0, height: 0) }
    // The scale is the smallest of three fractions; they are compared without division.
    var (numerator, denominator) = (1, 1)
    if room.width < width { (numerator, denominator) = (room.width, width) }
    if room.height * 2 * denominator < numerator * height {
      (numerator, denominator) = (room.height * 2, height)
    }
    let columns = max(1, (width * numerator + denominator / 2) / denominator)
    let rows = max(1, (height * numerator + denominator / 2) / denominator)
    return Size(
      width: min(room.width, columns), height: min(room.height, (rows + 1) / 2))
  }

  /// The picture in another size: each pixel is the average of the area that it covers.
  package func scaled(width wanted: Int, height wantedHeight: Int) -> PixelGrid? {
    guard wanted > 0, wantedHeight > 0 else { return nil }
    guard wanted != width || wantedHeight != height else { return self }
    let across = Self.shares(of: width, in: wanted)
    let down = Self.shares(of: height, in: wantedHeight)
    var scaled: [UInt32] = []
    scaled.reserveCapacity(wanted * wantedHeight)
    for rows in down {
      for columns in across {
        var (red, green, blue, total) = (0, 0, 0, 0)
        for (y, rowShare) in rows {
          for (x, columnShare) in columns {
            let color = colors[y * width + x]
            let share = rowShare * columnShare
            red += Int(color >> 16 & 0xFF) * share
            green += Int(color >> 8 & 0xFF) * share
            blue += Int(color & 0xFF) * share
            total += share
          }
        }
        func mean(_ sum: Int) -> UInt32 { UInt32((sum + total / 2) / total) }
        scaled.append(mean(red) << 16 | mean(green) << 8 | mean(blue))
      }
    }
    return PixelGrid(width: wanted, height: wantedHeight, colors: scaled)
  }

  /// For each of `parts` equal parts of a length, the pixels that it covers and how much of each, in parts of a pixel.
  private static func shares(of length: Int, in parts: Int) -> [[(pixel: Int, share: Int)]] {
    (0..<parts).map { part in
      let (start, end) = (part * length, (part + 1) * length)
      return (start / parts...(end - 1) / parts).map { pixel in
        (pixel, min(end, (pixel + 1) * parts) - max(start, pixel * parts))
      }
    }
  }
}

extension Cell {
  /// The colours of a cell of a picture: its upper and its lower half, 0xRRGGBB.
  package struct Pixels: Hashable, Sendable {
    package var top, bottom: UInt32

    package init(top: UInt32, bottom: UInt32) { (self.top, self.bottom) = (top, bottom) }
  }

  /// Nil for all cells that are not of a picture.
  package var pixels: Pixels? {
    guard marks >> 63 == 1 else { return nil }
    return Pixels(
      top: UInt32(truncatingIfNeeded: marks >> 24 & 0xFF_FFFF),
      bottom: UInt32(truncatingIfNeeded: marks & 0xFF_FFFF))
  }

  /// A cell of a picture.
  init(_ pixels: Pixels, glyph: UInt32) {
    self.init()
    base = glyph
    marks = 1 << 63 | UInt64(pixels.top & 0xFF_FFFF) << 24 | UInt64(pixels.bottom & 0xFF_FFFF)
  }
}

extension Cell.Pixels {
  /// U+2580, whose lower half shows the background.
  package static let halfBlock: UInt32 = 0x2580

  private static let ramp = Array(" .:-=+*#%@".unicodeScalars.map(\.value))
  private static let shades: [UInt32] = [0x20, 0x2591, 0x2592, 0x2593, 0x2588]

  /// 0...255, as bright as the two halves are together (BT.601).
  package var brightness: Int {
    func brightness(_ color: UInt32) -> Int {
      let (red, green, blue) = Palette.components(color)
      return (299 * red + 587 * green + 114 * blue + 500) / 1000
    }
    return (brightness(top) + brightness(bottom) + 1) / 2
  }

  /// Both halves exactly, where each is black or white: a drawing of lines, a QR code.
  func halves(isDark: Bool) -> UInt32? {
    guard [top, bottom].allSatisfy({ $0 == 0 || $0 == 0xFF_FFFF }) else { return nil }
    let (upper, lower) = ((top != 0) == isDark, (bottom != 0) == isDark)
    return upper ? (lower ? 0x2588 : Self.halfBlock) : lower ? 0x2584 : 0x20
  }

  /// The glyph that covers as much of its cell as the picture is bright there, or dark on a light screen.
  package func density(isASCII: Bool, isDark: Bool) -> UInt32 {
    let ramp = isASCII ? Self.ramp : Self.shades
    let level = isDark ? brightness : 255 - brightness
    return ramp[min(ramp.count - 1, level * ramp.count / 256)]
  }
}

extension Theme {
  /// How a cell of a picture is drawn: its glyph and its colours at this depth.
  ///
  /// With 256 colours each half has the nearest of the fixed ones, with 16 or 8 the nearest of xterm's, which users
  /// change. Without colours, or without the half block, the glyph's density stands for the brightness.
  package func look(
    _ pixels: Cell.Pixels, glyph: UInt32, depth: ColorDepth
  ) -> (glyph: UInt32, style: CellStyle) {
    let isASCII = glyph != Cell.Pixels.halfBlock
    guard !isASCII, depth > .mono else {
      let density =
        (isASCII ? nil : pixels.halves(isDark: isDark))
        ?? pixels.density(isASCII: isASCII, isDark: isDark)
      return (density, look(.text, attributes: [], background: nil, depth: depth))
    }
    let colors: (TerminalColor, TerminalColor) =
      switch depth {
      case .direct: (.rgb(pixels.top), .rgb(pixels.bottom))
      case .indexed256:
        (.index(Palette.nearest(pixels.top)), .index(Palette.nearest(pixels.bottom)))
      default:
        (
          .index(Palette.nearestANSI(pixels.top, count: depth == .ansi16 ? 16 : 8)),
          .index(Palette.nearestANSI(pixels.bottom, count: depth == .ansi16 ? 16 : 8))
        )
      }
    return (glyph, CellStyle(foreground: colors.0, background: colors.1))
  }
}

extension Canvas {
  /// Draws a picture with its upper left corner at a place, in half blocks: a cell is a pixel wide and two high. Of a
  /// picture with an odd number of rows the last one is drawn twice.
  ///
  /// - Returns: the size in cells.
  @discardableResult
  package mutating func draw(
    _ grid: PixelGrid, x: Int = 0, y: Int = 0, rows: Range<Int>? = nil
  ) -> Size {
    let size = Size(width: grid.width, height: (grid.height + 1) / 2)
    let isASCII = symbols.kind != .unicode
    for row in (rows ?? 0..<size.height).clamped(to: 0..<size.height) {
      let top = row * 2 * grid.width
      let bottom = row * 2 + 1 < grid.height ? top + grid.width : top
      for column in 0..<grid.width {
        let pixels = Cell.Pixels(
          top: grid.colors[top + column], bottom: grid.colors[bottom + column])
        let glyph =
          isASCII ? pixels.density(isASCII: true, isDark: true) : Cell.Pixels.halfBlock
        putPixels(Cell(pixels, glyph: glyph), x: x + column, y: y + row - (rows?.lowerBound ?? 0))
      }
    }
    return size
  }

  private mutating func putPixels(_ cell: Cell, x: Int, y: Int) {
    guard let (row, columns, _) = visible(x: x, y: y, count: 1) else { return }
    rows[row].withUnsafeMutableBufferPointer { cells in
      Self.tear(cells, columns)
      cells[columns.lowerBound] = cell
    }
  }
}

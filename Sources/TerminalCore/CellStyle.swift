/// A colour in the form a terminal accepts.
package enum TerminalColor: Hashable, Sendable {
  case standard
  /// 0...7, 0...15 or 0...255, depending on the depth.
  case index(UInt8)
  /// 0xRRGGBB.
  case rgb(UInt32)
}

/// The style of one cell, resolved for a colour depth.
package struct CellStyle: Hashable, Sendable {
  /// The colour of the glyph.
  package var foreground: TerminalColor
  /// The colour behind it.
  package var background: TerminalColor
  /// Its emphasis.
  package var attributes: Attributes

  /// Colours and emphasis; defaults to the terminal's own.
  package init(
    foreground: TerminalColor = .standard, background: TerminalColor = .standard,
    attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }
}

extension Theme {
  /// Resolves the style of a cell with this role, emphasis and background.
  ///
  /// A background role adds its background and emphasis; if it defines a foreground (white on blue in
  /// sixteen colours), that overrides the role's. A role with its own background (a find hit) keeps
  /// both its colours.
  package func look(
    _ role: Role, attributes: Attributes, background: Role?, depth: ColorDepth
  ) -> CellStyle {
    let front = entry(role)
    let behind = background.map { entry($0) }
    switch depth {
    case .mono:
      return CellStyle(attributes: attributes.union(front.mono).union(behind?.mono ?? []))
    case .ansi8, .ansi16:
      let hasGround = front.ansi.background != nil
      let ground = front.ansi.background ?? behind?.ansi.background
      let color = (hasGround ? nil : behind?.ansi.foreground) ?? front.ansi.foreground
      let emphasis =
        attributes.union(front.ansi.attributes).union(behind?.ansi.attributes ?? [])
      guard depth == .ansi8 else {
        return CellStyle(
          foreground: color.map(TerminalColor.index) ?? .standard,
          background: ground.map(TerminalColor.index) ?? .standard, attributes: emphasis)
      }
      // The bright eight are the dark eight in bold; a bright background has no counterpart.
      return CellStyle(
        foreground: color.map { .index($0 & 7) } ?? .standard,
        background: ground.map { .index($0 & 7) } ?? .standard,
        attributes: (color ?? 0) >= 8 ? emphasis.union(.bold) : emphasis)
    case .indexed256, .direct:
      let hasGround = front.style.background != nil
      let ground = front.style.background ?? behind?.style.background ?? self.background
      let color =
        (hasGround ? nil : behind?.style.foreground) ?? front.style.foreground
        ?? entry(.text).style.foreground
      return CellStyle(
        foreground: Self.color(color, depth), background: Self.color(ground, depth),
        attributes:
          attributes.union(front.style.attributes).union(behind?.style.attributes ?? []))
    }
  }

  /// Resolves the look of a canvas cell.
  package func look(_ cell: Cell, depth: ColorDepth) -> CellStyle {
    look(
      cell.role, attributes: cell.attributes.subtracting(.link), background: cell.background,
      depth: depth)
  }

  private static func color(_ color: UInt32?, _ depth: ColorDepth) -> TerminalColor {
    guard let color else { return .standard }
    return depth == .direct ? .rgb(color) : .index(Palette.nearest(color))
  }
}

extension CellStyle {
  /// Select Graphic Rendition (ECMA-48, 8.3.117) from a reset: the complete state.
  package var sequence: String {
    var codes = ["0"]
    if attributes.contains(.bold) { codes.append("1") }
    if attributes.contains(.dim) { codes.append("2") }
    if attributes.contains(.italic) { codes.append("3") }
    if attributes.contains(.underline) { codes.append("4") }
    if attributes.contains(.reverse) { codes.append("7") }
    codes += Self.codes(foreground, base: 30)
    codes += Self.codes(background, base: 40)
    return "\u{1B}[" + codes.joined(separator: ";") + "m"
  }

  private static func codes(_ color: TerminalColor, base: Int) -> [String] {
    switch color {
    case .standard: return []
    case .index(let index) where index < 8: return ["\(base + Int(index))"]
    case .index(let index) where index < 16: return ["\(base + 52 + Int(index))"]
    case .index(let index): return ["\(base + 8)", "5", "\(index)"]
    case .rgb(let color):
      let (red, green, blue) = Palette.components(color)
      return ["\(base + 8)", "2", "\(red)", "\(green)", "\(blue)"]
    }
  }
}

extension Canvas {
  /// The canvas as lines of text with SGR and no cursor movement, for files and pipes.
  ///
  /// Every line starts and ends with a reset; invisible trailing cells are omitted.
  package func ansi(theme: Theme, depth: ColorDepth) -> [String] {
    (0..<size.height).map { y in
      var line = ""
      var glyphs = (0..<size.width).map { self[$0, y].glyph }
      var looks = (0..<size.width).map { theme.look(self[$0, y], depth: depth) }
      for x in 0..<size.width {
        guard let pixels = self[x, y].pixels else { continue }
        let drawn = theme.look(pixels, glyph: self[x, y].glyph.base, depth: depth)
        (glyphs[x], looks[x]) = (Glyph(drawn.glyph), drawn.style)
      }
      var last = size.width
      while last > 0, glyphs[last - 1] == .space, looks[last - 1].isInvisibleOnSpace {
        last -= 1
      }
      looks.removeSubrange(last...)
      var current: CellStyle?
      for (x, look) in looks.enumerated() where self[x, y].width > 0 {
        if look != current { line += look.sequence }
        current = look
        line.unicodeScalars.append(contentsOf: glyphs[x].scalars)
      }
      return line.isEmpty ? "\u{1B}[0m" : line + "\u{1B}[0m"
    }
  }
}

extension CellStyle {
  fileprivate var isInvisibleOnSpace: Bool {
    background == .standard && attributes.isDisjoint(with: [.underline, .reverse])
  }
}

import Foundation

/// The number of colours of a terminal.
package enum ColorDepth: Int, Comparable, CaseIterable, Sendable {
  case mono, ansi8, ansi16, indexed256, direct

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The depth to use: `NO_COLOR` (no-color.org) and `CLICOLOR` (bixense.com/clicolors) from the
  /// environment, then terminfo.
  ///
  /// - Parameters:
  ///   - colors: terminfo `colors`; -1 or 0 if it has none.
  ///   - isDirect: whether colours are 24-bit values (terminfo `RGB`).
  package static func detect(
    environment: [String: String], colors: Int, isDirect: Bool
  ) -> ColorDepth {
    let forced = environment["CLICOLOR_FORCE"].map { !$0.isEmpty && $0 != "0" } ?? false
    if let value = environment["NO_COLOR"], !value.isEmpty { return .mono }
    if !forced, environment["CLICOLOR"] == "0" { return .mono }
    if isDirect { return .direct }
    if colors >= 256 { return .indexed256 }
    if colors >= 16 { return .ansi16 }
    return colors >= 8 || forced ? .ansi8 : .mono
  }
}

/// The colours behind the numbers of a 256-colour terminal (xterm's defaults).
package enum Palette {
  private static let levels = [0, 95, 135, 175, 215, 255]

  /// xterm's sixteen colours; users change them, so only pictures are quantised to these.
  private static let ansi: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]

  static func components(_ color: UInt32) -> (red: Int, green: Int, blue: Int) {
    (Int(color >> 16 & 255), Int(color >> 8 & 255), Int(color & 255))
  }

  /// The colour of an index as 0xRRGGBB.
  package static func color(_ index: UInt8) -> UInt32 {
    let index = Int(index)
    if index < 16 { return ansi[index] }
    if index >= 232 { return UInt32(8 + (index - 232) * 10) * 0x010101 }
    let cube = index - 16
    return UInt32(levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6])
  }

  /// The "redmean" distance (compuphase.com/cmetric.htm): close to perception, in integers.
  private static func distance(_ left: UInt32, _ right: UInt32) -> Int {
    let (a, b) = (components(left), components(right))
    let mean = (a.red + b.red) / 2
    let (red, green, blue) = (a.red - b.red, a.green - b.green, a.blue - b.blue)
    return (((512 + mean) * red * red) >> 8) + 4 * green * green
      + (((767 - mean) * blue * blue) >> 8)
  }

  /// The nearest of the colours 16...255.
  package static func nearest(_ color: UInt32) -> UInt8 {
    let (red, green, blue) = components(color)
    func step(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }
    let cube = UInt8(16 + 36 * step(red) + 6 * step(green) + step(blue))
    let grey = UInt8(232 + min(23, max(0, ((red + green + blue) / 3 - 3) / 10)))
    return distance(self.color(grey), color) < distance(self.color(cube), color) ? grey : cube
  }

  /// The nearest of xterm's first eight or sixteen colours.
  package static func nearestANSI(_ color: UInt32, count: Int) -> UInt8 {
    let indices = 0..<min(ansi.count, max(1, count))
    return UInt8(indices.min { distance(ansi[$0], color) < distance(ansi[$1], color) } ?? 0)
  }

  /// The contrast ratio of two colours (WCAG 2.2, relative luminance), 1...21.
  package static func contrast(_ left: UInt32, _ right: UInt32) -> Double {
    let (a, b) = (luminance(left), luminance(right))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  private static func luminance(_ color: UInt32) -> Double {
    func linear(_ value: Int) -> Double {
      let value = Double(value) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    let (red, green, blue) = components(color)
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}

import TerminalCore

/// Colours of a canvas as roles: what an agent calls red is the red of the theme.
enum CanvasColor {
  /// Nil for no colour and for text that names none.
  static func role(_ text: String?) -> Role? {
    guard let text, text.utf8.count <= 40 else { return nil }
    let name = text.lowercased().filter { $0 != " " }
    if let role = names[name] { return role }
    return rgb(name).map(role)
  }

  private static let names: [String: Role] = [
    "red": .negative, "crimson": .negative, "darkred": .negative, "tomato": .negative,
    "orange": .warning, "amber": .warning, "gold": .warning, "yellow": .warning,
    "green": .positive, "lime": .positive, "darkgreen": .positive, "olive": .positive,
    "teal": .discovery, "turquoise": .discovery, "cyan": .info, "aqua": .info,
    "blue": .tts, "navy": .tts, "darkblue": .tts, "indigo": .browser,
    "purple": .llm, "violet": .llm, "magenta": .initiative, "fuchsia": .initiative,
    "pink": .media, "brown": .memory, "tan": .memory, "beige": .memory,
    "gray": .muted, "grey": .muted, "silver": .muted, "darkgray": .faint, "darkgrey": .faint,
    "black": .text, "white": .text,
  ]

  /// The role whose hue is the nearest.
  private static func role(_ color: UInt32) -> Role {
    let (red, green, blue) = (
      Int(color >> 16 & 255), Int(color >> 8 & 255), Int(color & 255)
    )
    let (most, least) = (max(red, green, blue), min(red, green, blue))
    // Without a hue only the brightness is left, and black text is text on any screen.
    guard most - least >= 32 else { return (64..<208).contains(most) ? .muted : .text }
    let part = { (value: Int) in 60 * value / (most - least) }
    let hue =
      most == red
      ? (part(green - blue) + 360) % 360
      : most == green ? 120 + part(blue - red) : 240 + part(red - green)
    switch hue {
    case 20..<70: return .warning
    case 70..<160: return .positive
    case 160..<180: return .discovery
    case 180..<205: return .info
    case 205..<240: return .tts
    case 240..<265: return .browser
    case 265..<290: return .llm
    case 290..<315: return .initiative
    case 315..<345: return .media
    default: return .negative
    }
  }

  /// `#rgb`, `#rrggbb`, `#rrggbbaa` or `rgb(r,g,b)`, as 0xRRGGBB.
  private static func rgb(_ text: String) -> UInt32? {
    if text.hasPrefix("#") {
      let digits = text.dropFirst()
      guard digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else {
        return nil
      }
      switch digits.utf8.count {
      case 3:
        return [8, 4, 0].reduce(0) { $0 << 8 | (value >> $1 & 15) * 17 }
      case 6: return value
      case 8: return value >> 8
      default: return nil
      }
    }
    guard text.hasPrefix("rgb"), let open = text.firstIndex(of: "("), text.hasSuffix(")") else {
      return nil
    }
    let parts = text[text.index(after: open)...].dropLast().split(separator: ",")
    let values = parts.prefix(3).compactMap { UInt32($0) }.filter { $0 <= 255 }
    return values.count == 3 ? values.reduce(0) { $0 << 8 | $1 } : nil
  }
}

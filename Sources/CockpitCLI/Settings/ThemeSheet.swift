import LenientJSON
import TerminalCore

/// A theme as a table: a line for each role.
enum ThemeSheet {
  static func canvas(_ theme: Theme, symbols: SymbolSet) -> Canvas {
    let roles = Role.allCases
    var canvas = Canvas(size: Size(width: 104, height: roles.count), symbols: symbols)
    for (y, role) in roles.enumerated() {
      let entry = theme.entry(role)
      let hasGround = entry.style.background != nil
      canvas.write(PlainText(role.rawValue), y: y, role: role, background: hasGround ? role : nil)
      canvas.write(PlainText(colors(entry.style)), x: 20, y: y)
      canvas.write(PlainText(ratio(contrast(role, theme))), x: 53, y: y)
      canvas.write(PlainText(ansi(entry.ansi)), x: 62, y: y, role: .muted)
      canvas.write(PlainText(words(entry.mono)), x: 88, y: y, role: .muted)
    }
    return canvas
  }

  static func json(_ role: Role, _ theme: Theme) -> [UInt8] {
    let entry = theme.entry(role)
    var line = JSONObjectWriter()
    line.string("role", role.rawValue)
    line.string("foreground", entry.style.foreground.map(hex))
    line.string("background", entry.style.background.map(hex))
    line.string("emphasis", words(entry.style.attributes))
    line.double("contrast", contrast(role, theme).map { ($0 * 100).rounded() / 100 })
    line.string("ansi", ansi(entry.ansi))
    line.string("mono", words(entry.mono))
    return line.finish()
  }

  /// The contrast of a role's text with its background; a background-only role is measured under
  /// ordinary text. nil if the terminal's own colour decides.
  static func contrast(_ role: Role, _ theme: Theme) -> Double? {
    let style = theme[role]
    guard let front = style.foreground ?? theme[.text].foreground else { return nil }
    return Palette.contrast(front, style.background ?? theme.assumedBackground)
  }

  private static func ratio(_ contrast: Double?) -> String {
    guard let contrast else { return "-" }
    let tenths = Int((contrast * 10).rounded(.down))
    return "\(tenths / 10).\(tenths % 10):1"
  }

  private static func colors(_ style: Style) -> String {
    var parts: [String] = []
    if let color = style.foreground { parts.append(hex(color)) }
    if let color = style.background { parts.append("on \(hex(color))") }
    let emphasis = words(style.attributes)
    if emphasis != "-" { parts.append(emphasis) }
    return parts.isEmpty ? "default" : parts.joined(separator: " ")
  }

  private static func hex(_ color: UInt32) -> String {
    let digits = String(color, radix: 16, uppercase: true)
    return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  private static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
  ]

  private static func ansi(_ style: AnsiStyle) -> String {
    func name(_ index: UInt8) -> String {
      (index >= 8 ? "bright-" : "") + names[Int(index) % 8]
    }
    var parts = [style.foreground.map(name) ?? "default"]
    if let background = style.background { parts.append("on \(name(background))") }
    let emphasis = words(style.attributes)
    if emphasis != "-" { parts.append(emphasis) }
    return parts.joined(separator: " ")
  }

  private static func words(_ attributes: Attributes) -> String {
    let known: [(Attributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"),
      (.reverse, "reverse"),
    ]
    let words = known.filter { attributes.contains($0.0) }.map(\.1)
    return words.isEmpty ? "-" : words.joined(separator: " ")
  }
}

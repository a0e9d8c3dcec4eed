import TerminalCore

/// The themes inside the program.
package enum EmbeddedThemes {
  /// The one for a dark terminal, and for one that does not say.
  package static let standardDark = "terminal-dark"
  /// The one for a light terminal.
  package static let standardLight = "glass-light"

  /// The names, in the order a list shows them.
  package static let names = ["terminal-dark", "glass-light", "high-contrast", "okabe", "mono"]

  /// All of them, in the order of `names`.
  package static let all: [Theme] = names.compactMap { named($0) }

  /// A theme by its name; nil when there is none.
  ///
  /// A file that does not parse would be nil too; the tests parse each.
  package static func named(_ name: String) -> Theme? {
    source(name).flatMap { try? ThemeFile.parse($0, name: name) }
  }

  /// The text of a theme file, to start one's own from.
  package static func source(_ name: String) -> String? {
    let bytes: [UInt8]? =
      switch name {
      case "terminal-dark": PackageResources.terminal_dark_toml
      case "glass-light": PackageResources.glass_light_toml
      case "high-contrast": PackageResources.high_contrast_toml
      case "okabe": PackageResources.okabe_toml
      case "mono": PackageResources.mono_toml
      default: nil
      }
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }
}

import CockpitFiles
import CockpitThemes
import Foundation
import TerminalCore

/// Theme, colour depth and glyphs, from flags, configuration and environment, in this order.
package struct Appearance {
  package var theme: Theme
  /// Whether the theme was chosen by name; otherwise light or dark follows the terminal.
  package var isThemeFixed: Bool
  /// The requested glyphs; nil leaves the choice to the terminal's locale.
  package var chosenSymbols: SymbolSet?
  /// The glyphs for text that goes to a file or a pipe.
  package var symbols: SymbolSet
  /// Colour depth of text for a file or a pipe.
  package var depth: ColorDepth
  /// The requested depth; nil leaves the choice to environment and terminal.
  package var requestedDepth: ColorDepth?
  private let settings: Settings

  /// - Parameter isForTerminal: colours are wanted even where stdout is no terminal.
  package init(_ settings: Settings, isForTerminal: Bool) throws(Failure) {
    self.settings = settings
    let environment = settings.environment
    let color =
      settings.options.noColor
      ? .never
      : settings.options.color ?? settings.configuration.color.flatMap(ColorChoice.init) ?? .auto
    switch color {
    case .never:
      depth = .mono
      requestedDepth = .mono
    case .always:
      depth = Self.wantsDirect(environment) ? .direct : .indexed256
      requestedDepth = depth
    case .auto:
      depth = ColorDepth.detect(
        environment: environment, colors: isForTerminal ? 256 : 0,
        isDirect: isForTerminal && Self.wantsDirect(environment))
    }
    let glyphs = settings.options.glyphs?.rawValue ?? settings.configuration.glyphs
    chosenSymbols = glyphs.flatMap { SymbolSet.Kind(rawValue: $0) }.map(SymbolSet.init)
    symbols = chosenSymbols ?? (TextEncoding(environment: environment) == .utf8 ? .unicode : .ascii)
    let name = settings.options.theme ?? settings.profile.theme
    isThemeFixed = name != nil && name != "auto"
    theme = try ThemeCatalog(settings.paths).theme(
      isThemeFixed ? name ?? "" : EmbeddedThemes.standardDark)
  }

  private static func wantsDirect(_ environment: [String: String]) -> Bool {
    // Text for a file or a pipe is read in the same terminal, mostly.
    TerminalIdentity(environment: environment, terminfo: nil).hasDirectColor
  }

  /// The theme for a terminal of this background, unless one was chosen by name.
  package func theme(isDark: Bool) -> Theme {
    guard !isThemeFixed else { return theme }
    let name = isDark ? EmbeddedThemes.standardDark : EmbeddedThemes.standardLight
    // Most terminals answer as assumed, so the start need not read the same file twice.
    guard theme.name != name else { return theme }
    // The user's own file of that name may be broken; the embedded one never is.
    return (try? ThemeCatalog(settings.paths).theme(name)) ?? EmbeddedThemes.named(name) ?? theme
  }

  /// Chooses another theme; `auto` follows the terminal, which is `isDark` or has not said.
  ///
  /// - Throws: `Failure` when there is no such theme; nothing has changed then.
  package mutating func choose(_ name: String, isDark: Bool?) throws(Failure) {
    guard name == "auto" else {
      theme = try ThemeCatalog(settings.paths).theme(name)
      isThemeFixed = true
      return
    }
    isThemeFixed = false
    theme = theme(isDark: isDark ?? true)
  }
}

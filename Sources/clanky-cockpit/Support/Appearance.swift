import CockpitFiles
import CockpitThemes
import Foundation
import TerminalCore

/// How things are drawn: theme, colour depth, glyphs. Decided from flags, configuration and
/// environment, in this order.
struct Appearance {
  var theme: Theme
  /// Whether the theme was chosen by name; otherwise light or dark follows the terminal.
  var isThemeFixed: Bool
  /// The glyphs that were asked for; nil leaves the choice to the terminal's locale.
  var chosenSymbols: SymbolSet?
  /// The glyphs for text that goes to a file or a pipe.
  var symbols: SymbolSet
  /// How many colours text for a file or a pipe has.
  var depth: ColorDepth
  /// The depth that was asked for; nil leaves the choice to environment and terminal.
  var wish: ColorDepth?
  private let settings: Settings

  /// - Parameter isForTerminal: colours are wanted even where stdout is no terminal.
  init(_ settings: Settings, isForTerminal: Bool) throws(Failure) {
    self.settings = settings
    let environment = settings.environment
    let color =
      settings.options.noColor
      ? .never
      : settings.options.color ?? settings.configuration.color.flatMap(ColorChoice.init) ?? .auto
    switch color {
    case .never:
      depth = .mono
      wish = .mono
    case .always:
      depth = Self.wantsDirect(environment) ? .direct : .indexed256
      wish = depth
    case .auto:
      depth = ColorDepth.detect(
        environment: environment, colors: isForTerminal ? 256 : 0,
        isDirect: isForTerminal && Self.wantsDirect(environment))
    }
    let glyphs = settings.options.glyphs?.rawValue ?? settings.configuration.glyphs
    chosenSymbols = glyphs.flatMap { SymbolSet.Kind(rawValue: $0) }.map(SymbolSet.init)
    symbols = chosenSymbols ?? (Self.isUTF8(environment) ? .unicode : .ascii)
    let name = settings.options.theme ?? settings.profile.theme
    isThemeFixed = name != nil && name != "auto"
    theme = try Appearance.theme(isThemeFixed ? name ?? "" : "terminal-dark", settings)
  }

  private static func wantsDirect(_ environment: [String: String]) -> Bool {
    ColorDepth.wantsDirect(environment: environment)
  }

  /// The theme for a terminal of this background, unless one was chosen by name.
  func theme(isDark: Bool) -> Theme {
    guard !isThemeFixed else { return theme }
    return (try? Appearance.theme(isDark ? "terminal-dark" : "glass-light", settings)) ?? theme
  }

  /// A theme by name: the user's own file wins over an installed one, and that over the embedded.
  private static func theme(_ name: String, _ settings: Settings) throws(Failure) -> Theme {
    guard !name.contains("/"), !name.hasPrefix(".") else {
      throw Failure(.usage, "a theme is chosen by its name, such as terminal-dark, not by a path")
    }
    for folder in settings.paths.themeFolders {
      let path = "\(folder)/\(name).toml"
      let text: String
      do throws(FileError) {
        guard let bytes = try SafeFile.read(path, limit: 1 << 20) else { continue }
        text = String(decoding: bytes, as: UTF8.self)
      } catch {
        throw Failure(.usage, error.description)
      }
      do throws(ThemeError) {
        return try ThemeFile.parse(text, name: name)
      } catch {
        throw Failure(.usage, "\(path): \(error.description)")
      }
    }
    if let theme = EmbeddedThemes.named(name) { return theme }
    let known = EmbeddedThemes.all.map(\.name)
    let nearest = name.nearest(of: known).map { "; did you mean '\($0)'?" } ?? "."
    throw Failure(
      .usage,
      "there is no theme '\(name)'\(nearest) The themes are: auto, \(known.joined(separator: ", "))"
    )
  }

  /// Whether the locale speaks UTF-8 (POSIX: LC_ALL, then LC_CTYPE, then LANG).
  private static func isUTF8(_ environment: [String: String]) -> Bool {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
      guard let locale = environment[name], !locale.isEmpty else { continue }
      let value = locale.lowercased()
      return value.contains("utf-8") || value.contains("utf8")
    }
    return false
  }
}

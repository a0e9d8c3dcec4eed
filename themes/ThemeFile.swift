import TOML
import TOMLKit
import TerminalCore

/// Themes as TOML.
///
/// ```toml
/// dark = true
/// background = "#101418"   # painted; leave it out to keep the terminal's own, and say
/// against = "#000000"      # what the colours were chosen against instead
///
/// [roles]
/// muted = "#9CA3AF"
/// "domain.error" = { color = "#F87171 bold", ansi = "red bold", mono = "bold" }
/// ```
///
/// `color` is for 24 bits and 256 colours, `ansi` for the sixteen that users choose themselves,
/// `mono` for none. A role that is left out looks like `text`.
package enum ThemeFile {
  /// Reads a theme; anything unknown is an error, for a misspelt role would silently look wrong.
  ///
  /// - Parameter name: the name of the theme, for lists and messages.
  package static func parse(_ toml: String, name: String) throws(ThemeError) -> Theme {
    let table: TOMLTable
    do throws(TOMLMistake) {
      table = try TOMLDocument.table(toml)
    } catch {
      throw ThemeError(file: name, line: error.line, problem: error.problem)
    }
    return try ThemeReader(name: name, toml: toml).theme(table)
  }
}

private struct ThemeReader {
  let name: String
  let toml: String

  func theme(_ table: TOMLTable) throws(ThemeError) -> Theme {
    let known = ["dark", "background", "against", "roles"]
    for key in table.keys where !known.contains(key) {
      throw unknown("key", key, known)
    }
    guard let isDark = table["dark"]?.bool else {
      throw problem("dark", "\"dark\" must say true or false")
    }
    let background = try color("background", table)
    guard let against = try color("against", table) ?? background else {
      throw problem(
        "against", "it needs \"background\", or \"against\" with the background it is meant for")
    }
    guard let roles = table["roles"]?.table else {
      throw problem("roles", "there is no [roles] table")
    }
    var entries: [Role: Theme.Entry] = [:]
    for key in roles.keys.sorted() {
      guard let role = Role(rawValue: key) else {
        throw unknown("role", key, Role.allCases.map(\.rawValue))
      }
      entries[role] = try entry(key, roles)
    }
    return Theme(
      name: name, isDark: isDark, background: background, assumedBackground: against,
      entries: entries)
  }

  private func entry(_ key: String, _ roles: TOMLTable) throws(ThemeError) -> Theme.Entry {
    let value = roles[key]
    if let text = value?.string {
      let style = try style(text, key)
      return Theme.Entry(
        style: style, ansi: AnsiStyle(attributes: style.attributes), mono: style.attributes)
    }
    guard let table = value?.table else {
      throw problem(key, "\"\(key)\" must be a text or a table with color, ansi and mono")
    }
    let (color, ansiText, mono) = (
      try text("color", table, key), try text("ansi", table, key), try text("mono", table, key)
    )
    // Every start reads a theme, and the names of the keys cost more than the rest.
    if table.count > [color, ansiText, mono].count(where: { $0 != nil }) {
      let known = ["color", "ansi", "mono"]
      for inner in table.keys where !known.contains(inner) {
        throw unknown("key", inner, known, in: key)
      }
    }
    var entry = Theme.Entry()
    if let color { entry.style = try style(color, key) }
    if let ansiText { entry.ansi = try ansi(ansiText, key) }
    if let text = mono {
      let words = try words(text, key)
      guard words.foreground == nil, words.background == nil else {
        throw problem(key, "\"mono\" holds emphasis only, no colours")
      }
      entry.mono = words.attributes
    }
    return entry
  }

  private func text(_ inner: String, _ table: TOMLTable, _ key: String) throws(ThemeError)
    -> String?
  {
    guard let value = table[inner] else { return nil }
    guard let text = value.string else { throw problem(key, "\"\(inner)\" must be a text") }
    return text
  }

  private func words(_ text: String, _ key: String) throws(ThemeError) -> StyleWords {
    do { return try StyleWords(text) } catch { throw problem(key, error.problem) }
  }

  private func style(_ text: String, _ key: String) throws(ThemeError) -> Style {
    let words = try words(text, key)
    func value(_ color: StyleWords.Color?) throws(ThemeError) -> UInt32? {
      switch color {
      case .rgb(let value): return value
      case .ansi: throw problem(key, "\"color\" takes #RRGGBB; names of colours belong to \"ansi\"")
      case .standard, nil: return nil
      }
    }
    return Style(
      foreground: try value(words.foreground), background: try value(words.background),
      attributes: words.attributes)
  }

  private func ansi(_ text: String, _ key: String) throws(ThemeError) -> AnsiStyle {
    let words = try words(text, key)
    func value(_ color: StyleWords.Color?) throws(ThemeError) -> UInt8? {
      switch color {
      case .ansi(let value): return value
      case .rgb: throw problem(key, "\"ansi\" takes names such as bright-red, not #RRGGBB")
      case .standard, nil: return nil
      }
    }
    return AnsiStyle(
      foreground: try value(words.foreground), background: try value(words.background),
      attributes: words.attributes)
  }

  private func color(_ key: String, _ table: TOMLTable) throws(ThemeError) -> UInt32? {
    guard let value = table[key] else { return nil }
    guard let color = value.string.flatMap(StyleWords.hex) else {
      throw problem(key, "\"\(key)\" must be a colour such as \"#101418\"")
    }
    return color
  }

  private func unknown(
    _ kind: String, _ word: String, _ known: [String], in key: String? = nil
  ) -> ThemeError {
    let hint = nearest(to: word, among: known).map { "; did you mean \"\($0)\"" } ?? ""
    return problem(key ?? word, "there is no \(kind) \"\(word)\"\(hint)")
  }

  /// TOMLKit keeps no places of values, so the line is looked for: the first that sets the key.
  private func problem(_ key: String, _ problem: String) -> ThemeError {
    let lines = toml.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let line = lines.firstIndex { line in
      let text = line.drop { $0 == " " || $0 == "\t" || $0 == "[" }
      let quoted = ["\(key)", "\"\(key)\"", "'\(key)'"]
      return quoted.contains { name in
        text.hasPrefix(name)
          && text.dropFirst(name.count).drop { $0 == " " || $0 == "\t" }
            .first.map { $0 == "=" || $0 == "]" } ?? false
      }
    }
    return ThemeError(file: name, line: line.map { $0 + 1 }, problem: problem)
  }
}

import CockpitFiles
import CockpitThemes
import TerminalCore

/// All themes there are: the user's own win over installed ones of the same name, and those over
/// the embedded ones.
package struct ThemeCatalog {
  package struct Entry {
    package var name: String
    /// The file; nil if the theme is embedded.
    package var path: String?
    /// The theme, or why it cannot be used.
    package var theme: Result<Theme, Failure>
  }

  package let folders: [String]

  package init(_ paths: Paths) { folders = paths.themeFolders }

  /// The embedded ones in their order, then the others by name.
  package var names: [String] {
    let known = EmbeddedThemes.names
    let others = Set(folders.flatMap { ThemeFolder.names(in: $0) }).subtracting(known)
    return known + others.sorted()
  }

  package var all: [Entry] { names.map(entry) }

  package func entry(_ name: String) -> Entry {
    var path: String?
    let theme = Result { () throws(Failure) in try self.theme(name, path: &path) }
    return Entry(name: name, path: path, theme: theme)
  }

  /// - Throws: `Failure` with exit code 2: no such theme, or a file that is no theme.
  package func theme(_ name: String) throws(Failure) -> Theme { try entry(name).theme.get() }

  private func theme(_ name: String, path: inout String?) throws(Failure) -> Theme {
    guard !name.contains("/"), !name.hasPrefix(".") else {
      throw Failure(.usage, "a theme is chosen by its name, such as terminal-dark, not by a path")
    }
    for folder in folders {
      let file = "\(folder)/\(name).toml"
      do throws(FileError) {
        guard let text = try ThemeFolder.text(of: name, in: folder) else { continue }
        path = file
        do throws(ThemeError) {
          return try ThemeFile.parse(text, name: name)
        } catch {
          throw FileError("\(file): \(error.description)")
        }
      } catch {
        path = file
        throw Failure(.usage, error.description)
      }
    }
    if let theme = EmbeddedThemes.named(name) { return theme }
    let nearest = name.nearest(of: names).map { "; did you mean '\($0)'?" } ?? "."
    throw Failure(
      .usage,
      "there is no theme '\(name)'\(nearest) The themes are: auto, \(names.joined(separator: ", "))"
    )
  }
}

import CockpitPanes
import CockpitShell
import CockpitSession
import CockpitFiles
import TOML
import TerminalCore
import TerminalCurses

extension CockpitApp {
  /// Follows the terminal between light and dark, unless a theme was chosen by name.
  func follow(isDark: Bool) {
    self.isDark = isDark
    guard !appearance.isThemeFixed else { return }
    session.screen.adopt(theme: appearance.theme(isDark: isDark))
    frames?.setNeedsFrame(.key)
  }

  /// Switches the theme; writes it to the configuration file if it is to be kept.
  package func setTheme(_ name: String, isKept: Bool) {
    do throws(Failure) {
      try appearance.choose(name, isDark: isDark)
    } catch {
      shell.note(PlainText(error.description, limit: 400))
      return
    }
    session.screen.adopt(theme: appearance.theme)
    guard isKept else { return }
    model.setup.theme = name
    connector.chose(theme: name)
    guard let path = settings.configPath else {
      shell.note("the theme lasts until you quit: there is no place for a configuration file")
      return
    }
    // Write it where it already is; a profile without its own theme uses the top level.
    let profile = settings.fileProfile.flatMap {
      settings.configuration.profiles[$0]?.theme != nil ? $0 : nil
    }
    let table = profile.map { "profiles.\(TOMLEdit.quoted($0))" }
    do throws(FileError) {
      try ConfigurationFile.update(path: path) { edit throws(TOMLEditError) in
        try edit.set("theme", .string(name), in: table)
      }
      let place = table.map { "[\($0)] of " } ?? ""
      shell.note(
        PlainText("the theme is \(name) from now on; it is kept in \(place)\(path)", limit: 400))
    } catch {
      shell.note(PlainText("the theme lasts until you quit: \(error.description)", limit: 400))
    }
  }
}

import CockpitFiles
import CockpitPanes

/// What the screen shows of this program's own settings, from the settings and the disk.
enum SetupFactsSource {
  /// Reads the names of all themes, and which of the files are none.
  static func facts(_ settings: Settings) -> SetupFacts {
    var facts = SetupFacts()
    facts.current = settings.profileName
    facts.configPath = settings.configPath
    facts.theme = settings.options.theme ?? settings.profile.theme ?? "auto"
    let themes = ThemeShelf(settings.paths).all
    facts.themes = ["auto"] + themes.map(\.name)
    for entry in themes {
      if case .failure(let failure) = entry.theme {
        facts.brokenThemes[entry.name] = failure.description
      }
    }
    return facts
  }
}

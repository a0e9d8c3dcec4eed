import CockpitFiles
import CockpitPanes
import CockpitStores

/// Collects this program's own settings for the screen, from the settings and the disk.
package enum SetupFactsSource {
  /// Reads the names of all themes; which of the files are none is for `brokenThemes` to say.
  package static func facts(_ settings: Settings) -> SetupFacts {
    var facts = SetupFacts()
    facts.current = settings.profileName
    facts.configPath = settings.configPath
    facts.theme = settings.options.theme ?? settings.profile.theme ?? "auto"
    facts.themes = ["auto"] + ThemeCatalog(settings.paths).names
    facts.views = QueryViews(settings.configuration.views)
    return facts
  }

  /// Reads all theme files, which takes some milliseconds, and says why some cannot be used.
  package static func brokenThemes(_ settings: Settings) -> [String: String] {
    ThemeCatalog(settings.paths).all.reduce(into: [:]) { broken, entry in
      if case .failure(let failure) = entry.theme { broken[entry.name] = failure.description }
    }
  }
}

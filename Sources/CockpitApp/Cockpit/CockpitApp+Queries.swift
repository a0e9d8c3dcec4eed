import CockpitPanes
import CockpitShell
import Networking
import CockpitFiles
import CockpitSession
import CockpitStores
import TOML
import TerminalCore

/// Filters that outlive the run: those that were typed, and those with names.
extension CockpitApp {
  /// Reads the filters of earlier runs; the ones of this run stay before them.
  func loadQueries() {
    guard let history = QueryHistory(settings.paths) else { return }
    do throws(FileError) {
      shell.adopt(earlierFilters: try history.load())
    } catch {
      tell(PlainText("earlier filters are not here: \(error.description)", limit: 300))
    }
  }

  func keep(queries: [String]) {
    guard let history = QueryHistory(settings.paths) else { return }
    do throws(FileError) {
      try history.save(queries, token: connector.opened.backend?.token)
    } catch {
      tell(PlainText("the filter is not kept for the next start: \(error.description)", limit: 300))
    }
  }

  /// Writes a filter under a name to the configuration file.
  func saveView(_ name: String, query: String) {
    guard let path = settings.configPath else {
      tell("there is no place for a configuration file")
      return
    }
    do throws(FileError) {
      try ConfigurationFile.update(path: path) { edit throws(TOMLEditError) in
        try edit.set(name, .string(query), in: "views")
      }
      connector.saved(view: name, query: query)
      model.setup.views.texts[name] = query
      tell(
        PlainText(
          "saved: @\(name) in a filter stands for it; kept in [views] of \(path)", limit: 400))
    } catch {
      tell(PlainText(error.description, limit: 400))
    }
  }
}

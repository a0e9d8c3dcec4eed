import CockpitHistory
import CockpitPanes
import CockpitSession
import CockpitShell
import CockpitStores
import CockpitText
import TerminalCore
import TerminalCurses

/// The search in everything that was recorded.
extension CockpitApp {
  func carryOut(_ request: FindRequest) {
    switch request {
    case .stop:
      awaitedPast = nil
      finder?.stop()
    case .more: run(finder)
    case .find(let text):
      finder?.stop()
      finder?.onChange = nil
      finder = makeFinder(text)
      run(finder)
    }
  }

  private func makeFinder(_ text: String) -> HistoryFinder? {
    var found = HistoryFound(text)
    found.isRunning = false
    do throws(HistoryError) {
      let query: HistoryFind
      do throws(QueryError) {
        query = try HistoryFind(text, in: settings.clock.queryZone, views: model.setup.views)
      } catch { throw HistoryError(.refused, error.description) }
      guard let history = try openPast(for: .find(.find(text))) else {
        found.problem = "recording has just begun; searching in a moment"
        shell.take(found)
        return nil
      }
      let finder = HistoryFinder(history, query, live: model)
      finder.onChange = { [weak self] found in
        self?.shell.take(found)
        self?.frames?.setNeedsFrame(.key)
      }
      return finder
    } catch {
      found.problem = PlainText("nothing can be searched: \(whyNoPast(error))", limit: 300)
      shell.take(found)
      return nil
    }
  }

  private func run(_ finder: HistoryFinder?) {
    guard let finder else { return }
    Task { await finder.run() }
  }
}

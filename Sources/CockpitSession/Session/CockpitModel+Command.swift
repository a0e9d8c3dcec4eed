import CurlTransport
import CockpitDomain
import Networking
import CockpitPanes
import CockpitStores
import Observation
import TerminalCore

extension CockpitModel {
  /// Asks for what CMD shows and waits for it, two seconds at most: `snapshot` shows what is there.
  package func waitForCommand() async {
    voiceHistory.loadList()
    var isLate = false
    let patience = clock.schedule(afterNs: 2_000_000_000) { [weak self] in
      isLate = true
      self?.commandHasNews()
    }
    while !isLate, !Task.isCancelled {
      fetch(Need.operations(command))
      guard command.isFetching else { break }
      await awaitCallback { done in
        commandWaiter = done
        withObservationTracking {
          _ = command.isFetching
        } onChange: { [weak self] in
          // The change is about to happen; it is looked at after it has.
          Task { @MainActor in self?.commandHasNews() }
        }
      }
    }
    patience.cancel()
    await voiceHistory.settle()
  }

  private func commandHasNews() {
    commandWaiter?()
    commandWaiter = nil
  }
}

import ClankyLink
import CockpitStores

extension CockpitModel {
  /// Asks for what CMD shows and waits for it, two times three seconds at most: a panel that is
  /// still empty says so.
  func waitForCommand() async {
    for request in [CommandRequest.loadGuilds, .loadBrowserSessions, .loadAccounts] {
      commandDesk.perform(request)
    }
    await waitForDesk()
    let guilds = (command.guilds.value ?? []).compactMap(\.id)
    for id in guild.map({ [$0] }) ?? Array(guilds.prefix(20)) {
      commandDesk.perform(.loadAutomations(guild: id))
      commandDesk.perform(.loadChannels(guild: id))
    }
    await waitForDesk()
  }

  private func waitForDesk() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      var isOver = false
      @MainActor func finish() {
        guard !isOver else { return }
        isOver = true
        continuation.resume()
      }
      let patience = schedule(afterNs: 3_000_000_000) { finish() }
      commandDesk.onIdle {
        patience.cancel()
        finish()
      }
    }
  }
}

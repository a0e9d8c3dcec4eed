package import ClankyLink
internal import ClankyWire

/// Carries out what CMD wants done and keeps what came of it in the `CommandStore`.
@MainActor
package final class CommandDesk {
  package let store: CommandStore
  private let requester: any RestRequester
  private let clock: any LinkClock

  package init(store: CommandStore, requester: any RestRequester, clock: any LinkClock) {
    self.store = store
    self.requester = requester
    self.clock = clock
  }

  package func perform(_ request: CommandRequest) {}
}

internal import CockpitDomain
package import Networking

/// Waiting for the data of a one-shot command.
extension BotSession {
  /// Starts the source and waits 20 s at most for the first rows, and then a moment for statistics and voice
  /// state.
  ///
  /// - Returns: why nothing could be heard; nil if there is something to show.
  package func firstFacts() async -> LinkFailure? {
    start()
    let connection = connection
    // 8 s for a buffered stream, and a little over 10 s for the polls that replace it.
    await waitUntil(atMostNs: 20_000_000_000, on: clock) {
      connection.hasRows || connection.status.isFirstFailure
    }
    // A screen can do without the rest, but without rows it would be empty.
    guard connection.hasRows else { return connection.status.failure ?? .timedOut(.snapshot) }
    // Statistics arrive every 3 s, the voice state at once or not at all.
    let limitNs: UInt64 = activity.stats == nil ? 4_000_000_000 : 1_500_000_000
    await waitUntil(atMostNs: limitNs, on: clock) { [activity, voice] in
      activity.stats != nil && voice.state != nil
    }
    return nil
  }

  /// Requests the backend's figures of a guild and waits for them, two seconds at most; for all guilds it does
  /// nothing.
  package func waitForGuildStats(_ scope: GuildScope) async {
    guard !scope.isAll else { return }
    guildStats.follow(scope)
    await waitUntil(atMostNs: 2_000_000_000, on: clock) { [activity] in
      activity.stats(in: scope) != nil || activity.guildWithoutStats != nil
    }
  }

  /// Requests the data of MEMORY and waits for it, five seconds at most.
  package func waitForMemory(guild: String?) async {
    memoryService.perform(.load(guild: guild))
    memoryService.perform(.loadReflections(guild: guild))
    let isIdle = ObservableFlag()
    memoryService.onIdle { isIdle.set() }
    await waitUntil(atMostNs: 5_000_000_000, on: clock) { isIdle.isSet }
  }

  /// Requests the data of CMD and waits for it, two seconds at most.
  package func waitForCommand() async {
    voiceHistory.loadList()
    let isLate = ObservableFlag()
    let timer = clock.schedule(afterNs: 2_000_000_000) { isLate.set() }
    while !isLate.isSet, !Task.isCancelled {
      fetch(Need.operations(command))
      guard command.isFetching else { break }
      // The guilds determine the other requests.
      let areGuildsLoading = command.guilds.isLoading
      await waitUntil { [command] in
        isLate.isSet || !command.isFetching || command.guilds.isLoading != areGuildsLoading
      }
    }
    timer.cancel()
    await voiceHistory.waitUntilIdle()
  }

  /// Requests the names and waits for them, a second at most: a screen without names is still one.
  package func waitForNames() async {
    names.catchUp(with: activity.log)
    await waitUntil(atMostNs: 1_000_000_000, on: clock) { [names] in names.openRequests == 0 }
  }
}

extension SourceStatus {
  /// Whether the connection has failed and no polling replaces it.
  fileprivate var isFirstFailure: Bool { failure != nil && overall != .polling && !isPollPending }
}

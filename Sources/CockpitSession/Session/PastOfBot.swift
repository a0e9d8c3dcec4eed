import CockpitHistory

/// Where the past of a bot is.
@MainActor
package enum PastOfBot {
  /// Opens what was recorded of a bot.
  package static func open(_ opened: OpenedSource) throws(HistoryError) -> any HistoryReading {
    throw HistoryError(.missing, "this cockpit records nothing yet")
  }
}

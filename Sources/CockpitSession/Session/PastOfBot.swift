import CockpitHistory

/// Where the past of a bot is.
@MainActor
package enum PastOfBot {
  /// Opens what was recorded of a bot.
  package static func open(_ opened: OpenedSource) throws(HistoryError) -> any HistoryReading {
    guard let folder = opened.settings.historyFolder(of: opened.name) else {
      throw HistoryError(
        .missing, "there is no folder for histories: set HOME, or [history] folder")
    }
    return try HistoryFolder(folder)
  }
}

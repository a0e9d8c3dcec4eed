import CockpitHistory
import CurlTransport
import HistorySource
import Networking

/// Where the past of a bot is.
@MainActor
package enum PastOfBot {
  /// Opens what was recorded of a bot.
  package static func open(_ opened: OpenedSource) throws(HistoryError) -> any HistoryReading {
    try open(opened.name, opened.settings)
  }

  /// Opens what was recorded of a bot, backed by a team's history. Query it off the main thread.
  package static func open(
    _ opened: OpenedSource, and shared: SharedPast?
  ) throws(HistoryError) -> any HistoryReading {
    guard let shared else { return try open(opened) }
    return try open(opened.name, opened.settings, and: shared)
  }

  /// The same of a bot that is not connected.
  ///
  /// - Parameter name: the bot's address in its display form.
  package static func open(
    _ name: String, _ settings: Settings, and shared: SharedPast
  ) throws(HistoryError) -> any HistoryReading {
    try settings.merged(shared, name)
  }

  /// - Parameter name: the bot's address in its display form.
  package static func open(
    _ name: String, _ settings: Settings
  ) throws(HistoryError) -> any HistoryReading {
    if let shared = settings.options.sharedPast { return try settings.merged(shared, name) }
    guard let folder = settings.historyFolder(of: name) else {
      throw HistoryError(
        .missing, "there is no folder for histories: set HOME, or [history] folder")
    }
    return try HistoryFolder(folder)
  }

  /// The address of the bot that the settings name, without asking it.
  package static func name(_ settings: Settings) throws(HistoryError) -> String {
    do throws(Failure) { return try settings.sourceName() } catch {
      throw HistoryError(.refused, error.description)
    }
  }

  /// A bot as it was when its recording stands; it is to be started.
  package static func model(_ past: RecordedPast) -> CockpitModel {
    PastMoment(
      past.history, atMs: past.nowMs, name: past.name, settings: past.settings,
      real: DispatchClock()
    ).model
  }
}

/// A bot as it was at a time: its stores, the source that fills them, and the clock that stands there.
@MainActor
struct PastMoment {
  let model: CockpitModel
  let source: HistorySource
  let clock: ReplayClock

  /// The model is to be started.
  ///
  /// - Parameter name: what the bot is called on the screen.
  init(
    _ history: any HistoryReading, atMs: Int64, name: String, settings: Settings,
    real: any LinkClock, rows: Int = HistorySource.rowCount
  ) {
    clock = ReplayClock(atMs: atMs, real: real)
    source = HistorySource(history, clock: clock, rows: rows)
    model = CockpitModel(
      OpenedSource(recorded: source, name: name, settings: settings, clock: clock))
  }
}

import CockpitAnswers
import CockpitHistory
import Dispatch

/// Foretells the end of the UTC day once, for a verb.
@MainActor
package struct SpendForecast {
  private let settings: Settings
  private let folder: String?

  /// - Parameter bot: its address, as it is shown.
  package init(_ settings: Settings, bot: String) {
    self.settings = settings
    folder = settings.historyFolder(of: bot)
  }

  /// The forecast; nil without a week of recorded days, and where they were not all read in time: each that was
  /// read is kept, so that the next call has more.
  ///
  /// - Parameters:
  ///   - nowMs: on the backend's clock.
  ///   - usd: what the day has cost so far; nil if unknown.
  ///   - withinMs: no further day is begun after so long.
  package func forecast(nowMs: Int64, usd: Double?, withinMs: Int) async -> DayForecast? {
    guard let folder, let usd, withinMs > 0 else { return nil }
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(withinMs) * 500_000
    let profile = await OwnThread.run { () -> SpendProfile? in
      // Without a recording there is no forecast, and that is no mistake.
      guard let history = try? HistoryFolder(folder) else { return nil }
      return try? SpendHistory(history).profile(nowMs: nowMs) {
        DispatchTime.now().uptimeNanoseconds < end
      }
    }
    return profile.flatMap {
      DayForecast($0, nowMs: nowMs, usd: usd, budget: settings.budget)
    }
  }
}

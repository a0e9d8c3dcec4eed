import CockpitAnswers
import CockpitHistory
import Dispatch

/// Computes the cost forecast of the UTC day once, for a verb.
@MainActor
package struct SpendForecast {
  private let settings: Settings
  private let folder: String?

  /// - Parameter bot: the address of the bot, without user and password.
  package init(_ settings: Settings, bot: String) {
    self.settings = settings
    folder = settings.historyFolder(of: bot)
  }

  /// The forecast; nil with less than a week of recorded days, or if the time limit passed before all were read. Sums of
  /// days that were read are cached for the next call.
  ///
  /// - Parameters:
  ///   - nowMs: on the backend's clock.
  ///   - usd: what the day has cost so far; nil if unknown.
  ///   - withinMs: the time limit; no day is started in its second half.
  package func forecast(nowMs: Int64, usd: Double?, withinMs: Int) async -> DayForecast? {
    guard let folder, let usd, withinMs > 0 else { return nil }
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(withinMs) * 500_000
    let profile = await OwnThread.run { () -> SpendProfile? in
      // No recording means no forecast; that is not an error.
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

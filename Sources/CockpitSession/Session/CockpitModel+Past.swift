import CockpitHistory
import CockpitRules
import CockpitStores

extension CockpitModel {
  /// Reads what the recording says of the last weeks, aside and slowly, and has the rules use it. Days that are over
  /// are judged on the way and kept.
  ///
  /// - Parameters:
  ///   - isRecorded: whether somebody records; nil for what this model itself does.
  ///   - isCancelled: asked between pieces, on another thread.
  package func readPast(
    isRecorded: Bool? = nil, isCancelled: @escaping @Sendable () -> Bool
  ) async {
    guard isRecorded ?? (recorder != nil), let folder = pastFolder else { return }
    let (settings, nowMs) = (ruleSettings, bot.serverNowMs)
    let read = await OwnThread.run {
      PastIncidents.read(folder, settings, nowMs: nowMs, isCancelled: isCancelled)
    }
    guard let read, !isCancelled() else { return }
    take(read)
    await OwnThread.run {
      PastIncidents.judgeOlder(folder, settings, nowMs: nowMs, isCancelled: isCancelled)
    }
  }
}

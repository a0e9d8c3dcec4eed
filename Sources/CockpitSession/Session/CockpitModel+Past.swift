import CockpitHistory
import CockpitRules
import CockpitStores

extension CockpitModel {
  /// Reads the last weeks of the recording on a low-priority thread and hands the result to the rules. Finished days are
  /// judged on the way, and the results cached.
  ///
  /// - Parameters:
  ///   - isRecorded: whether a recorder is running, in this process or another; nil asks this model's own.
  ///   - isCancelled: polled between chunks, on the reading thread.
  package func readPast(
    isRecorded: Bool? = nil, isCancelled: @escaping @Sendable () -> Bool
  ) async {
    guard isRecorded ?? (recorder != nil), let folder = pastFolder else { return }
    let (settings, nowMs) = (ruleSettings, bot.serverNowMs)
    let read = await OwnThread.run {
      PastIncidents.read(folder, settings, nowMs: nowMs, isCancelled: isCancelled)
    }
    hasReadPast = true
    guard let read, !isCancelled() else { return }
    take(read)
    await OwnThread.run {
      PastIncidents.judgeOlder(folder, settings, nowMs: nowMs, isCancelled: isCancelled)
    }
  }
}

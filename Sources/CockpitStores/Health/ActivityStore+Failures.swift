extension ActivityStore {
  /// A bot with this many failures in this many minutes is unhealthy. A busy healthy one has up to
  /// one a minute, as in the demo's story.
  private static let limits: [(count: Int, minutes: Int)] = [(45, 60)]
  /// This many failed model calls in a row are no coincidence.
  private static let failedCalls = 3
  /// So far back the newest model calls are looked for.
  private static let rowsToLookAt = 400
  private static let hourMs: Int64 = 3_600_000

  /// The bot's troubles according to the newest rows.
  ///
  /// - Parameter nowMs: on the backend's clock; minute precision suffices.
  package func failureTroubles(nowMs: Int64) -> [BotTrouble] {
    // Without a failure within the hour there is nothing to count.
    guard let newest = newestError.flatMap(log.row), newest.timeMs > nowMs - Self.hourMs else {
      return []
    }
    var troubles: [BotTrouble] = []
    if let run = failedModelCalls(nowMs: nowMs) { troubles.append(run) }
    for (count, minutes) in Self.limits {
      let failures = log.rate.failures(last: minutes, nowMs: nowMs)
      guard failures >= count else { continue }
      troubles.append(BotTrouble(.errors(failures, minutes: minutes)))
      break
    }
    return troubles
  }

  /// The model calls that failed one after the other up to now.
  private func failedModelCalls(nowMs: Int64) -> BotTrouble? {
    var count = 0
    var sinceMs: Int64 = 0
    var reason: String?
    for index in 0..<min(log.count, Self.rowsToLookAt) {
      let row = log.row(at: index)
      guard row.timeMs > nowMs - Self.hourMs else { break }
      switch row.kind {
      case "llm_error":
        count += 1
        sinceMs = row.timeMs
        if reason == nil { reason = row.content(limit: 200) ?? "" }
      case "llm_call": return run(count, sinceMs, reason)
      default: break
      }
    }
    return run(count, sinceMs, reason)
  }

  private func run(_ count: Int, _ sinceMs: Int64, _ reason: String?) -> BotTrouble? {
    guard count >= Self.failedCalls else { return nil }
    return BotTrouble(.modelsFail(count, reason: reason ?? ""), sinceMs: sinceMs)
  }
}

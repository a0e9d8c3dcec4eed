internal import ClankyWire
package import CockpitStores

/// Keeps the figures of the promises up to date with the log, and judges them. The same rows give the same report.
@MainActor
package struct PromiseBoard {
  /// Rows read per call.
  private static let rowBudget = 4_000
  /// A message waits so long for an answer before it counts as unanswered, in ms.
  package nonisolated static let patienceMs: Int64 = 120_000

  /// The kinds of rows that the promises rest on.
  package nonisolated static let kinds = PromiseSamples.kinds

  package let settings: PromiseSettings
  package let scope: GuildScope
  private var samples = PromiseSamples()
  private var cursor = LogCursor(.newest, startsOver: true)

  package init(_ settings: PromiseSettings, scope: GuildScope = .all) {
    self.settings = settings
    self.scope = scope
  }

  /// Reads new rows.
  ///
  /// - Returns: whether all rows were read.
  @discardableResult
  package mutating func read(_ log: ActionLog, nowMs: Int64) -> Bool {
    guard !settings.isEmpty else { return true }
    let changes = cursor.changes(in: log, budget: Self.rowBudget)
    if changes.isRestart { samples = PromiseSamples() }
    let beginMs = nowMs - max(settings.windowMs, 86_400_000)
    for range in [changes.newer, changes.older] {
      for id in range {
        guard let row = log.row(id), !row.isGap, !row.isOfFormerLog, row.timeMs >= beginMs,
          PromiseSamples.kinds.contains(row.kind), scope.isAll || scope.holds(row.guildID)
        else { continue }
        samples.read(row, settings)
      }
    }
    samples.forget(before: beginMs)
    return cursor.isComplete(in: log)
  }

  /// Judges all promises.
  ///
  /// - Parameters:
  ///   - nowMs: on the backend's clock; the end of the data where these have ended.
  ///   - coveredFromMs: from when on no row is missing; nil if unknown.
  ///   - costTodayUSD: of this UTC day, as the backend counts it; nil if unknown, and in the scope of a guild.
  package func report(
    nowMs: Int64, coveredFromMs: Int64?, costTodayUSD: Double?, log: ActionLog
  ) -> PromiseReport {
    let judge = PromiseJudge(
      settings: settings, samples: samples, nowMs: nowMs, coveredFromMs: coveredFromMs,
      costTodayUSD: costTodayUSD)
    return PromiseReport(
      promises: settings.kinds.compactMap { kind in
        guard let judged = judge.promise(kind) else { return nil }
        var promise = judged.0
        promise.evidence = judged.1.suffix(5).reversed().compactMap { id in
          log.row(id).map { Answer.Evidence($0, Self.claim(kind)) }
        }
        return promise
      })
  }

  private static func claim(_ kind: Promise.Kind) -> String {
    switch kind {
    case .text, .voice: "slower than promised"
    case .unanswered: "not answered"
    case .cost: "what it cost"
    case .skip: "a silence"
    }
  }
}

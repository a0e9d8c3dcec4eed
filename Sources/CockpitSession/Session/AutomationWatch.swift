import ClankyWire
import CockpitStores

/// When the automations of a guild are to be fetched for the triage: once, and again after one of them was due,
/// since no row tells that nothing has happened.
struct AutomationWatch {
  /// The first fetch waits for what the screen needs.
  private static let firstMs: Int64 = 5_000
  /// So long after it was due an automation has run, or has been missed (`TriageRule.automationMissed`).
  private static let graceMs: Int64 = 150_000
  /// Between two fetches at least, and without anything due.
  private static let leastMs: Int64 = 120_000
  private static let mostMs: Int64 = 3_600_000
  /// A bot is in a handful of guilds.
  private static let maxGuilds = 20

  private var startMs: Int64?
  private var fetchedMs: [String: Int64] = [:]

  /// The guilds to ask for now; they count as asked for.
  ///
  /// - Parameters:
  ///   - nowMs: on our own clock.
  ///   - serverNowMs: on the backend's.
  @MainActor
  mutating func due(
    _ store: OperationsStore, guilds: [String], nowMs: Int64, serverNowMs: Int64
  ) -> [String] {
    let startMs = self.startMs ?? nowMs
    self.startMs = startMs
    guard nowMs - startMs >= Self.firstMs else { return [] }
    let due = guilds.prefix(Self.maxGuilds).filter { guild in
      guard let fetched = fetchedMs[guild] else { return true }
      let age = nowMs - fetched
      guard age >= Self.leastMs else { return false }
      let next = (store.automations[guild]?.value?.rows ?? [])
        .filter { $0.status == .active }.compactMap { $0.nextRunAt?.milliseconds }.min()
      return age >= Self.mostMs || next.map { serverNowMs - $0 >= Self.graceMs } ?? false
    }
    for guild in due { fetchedMs[guild] = nowMs }
    return due
  }
}

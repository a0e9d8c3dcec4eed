/// Tracks when the bot's troubles began and which ended recently, which no single message shows. A
/// value; times are in ms since 1970 on the backend's clock.
package struct BotWatch: Hashable, Sendable {
  private struct Entry: Hashable {
    var trouble: BotTrouble
    /// It has lasted long enough to be shown, or its duration is unknown.
    var isConfirmed: Bool
    var endedMs: Int64?
  }

  /// A trouble is shown once a message at least this much later than the first confirms it: Discord
  /// asks every client to reconnect now and then, which takes a few seconds. With a message every 3 s
  /// it is shown within 9 s.
  package static let confirmMs: Int64 = 5_000

  /// How long an ended trouble stays visible; one that returns within that time is the same
  /// trouble, so that neither a brief reconnect nor repeated failures flicker.
  package static let holdMs: Int64 = 10_000

  private var entries: [Entry] = []
  /// The parts that have been heard of.
  private var heard: Set<BotTrouble.Part> = []

  package init() {}

  /// Records what one message reports about some parts of the bot.
  ///
  /// - Parameters:
  ///   - causes: the troubles.
  ///   - parts: the parts that the message covers; other parts stay as they are.
  ///   - keeping: parts that have not recovered although no trouble is reported.
  package mutating func note(
    _ causes: [BotTrouble.Cause], of parts: Set<BotTrouble.Part>,
    keeping: [BotTrouble.Cause] = [], atMs nowMs: Int64
  ) {
    entries.removeAll { entry in
      guard let ended = entry.endedMs else { return false }
      return !entry.isConfirmed || nowMs - ended >= Self.holdMs || nowMs < ended
    }
    for index in entries.indices where parts.contains(entries[index].trouble.part) {
      let part = entries[index].trouble.part
      let isOpen = entries[index].endedMs == nil
      if let cause = causes.first(where: { $0.part == part })
        ?? (isOpen ? keeping.first { $0.part == part } : nil)
      {
        entries[index].trouble.cause = cause
        entries[index].endedMs = nil
        let age = nowMs - (entries[index].trouble.sinceMs ?? nowMs)
        // A clock that was set back makes nothing wait.
        if age >= Self.confirmMs || age < 0 { entries[index].isConfirmed = true }
      } else if isOpen {
        entries[index].endedMs = nowMs
      }
    }
    for cause in causes where !entries.contains(where: { $0.trouble.part == cause.part }) {
      let trouble = BotTrouble(
        cause, sinceMs: nowMs, mayBeOlder: !heard.contains(cause.part))
      entries.append(Entry(trouble: trouble, isConfirmed: trouble.mayBeOlder))
    }
    heard.formUnion(parts)
  }

  /// Current troubles to report, in no order.
  package var troubles: [BotTrouble] {
    entries.filter { $0.endedMs == nil && $0.isConfirmed }.map(\.trouble)
  }

  /// Current troubles that may end before they are worth reporting.
  package var pending: Set<BotTrouble.Part> {
    Set(entries.filter { $0.endedMs == nil && !$0.isConfirmed }.map(\.trouble.part))
  }

  /// Troubles that ended within `holdMs`, with their end.
  package func ended(atMs nowMs: Int64) -> [(trouble: BotTrouble, endedMs: Int64)] {
    entries.compactMap { entry in
      guard entry.isConfirmed, let ended = entry.endedMs, nowMs - ended < Self.holdMs else {
        return nil
      }
      return (entry.trouble, ended)
    }
  }
}

import CockpitAnswers
import CockpitHistory
import CockpitSession
import CockpitStores
import CockpitText
import Foundation

/// What was found, and what is to be said about it.
extension ActionsCommand {
  @MainActor struct Found {
    var nowMs: Int64
    /// ms since 1970, or `.min`.
    var oldestMs: Int64
    var rows: [ActionRowView] = []
    var names = NameTable()
    /// Sentences about rows that may be missing.
    var missing: [String] = []
    /// Sentences about where rows came from.
    var notes: [String] = []
    /// How far a search without a beginning looked; nil if there is nothing to say.
    var reach: String?
    /// Since when the rows are there.
    var fromMs: Int64?
    /// Whether there was no row at all to look among.
    var hasNone = false

    mutating func take(_ all: [ActionRowView], _ filter: Query) async throws(Failure) {
      var breaths = Breaths()
      for row in all {
        if row.timeMs >= oldestMs,
          filter.isEmpty || filter.matches(row, names: names, nowMs: nowMs)
        {
          rows.append(row)
        }
        try await breaths.take()
      }
    }

    /// The time of the oldest of the newest rows, so many of them.
    func oldestWanted(_ count: Int?) -> Int64? {
      guard let count, rows.count >= count else { return nil }
      return rows.map(\.timeMs).sorted(by: >)[count - 1]
    }
  }
}

/// Rows of a recording, alone or beside those of the backend.
extension ActionsCommand {
  /// Rows of a recording alone.
  @MainActor func found(
    in recorded: RecordedPast, _ query: Query
  ) async throws(Failure) -> Found {
    let filter = query.rowsOnly
    let nowMs = recorded.nowMs
    let since = since ?? filter.since(nowMs: nowMs)
    let oldestMs = since.map { nowMs - $0.milliseconds } ?? .min
    var found = Found(nowMs: nowMs, oldestMs: oldestMs)
    found.names = await recorded.names()
    let wanted = try wanted(filter, names: found.names, nowMs: nowMs, guild: recorded.guild())
    let log = ActionLog(memory: Self.memory)
    // Without --since the newest are meant, as many as the backend gives in one answer.
    let newest = since == nil && filter.isEmpty ? count ?? PastActions.limit : nil
    if let newest {
      try await recorded.readNewest(newest, into: log, isWanted: wanted)
    } else {
      try await recorded.read(
        into: log, after: oldestMs == .min ? .min : oldestMs - 1, isWanted: wanted)
    }
    found.names = await recorded.names(in: log)
    found.rows = log.rows(in: 0..<log.count)
    found.hasNone = false
    let fromMs = max(oldestMs, newest == nil ? recorded.span.lowerBound : log.oldestMs ?? nowMs)
    found.fromMs = oldestMs == .min ? fromMs : oldestMs
    found.missing = recorded.sentences(
      fromMs: oldestMs == .min ? fromMs : oldestMs, toMs: nowMs)
    if log.totals.evicted > 0 { found.missing.append(Self.evicted(log)) }
    found.notes.append(
      "From the recording of \(recorded.name), as of \(recorded.settings.clock.day(ms: nowMs)) \(recorded.settings.clock.time(ms: nowMs))."
    )
    return found
  }

  /// The rows of a time from the recording alone, because the bot cannot be reached; nil where that is no answer.
  @MainActor func foundWithoutBot(
    _ failure: Failure, _ settings: Settings, _ query: Query
  ) async throws(Failure) -> Found? {
    let nowMs = Int64(Date().timeIntervalSince1970 * 1000)
    // The newest rows of a bot that is down are no answer to "what is it doing".
    let asksBack = since != nil || query.rowsOnly.since(nowMs: nowMs) != nil
    guard failure.code == Failure.Code.connection.rawValue, asksBack,
      settings.options.source == nil
    else { return nil }
    let recorded: RecordedPast
    do throws(HistoryError) {
      recorded = try RecordedPast(.bot, settings, nowMs: nowMs)
    } catch {
      // Nothing was recorded: the failure of the connection is the answer.
      return nil
    }
    settings.process.recordingWasUsed?(true)
    var found = try await found(in: recorded, query)
    found.notes.insert("The bot cannot be reached: \(failure.description)", at: 0)
    return found
  }

  /// Bytes of rows that are kept for the answer.
  private static let memory = 1 << 30

  @MainActor private static func evicted(_ log: ActionLog) -> String {
    "\(Figures.count(log.totals.evicted)) of the recorded actions did not fit into memory; ask for a shorter time or fewer kinds."
  }

  /// Whether a recorded row is to be shown.
  @MainActor private func wanted(
    _ filter: Query, names: NameTable, nowMs: Int64, guild: String?
  ) -> (ActionRowView) -> Bool {
    let kinds = Set(kindList)
    return { row in
      (kinds.isEmpty || kinds.contains(row.kind)) && (guild == nil || row.guildID == guild)
        && (filter.isEmpty || filter.matches(row, names: names, nowMs: nowMs))
    }
  }

  /// Whether the newest recorded rows are not among those of the backend.
  @MainActor private func hasLost(
    _ known: KnownRowsOfLog, _ recorded: RecordedPast, _ found: Found,
    _ isWanted: @escaping (ActionRowView) -> Bool
  ) async throws(Failure) -> Bool {
    let log = ActionLog(memory: 0)
    try await recorded.readNewest(20, into: log) { $0.actionID != nil && isWanted($0) }
    return log.rows(in: 0..<log.count).contains {
      $0.timeMs >= found.oldestMs && !known.contains($0)
    }
  }

  /// Adds what was recorded of the time for which the backend may lack rows.
  @MainActor func addRecorded(
    to found: inout Found, besides past: PastActions, _ settings: Settings, _ filter: Query
  ) async throws(Failure) {
    let log = past.log
    guard settings.options.source == nil else { return }
    let recorded: RecordedPast
    do throws(HistoryError) {
      recorded = try RecordedPast(.bot, settings, nowMs: found.nowMs)
    } catch {
      // Without a recording there is nothing to say about one.
      if error.reason != .missing { found.notes.append("The recording cannot be read: \(error).") }
      return
    }
    let known = KnownRowsOfLog(log)
    let names = await recorded.names()
    let isWanted = wanted(filter, names: names, nowMs: found.nowMs, guild: settings.guild)
    // What the backend gave is all that it has, unless it may lack some in between, or its log began anew.
    let mayLack =
      if found.missing.isEmpty {
        try await hasLost(known, recorded, found, isWanted)
      } else {
        true
      }
    let endMs = !mayLack ? log.oldestMs ?? found.nowMs : found.nowMs
    guard endMs > found.oldestMs else { return }
    let more = ActionLog(memory: Self.memory)
    try await recorded.read(into: more, after: found.oldestMs - 1, through: endMs) { row in
      isWanted(row) && !known.contains(row)
    }
    let clock = settings.clock
    let all = await recorded.names(in: more)
    found.names.users.merge(all.users) { own, _ in own }
    found.names.channels.merge(all.channels) { own, _ in own }
    found.names.guilds.merge(all.guilds) { own, _ in own }
    found.rows += more.rows(in: 0..<more.count)
    if more.count > 0 {
      let count = more.count == 1 ? "One row" : "\(Figures.count(more.count)) rows"
      found.notes.append(
        "\(count) from the recording: the backend has \(more.count == 1 ? "it" : "them") no longer, or does not give \(more.count == 1 ? "it" : "them")."
      )
    }
    if more.totals.evicted > 0 { found.missing.append(Self.evicted(more)) }
    let gaps = recorded.missing(fromMs: found.oldestMs, toMs: endMs).map { $0.sentence(clock) }
    if found.missing.isEmpty {
      // The backend may never have had older rows: it does not say.
      found.notes +=
        gaps.isEmpty
        ? []
        : [
          "Before \(HistoryLimits.moment(endMs, clock, nowMs: found.nowMs)) there is the recording alone."
        ] + gaps
    } else {
      found.missing += gaps
    }
  }
}

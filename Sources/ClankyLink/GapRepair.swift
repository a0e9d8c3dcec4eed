/// The rules of gap repair as a value: what a batch of rows tells about missing rows, and what to ask
/// for. Live rows carry no id (wire contract 4.1), so ids above the newest known one say nothing until a
/// snapshot or a comparison brings them.
package struct GapRepair: Sendable, Equatable {
  /// What a batch told.
  package enum Finding: Sendable, Equatable {
    case complete
    /// The log was replaced; the ledger already belongs to the new one.
    case reset
    /// Ids that are missing.
    case holes([ClosedRange<Int>])
  }

  /// The most rows one request gives (wire contract 3.2).
  package static let rowLimit = 1_000
  /// Asked for in addition to what is known to be missing.
  package static let marginMs: Int64 = 60_000

  /// Which ids are accounted for.
  package private(set) var ledger = IDLedger()
  /// Time of the newest row with an id, server time.
  package private(set) var newestKnownMs: Int64?
  /// Server time up to which a complete answer was merged.
  package private(set) var coveredToMs: Int64?

  package init() {}

  /// Takes the report of a batch. `askedAtMs` is the server time at which an answer that reaches back
  /// without a gap to what was known was asked for; nil for a batch that may not.
  package mutating func absorb(_ report: RowReport, askedAtMs: Int64? = nil) -> Finding {
    let wasReset = showsReplacedLog(report)
    if wasReset {
      ledger = IDLedger()
      newestKnownMs = nil
      coveredToMs = nil
    }
    if ledger.isEmpty { ledger.start(report.ids) } else { ledger.insert(report.ids) }
    if !report.ids.isEmpty, let newest = report.newestMs {
      newestKnownMs = max(newestKnownMs ?? newest, newest)
    }
    if let askedAtMs, report.rejected == 0 {
      coveredToMs = max(coveredToMs ?? askedAtMs, askedAtMs)
    }
    if wasReset { return .reset }
    let holes = ledger.holes
    return holes.isEmpty ? .complete : .holes(holes)
  }

  /// Ids restart lower, or rows that are newer than all we know carry ids we already passed.
  private func showsReplacedLog(_ report: RowReport) -> Bool {
    guard let known = ledger.newest, let newest = report.ids.max(), let oldest = report.ids.min()
    else { return false }
    guard let knownMs = newestKnownMs, let newestMs = report.newestMs else { return false }
    if newest < known, newestMs > knownMs { return true }
    guard let oldestMs = report.oldestMs else { return false }
    return oldest <= known && oldestMs > knownMs
  }

  /// A snapshot always holds the newest rows, so one that ends below what we know comes from another
  /// log even if its times are older (a restored copy).
  package func snapshotShowsReplacedLog(_ report: RowReport) -> Bool {
    guard let known = ledger.newest, let newest = report.ids.max() else { return false }
    return newest < known && report.rejected == 0
  }

  /// Takes the report of a snapshot.
  package mutating func absorbSnapshot(_ report: RowReport) -> Finding {
    if snapshotShowsReplacedLog(report) {
      self = GapRepair()
      _ = absorb(report)
      return .reset
    }
    return absorb(report)
  }

  /// Server time up to which every row is accounted for, live rows included. Take it before the batch
  /// that shows a hole is absorbed: that batch moves it. Nil when nothing is known.
  package var sureUntilMs: Int64? {
    guard let newestKnownMs else { return coveredToMs }
    return max(newestKnownMs, coveredToMs ?? newestKnownMs)
  }

  /// `sinceHours` for a request that covers everything after `baseMs` (server time) with the margin and
  /// the clocks' difference on top.
  package static func hours(sinceMs baseMs: Int64, serverNowMs: Int64, skewMs: Int) -> Double {
    let (distance, overflow) = serverNowMs.subtractingReportingOverflow(baseMs)
    let skew = Int64(min(skewMs.magnitude, 86_400_000))
    return (overflow ? 0 : Double(max(0, distance)) + Double(marginMs + skew)) / 3_600_000
  }

  /// Stops waiting for ids that cannot be had.
  package mutating func writeOff(_ ranges: [ClosedRange<Int>]) {
    for range in ranges { ledger.insert(range) }
  }

  /// Kinds to ask for separately when one request is full: the noisiest alone, the busy ones, the rest
  /// of the known ones (wire contract 4.4). A kind that is in none of them stays missing and is
  /// reported.
  package static let kindGroups: [[String]] = [
    ["voice_runtime"],
    [
      "llm_call", "llm_tool_call", "llm_error", "llm_lifecycle", "memory_embedding_call",
      "asr_call", "tts_call", "text_runtime", "memory_runtime", "stream_discovery",
    ],
    [
      "voice_session_start", "voice_session_end", "voice_turn_in", "voice_turn_out", "voice_error",
      "voice_warn", "voice_info", "voice_soundboard_play", "voice_music", "voice_lifecycle",
      "music_player", "asr_error", "tts_error", "sent_reply", "sent_message", "reply_skipped",
      "reacted", "memory_fact", "memory_embedding_error", "memory_reflection_start",
      "memory_reflection_complete", "memory_reflection_error", "browser_agent_session_turn",
      "browser_agent_reasoning", "browser_agent_final", "browser_browse_call",
      "browser_browse_failed", "browser_tool_step", "browser_tool_result", "browser_agent",
      "image_call", "image_error", "gif_call", "gif_error", "video_call", "video_error",
      "video_context_call", "video_context_error", "code_agent_call", "code_agent_error",
      "sub_agent_session_lifecycle", "discovery_feed_snapshot", "search_call", "search_error",
      "search_service", "automation_created", "automation_updated", "automation_post",
      "automation_run", "automation_error", "initiative_post", "initiative_skip", "bot_error",
      "bot_warning", "bot_runtime", "bot_lifecycle", "dashboard", "runtime",
    ],
  ]
}

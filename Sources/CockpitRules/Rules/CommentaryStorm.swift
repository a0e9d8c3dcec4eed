/// 11: the bot comments on a screen more than anybody asked for.
struct CommentaryStorm: RuleState {
  static let rule = Rule(
    id: .commentaryStorm, level: .info,
    condition: "6 screen commentaries within 60 s that nobody asked for",
    advice: "Raise the change threshold or the pause of screen commentary in the settings.",
    input: RuleInput(
      names: [
        "stream_watch_commentary_requested", "voice_turn_addressing", "bot_audio_started",
        "voice_session_end",
      ],
      keys: [
        "triggerReason", "reason", "changeScore", "allow", "directAddressed", "heard",
      ]),
    limits: [
      RuleLimit(name: "count", unit: .count, standard: 6, meaning: "commentaries"),
      RuleLimit(name: "within_ms", unit: .ms, standard: 60_000, meaning: "the time they fall into"),
    ],
    begin: { CommentaryStorm($0) })

  private let count: Int
  private let withinMs: Int64
  private var requests: [String: RecentRows] = [:]
  /// Direct addresses without audio since.
  private var unanswered: [String: [RuleRow]] = [:]
  private static let maxUnanswered = 8

  init(_ values: RuleValues) {
    count = values.count("count")
    withinMs = values.ms("within_ms")
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row, let session = row.sessionID else { return }
    switch row.name {
    case "voice_session_end":
      requests[session] = nil
      unanswered[session] = nil
    case "bot_audio_started": unanswered[session] = nil
    case "voice_turn_addressing":
      guard row.bool("directAddressed") == true else { return }
      unanswered[session, default: []].append(row)
      if let surplus = unanswered[session]?.count, surplus > Self.maxUnanswered {
        unanswered[session]?.removeFirst()
      }
    default:
      let reason = row.string("triggerReason") ?? row.string("reason") ?? ""
      guard !Self.wasAsked(reason) else { return }
      requests[session, default: RecentRows()].add(row, withinMs: withinMs)
      guard let rows = requests[session]?.rows, rows.count >= count else { return }
      requests[session] = nil
      let waiting = (unanswered[session] ?? []).filter { $0.timeMs >= rows[0].timeMs }
      let tail = waiting.isEmpty ? "" : " while somebody addressed the bot and had no answer"
      found.report(
        .init(
          waiting.isEmpty ? .info : .warning,
          "\(rows.count) screen commentaries in "
            + "\(RuleWords.duration(row.timeMs - rows[0].timeMs))\(tail)",
          rows.map(\.cite) + waiting.map(\.cite), about: row, subject: ""))
    }
  }

  /// The first frame of a share, and what a person asked for, are no storm.
  private static func wasAsked(_ reason: String) -> Bool {
    ["first", "direct", "user", "asked", "manual", "share_start"].contains { reason.contains($0) }
  }
}

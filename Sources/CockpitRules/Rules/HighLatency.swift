internal import LenientJSON

/// 13: an answer took far longer than those before it.
struct HighLatency: RuleState {
  static let rule = Rule(
    id: .highLatency, level: .info,
    condition: "an answer takes over 2 s and over twice the median of the last 12",
    advice: "The stage with the greatest part is named; look at it in VOICE or BRAIN.",
    input: RuleInput(
      names: ["voice_latency_stage", "sent_reply", "sent_message", "voice_session_end"],
      keys: Set(stages.map(\.key)).union([
        "stage", "queueWaitMs", "performance", "llm", "requestId", "mode", "pendingQueueDepth",
      ]), memoryMs: 86_400_000),
    limits: [
      RuleLimit(name: "factor", unit: .ratio, standard: 2, meaning: "times the median"),
      RuleLimit(name: "least_ms", unit: .ms, standard: 2000, meaning: "below it nothing is slow"),
    ],
    begin: { HighLatency($0) })

  /// The stages of a spoken reply (contract 7.2).
  private static let stages = [
    (key: "finalizedToAsrStartMs", name: "fin>asr"),
    (key: "asrToGenerationStartMs", name: "asr>gen"),
    (key: "generationToReplyRequestMs", name: "gen>reply"),
    (key: "replyRequestToAudioStartMs", name: "reply>audio"),
  ]
  /// The parts of a written reply (contract 4.5, Text).
  private static let parts = [
    "queueMs", "ingestMs", "memorySliceMs", "llm1Ms", "followupMs", "typingDelayMs", "sendMs",
  ]
  private static let leastOfSession = 5
  private static let ofSession = 12
  private static let leastOfOthers = 20
  private static let maxGroups = 200

  private let factor: Double
  private let leastMs: Int
  private var sessions: [String: RecentDurations] = [:]
  /// By mode of voice, or model of text.
  private var groups: [String: RecentDurations] = [:]
  /// The row before each, which may have held the queue.
  private var before: [String: Citation] = [:]

  init(_ values: RuleValues) {
    factor = values["factor"]
    leastMs = Int(values.ms("least_ms"))
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row else { return }
    switch row.name {
    case "voice_session_end":
      sessions[row.sessionID ?? ""] = nil
      before[row.sessionID ?? ""] = nil
    case "voice_latency_stage": takeVoice(row, &found)
    default: takeText(row, &found)
    }
  }

  private mutating func takeVoice(_ row: RuleRow, _ found: inout Findings) {
    guard row.string("stage") == "audio_started", let session = row.sessionID else { return }
    let known = Self.stages.compactMap { stage in row.int(stage.key).map { (stage.name, $0) } }
    // Stages that a path has not are not told: the bridge has two.
    guard !known.isEmpty else { return }
    var all = known
    let total = known.reduce(0) { $0 + $1.1 }
    if let queue = row.int("queueWaitMs") { all.append(("queue", queue)) }
    let mode = "voice " + (row.string("mode") ?? "")
    // The first turn of a session opens connections.
    let isFirst = sessions[session] == nil
    if !isFirst {
      judge(
        row, total, parts: all, own: sessions[session], others: groups[mode],
        queue: row.int("queueWaitMs"), place: session, &found)
    }
    sessions[session, default: RecentDurations(limit: Self.ofSession)].add(total)
    note(mode, total)
    before[session] = row.cite
  }

  private mutating func takeText(_ row: RuleRow, _ found: inout Findings) {
    guard let performance = row.metadata["performance"], let total = performance["totalMs"]?.int
    else { return }
    let parts = Self.parts.compactMap { key in performance[key]?.int.map { (key, $0) } }
    let model = "text " + (row.metadata["llm"]?["model"]?.string ?? "")
    let place = "text " + (row.channelID ?? "")
    judge(
      row, total, parts: parts, own: nil, others: groups[model],
      queue: performance["queueMs"]?.int, place: place, &found)
    note(model, total)
    before[place] = row.cite
  }

  private mutating func note(_ group: String, _ total: Int) {
    guard groups[group] != nil || groups.count < Self.maxGroups else { return }
    groups[group, default: RecentDurations(limit: 60)].add(total)
  }

  private func judge(
    _ row: RuleRow, _ total: Int, parts: [(String, Int)], own: RecentDurations?,
    others: RecentDurations?, queue: Int?, place: String, _ found: inout Findings
  ) {
    guard total > leastMs else { return }
    let basis: RecentDurations
    if let own, own.values.count >= Self.leastOfSession {
      basis = own
    } else if let others, others.values.count >= Self.leastOfOthers {
      basis = others
    } else {
      return
    }
    guard let median = basis.median, Double(total) > factor * Double(median) else { return }
    let slowest = parts.max { $0.1 < $1.1 }
    let isQueue = (queue ?? 0) * 2 > total
    let blame = isQueue ? "queue" : slowest?.0
    let holder = isQueue ? before[place] : nil
    let why = blame.map { "; the longest part was \($0)" } ?? ""
    found.report(
      .init(
        .info,
        "The answer took \(RuleWords.duration(total)); the \(basis.values.count) before had "
          + "a median of \(RuleWords.duration(median))\(why)",
        [row.cite] + [holder].compactMap { $0 },
        about: row,
        subject: row.cite.name,
        cause: blame.map { holder == nil ? "stage \($0)" : "it waited behind the answer before it" }
      ))
  }
}

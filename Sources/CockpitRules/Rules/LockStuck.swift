internal import ClankyWire

/// 3: the output is held, and nothing is heard.
struct LockStuck: RuleState {
  static let rule = Rule(
    id: .lockStuck, level: .warning,
    condition:
      "a response is pending for over 5 s without audio, is cleared as stale, or a lease runs out",
    advice: "Wait for the bot's own recovery; if it comes back, end the session and join again.",
    input: RuleInput(
      names: [
        "active_response_cleared_stale", "voice_output_lease_granted",
        "voice_output_lease_released",
        "bot_audio_started", "voice_session_end",
      ],
      suffixes: ["_active_response_cleared_stale"],
      keys: ["staleAgeMs", "expiresAt", "requestId", "reason"], voiceState: true),
    limits: [
      RuleLimit(
        name: "pending_ms", unit: .ms, standard: 5000, meaning: "how long a response may be pending"
      )
    ],
    begin: { LockStuck($0) })

  private let pendingMs: Int64
  private var leases = Waiting<String, RuleRow>()
  private var audio: [String: Int64] = [:]
  /// The pending response of each session that the last state had beyond the limit.
  private var pending: [String: VoiceSample] = [:]
  private var hasState = false

  init(_ values: RuleValues) { pendingMs = values.ms("pending_ms") }

  var deadlineMs: Int64? { leases.deadlineMs }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    switch event.body {
    case .row(let row): take(row, &found)
    case .voice(let sessions):
      hasState = true
      var next: [String: VoiceSample] = [:]
      for sample in sessions { take(sample, event.timeMs, &next, &found) }
      pending = next
    case .health, .outage, .link: break
    }
  }

  private mutating func take(_ row: RuleRow, _ found: inout Findings) {
    switch row.name {
    case "bot_audio_started":
      if let session = row.sessionID { audio[session] = row.timeMs }
    case "voice_output_lease_granted":
      guard let until = Self.time(row), until > row.timeMs else { return }
      leases.wait(Self.lease(row), row, untilMs: until)
    case "voice_output_lease_released":
      leases.remove(Self.lease(row))
    case "voice_session_end":
      leases.removeAll { $1.sessionID == row.sessionID }
      audio[row.sessionID ?? ""] = nil
    default:
      let age = row.int("staleAgeMs").map { " after \(RuleWords.duration($0))" } ?? ""
      found.report(
        .init(.warning, "An active response was cleared as stale\(age)", [row.cite], about: row))
    }
  }

  private mutating func take(
    _ sample: VoiceSample, _ nowMs: Int64, _ next: inout [String: VoiceSample],
    _ found: inout Findings
  ) {
    guard sample.phase == .responsePending, let since = sample.phaseEnteredMs,
      nowMs - since > pendingMs, (audio[sample.sessionID] ?? .min) < since
    else { return }
    next[sample.sessionID] = sample
    guard let before = pending[sample.sessionID], before.requestID == sample.requestID,
      before.phaseEnteredMs == since
    else { return }
    found.report(
      .init(
        .warning,
        "The response has been pending for \(RuleWords.duration(nowMs - since)), "
          + "limit \(RuleWords.duration(pendingMs))",
        [sample.citation(atMs: since, key: "pending \(sample.requestID ?? 0)")],
        sessionID: sample.sessionID, subject: "\(since)", toMs: nowMs,
        missing: "bot_audio_started"))
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    for (dueMs, row) in leases.due(nowMs) where (audio[row.sessionID ?? ""] ?? .min) < row.timeMs {
      found.report(
        .init(
          .warning,
          "The output was leased for \(RuleWords.duration(dueMs - row.timeMs)) and not released",
          [row.cite], about: row, toMs: dueMs, missing: "voice_output_lease_released"))
    }
  }

  private static func lease(_ row: RuleRow) -> String {
    "\(row.sessionID ?? "") \(row.int("requestId") ?? 0)"
  }

  /// `expiresAt` is a number or a time.
  private static func time(_ row: RuleRow) -> Int64? {
    if let number = row.double("expiresAt"), abs(number) < 1e15 { return Int64(number) }
    return row.string("expiresAt").flatMap { WireTime(iso: $0)?.milliseconds }
  }
}

extension VoiceSample {
  /// A citation of something that states of this session tell, by what stays the same in all of them.
  func citation(atMs: Int64, key: String) -> Citation {
    var print = Fingerprint()
    print.add(sessionID)
    print.add(key)
    print.add(atMs)
    return Citation(timeMs: atMs, name: "voice_state", fingerprint: print.value, words: key)
  }
}

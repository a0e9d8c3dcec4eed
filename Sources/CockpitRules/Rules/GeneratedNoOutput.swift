/// 5: an answer with words was requested, and nobody heard it.
struct GeneratedNoOutput: RuleState {
  static let rule = Rule(
    id: .generatedNoOutput, level: .critical,
    condition: "a requested reply with words has no audio within 15 s",
    advice: "Look at the provider's errors and the output phase; the words are in the request.",
    input: RuleInput(
      names: [
        "realtime_reply_requested", "bot_audio_started", "bot_utterance_completed",
        "response_silent_fallback", "response_silent_hard_recovery",
        "realtime_reply_superseded_newer_input", "realtime_reply_skipped",
        "voice_barge_in_interrupt",
        "realtime_assistant_utterance_queued", "realtime_assistant_utterance_queue_drained",
        "voice_session_end",
      ],
      suffixes: ["_transcript"],
      keys: ["requestId", "replyText", "hadAudio", "transcriptSource", "transcript", "source"]),
    limits: [
      RuleLimit(name: "audio_ms", unit: .ms, standard: 15_000, meaning: "how long audio may take")
    ],
    begin: { GeneratedNoOutput($0) })

  private let audioMs: Int64
  private var requests = Waiting<Citation, RuleRow>()
  /// Requests whose utterance waits in the queue of the session.
  private var queued: [String: [RuleRow]] = [:]

  init(_ values: RuleValues) { audioMs = values.ms("audio_ms") }

  var deadlineMs: Int64? { requests.deadlineMs }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row, let session = row.sessionID else { return }
    switch row.name {
    case "realtime_reply_requested":
      guard RuleWords.hasWords(row.string("replyText")) else { return }
      requests.wait(row.cite, row, untilMs: row.timeMs + audioMs)
    case "response_silent_fallback", "response_silent_hard_recovery":
      let id = row.int("requestId")
      for key in requests.keys {
        guard let request = requests[key], request.sessionID == session,
          id == nil || request.int("requestId") == id
        else { continue }
        requests.remove(key)
        report(request, came: row, toMs: row.timeMs, &found)
      }
    case "realtime_assistant_utterance_queued":
      // The queue names no request: the newest one of the session waits.
      guard let key = requests.keys.last(where: { requests[$0]?.sessionID == session }),
        let request = requests.remove(key)
      else { return }
      queued[session, default: []].append(request)
    case "realtime_assistant_utterance_queue_drained":
      guard var waiting = queued[session], !waiting.isEmpty else { return }
      let request = waiting.removeFirst()
      queued[session] = waiting.isEmpty ? nil : waiting
      requests.wait(request.cite, request, untilMs: row.timeMs + audioMs)
    case "voice_session_end":
      queued[session] = nil
      clear(session)
    case "bot_utterance_completed":
      guard row.bool("hadAudio") != false else { return }
      clear(session, request: row.int("requestId"))
    case "realtime_reply_superseded_newer_input", "realtime_reply_skipped":
      clear(session, request: row.int("requestId"))
    case "bot_audio_started", "voice_barge_in_interrupt":
      clear(session)
    default:
      guard row.string("transcriptSource") == "output", row.string("transcript") != nil else {
        return
      }
      clear(session)
    }
  }

  private mutating func clear(_ session: String, request: Int? = nil) {
    requests.removeAll {
      $1.sessionID == session
        && (request == nil || request == 0 || $1.int("requestId") == request)
    }
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    for (dueMs, request) in requests.due(nowMs) { report(request, came: nil, toMs: dueMs, &found) }
  }

  private func report(
    _ request: RuleRow, came row: RuleRow?, toMs: Int64, _ found: inout Findings
  ) {
    let words = RuleWords.quoted(request.string("replyText")) ?? "An answer"
    let what =
      row.map { "it ended with \($0.name)" } ?? "no audio in \(RuleWords.duration(audioMs))"
    found.report(
      .init(
        .critical, "\(words) was generated and never heard: \(what)",
        [request.cite] + [row?.cite].compactMap { $0 }, about: request, subject: "",
        toMs: toMs, missing: "bot_audio_started"))
  }
}

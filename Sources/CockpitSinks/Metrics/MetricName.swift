/// The metrics that are written, in their order.
enum MetricName: String, CaseIterable, Sendable {
  case up = "clanky_up"
  case actions = "clanky_actions_total"
  case errors = "clanky_errors_total"
  case replies = "clanky_replies_total"
  case skips = "clanky_skips_total"
  case cost = "clanky_cost_usd_total"
  case tokens = "clanky_tokens_total"
  case voiceTurn = "clanky_voice_turn_seconds"
  case voiceStage = "clanky_voice_stage_seconds"
  case reply = "clanky_reply_seconds"
  case tool = "clanky_tool_seconds"
  case voiceSessions = "clanky_voice_sessions"
  case voicePeople = "clanky_voice_people"
  case pendingTurns = "clanky_pending_turns"
  case anomalies = "clanky_anomalies_total"
  case gaps = "clanky_gaps_total"
  case recorderLag = "clanky_recorder_lag_seconds"
  case recorderLost = "clanky_recorder_lost_total"
  case historyBytes = "clanky_history_bytes"
  case historyOldest = "clanky_history_oldest_seconds"

  enum Kind: String, Sendable { case counter, gauge, histogram }

  var kind: Kind {
    switch self {
    case .actions, .errors, .replies, .skips, .cost, .tokens, .anomalies, .gaps, .recorderLost:
      .counter
    case .voiceTurn, .voiceStage, .reply, .tool: .histogram
    case .up, .voiceSessions, .voicePeople, .pendingTurns, .recorderLag, .historyBytes,
      .historyOldest:
      .gauge
    }
  }

  var help: String {
    switch self {
    case .up: "Whether the stream is heard: 1 live, 0.5 stale or polled, 0 down."
    case .actions: "Rows of the bot's action log."
    case .errors: "Rows that report a failure."
    case .replies: "Answers: messages sent, and answers spoken."
    case .skips: "Messages and utterances that got no answer, by the bot's reason."
    case .cost: "US dollars of the rows seen."
    case .tokens: "Tokens of the rows seen."
    case .voiceTurn: "From the end of an utterance to the first sound of the answer."
    case .voiceStage: "The stages of that time."
    case .reply: "How long answers in text took, and their phases."
    case .tool: "How long tools took."
    case .voiceSessions: "Voice sessions now."
    case .voicePeople: "People in voice sessions now."
    case .pendingTurns: "Turns that wait now."
    case .anomalies: "What rules found, by rule and level."
    case .gaps: "Stretches in which rows are missing, in this run."
    case .recorderLag: "How long the oldest row that is not written waits."
    case .recorderLost: "Rows that were not recorded in this run."
    case .historyBytes: "Bytes of the recorded history."
    case .historyOldest: "The age of the oldest recorded day."
    }
  }
}

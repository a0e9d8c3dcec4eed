/// The names of OpenTelemetry's conventions for generative AI that are written. They are in development there: this is
/// the one place that follows them.
enum GenAI {
  /// The release of the conventions.
  static let version = "0.1.0"
  static let schema = "https://opentelemetry.io/schemas/gen-ai/\(version)"
  static let scope = "clanky-cockpit"

  // Conventions.
  static let operation = "gen_ai.operation.name"
  static let agent = "gen_ai.agent.name"
  static let conversation = "gen_ai.conversation.id"
  static let provider = "gen_ai.provider.name"
  static let requestModel = "gen_ai.request.model"
  static let inputTokens = "gen_ai.usage.input_tokens"
  static let outputTokens = "gen_ai.usage.output_tokens"
  static let cacheReadTokens = "gen_ai.usage.cache_read.input_tokens"
  static let cacheWriteTokens = "gen_ai.usage.cache_write.input_tokens"
  static let finishReasons = "gen_ai.response.finish_reasons"
  static let toolName = "gen_ai.tool.name"
  static let toolCall = "gen_ai.tool.call.id"
  static let toolType = "gen_ai.tool.type"
  static let toolArguments = "gen_ai.tool.call.arguments"
  static let errorType = "error.type"
  static let user = "user.id"

  // Proposed there, not released.
  static let endReason = "gen_ai.agent.invocation.end_reason"
  static let audioInputTokens = "gen_ai.usage.audio.input_tokens"
  static let audioOutputTokens = "gen_ai.usage.audio.output_tokens"

  // Ours.
  static let kind = "clanky.kind"
  static let rowKey = "clanky.row_key"
  static let outcome = "clanky.turn.outcome"
  static let reason = "clanky.turn.reason"
  static let isSilent = "clanky.silent"
  static let isSettled = "clanky.settled"
  static let isDurationKnown = "clanky.duration.known"
  static let cost = "clanky.cost_usd"
  static let words = "clanky.words"
  static let anomaly = "clanky.anomaly"
  static let anomalyRule = "clanky.anomaly.rule"
  static let anomalyLevel = "clanky.anomaly.level"
  static let anomalySentence = "clanky.anomaly.sentence"
  static let transcript = "clanky.transcript"
}

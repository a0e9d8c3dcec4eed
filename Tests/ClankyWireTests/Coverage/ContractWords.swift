/// Words in the code spans of contract 5.2 that are no members of a voice session.
enum ContractWords {
  static let noMembers = values.union(notation).union(elsewhere)

  /// Values of enumerations; the types keep every word, known or not.
  private static let values: Set<String> = [
    "ACTIVE", "AMBIENT", "ME", "YOU", "assistant", "audio_started", "auto",
    "awaiting_tool_outputs", "bot_audio_buffered", "bot_audio_live", "buffered", "closing",
    "committing", "connecting", "discord", "duck", "effect", "elevenlabs_realtime",
    "gemini_realtime", "idle", "inactivity", "interrupted", "loading", "max_duration",
    "membership", "none", "openai_active_response", "openai_realtime", "pause", "paused",
    "paused_wake_word", "pending_response", "playing", "provider_native", "ready",
    "realtime_instruction_refresh", "response_pending", "session_start", "slash_command",
    "soundcloud", "speaking_buffered", "speaking_live", "speech", "stopping", "thought",
    "tool_call", "transport_only", "user", "user_pause", "voice_agent", "wake_word", "youtube",
  ]

  /// Type names, the notation and the prose of the contract itself.
  private static let notation: Set<String> = [
    "false", "json", "true",
    "AsrSession", "SessionFact", "SoundboardState", "ToolCall", "VoiceTurn", "a", "ago", "and",
    "api", "based", "bool", "bundle", "channels", "four", "guilds", "int", "iso", "null", "num",
    "object", "of", "s", "same", "stages", "str", "the", "to", "up", "zero",
  ]

  /// Names of events and rows, members the contract says do not exist, and members of free-form
  /// objects, which are kept whole.
  private static let elsewhere: Set<String> = [
    "completed", "count", "focusedSpeaker", "generating", "open_article",
    "realtime_tool_call_started", "resultTitles", "results", "session", "speaking",
    "stats_update", "voice_latency_stage", "voice_membership_changed", "voice_state",
  ]
}

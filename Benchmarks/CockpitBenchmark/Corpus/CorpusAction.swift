/// One action before it is written in one of its two shapes.
struct CorpusAction {
  var kind: String
  var content: String
  var guild: String?
  var channel: String?
  var message: String?
  var user: String?
  /// In 10^-8 US dollars; nil if the action costs nothing.
  var cost: Int?
  var timeMs: Int64
}

/// The layout of a family's metadata (contract, section 4).
enum CorpusMetadata {
  case none, runtime, embedding, model, toolCall, reply, media, browser, session, audio, fact
  case voiceRuntime
}

/// How many of the actions carry a prompt.
enum CorpusMix {
  /// One in a hundred: an evening in a busy room, mean 1.4 kB.
  case feed
  /// As in a recorded stream in which every kind occurs: mean 3.2 kB.
  case recorded

  func weight(of kind: CorpusKind) -> Int {
    let hasPrompt = kind.metadata == .model || kind.metadata == .reply
    return self == .recorded && hasPrompt ? 4 * kind.weight : kind.weight
  }
}

/// The frequency and content of a kind of action.
struct CorpusKind {
  let kind: String
  let metadata: CorpusMetadata
  /// Relative to the sum; chosen so that the mean size is about 1.4 kB with 1 % of prompt-sized
  /// rows.
  let weight: Int
  let contents: [String]

  init(_ kind: String, _ metadata: CorpusMetadata, _ weight: Int, _ contents: [String] = []) {
    self.kind = kind
    self.metadata = metadata
    self.weight = weight
    self.contents = contents
  }

  static let all: [CorpusKind] = [
    CorpusKind(
      "voice_runtime", .voiceRuntime, 300,
      [
        "openai_realtime_client_event_sent", "realtime_turn_held_room_coalesce",
        "openai_realtime_asr_audio_flushed", "voice_turn_addressing",
      ]),
    CorpusKind(
      "text_runtime", .runtime, 140, ["reply_admission_decision", "reply_pipeline_stage"]),
    CorpusKind("memory_embedding_call", .embedding, 130, ["text-embedding-3-small"]),
    CorpusKind("memory_runtime", .runtime, 60, ["curated_prompt_memory_loaded"]),
    CorpusKind("llm_call", .model, 12, ["claude-oauth:claude-opus-4-6", "openai:gpt-5-mini"]),
    CorpusKind("llm_tool_call", .toolCall, 30, ["claude-oauth:claude-opus-4-6"]),
    CorpusKind("llm_error", .toolCall, 6),
    CorpusKind("sent_reply", .reply, 6),
    CorpusKind("sent_message", .reply, 3),
    CorpusKind("reply_skipped", .reply, 2, ["llm_skip"]),
    CorpusKind("initiative_post", .reply, 1),
    CorpusKind("initiative_skip", .reply, 1),
    CorpusKind("automation_post", .reply, 1),
    CorpusKind("automation_run", .reply, 1),
    CorpusKind("reacted", .media, 15, ["\u{1F525}", "\u{1F44D}"]),
    CorpusKind("stream_discovery", .none, 30),
    CorpusKind("discovery_feed_snapshot", .session, 15, ["candidates=3"]),
    CorpusKind("browser_tool_step", .browser, 25, ["browser_open", "browser_read"]),
    CorpusKind("browser_tool_result", .browser, 25),
    CorpusKind("browser_agent_reasoning", .browser, 20),
    CorpusKind("browser_browse_call", .session, 8),
    CorpusKind("sub_agent_session_lifecycle", .session, 15, ["turn_started", "turn_completed"]),
    CorpusKind("search_call", .media, 12),
    CorpusKind("search_error", .media, 3, ["Brave Search HTTP 503"]),
    CorpusKind("gif_call", .media, 8),
    CorpusKind("image_call", .media, 6, ["openai:gpt-image-1.5"]),
    CorpusKind("video_context_call", .media, 5),
    CorpusKind("asr_call", .audio, 30, ["gpt-4o-mini-transcribe"]),
    CorpusKind("asr_error", .audio, 4, ["400 Audio file might be corrupted or unsupported"]),
    CorpusKind("tts_call", .audio, 20, ["gpt-4o-mini-tts"]),
    CorpusKind("voice_turn_in", .session, 20, ["voice_activity_started"]),
    CorpusKind("voice_turn_out", .session, 20, ["bot_audio_started"]),
    CorpusKind("voice_session_start", .session, 4, ["voice_joined:920000000000000021"]),
    CorpusKind("voice_session_end", .session, 4, ["nl_leave", "inactivity_timeout"]),
    CorpusKind("voice_error", .session, 4, ["subprocess_error"]),
    CorpusKind("voice_soundboard_play", .session, 3, ["930000000000000001"]),
    CorpusKind("memory_fact", .fact, 10),
    CorpusKind("memory_reflection_complete", .toolCall, 2),
    CorpusKind("code_agent_call", .session, 5),
    CorpusKind("bot_error", .none, 6, ["gateway_error: read ECONNRESET"]),
    CorpusKind("bot_warning", .session, 5, ["structured_output_recovered_as_prose"]),
    CorpusKind("runtime", .session, 4, ["video_context_dependency_status"]),
    CorpusKind("dashboard", .session, 3, ["swarm_mcp_skill_install_failed"]),
    CorpusKind("automation_created", .session, 3),
    CorpusKind("music_player", .session, 4, ["track_started"]),
  ]
}

/// Which action kinds each release writes (contract 4.4). Kinds in neither set are in both.
enum Kinds {
  static let mayOnly: Set<String> = [
    "llm_lifecycle", "voice_music", "voice_lifecycle", "music_player", "memory_runtime",
    "browser_agent", "sub_agent_session_lifecycle", "swarm_server_status",
    "swarm_server_spawn_failed", "swarm_server_spawn_fallback", "swarm_spawn_request_received",
    "swarm_spawn_request_accepted", "swarm_spawn_request_declined", "swarm_spawn_request_noop",
    "swarm_spawn_request_response_error", "swarm_spawn_request_rate_limited",
    "swarm_activity_bridge_error", "swarm_task_progress", "swarm_task_result",
    "swarm_task_cancel_error", "swarm_task_delivery_error", "swarm_worker_adoption_timeout",
    "swarm_worker_exit", "swarm_worker_log_attached", "search_service", "bot_lifecycle",
    "dashboard", "runtime", "minecraft_game_events", "minecraft_mcp_init_error",
    "minecraft_mcp_process", "minecraft_mcp_process_output", "minecraft_narration_blocked",
    "minecraft_narration_candidate", "minecraft_narration_filtered", "minecraft_narration_post",
    "minecraft_narration_skip", "minecraft_runtime_call", "minecraft_runtime_tool_error",
  ]
  static let marchOnly: Set<String> = [
    "memory_reflection_start", "memory_reflection_complete", "memory_reflection_error",
  ]

  static func isWritten(_ kind: String, by dialect: DemoDialect) -> Bool {
    switch dialect {
    case .march: !mayOnly.contains(kind)
    case .may: !marchOnly.contains(kind)
    }
  }

  /// Optional envelope keys some call sites write as null instead of leaving them out.
  static let explicitNulls: [String: String] = [
    "voice_soundboard_play": "messageId", "voice_info": "messageId",
    "initiative_skip": "channelId",
  ]

  /// `voice_runtime` names only May writes (contract Appendix A).
  static let mayOnlyVoice: Set<String> = [
    "bot_utterance_completed", "stream_watch_note_updated", "stream_watch_commentary_deferred",
    "voice_context_compaction_skipped", "voice_context_compaction_started",
    "voice_context_compaction_completed", "voice_session_settings_reconciled",
    "realtime_turn_held_room_coalesce", "realtime_turn_merged_still_holding",
    "realtime_turn_room_coalesce_flushed", "voice_turn_dropped_asr_sparse_transcript",
    "voice_turn_dropped_no_bridge_transcript",
  ]
  /// `voice_runtime` names only March writes (contract Appendix A).
  static let marchOnlyVoice: Set<String> = [
    "native_discord_video_frame_dropped_while_decoding",
    "voice_interrupt_on_authorized_transcript_rescue", "stream_watch_brain_context_updated",
  ]

  /// Metadata keys only May writes, by kind (contract 4.4).
  static let mayOnlyKeys: [String: [String]] = [
    "voice_runtime": ["clankvoxLevel", "clankvoxTarget"],
    "voice_error": ["clankvoxLevel", "clankvoxTarget"],
    "llm_call": ["responseShape", "rawContentSummary", "responseDiagnostics", "sessionId"],
    "llm_tool_call": ["responseShape", "rawContentSummary", "responseDiagnostics"],
    "llm_error": ["status", "errorType", "requestId"],
    "memory_fact": ["memoryScope", "supersededFact"],
    "memory_embedding_call": ["provider", "lastResortFallback"],
    "memory_embedding_error": ["provider", "fallbackAttempt"],
    "video_context_call": ["keyframeErrorCode", "transcriptErrorCode", "missingDependencies"],
    "video_context_error": ["errorCode", "missingDependency"],
    "automation_post": ["replyPrompts"], "automation_run": ["replyPrompts"],
    "automation_error": ["replyPrompts"], "initiative_post": ["replyPrompts"],
    "initiative_skip": ["replyPrompts"], "stream_discovery": ["sessionId", "source"],
  ]
}

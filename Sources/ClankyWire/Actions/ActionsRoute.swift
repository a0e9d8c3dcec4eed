/// `GET /api/actions` (wire contract 3.2).
package enum ActionsRoute {
  /// Rows that one answer has at the most.
  package static let rowLimit = 1_000

  /// Kinds to request separately if one answer is full: the noisiest alone, the busy ones, the
  /// other kinds that a release writes (wire contract 4.4), those of workers and games. Other kinds
  /// are requested once rows of them have been seen.
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
      "automation_run", "automation_error", "initiative_post", "initiative_skip",
      "initiative_source_add", "initiative_source_remove", "bot_error", "bot_warning",
      "bot_runtime", "bot_lifecycle", "dashboard", "runtime",
    ],
    [
      "swarm_server_status", "swarm_server_spawn_failed", "swarm_server_spawn_fallback",
      "swarm_spawn_request_received", "swarm_spawn_request_accepted",
      "swarm_spawn_request_declined", "swarm_spawn_request_noop",
      "swarm_spawn_request_response_error", "swarm_spawn_request_rate_limited",
      "swarm_activity_bridge_error", "swarm_task_progress", "swarm_task_result",
      "swarm_task_cancel_error", "swarm_task_delivery_error", "swarm_worker_adoption_timeout",
      "swarm_worker_exit", "swarm_worker_log_attached", "minecraft_game_events",
      "minecraft_mcp_init_error", "minecraft_mcp_process", "minecraft_mcp_process_output",
      "minecraft_narration_blocked", "minecraft_narration_candidate",
      "minecraft_narration_filtered", "minecraft_narration_post", "minecraft_narration_skip",
      "minecraft_runtime_call", "minecraft_runtime_tool_error",
    ],
  ]
}

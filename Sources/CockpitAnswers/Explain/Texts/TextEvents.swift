extension Explanations {
  /// Events that other container rows name in their content (contract 4.4).
  static let textEvents = ExplanationGroup(
    .event,
    """
    reply_admission_decision: Whether a message may be answered at all: allow, reason and
      attentionMode. Later steps come only after a yes.
    member_join_event: Someone joined the server.
    member_join_admission_decision: Whether the bot may greet someone who joined.
    reply_pipeline_gate: Whether an answer is worked out after admission.
    reply_tool_availability: Which tools the model had for this answer (includedTools) and which
      not, with the reason (excludedTools).
    reply_queue_gate_rejected: The message waited in the queue and was turned away there.
    curated_prompt_memory_loaded: The curated memory files went into the prompt;
      missingSectionKeys and blockedSectionKeys did not.
    voice_session_summary_persisted: The summary of a voice session was stored.
    swarm_task_handoff_persist_failed: The notes of a coding task could not be stored.
    code_worker_work_memory_lookup_failed: A coding worker's notes could not be read; it works
      without them.
    provider_fallback: The wanted model provider was not ready, so another one is used. desired
      and actual name them.
    bot_logged_in: The bot logged in to Discord: the nearest thing to its start.
    public_https_entrypoint_starting: The tunnel with the public address is being started.
    public_https_entrypoint_ready: The tunnel is up; publicUrl is the address.
    gateway_reconnect_failed: The bot could not reconnect to Discord; it tries again after
      nextRetryMs.
    settings_save_started: Settings are being saved.
    settings_save_completed: Settings were saved.
    settings_save_success: Settings were saved.
    settings_save_rejected: Settings were refused; reason says why.
    settings_save_rejected_no_version: A save was refused: it did not say on which version it rests.
    settings_save_rejected_stale: A save was refused: somebody else had saved since. Nothing was
      stored; read the settings again.
    settings_save_rejected_cas_conflict: A save was refused: somebody else saved at the same time.
      Nothing was stored.
    settings_save_runtime_apply_failed: Settings were saved, and live voice sessions were not told;
      settings refresh applies them.
    settings_runtime_applied: Saved settings are in force, live voice sessions included.
    oauth_claude_completed: The login to the model provider succeeded.
    oauth_claude_exchange_failed: The login to the model provider failed. Try again in the
      dashboard.
    swarm_mcp_skill_install_completed: The skill for coding workers was installed.
    swarm_mcp_skill_install_failed: The skill for coding workers could not be installed.
    turn_visual_media_inspection: The bot looked at pictures and videos of a message.
    video_context_tool_result: What a tool found out about a video.
    video_context_dependency_status: Whether the programs for reading videos (ffmpeg, yt-dlp) are
      on the bot's host.
    swarm_server_running: The server for coding workers runs.
    swarm_server_unavailable: The server for coding workers is not to be had; hint says what to
      do.
    turn_started: A sub agent began a turn.
    turn_completed: A sub agent finished a turn.
    turn_failed: A sub agent failed in a turn; error says why.
    turn_cancelled: A turn of a sub agent was called off.
    turn_rejected: A sub agent did not take a turn: it is busy or closed.
    session_closed: A sub agent was closed.
    session_cancelled: A sub agent was called off.
    controller_inbox_poll_failure: Messages of the coding workers could not be read.
    poll_failure: News of a coding task could not be read; it is tried again.
    spawn_request_rate_limited: Too many workers were asked for within a minute.
    search_reader_cancel_failed: A page that was being read could not be let go of. No action is
      needed.
    pending_thought_created: The bot keeps a thought for later.
    pending_thought_updated: A kept thought was changed.
    reusing_existing_server: The game link uses a server that runs already.
    spawning: The program that links the bot to the game is being started.
    exited: The program has ended by itself; exitCode says how.
    """)
}

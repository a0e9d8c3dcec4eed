extension Explanations {
  /// Events that rows of voice name in their content (contract appendix A).
  static let voiceEvents = ExplanationGroup(
    .event,
    """
    voice_activity_started: Someone's sound counted as speech: a turn begins. The words come
      later.
    voice_turn_finalized: The capture of a turn ended; reason says why, durationMs how long it
      was.
    voice_turn_dropped: A turn was let go before it was answered; reason says why.
    voice_turn_dropped_silence_gate: A turn was let go: too quiet to be speech.
    voice_turn_dropped_provisional_capture: A turn was let go: it never counted as speech.
    voice_turn_dropped_asr_low_confidence: A turn was let go: the recogniser was not sure of the
      words.
    voice_turn_dropped_asr_control_tokens: A turn was let go: the recogniser heard no words.
    voice_turn_dropped_idle_hallucination: A turn was let go: the recogniser made words up out of
      silence.
    voice_turn_dropped_asr_sparse_transcript: A turn was let go: too few words for its length.
    voice_turn_dropped_no_bridge_transcript: A turn was let go: no transcript to forward came.
    voice_turn_skipped_empty_capture: A turn was let go: the capture held no sound.
    voice_barge_in_gate: Whether speech over the bot may interrupt it: allow and reason say what
      was decided.
    voice_barge_in_interrupt: Someone spoke over the bot and its answer was cut off.
    voice_barge_in_suppression_cleared: After an interruption the bot's sound is let through
      again.
    file_asr_turn_coalesced: Several captures were recognised together.
    file_asr_turn_superseded: A capture was left because a newer one came.
    file_asr_turn_skipped: A capture was not recognised.
    file_asr_transcript: The words of a capture that was recognised as a file.
    realtime_turn_coalesced: Turns that came close together are answered as one.
    realtime_turn_superseded: A turn was left because a newer one came.
    realtime_turn_skipped_output_locked: A turn was left because the bot's output was taken.
    realtime_turn_revised_asr_update: The words of a turn were corrected by a later transcript.
    realtime_turn_held_room_coalesce: A turn is held for a moment in case others in the room go on
      speaking.
    realtime_turn_merged_still_holding: Another turn was added to one that is held.
    realtime_turn_room_coalesce_flushed: Held turns are answered together now.
    openai_realtime_asr_partial_segment: Words so far, while someone still speaks. They may
      change.
    openai_realtime_asr_final_segment: The final words of what someone said.
    openai_realtime_asr_speech_started: The recogniser noticed speech.
    openai_realtime_asr_speech_stopped: The recogniser noticed the end of speech.
    openai_realtime_asr_commit_requested: The sound so far was given to the recogniser for its
      final words.
    openai_realtime_asr_commit_timeout: The recogniser did not give final words in time.
    openai_realtime_asr_bridge_final: The final words were taken for forwarding to the provider.
    openai_realtime_asr_audio_flushed: Sound that waited was sent to the recogniser.
    openai_realtime_asr_session_closed: The recogniser of a speaker was closed; it opens again
      when he speaks.
    openai_realtime_asr_socket_closed: The connection to the recogniser was closed.
    openai_realtime_asr_circuit_breaker_reconnect: The recogniser failed several times and is
      connected anew. When it repeats check the provider.
    voice_realtime_transcription_empty: The recogniser gave no words for a capture.
    voice_turn_addressing: Whether a turn was for the bot, and whether it may answer: allow,
      reason, talkingTo and the words in heard.
    voice_runtime_event_decision: Whether to react to something in the room, such as someone
      joining.
    voice_reply_classifier_debug: What the model that decides was asked and what it answered.
    voice_interrupt_unclear_bargein: Someone spoke over the bot and it was not clear whether to
      stop.
    voice_interrupt_overlap_burst_resolved: It was decided what to do about several people
      speaking at once.
    voice_interrupt_on_authorized_transcript_rescue: Words that were recognised late interrupted
      the bot after all. March only.
    voice_generation_prep_stage: A stage of preparing an answer, such as loading memory; state and
      elapsedMs say how far it is.
    voice_generation_memory_loaded: Facts were loaded for an answer; the counts say how many.
    voice_generation_watchdog_timeout: The model took too long (20 s) and the turn was given up.
    openai_realtime_instructions_updated: The provider was given new instructions. BRAIN shows the
      prompt and what changed in it.
    voice_screen_watch_capability: What the bot can see of screens now.
    voice_context_compaction_started: The older part of a long conversation is being summed up.
      May only.
    voice_context_compaction_completed: The older part of a long conversation was summed up. May
      only.
    voice_context_compaction_skipped: The conversation was not summed up this time. May only.
    realtime_generation_failed: No answer could be made; the error text says why.
    voice_brain_generation_failed: The bot's own model could not make the answer; the error text
      says why.
    voice_brain_tool_call: A tool ran for a voice answer. Written once, at its end: durationMs,
      isError and the result.
    realtime_tool_call_started: The realtime provider runs a tool; its end has the same callId.
    realtime_tool_call_completed: A tool of the realtime provider has ended well; runtimeMs is how
      long it took.
    realtime_tool_call_failed: A tool of the realtime provider failed; error says why.
    realtime_tools_updated: The provider was told which tools there are.
    realtime_tools_cleared: The provider's tools were taken away.
    realtime_reply_requested: The answer was handed over to be spoken; replyText is what it says.
    realtime_reply_skipped: An answer was made and not spoken; skipCause says why.
    realtime_reply_superseded_newer_input: An answer was left because someone said something
      newer.
    openai_realtime_text_turn_forwarded: The words were forwarded to the realtime provider, which
      answers itself.
    bot_audio_started: The first sound of the answer. Delay is counted up to here.
    bot_utterance_completed: The answer was played; deliveryRatio is the share that was heard. May
      only.
    voice_latency_stage: The measured delays of an answer. Of two such rows the one with stage
      audio_started is complete.
    openai_realtime_transcript: Words that the realtime provider heard (input) or said (output).
    gemini_realtime_transcript: Words that the realtime provider heard (input) or said (output).
    elevenlabs_realtime_transcript: Words that the realtime provider heard (input) or said
      (output).
    openai_realtime_response_done: The provider finished an answer; tokens and perhaps the cost
      are on this row.
    gemini_realtime_response_done: The provider finished an answer; tokens and perhaps the cost
      are on this row.
    openai_realtime_socket_closed: The connection to the realtime provider was closed.
    response_silent_retry: An answer came without sound and is asked for again.
    response_silent_hard_recovery: Answers came without sound several times; the connection is set
      up anew.
    response_silent_fallback: No sound could be had; the answer was given up. Have the bot leave
      and join again if it repeats.
    active_response_cleared_stale: An answer that never ended was cleared away.
    voice_output_lease_acquired: An answer got the right to be the one that speaks.
    voice_output_lease_released: The right to speak is free again.
    realtime_assistant_utterance_queued: An answer waits for the one before it.
    realtime_assistant_utterance_queue_drained: No answer waits any more.
    realtime_audio_write_failed: Sound could not be sent. The answer was not heard.
    voice_thought_decision: Whether to say a thought of its own: action, allow and reason.
    voice_thought_spoken: The bot said a thought of its own.
    voice_thought_generation_skip: No thought was worth keeping.
    voice_thought_skipped_probability: It did not think this time: whether it does is a matter of
      probability.
    voice_pending_thought_created: The bot keeps a thought for later.
    voice_pending_thought_updated: A kept thought was changed.
    voice_pending_thought_cleared: A kept thought was dropped.
    voice_music_started: Music began.
    voice_music_stopped: Music ended.
    voice_music_paused: Music was paused.
    voice_music_start_failed: Music could not be started; reason says why.
    voice_music_stop_check: A model was asked whether someone wants the music to stop. It may
      cost.
    voice_music_disambiguation_required: Several tracks fit; the bot asks which.
    voice_music_turn_ignored_not_awake: Speech during music was let go: no one had called the bot
      by name.
    voice_music_turn_ignored_bot_speaking: Speech during music was let go: the bot was speaking.
    voice_music_resume_unavailable: There is no music that could go on.
    stream_watch_commentary_requested: The bot was asked to say something about the screen it
      watches.
    stream_watch_commentary_deferred: A remark about the screen waits. May only.
    stream_watch_frame_ingested: A picture of a shared screen came in.
    stream_watch_note_updated: The bot wrote a note about what it sees. May only.
    stream_watch_memory_recap_saved: A summary of what was seen was kept.
    screen_share_session_created: A link for sharing a screen was made.
    screen_share_session_stopped: The sharing of a screen ended.
    native_discord_video_frame_dropped_while_decoding: A picture of a stream was let go while
      another was decoded. March only.
    native_discord_stream_state_changed: A screen share in Discord began, changed or ended.
    voice_membership_changed: Someone joined or left; participantCount counts humans only.
    voice_channel_effect_send: Someone sent an effect, such as an emoji, into the voice channel.
    dashboard_voice_join: The dashboard or this program asked the bot to join voice.
    bot_disconnect_grace_started: The bot lost its voice connection and waits whether it comes
      back.
    bot_disconnect_grace_cleared: The bot's voice connection came back in time.
    voice_session_settings_reconciled: A live session took over changed settings. May only.
    clankvox_transport_reconnected: The voice helper program is connected to Discord voice again.
    clankvox_capture_stats: Figures of the voice helper program on the sound that came in.
    clankvox_prebuilt_binary_not_found: The voice helper program was not found. The bot has no
      voice until it is installed.
    soundboard_play_failed: A soundboard sound could not be played; what follows the colon says
      why.
    invalid_pcm_base64_from_subprocess: The voice helper sent sound that could not be read. Rare
      ones do no harm.
    voice_message_suppressed_by_verbosity: A message about voice was not posted: the bot is set to
      be less chatty there.
    voice_music_search_complete: A search for music is done.
    voice_music_request_complete: A request for music is done.
    music_player_playing: The music player plays a track.
    music_player_resolve_failed: The address of a track could not be found out.
    """)
}

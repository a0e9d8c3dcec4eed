extension VoiceEpisode {
  /// Generation, tools and output.
  static let speaking: [VoiceEpisode] = [
    VoiceEpisode(
      Row(
        "voice_context_compaction_skipped",
        [
          "source": "realtime", "reason": "below_threshold", "cursor": 0, "totalTurns": 9,
          "eligibleCount": 4, "threshold": 10,
        ])),
    VoiceEpisode(
      Row(
        "voice_context_compaction_started",
        ["source": "realtime", "cursor": 0, "totalTurns": 42, "eligibleCount": 14]),
      Row(
        "voice_context_compaction_completed", after: 1400,
        [
          "source": "realtime", "cursor": 14, "compactedTurns": 14, "summaryChars": 612,
          "durationMs": 1400,
        ])),
    VoiceEpisode(
      Row(
        "realtime_assistant_utterance_queued",
        [
          "source": "realtime:stream_chunk_1", "queueDepthBeforeEnqueue": 0, "queueDepth": 1,
          "blockers": ["active_response"], "activeResponse": true, "pendingResponse": true,
          "pendingResponseRequestId": 3, "pendingResponseSource": "realtime:stream_chunk_0",
          "deferredActiveCapture": false, "backpressureActive": false,
          "ttsBufferedSamples": 12_400, "outputLocked": true,
          "outputLockReason": "bot_audio_live", "botTurnOpen": true, "bufferedBotSpeech": false,
          "openAiActiveResponse": true, "awaitingToolOutputs": false, "toolCallsRunning": 0,
        ]),
      Row(
        "realtime_assistant_utterance_queue_drained", after: 1200,
        [
          "reason": "response_done_had_audio", "source": "realtime:stream_chunk_1",
          "remainingQueueDepth": 0,
        ])),
    VoiceEpisode(
      Row(
        "voice_output_lease_acquired",
        ["requestId": 12, "leaseMode": "assertive", "source": "realtime", "expiresInMs": 2500]),
      Row(
        "voice_output_lease_released", after: 900,
        ["requestId": 12, "reason": "expired", "leaseMode": "assertive"])),
    VoiceEpisode(
      Row(
        "realtime_reply_superseded_newer_input", .speaker,
        [
          "source": "realtime", "requestId": 14, "replyTextPreview": "As I was saying",
          "newerTurnCount": 1, "pendingQueueDepth": 1,
        ])),
    VoiceEpisode(
      Row(
        "response_silent_hard_recovery",
        [
          "requestId": 15, "retryCount": 2, "trigger": "watchdog", "responseId": nil,
          "responseStatus": nil,
        ]),
      .error(
        "response_silent_fallback", after: 1800,
        metadata: [
          "requestId": 15, "retryCount": 2, "trigger": "watchdog", "responseId": nil,
          "responseStatus": nil,
        ])),
    VoiceEpisode(
      Row(
        "active_response_cleared_stale",
        ["responseId": "resp_s71kq20zd", "responseStatus": "in_progress", "idleMs": 6200])),
    VoiceEpisode(
      Row("realtime_tools_updated", ["localToolCount": 16, "mcpToolCount": 3, "toolCount": 19]),
      Row("realtime_tools_cleared", after: 700, ["reason": "transport_only", "toolCount": 0])),
    VoiceEpisode(
      .error(
        "realtime_audio_write_failed: write after end",
        metadata: ["mode": "openai_realtime", "source": "realtime"])),
    VoiceEpisode(
      .error(
        "realtime_generation_failed",
        metadata: ["mode": "openai_realtime", "source": "realtime", "error": "fetch failed"])),
    VoiceEpisode(
      Row(
        "voice_generation_prep_stage",
        [
          "source": "realtime", "stage": "memory_slice", "state": "timeout", "timeoutMs": 1200,
          "elapsedMs": 1200, "candidateCount": nil,
        ])),
    VoiceEpisode(
      Row(
        "leave_directive_playback_wait",
        [
          "source": "realtime:stream_chunk_0:speech_1", "expectRealtimeAudio": true,
          "observedPlayback": true, "timedOutOnStart": false, "elapsedMs": 1276,
          "botTurnOpen": true, "streamBufferedBytes": 0,
        ])),
    VoiceEpisode(
      Row(
        "voice_thought_generation_skip",
        [
          "mode": "openai_realtime", "trigger": "timer", "reason": "empty_thought",
          "error": nil,
        ])),
    VoiceEpisode(
      Row(
        "voice_soundboard_directive_decision",
        [
          "mode": "openai_realtime", "source": "realtime:stream_chunk_0:soundboard_1",
          "transcript": "", "requestedRef": "drumroll", "candidateCount": 4,
          "candidateSource": "guild_catalog", "matchedReference": nil,
        ]),
      .error(
        "soundboard_play_failed: Unknown Soundboard Sound", after: 120,
        metadata: ["reason": "discord_api_error", "code": 10_097])),
    VoiceEpisode(
      Row("openai_realtime_session_updated", knowsSession: false, ["sessionId": "sess_d70kq2m1x"])),
  ]
}

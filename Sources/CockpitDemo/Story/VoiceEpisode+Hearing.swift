extension VoiceEpisode {
  /// Capture, recognition and decision.
  static let hearing: [VoiceEpisode] = [
    VoiceEpisode(
      Row("openai_realtime_asr_speech_started", .speaker, ["itemId": "item_k20vd81q"]),
      Row("openai_realtime_asr_speech_stopped", .speaker, after: 640, ["itemId": "item_k20vd81q"]),
      Row(
        "voice_turn_dropped_provisional_capture", .speaker, after: 90,
        [
          "reason": "never_promoted", "bytesSent": 30_720, "durationMs": 640, "peak": 0.051,
          "rms": 0.009, "activeSampleRatio": 0.06,
        ])),
    VoiceEpisode(
      Row(
        "openai_realtime_asr_audio_flushed", .speaker,
        [
          "flushedBytes": 1920, "flushedChunks": 1, "skippedUtteranceMismatch": 0,
          "remainingPendingBytes": 0, "targetUtteranceId": 2, "wsReadyState": 1,
        ])),
    VoiceEpisode(
      Row(
        "voice_turn_dropped_idle_hallucination", .speaker,
        [
          "source": "realtime", "captureReason": "idle_timeout",
          "transcript": "Thanks for watching!", "clipDurationMs": 1180, "peak": 0.04,
          "rms": 0.008,
        ])),
    VoiceEpisode(
      Row(
        "voice_turn_dropped_asr_control_tokens", .speaker,
        [
          "source": "realtime", "captureReason": "stream_end", "transcript": "<|nospeech|>",
          "clipDurationMs": 740,
        ])),
    VoiceEpisode(
      Row(
        "voice_turn_dropped_asr_sparse_transcript", .speaker,
        [
          "source": "realtime", "transcript": "uh", "clipDurationMs": 4200,
          "charsPerSecond": 0.5, "threshold": 1.5,
        ])),
    VoiceEpisode(
      Row("voice_turn_skipped_empty_capture", .speaker, ["captureReason": "speaking_end"])),
    VoiceEpisode(
      Row(
        "realtime_turn_held_room_coalesce", .speaker,
        ["source": "realtime", "holdMs": 900, "pendingTurns": 1, "transcriptChars": 22]),
      Row(
        "realtime_turn_merged_still_holding", .speaker, after: 480,
        ["source": "realtime", "pendingTurns": 2, "transcriptChars": 51]),
      Row(
        "realtime_turn_room_coalesce_flushed", .speaker, after: 430,
        ["source": "realtime", "mergedTurns": 2, "heldMs": 910, "reason": "hold_elapsed"])),
    VoiceEpisode(
      Row(
        "realtime_turn_coalesced", .speaker,
        ["source": "realtime", "queueDepth": 2, "combinedBytes": 96_000, "reason": "same_speaker"])
    ),
    VoiceEpisode(
      Row(
        "realtime_turn_revised_asr_update", .speaker,
        [
          "source": "realtime", "previousTranscript": "the hut is cold",
          "transcript": "the hut is closed", "itemId": "item_r81mna02",
        ])),
    VoiceEpisode(
      Row(
        "file_asr_turn_coalesced", .speaker,
        ["queueDepth": 2, "combinedBytes": 74_880, "captureReason": "stream_end"]),
      Row(
        "file_asr_transcript", .speaker, after: 620,
        [
          "source": "voice_file_asr", "captureReason": "stream_end",
          "transcript": "anyway, the map is in the blue bag",
          "transcriptionModelPrimary": "gpt-4o-mini-transcribe",
          "transcriptionModelFallback": nil, "transcriptionUsedFallbackModel": false,
          "clipDurationMs": 2340,
        ])),
    VoiceEpisode(
      Row(
        "file_asr_turn_superseded", .speaker,
        ["queueDepth": 1, "reason": "newer_turn_finalized", "droppedBytes": 20_160])),
    VoiceEpisode(
      Row(
        "openai_realtime_asr_commit_requested", .speaker,
        ["utteranceId": 7, "pendingAudioBytes": 2880, "reason": "capture_finalized"]),
      Row(
        "openai_realtime_asr_commit_timeout", .speaker, after: 1500,
        ["utteranceId": 7, "waitedMs": 1500, "bytesSent": 61_440])),
    VoiceEpisode(
      Row(
        "openai_realtime_asr_socket_closed", .speaker,
        ["code": 1006, "reason": "abnormal closure", "sessionScope": "per_user"]),
      .error(
        "openai_realtime_asr_circuit_breaker_reconnect", .speaker, after: 350,
        metadata: [
          "consecutiveEmptyCommits": 3, "threshold": 3, "sessionScope": "per_user",
          "reconnectAttempt": 1,
        ])),
    VoiceEpisode(
      Row(
        "voice_runtime_event_decision",
        [
          "mode": "openai_realtime", "inputKind": "event", "source": "screen_share_start",
          "transcript": "[somebody started sharing a screen]",
          "runtimeEventContext": [
            "category": "screen_share", "eventType": "share_start", "actorUserId": nil,
            "actorDisplayName": nil, "actorRole": "other",
          ],
          "allow": false, "reason": "model_no", "participantCount": 3,
        ])),
    VoiceEpisode(
      Row(
        "voice_interrupt_on_authorized_transcript_rescue", .speaker,
        ["source": "realtime", "reason": "wake_word_in_transcript", "transcriptChars": 18]),
      Row(
        "voice_interrupt_unclear_bargein", .speaker, after: 60,
        ["source": "realtime", "decision": "ignore", "transcript": "ha"])),
    VoiceEpisode(
      Row(
        "voice_turn_dropped_no_bridge_transcript", .speaker,
        ["source": "realtime", "captureReason": "stream_end", "clipDurationMs": 980])),
    VoiceEpisode(
      Row(
        "openai_realtime_asr_bridge_final", .speaker,
        ["speakerName": "room", "transcriptChars": 34, "itemId": "item_b04kd2ce"])),
  ]
}

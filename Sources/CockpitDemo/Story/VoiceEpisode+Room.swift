extension VoiceEpisode {
  /// The room, its screens and music, and the machinery below.
  static let room: [VoiceEpisode] = [
    VoiceEpisode(
      Row(
        "voice_channel_effect_send", .speaker,
        ["effectType": "emoji", "emoji": "🔥", "soundName": nil, "animationType": 0])),
    VoiceEpisode(
      Row(
        "clankvox_capture_stats", .nobody, knowsSession: false,
        [
          "clankvoxLevel": "info", "clankvoxTarget": "clankvox::capture", "openStreams": 2,
          "decryptFailures": 0,
        ])),
    VoiceEpisode(
      Row(
        "voice_music_resume_unavailable", .speaker,
        ["reason": "nothing_paused", "source": "voice_tool_media_resume"])),
    VoiceEpisode(
      Row(
        "voice_music_start_failed", .speaker,
        [
          "mode": "openai_realtime", "source": "voice_tool_call", "query": "whale choir 10 hours",
          "error": "HTTP 403", "title": nil,
        ])),
    VoiceEpisode(
      Row(
        "voice_tool_music_queue_next", .speaker,
        ["queueLength": 3, "nowPlayingIndex": 1, "query": "slow ferry home"])),
    VoiceEpisode(
      Row(
        "native_discord_stream_state_changed", .speaker,
        ["streamKey": "guild:771043920118841344", "state": "watchable", "codec": "H264"]),
      Row(
        "native_discord_video_frame_dropped_while_decoding", .speaker, after: 300,
        ["droppedFrames": 3, "decodeInFlightMs": 180])),
    VoiceEpisode(
      Row(
        "screen_share_session_created", .speaker,
        ["shareSessionId": "shr_20k1", "expiresInMinutes": 12, "targetUserId": nil]),
      Row(
        "screen_share_session_stopped", .speaker, after: 4000,
        ["shareSessionId": "shr_20k1", "reason": "link_expired"])),
    VoiceEpisode(
      Row(
        "stream_watch_commentary_deferred",
        ["source": "native_discord", "reason": "bot_turn_open", "retryMs": 4000])),
    VoiceEpisode(
      Row(
        "screen_watch_start_rejected", .speaker,
        [
          "source": "voice_tool_call", "reason": "no_active_sharer",
          "nativeReason": "requester_not_sharing", "linkReason": nil,
        ])),
    VoiceEpisode(
      Row(
        "bot_disconnect_grace_started",
        ["graceMs": 4000, "voiceChannelId": "771044655390162944"]),
      Row("bot_disconnect_grace_cleared", after: 1600, ["reason": "reconnected"])),
    VoiceEpisode(
      Row(
        "voice_session_settings_reconciled",
        ["reason": "settings_refresh", "changedKeys": ["voice.soundboard.eagerness"]])),
    VoiceEpisode(
      Row(
        "music_stream_publish_started",
        ["sourceType": "visualizer", "visualizerMode": "spectrum", "frameRate": 20]),
      Row(
        "music_stream_publish_stopped", after: 5000,
        ["sourceType": "visualizer", "reason": "music_paused"])),
    VoiceEpisode(
      Row(
        "browser_stream_publish_start_failed",
        ["sourceType": "browser_session", "reason": "no_browser_session"])),
    VoiceEpisode(
      .error("subprocess_error", metadata: ["error": "opus decode failed: corrupted stream"])),
    VoiceEpisode(
      Row(
        "clankvox_transport_reconnected", .nobody, knowsSession: false,
        [
          "clankvoxLevel": "warn", "clankvoxTarget": "clankvox::transport", "attempt": 1,
          "downMs": 420,
        ])),
    VoiceEpisode(
      Row(
        "voice_music_turn_ignored_bot_speaking", .speaker,
        ["source": "realtime", "musicPhase": "playing", "transcriptChars": 12])),
    VoiceEpisode(
      Row(
        "native_discord_decode_failed", .speaker,
        ["reason": "keyframe_missing", "codec": "H264", "ffmpegAvailable": true])),
  ]
}

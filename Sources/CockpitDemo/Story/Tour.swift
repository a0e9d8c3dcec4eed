/// The rare kinds, one row each. Keys as recorded or as in contract 4.4.
enum Tour {
  static let sceneCount = 11

  static let talk = Place(Cast.ridge, "campfire")
  static let bench = Place(Cast.arcade, "build-log")
  static let mine = Place(Cast.arcade, "minecraft")

  static let stops: [TourStop] = models + media + voice + system

  private static let models: [TourStop] = [
    TourStop(
      kind: "llm_error", place: talk, user: Cast.wren,
      content: "429 {\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\"}}",
      metadata: [
        "provider": "anthropic", "model": "claude-haiku-4-5", "streaming": true, "status": 429,
        "errorType": "rate_limit_error", "requestId": "req_011Cdemo429",
      ]),
    TourStop(
      kind: "llm_lifecycle", content: "provider_fallback",
      metadata: [
        "desired": "anthropic:claude-haiku-4-5", "actual": "claude-oauth:claude-opus-4-6",
        "reason": "rate_limited", "source": "llm_router",
      ]),
    TourStop(
      kind: "memory_embedding_error", place: talk, user: Cast.nadia,
      content: "[openai] 429 Rate limit reached for text-embedding-3-small",
      metadata: [
        "provider": "openai", "model": "text-embedding-3-small", "fallbackAttempt": true,
        "traceSource": "memory_query", "traceEvent": nil, "traceReason": nil,
        "traceMessageId": nil,
      ]),
    TourStop(
      kind: "code_agent_call", place: bench, user: Cast.kofi,
      content: "add a --json flag to the inventory exporter and cover it with a test",
      metadata: [
        "source": "slash_command_clank_code", "role": "implementation",
        "provider": "claude-code", "model": "sonnet", "taskId": "task_5b1f",
        "existingTaskId": nil, "instanceId": "worker_02c9", "sessionKey": "code:worker:02c9",
        "persistedSession": false, "replyPrompts": nil, "executionMode": "swarm_launcher_reuse",
      ]),
    TourStop(
      kind: "code_agent_error", place: bench, user: Cast.kofi,
      content: "clanky_controller_publish_failed",
      metadata: [
        "source": "slash_command_clank_code", "scope": "/srv/clanky/work/demo",
        "error": "swarm db locked",
      ]),
    TourStop(
      kind: "search_error", place: talk, user: Cast.nadia, content: "Brave Search HTTP 503",
      metadata: [
        "query": "ridge webcam", "source": "reply_tool_web_search", "provider": "brave",
        "stage": "provider", "attempts": 2, "maxAttemptsPerRequest": 2,
      ]),
    TourStop(
      kind: "search_service", content: "search_reader_cancel_failed",
      metadata: ["error": "stream already closed"]),
    TourStop(
      kind: "bot_warning", place: bench, user: Cast.bot, hasMessage: true,
      content: "structured_output_recovered_as_prose",
      metadata: ["source": "message_event", "parseState": "unstructured"]),
  ]

  private static let media: [TourStop] = [
    TourStop(
      kind: "image_error", place: bench, user: Cast.yusuf,
      content: "400 Your request was rejected by the safety system.",
      metadata: [
        "provider": "openai", "model": "gpt-image-1.5", "variant": "simple",
        "source": "reply_message",
      ]),
    TourStop(
      kind: "gif_error", place: talk, user: Cast.kofi, content: "GIPHY HTTP 503",
      metadata: [
        "provider": "giphy", "query": "slow clap", "rating": "pg-13", "source": "reply_message",
      ]),
    TourStop(
      kind: "video_call", place: bench, user: Cast.kofi, content: "xai:grok-imagine-video",
      metadata: [
        "provider": "xai", "model": "grok-imagine-video", "requestId": "vid_req_7f31",
        "status": "done", "pollAttempts": 3, "durationSeconds": 6, "source": "reply_message",
      ], cost: 0.3),
    TourStop(
      kind: "video_error", place: bench, user: Cast.kofi,
      content: "xAI request failed (503): upstream error",
      metadata: ["provider": "xai", "model": "grok-imagine-video", "source": "reply_message"]),
    TourStop(
      kind: "video_context_error", place: talk, user: Cast.wren,
      content: "youtube:dq8fernpath: getaddrinfo ENOTFOUND video.example.org",
      metadata: [
        "source": "reply_tool_video_context", "kind": "youtube", "key": "youtube:dq8fernpath",
        "url": "https://video.example.org/watch?v=dq8fernpath", "errorCode": nil,
        "missingDependency": nil, "attempts": 1,
      ]),
    TourStop(
      kind: "runtime", content: "video_context_dependency_status",
      metadata: [
        "ffmpegAvailable": true, "ytDlpAvailable": true, "missingDependencies": [],
      ]),
    TourStop(
      kind: "music_player", content: "music_player_resolve_failed",
      metadata: ["title": "Ridgeline, Then Rain", "platform": "youtube", "error": "HTTP 403"]),
  ]

  private static let voice: [TourStop] = [
    TourStop(
      kind: "asr_call", place: talk, user: Cast.nadia, content: "gpt-4o-mini-transcribe",
      metadata: [
        "provider": "openai", "model": "gpt-4o-mini-transcribe", "language": nil, "prompt": nil,
        "source": "voice_file_asr",
      ]),
    TourStop(
      kind: "asr_error", place: talk, user: Cast.nadia,
      content: "400 Audio file might be corrupted or unsupported",
      metadata: [
        "provider": "openai", "model": "gpt-4o-mini-transcribe", "language": nil, "prompt": nil,
        "source": "voice_file_asr",
      ]),
    TourStop(
      kind: "tts_call", place: talk, user: Cast.bot, content: "gpt-4o-mini-tts",
      metadata: [
        "provider": "openai", "model": "gpt-4o-mini-tts", "voice": "ash", "speed": 1,
        "responseFormat": "pcm", "textChars": 47, "source": "voice_api_tts",
      ]),
    TourStop(
      kind: "tts_error", place: talk, user: Cast.bot,
      content: "500 The server had an error while processing your request",
      metadata: [
        "provider": "openai", "model": "gpt-4o-mini-tts", "voice": "ash", "speed": 1,
        "responseFormat": "pcm", "source": "voice_api_tts",
      ]),
    TourStop(
      kind: "voice_warn", place: talk, content: "invalid_pcm_base64_from_subprocess",
      metadata: ["userId": .string(Cast.tomasz.id), "error": "Invalid base64"]),
    TourStop(
      kind: "voice_info", place: talk, user: Cast.nadia,
      content: "voice_message_suppressed_by_verbosity",
      metadata: [
        "event": "voice_session_end", "reason": "inactivity_timeout", "verbosity": "minimal",
        "tier": "lifecycle",
      ]),
    TourStop(
      kind: "voice_error", content: "dave_epoch_transition_retry",
      metadata: ["clankvoxLevel": "warn", "clankvoxTarget": "clankvox::dave", "epoch": 3]),
    TourStop(kind: "voice_lifecycle", content: "clankvox_prebuilt_binary_not_found"),
  ]

  private static let system: [TourStop] = [
    TourStop(
      kind: "initiative_source_add", place: bench, user: Cast.bot, content: "rss:solder weekly",
      metadata: [
        "sourceType": "rss", "value": "solder weekly",
        "currentSources": "hn\nr/soldering\nsolder weekly",
      ]),
    TourStop(
      kind: "initiative_source_remove", place: bench, user: Cast.bot,
      content: "subreddit:r/toasters",
      metadata: [
        "sourceType": "subreddit", "value": "r/toasters",
        "currentSources": "hn\nr/soldering\nsolder weekly",
      ]),
    TourStop(
      kind: "dashboard", content: "settings_save_started",
      metadata: ["source": "dashboard", "activeVoiceSessions": 1], extra: ["level": "info"]),
    TourStop(
      kind: "bot_error", user: Cast.bot, content: "discovery_feed_failed: HTTP 502",
      metadata: ["source": "hn", "error": "HTTP 502"]),
    TourStop(
      kind: "bot_runtime", content: "public_https_entrypoint_starting",
      metadata: ["provider": "cloudflared", "targetUrl": "http://127.0.0.1:8787"]),
    TourStop(
      kind: "memory_runtime", place: bench, user: Cast.kofi,
      content: "code_worker_work_memory_lookup_failed",
      metadata: [
        "scope": "project", "workMemoryProjectKey": "inventory-exporter",
        "error": "no such project",
      ]),
  ]

  /// The result of a reflection (contract 6.5).
  static let reflectionResult: DemoJSON = {
    let saved: DemoJSON = [
      "subject": "author", "subjectName": "Nadia Vale",
      "fact": "Nadia keeps the hut booking spreadsheet.", "type": "project", "confidence": 0.86,
      "evidence": "i have the spreadsheet", "supersedes": "",
    ]
    let skipped: DemoJSON = [
      "subject": "author", "subjectName": "someone", "fact": "Somebody might bring cake.",
      "type": "other", "confidence": 0.4, "evidence": "maybe cake?", "supersedes": "",
    ]
    return [
      "factsExtracted": 2, "factsSelected": 2, "factsAdded": 1, "factsSaved": 1,
      "factsSkipped": 1, "rawResponseText": "{\"facts\":[]}",
      "extractedFacts": [saved, skipped], "selectedFacts": [saved, skipped],
      "savedFacts": [
        saved.merging([
          "scope": "user", "subjectOverride": .string(Cast.nadia.id),
          "userId": .string(Cast.nadia.id), "status": "saved", "saveReason": "added_new",
          "storedFact": "Nadia keeps the hut booking spreadsheet.",
          "storedSubject": .string(Cast.nadia.id),
        ])
      ],
      "skippedFacts": [
        skipped.merging([
          "scope": "user", "subjectOverride": nil, "userId": nil, "status": "skipped",
          "saveReason": "unresolved_author_subject", "storedFact": nil, "storedSubject": nil,
        ])
      ],
      "usage": [
        "inputTokens": 9120, "outputTokens": 640, "cacheWriteTokens": 0, "cacheReadTokens": 0,
      ],
      "reflectionPasses": [],
    ]
  }()
}

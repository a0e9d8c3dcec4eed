extension SettingsSchema {
  /// Initiative, voice, media.
  static let voice = """
    initiative.text.enabled | b | true |
    initiative.text.execution | P | {"mode": "inherit_orchestrator"} |
    initiative.text.eagerness | i 0 100 | 20 |
    initiative.text.minMinutesBetweenPosts | i 1 1440 | 360 |
    initiative.text.maxPostsPerDay | i 0 100 | 3 |
    initiative.text.lookbackMessages | i 4 80 | 20 |
    initiative.text.allowActiveCuriosity | b | true |
    initiative.text.maxToolSteps | i 0 8 | 3 |
    initiative.text.maxToolCalls | i 0 12 | 4 |
    initiative.voice.enabled | b | true |
    initiative.voice.execution | P | {"mode": "dedicated_model", "temperature": 1, "model":
      {"provider": "claude-oauth", "model": "claude-opus-4-6"}} |
    initiative.voice.eagerness | i 0 100 | 50 |
    initiative.voice.minSilenceSeconds | i 1 300 | 45 |
    initiative.voice.minSecondsBetweenThoughts | i 1 600 | 60 |
    initiative.discovery.allowImagePosts | b | true |
    initiative.discovery.allowVideoPosts | b | true |
    initiative.discovery.allowReplyImages | b | true |
    initiative.discovery.allowReplyVideos | b | true |
    initiative.discovery.allowReplyGifs | b | true |
    initiative.discovery.maxImagesPerDay | i 0 200 | 10 |
    initiative.discovery.maxVideosPerDay | i 0 120 | 10 |
    initiative.discovery.maxGifsPerDay | i 0 300 | 60 |
    initiative.discovery.simpleImageModel | s 120 | "gpt-image-1.5" |
    initiative.discovery.complexImageModel | s 120 | "gpt-image-2" | "grok-imagine-image"
    initiative.discovery.videoModel | s 120 | "grok-imagine-video" |
    initiative.discovery.allowedImageModels | l 20 120 | ["gpt-image-2", "gpt-image-1.5",
      "grok-imagine-image", "grok-2-image-1212"] | ["gpt-image-1.5", "grok-imagine-image",
      "grok-2-image-1212"]
    initiative.discovery.allowedVideoModels | l 20 120 | ["grok-imagine-video",
      "grok-2-video"] |
    initiative.discovery.maxMediaPromptChars | i 100 2000 | 900 |
    initiative.discovery.maxLinksPerPost | i 0 5 | 2 |
    initiative.discovery.maxCandidatesForPrompt | i 1 20 | 6 |
    initiative.discovery.freshnessHours | i 1 720 | 96 |
    initiative.discovery.dedupeHours | i 1 2160 | 168 |
    initiative.discovery.randomness | i 0 100 | 55 |
    initiative.discovery.sourceFetchLimit | i 1 50 | 10 |
    initiative.discovery.allowNsfw | b | false |
    initiative.discovery.allowSelfCuration | b | true |
    initiative.discovery.maxSourcesPerType | i 1 50 | 10 |
    initiative.discovery.redditSubreddits | l 50 80 | ["technology", "programming", "games",
      "memes"] |
    initiative.discovery.youtubeChannelIds | l 50 120 | [] |
    initiative.discovery.rssFeeds | l 50 500 | ["https://www.theverge.com/rss/index.xml",
      "https://feeds.arstechnica.com/arstechnica/index"] |
    initiative.discovery.xHandles | l 50 120 | [] |
    initiative.discovery.xNitterBaseUrl | u | "https://nitter.net" |
    initiative.discovery.sources.reddit | b | true |
    initiative.discovery.sources.hackerNews | b | true |
    initiative.discovery.sources.youtube | b | true |
    initiative.discovery.sources.rss | b | true |
    initiative.discovery.sources.x | b | false |
    voice.enabled | b | true |
    voice.transcription.enabled | b | true |
    voice.transcription.provider | c openai elevenlabs | "openai" |
    voice.transcription.languageMode | c auto fixed | "auto" |
    voice.transcription.languageHint | t 20 | "en" |
    voice.transcription.noiseReduction | c near_field far_field off | "near_field" |  | Y
    voice.transcription.audioPrompt | s 280 | "Casual voice chat between friends." |  | Y
    voice.transcription.micSensitivity | c sensitive normal strict | "normal" |  | Y
    voice.transcription.logprobConfidenceThreshold | n -5 0 | -1 |  | Y
    voice.transcription.sparseTranscriptMinCharsPerSec | n 0 20 | 4 |  | Y
    voice.transcription.sparseTranscriptMinClipMs | i 0 10000 | 2000 |  | Y
    voice.channelPolicy.allowedChannelIds | l 200 60 | [] |
    voice.channelPolicy.blockedChannelIds | l 200 60 | [] |
    voice.channelPolicy.blockedUserIds | l 200 60 | [] |
    voice.sessionLimits.maxSessionMinutes | i 1 240 | 30 |
    voice.sessionLimits.inactivityLeaveSeconds | i 15 3600 | 300 |
    voice.sessionLimits.maxSessionsPerDay | i 0 240 | 120 |
    voice.sessionLimits.maxConcurrentSessions | i 1 3 | 3 |
    voice.conversationPolicy.ambientReplyEagerness | i 0 100 | 50 |
    voice.conversationPolicy.commandOnlyMode | b | false |
    voice.conversationPolicy.allowNsfwHumor | b | true |
    voice.conversationPolicy.textOnlyMode | b | false |
    voice.conversationPolicy.defaultInterruptionMode | c speaker anyone none | "speaker" |
    voice.conversationPolicy.useInterruptClassifier | b | false |  | Y
    voice.conversationPolicy.replyPath | c brain bridge native | "brain" |
    voice.conversationPolicy.ttsMode | c realtime api | "realtime" |
    voice.conversationPolicy.thinking | c disabled enabled think_aloud | "disabled" |  | Y
    voice.conversationPolicy.thinkingBudgetTokens | i 128 16384 | 1024 |  | Y
    voice.conversationPolicy.operationalMessages | c all essential minimal none | "minimal" |
    voice.conversationPolicy.streaming.enabled | b | true |
    voice.conversationPolicy.streaming.minSentencesPerChunk | i 1 6 | 2 |
    voice.conversationPolicy.streaming.eagerFirstChunkChars | i 8 220 | 30 |
    voice.conversationPolicy.streaming.maxBufferChars | i 80 800 | 300 |
    voice.admission.mode | c generation_decides classifier_gate | "generation_decides" |
    voice.admission.wakeSignals | l 10 40 | ["direct_address", "followup_latch",
      "focused_speaker", "command_only", "music_wake"] |
    voice.admission.musicWakeLatchSeconds | i 0 120 | 30 |
    voice.streamWatch.enabled | b | true |
    voice.streamWatch.commentaryEagerness | i 0 100 | 60 |  | Y
    voice.streamWatch.visualizerMode | c off cqt spectrum waves vectorscope | "cqt" |
    voice.streamWatch.commentaryIntervalSeconds | i 5 120 | 15 |  | Y
    voice.streamWatch.maxFramesPerMinute | i 6 600 | 180 |
    voice.streamWatch.maxFrameBytes | i 50000 4000000 | 350000 |
    voice.streamWatch.keyframeIntervalMs | i 500 2000 | 1200 |
    voice.streamWatch.autonomousCommentaryEnabled | b | true |
    voice.streamWatch.noteProvider | s 40 | "claude-oauth" |  | Y
    voice.streamWatch.noteModel | s 120 | "claude-haiku-4-5" |  | Y
    voice.streamWatch.noteIntervalSeconds | i 3 120 | 10 |  | Y
    voice.streamWatch.noteIdleIntervalSeconds | i 10 120 | 30 |  | Y
    voice.streamWatch.staticFloor | n 0.001 0.05 | 0.005 |  | Y
    voice.streamWatch.maxNoteEntries | i 1 24 | 12 |  | Y
    voice.streamWatch.changeThreshold | n 0.005 1 | 0.01 |  | Y
    voice.streamWatch.changeMinIntervalSeconds | i 1 30 | 2 |  | Y
    voice.streamWatch.notePrompt | s 420 | "Describe what changed on the screen in one
      sentence." |  | Y
    voice.streamWatch.commentaryProvider | s 40 | "" |  | Y
    voice.streamWatch.commentaryModel | s 120 | "" |  | Y
    voice.streamWatch.nativeDiscordMaxFramesPerSecond | i 1 10 | 2 |
    voice.streamWatch.nativeDiscordPreferredQuality | i 0 100 | 100 |
    voice.streamWatch.nativeDiscordPreferredPixelCount | i 4096 8294400 | 230400 | 921600
    voice.streamWatch.nativeDiscordJpegQuality | i 10 100 | 60 |  | Y
    voice.streamWatch.nativeDiscordPreferredStreamType | s 32 | "screen" |
    voice.streamWatch.sharePageMaxWidthPx | i 640 1920 | 960 |
    voice.streamWatch.sharePageJpegQuality | n 0.5 0.75 | 0.6 |
    voice.streamWatch.minCommentaryIntervalSeconds | i 3 120 | 8 |  | M
    voice.streamWatch.brainContextEnabled | b | true |  | M
    voice.streamWatch.brainContextMinIntervalSeconds | i 1 60 | 4 |  | M
    voice.streamWatch.brainContextMaxEntries | i 1 24 | 8 |  | M
    voice.streamWatch.brainContextProvider | s 40 | "claude-oauth" |  | M
    voice.streamWatch.brainContextModel | s 120 | "claude-sonnet-4-5" |  | M
    voice.streamWatch.brainContextPrompt | s 420 | "Describe what changed on the screen in one
      sentence." |  | M
    voice.soundboard.eagerness | i 0 100 | 40 |
    voice.soundboard.enabled | b | true |
    voice.soundboard.allowExternalSounds | b | false |
    voice.soundboard.preferredSoundIds | l 100 160 | [] |
    media.vision.enabled | b | true |
    media.vision.execution | P | {"mode": "dedicated_model", "model": {"provider":
      "claude-oauth", "model": "claude-opus-4-6"}} |
    media.vision.maxCaptionsPerHour | i 0 500 | 60 |
    media.videoContext.enabled | b | true |
    media.videoContext.execution | P | {"mode": "inherit_orchestrator"} |
    media.videoContext.maxLookupsPerHour | i 0 200 | 12 |
    media.videoContext.maxVideosPerMessage | i 0 6 | 2 |
    media.videoContext.maxTranscriptChars | i 200 4000 | 1200 |
    media.videoContext.keyframeIntervalSeconds | i 0 120 | 8 |
    media.videoContext.maxKeyframesPerVideo | i 0 8 | 3 |
    media.videoContext.allowAsrFallback | b | false |
    media.videoContext.maxAsrSeconds | i 15 600 | 120 |
    music.ducking.targetGain | n 0 1 | 0.15 |
    music.ducking.fadeMs | i 0 10000 | 300 |
    automations.enabled | b | true |
    """
}

extension SettingsSchema {
  /// Models and what runs them.
  static let models = """
    agentStack.preset | c claude_oauth claude_api openai_native_realtime openai_api
      openai_oauth grok_native_agent | "claude_oauth" |
    agentStack.advancedOverridesEnabled | b | false |
    agentStack.overrides.orchestrator | B | {"provider": "claude-oauth", "model":
      "claude-opus-4-6"} |
    agentStack.overrides.voiceAdmissionClassifier | P | ? |
    agentStack.overrides.voiceInterruptClassifier | P | ? |
    agentStack.overrides.harness | s 64 | ? |
    agentStack.overrides.researchRuntime | s 64 | ? |
    agentStack.overrides.browserRuntime | s 64 | ? |
    agentStack.overrides.voiceRuntime | s 64 | ? |
    agentStack.overrides.devTeam.orchestrator | B | ? |
    agentStack.overrides.devTeam.codingWorkers | W | ? |
    agentStack.overrides.devTeam.roles.design | w | ? |
    agentStack.overrides.devTeam.roles.implementation | w | ? |
    agentStack.overrides.devTeam.roles.review | w | ? |
    agentStack.overrides.devTeam.roles.research | w | ? |
    agentStack.runtimeConfig.research.enabled | b | true |
    agentStack.runtimeConfig.research.maxSearchesPerHour | i 0 120 | 20 |
    agentStack.runtimeConfig.research.openaiNativeWebSearch.userLocation | s 120 | "" |
    agentStack.runtimeConfig.research.openaiNativeWebSearch.allowedDomains | l 50 200 | [] |
    agentStack.runtimeConfig.research.localExternalSearch.safeSearch | b | false |
    agentStack.runtimeConfig.research.localExternalSearch.providerOrder | C brave serpapi |
      ["brave", "serpapi"] |
    agentStack.runtimeConfig.research.localExternalSearch.maxResults | i 1 10 | 5 |
    agentStack.runtimeConfig.research.localExternalSearch.maxPagesToRead | i 0 5 | 3 |
    agentStack.runtimeConfig.research.localExternalSearch.maxCharsPerPage | i 350 24000 | 6000
      |
    agentStack.runtimeConfig.research.localExternalSearch.recencyDaysDefault | i 1 3650 | 30 |
    agentStack.runtimeConfig.research.localExternalSearch.maxConcurrentFetches | i 1 10 | 5 |
    agentStack.runtimeConfig.browser.enabled | b | true |
    agentStack.runtimeConfig.browser.headed | b | false |
    agentStack.runtimeConfig.browser.profile | s 500 | "~/.clanky/browser-profile" |  | Y
    agentStack.runtimeConfig.browser.openaiComputerUse.client | c auto openai openai-oauth |
      "auto" |
    agentStack.runtimeConfig.browser.openaiComputerUse.model | s 120 | "gpt-5.4" |
    agentStack.runtimeConfig.browser.localBrowserAgent.execution | P | {"mode":
      "dedicated_model", "model": {"provider": "claude-oauth", "model": "claude-opus-4-6"}} |
    agentStack.runtimeConfig.browser.localBrowserAgent.maxBrowseCallsPerHour | i 0 60 | 10 |
    agentStack.runtimeConfig.browser.localBrowserAgent.maxStepsPerTask | i 1 30 | 10 |
    agentStack.runtimeConfig.browser.localBrowserAgent.stepTimeoutMs | i 5000 120000 | 30000 |
    agentStack.runtimeConfig.browser.localBrowserAgent.sessionTimeoutMs | i 10000 1800000 |
      300000 |
    agentStack.runtimeConfig.voice.runtimeMode | c openai_realtime voice_agent gemini_realtime
      elevenlabs_realtime | "openai_realtime" |
    agentStack.runtimeConfig.voice.openaiRealtime.model | s 120 | "gpt-realtime" |
    agentStack.runtimeConfig.voice.openaiRealtime.voice | s 120 | "ash" |
    agentStack.runtimeConfig.voice.openaiRealtime.reasoningEffort | c "" minimal low medium
      high xhigh | "" |  | Y
    agentStack.runtimeConfig.voice.openaiRealtime.inputAudioFormat | c pcm16 g711_ulaw
      g711_alaw | "pcm16" |
    agentStack.runtimeConfig.voice.openaiRealtime.outputAudioFormat | c pcm16 g711_ulaw
      g711_alaw | "pcm16" |
    agentStack.runtimeConfig.voice.openaiRealtime.transcriptionMethod | c realtime_bridge
      file_wav | "realtime_bridge" |
    agentStack.runtimeConfig.voice.openaiRealtime.inputTranscriptionModel | c whisper-1
      gpt-4o-transcribe-latest gpt-4o-transcribe gpt-4o-mini-transcribe-2025-12-15
      gpt-4o-mini-transcribe | "gpt-4o-mini-transcribe" |
    agentStack.runtimeConfig.voice.openaiRealtime.usePerUserAsrBridge | b | true |
    agentStack.runtimeConfig.voice.xai.model | c grok-voice-think-fast-1.0 grok-voice-fast-1.0
      | "grok-voice-think-fast-1.0" |  | Y
    agentStack.runtimeConfig.voice.xai.voice | s 200 | "eve" | "Rex"
    agentStack.runtimeConfig.voice.xai.audioFormat | c audio/pcm | "audio/pcm" |
    agentStack.runtimeConfig.voice.xai.sampleRateHz | c 8000 16000 22050 24000 32000 44100
      48000 | 24000 |
    agentStack.runtimeConfig.voice.xai.region | s 120 | "us-east-1" |  | M
    agentStack.runtimeConfig.voice.elevenLabsRealtime.voiceId | s 200 | "" |
    agentStack.runtimeConfig.voice.elevenLabsRealtime.ttsModel | s 120 |
      "eleven_multilingual_v2" |
    agentStack.runtimeConfig.voice.elevenLabsRealtime.transcriptionModel | s 120 | "" |
    agentStack.runtimeConfig.voice.elevenLabsRealtime.apiBaseUrl | u |
      "https://api.elevenlabs.io" |
    agentStack.runtimeConfig.voice.elevenLabsRealtime.inputSampleRateHz | i 8000 96000 | 16000
      |
    agentStack.runtimeConfig.voice.elevenLabsRealtime.outputSampleRateHz | i 8000 96000 |
      24000 |
    agentStack.runtimeConfig.voice.geminiRealtime.model | s 120 |
      "gemini-2.5-flash-native-audio-preview-12-2025" |
    agentStack.runtimeConfig.voice.geminiRealtime.voice | s 120 | "Aoede" |
    agentStack.runtimeConfig.voice.geminiRealtime.apiBaseUrl | u |
      "https://generativelanguage.googleapis.com" |
    agentStack.runtimeConfig.voice.geminiRealtime.inputSampleRateHz | i 8000 96000 | 16000 |
    agentStack.runtimeConfig.voice.geminiRealtime.outputSampleRateHz | i 8000 96000 | 24000 |
    agentStack.runtimeConfig.voice.openaiAudioApi.ttsModel | s 120 | "gpt-4o-mini-tts" |
    agentStack.runtimeConfig.voice.openaiAudioApi.ttsVoice | s 120 | "alloy" |
    agentStack.runtimeConfig.voice.openaiAudioApi.ttsSpeed | n 0.25 4 | 1 |
    agentStack.runtimeConfig.voice.musicBrain | P | {"mode": "disabled"} |
    agentStack.runtimeConfig.voice.generation | P | {"mode": "dedicated_model", "model":
      {"provider": "claude-oauth", "model": "claude-sonnet-4-6"}} |
    agentStack.runtimeConfig.claudeOAuthSession.sessionScope | c guild channel voice_session |
      "guild" |
    agentStack.runtimeConfig.claudeOAuthSession.inactivityTimeoutMs | i 10000 43200000 |
      1800000 |
    agentStack.runtimeConfig.claudeOAuthSession.contextPruningStrategy | c summarize
      evict_oldest sliding_window | "summarize" |
    agentStack.runtimeConfig.claudeOAuthSession.maxPinnedStateChars | i 0 200000 | 12000 |
    agentStack.runtimeConfig.claudeOAuthSession.voiceToolPolicy | c none fast_only full |
      "fast_only" |
    agentStack.runtimeConfig.claudeOAuthSession.textToolPolicy | c none fast_only full |
      "full" |
    agentStack.runtimeConfig.devTeam.swarm.enabled | b | true |  | Y
    agentStack.runtimeConfig.devTeam.swarm.serverName | k 64 | "swarm" |  | Y
    agentStack.runtimeConfig.devTeam.swarm.command | s 400 | "bun" |  | Y
    agentStack.runtimeConfig.devTeam.swarm.args | l 32 500 | ["run",
      "./mcp-servers/swarm-mcp/src/index.ts"] |  | Y
    agentStack.runtimeConfig.devTeam.swarm.dbPath | s 500 | "" |  | Y
    agentStack.runtimeConfig.devTeam.swarm.appendCoordinationPrompt | b | true |  | Y
    agentStack.runtimeConfig.devTeam.swarm.allowDirectChildFallback | b | false |  | Y
    agentStack.runtimeConfig.devTeam.codexCli.enabled | b | false |
    agentStack.runtimeConfig.devTeam.codexCli.model | s 120 | "gpt-5.4" |
    agentStack.runtimeConfig.devTeam.codexCli.maxTurns | i 1 200 | 30 |
    agentStack.runtimeConfig.devTeam.codexCli.timeoutMs | i 10000 1800000 | 300000 |
    agentStack.runtimeConfig.devTeam.codexCli.maxBufferBytes | i 4096 10485760 | 2097152 |
    agentStack.runtimeConfig.devTeam.codexCli.defaultCwd | s 400 | "" |
    agentStack.runtimeConfig.devTeam.codexCli.maxTasksPerHour | i 0 200 | 10 |
    agentStack.runtimeConfig.devTeam.codexCli.maxParallelTasks | i 1 20 | 2 |
    agentStack.runtimeConfig.devTeam.claudeCode.enabled | b | false |
    agentStack.runtimeConfig.devTeam.claudeCode.model | s 120 | "sonnet" |
    agentStack.runtimeConfig.devTeam.claudeCode.maxTurns | i 1 200 | 30 |
    agentStack.runtimeConfig.devTeam.claudeCode.timeoutMs | i 10000 1800000 | 300000 |
    agentStack.runtimeConfig.devTeam.claudeCode.maxBufferBytes | i 4096 10485760 | 2097152 |
    agentStack.runtimeConfig.devTeam.claudeCode.defaultCwd | s 400 | "" |
    agentStack.runtimeConfig.devTeam.claudeCode.maxTasksPerHour | i 0 200 | 10 |
    agentStack.runtimeConfig.devTeam.claudeCode.maxParallelTasks | i 1 20 | 2 |
    agentStack.runtimeConfig.devTeam.codex.enabled | b | false |  | M
    agentStack.runtimeConfig.devTeam.codex.model | s 120 | "gpt-5.4" |  | M
    agentStack.runtimeConfig.devTeam.codex.maxTurns | i 1 200 | 30 |  | M
    agentStack.runtimeConfig.devTeam.codex.timeoutMs | i 10000 1800000 | 300000 |  | M
    agentStack.runtimeConfig.devTeam.codex.maxBufferBytes | i 4096 10485760 | 2097152 |  | M
    agentStack.runtimeConfig.devTeam.codex.defaultCwd | s 400 | "" |  | M
    agentStack.runtimeConfig.devTeam.codex.maxTasksPerHour | i 0 200 | 10 |  | M
    agentStack.runtimeConfig.devTeam.codex.maxParallelTasks | i 1 20 | 2 |  | M
    agentStack.runtimeConfig.minecraft.enabled | b | false |  | Y
    agentStack.runtimeConfig.minecraft.mcpUrl | s 500 | "" |  | Y
    agentStack.runtimeConfig.minecraft.knownIdentities | O 32 | [] |  | Y
    agentStack.runtimeConfig.minecraft.server.label | s 80 | "" |  | Y
    agentStack.runtimeConfig.minecraft.server.host | s 200 | "" |  | Y
    agentStack.runtimeConfig.minecraft.server.port | i 1 65535 | 25565 |  | Y
    agentStack.runtimeConfig.minecraft.server.description | s 160 | "" |  | Y
    agentStack.runtimeConfig.minecraft.serverCatalog | O 16 | [] |  | Y
    agentStack.runtimeConfig.minecraft.narration.eagerness | i 0 100 | 25 |  | Y
    agentStack.runtimeConfig.minecraft.narration.minSecondsBetweenPosts | i 0 86400 | 300 |  | Y
    agentStack.runtimeConfig.minecraft.project.defaultActionBudget | i 5 200 | 40 |  | Y
    agentStack.runtimeConfig.minecraft.execution | P | {"mode": "inherit_orchestrator"} |  | Y
    """
}

extension SettingCatalogue {
  /// Models, providers and everything that runs them.
  static let modelTable = """
    agentStack.preset: choice claude_oauth, claude_api, openai_native_realtime, openai_api,
        openai_oauth, grok_native_agent; = "claude_oauth"; use
      Family of defaults for models, research, browser and voice. Exact spelling (case counts);
      unknown → claude_oauth.
      | Changes every unset member that is marked "preset"
    agentStack.advancedOverridesEnabled: bool; = false; form
      Remembers whether the web form shows its expert parts.
      | The server itself does not look at it
    agentStack.overrides.orchestrator: binding; = {"provider": "claude-oauth", "model":
        "claude-opus-4-6"}; follows preset; use
      Main text model.
      | Always present in effective; preset when unset
    agentStack.overrides.voiceAdmissionClassifier: policy; optional; turn
      Model that decides whether a spoken turn is answered.
      | present only when set; voice.admission.mode, voice.conversationPolicy.replyPath
    agentStack.overrides.voiceInterruptClassifier: policy; optional; turn
      Model that decides whether speech over the bot is an interruption.
      | present only when set; voice.conversationPolicy.useInterruptClassifier in May
    agentStack.overrides.harness: text 64; optional; use
      Name of the agent loop; known: internal, responses_native.
      | Any text is accepted and then matches nothing
    agentStack.overrides.researchRuntime: text 64; optional; use
      Known: local_external_search, openai_native_web_search.
      | Any text is accepted
    agentStack.overrides.browserRuntime: text 64; optional; use
      Known: local_browser_agent, openai_computer_use.
      | Any text is accepted
    agentStack.overrides.voiceRuntime: text 64; optional; join
      Older name of runtimeConfig.voice.runtimeMode; accepted on input and moved there unless
      that is set too.
      | Never in effective (Y and the state of 14 March)
    agentStack.overrides.devTeam.orchestrator: binding; optional; use
      Model that steers coding work.
      | The whole devTeam object appears once any of it is set
    agentStack.overrides.devTeam.codingWorkers: workers; optional; use
      Workers in order of preference: claude_code, codex_cli (March also codex); unknown ones
      dropped, at most 4.
      | A worker counts only when enabled below
    agentStack.overrides.devTeam.roles.design: worker; optional; use
      Worker for design, implementation, review, research.
      | Unknown name = unset
    agentStack.overrides.devTeam.roles.implementation: worker; optional; use
      Worker for design, implementation, review, research.
      | Unknown name = unset
    agentStack.overrides.devTeam.roles.review: worker; optional; use
      Worker for design, implementation, review, research.
      | Unknown name = unset
    agentStack.overrides.devTeam.roles.research: worker; optional; use
      Worker for design, implementation, review, research.
      | Unknown name = unset
    agentStack.runtimeConfig.research.enabled: bool; = true; use
      May search the web.
      | Search keys are process configuration
    agentStack.runtimeConfig.research.maxSearchesPerHour: int 0..120; = 20; use
      Searches per hour at most.
      | Enabled
    agentStack.runtimeConfig.research.openaiNativeWebSearch.userLocation: text 120; = ""; use
      Place hint for the vendor-side search.
      | Research runtime openai_native_web_search
    agentStack.runtimeConfig.research.openaiNativeWebSearch.allowedDomains: list 50x200; = [];
        use
      Only these domains in vendor-side search.
      | Research runtime openai_native_web_search; empty = all
    agentStack.runtimeConfig.research.localExternalSearch.safeSearch: bool; = false; use
      Asks the search service to filter.
      | Research runtime local_external_search
    agentStack.runtimeConfig.research.localExternalSearch.providerOrder: choices brave, serpapi;
        = ["brave", "serpapi"]; use
      Which search service is tried first; unknown and repeated ones dropped, empty → both.
    agentStack.runtimeConfig.research.localExternalSearch.maxResults: int 1..10; = 5; use
      Results per search.
    agentStack.runtimeConfig.research.localExternalSearch.maxPagesToRead: int 0..5; = 3; use
      Result pages opened per search.
    agentStack.runtimeConfig.research.localExternalSearch.maxCharsPerPage: int 350..24000; =
        6000; use
      Text kept per page.
    agentStack.runtimeConfig.research.localExternalSearch.recencyDaysDefault: int 1..3650; = 30;
        use
      Age limit of results when the model names none.
    agentStack.runtimeConfig.research.localExternalSearch.maxConcurrentFetches: int 1..10; = 5;
        use
      Pages loaded at once.
    agentStack.runtimeConfig.browser.enabled: bool; = true; use
      May drive a browser.
    agentStack.runtimeConfig.browser.headed: bool; = false; use
      Shows the browser window on the host.
      | Needs a display on the host
    agentStack.runtimeConfig.browser.profile: text 500; = "~/.clanky/browser-profile"; May only;
        use
      Folder of the browser profile; empty = disposable profile.
      | Host path
    agentStack.runtimeConfig.browser.openaiComputerUse.client: choice auto, openai,
        openai-oauth; = "auto"; use
      Which account computer use goes through.
      | Browser runtime openai_computer_use
    agentStack.runtimeConfig.browser.openaiComputerUse.model: text 120; = "gpt-5.4"; use
      Model for computer use.
      | Browser runtime openai_computer_use
    agentStack.runtimeConfig.browser.localBrowserAgent.execution: policy; = {"mode":
        "dedicated_model", "model": {"provider": "claude-oauth", "model": "claude-opus-4-6"}};
        use
      Model that drives the local browser; only openai, anthropic, claude-oauth, others become
      the preset one.
      | Browser runtime local_browser_agent; does not follow the preset
    agentStack.runtimeConfig.browser.localBrowserAgent.maxBrowseCallsPerHour: int 0..60; = 10;
        use
      Browser tasks per hour.
      | 0 is treated as 10 by one reader
    agentStack.runtimeConfig.browser.localBrowserAgent.maxStepsPerTask: int 1..30; = 10; use
      Steps per task.
    agentStack.runtimeConfig.browser.localBrowserAgent.stepTimeoutMs: int 5000..120000; = 30000;
        use
      Time limit per step.
    agentStack.runtimeConfig.browser.localBrowserAgent.sessionTimeoutMs: int 10000..1800000; =
        300000; use
      Time limit per session.
    agentStack.runtimeConfig.voice.runtimeMode: choice openai_realtime, voice_agent,
        gemini_realtime, elevenlabs_realtime; = "openai_realtime"; follows preset; join
      Vendor connection for live voice (voice_agent is xAI). Unknown text → voice_agent, not the
      default.
      | preset when unset; needs that vendor's key
    agentStack.runtimeConfig.voice.openaiRealtime.model: text 120; = "gpt-realtime"; join
      Realtime model; at join an unsupported name is replaced by gpt-realtime.
      | RuntimeMode openai_realtime
    agentStack.runtimeConfig.voice.openaiRealtime.voice: text 120; = "ash"; join
      Voice; the form offers alloy, ash, ballad, coral, echo, sage, shimmer, verse.
    agentStack.runtimeConfig.voice.openaiRealtime.reasoningEffort: choice "", minimal, low,
        medium, high, xhigh; = ""; May only; join
      Thinking of the realtime model.
      | Only gpt-realtime-2 uses it
    agentStack.runtimeConfig.voice.openaiRealtime.inputAudioFormat: choice pcm16, g711_ulaw,
        g711_alaw; = "pcm16"; join
      Audio sent.
      | Audio/pcm counts as pcm16
    agentStack.runtimeConfig.voice.openaiRealtime.outputAudioFormat: choice pcm16, g711_ulaw,
        g711_alaw; = "pcm16"; join
      Audio received.
    agentStack.runtimeConfig.voice.openaiRealtime.transcriptionMethod: choice realtime_bridge,
        file_wav; = "realtime_bridge"; join
      Live recogniser, or one file per utterance.
      | Not with reply path native
    agentStack.runtimeConfig.voice.openaiRealtime.inputTranscriptionModel: choice whisper-1,
        gpt-4o-transcribe-latest, gpt-4o-transcribe, gpt-4o-mini-transcribe-2025-12-15,
        gpt-4o-mini-transcribe; = "gpt-4o-mini-transcribe"; join
      Recogniser model; unknown → gpt-4o-mini-transcribe. Case counts.
    agentStack.runtimeConfig.voice.openaiRealtime.usePerUserAsrBridge: bool; = true; join
      One recogniser per speaker instead of one for all.
      | TranscriptionMethod realtime_bridge
    agentStack.runtimeConfig.voice.xai.model: choice grok-voice-think-fast-1.0,
        grok-voice-fast-1.0; = "grok-voice-think-fast-1.0"; May only; join
      Voice model.
      | RuntimeMode voice_agent
    agentStack.runtimeConfig.voice.xai.voice: text 200; = "eve"; March = "Rex"; join
      eve, ara, rex, sal, leo in lower case, or any own voice id.
      | March: text 120, default Rex
    agentStack.runtimeConfig.voice.xai.audioFormat: choice audio/pcm; = "audio/pcm"; join
      Audio format.
      | March: text 120
    agentStack.runtimeConfig.voice.xai.sampleRateHz: choice 8000, 16000, 22050, 24000, 32000,
        44100, 48000; = 24000; join
      Sample rate; others → 24000.
      | March: int 8000-96000
    agentStack.runtimeConfig.voice.xai.region: text 120; = "us-east-1"; March only; join
      Vendor region.
    agentStack.runtimeConfig.voice.elevenLabsRealtime.voiceId: text 200; = ""; join
      Voice; empty = joining with this vendor fails.
      | RuntimeMode elevenlabs_realtime, or TTS by API
    agentStack.runtimeConfig.voice.elevenLabsRealtime.ttsModel: text 120; =
        "eleven_multilingual_v2"; join
      Speech model.
      | In March from the 14th on
    agentStack.runtimeConfig.voice.elevenLabsRealtime.transcriptionModel: text 120; = ""; join
      Recogniser model; empty = vendor default.
      | voice.transcription.provider elevenlabs
    agentStack.runtimeConfig.voice.elevenLabsRealtime.apiBaseUrl: url; =
        "https://api.elevenlabs.io"; join
      Base address; only scheme, host and port are kept.
      | Credentials, path and query in it are cut off; wrong → default
    agentStack.runtimeConfig.voice.elevenLabsRealtime.inputSampleRateHz: int 8000..96000; =
        16000; join
      Sample rate sent.
    agentStack.runtimeConfig.voice.elevenLabsRealtime.outputSampleRateHz: int 8000..96000; =
        24000; join
      Sample rate received.
    agentStack.runtimeConfig.voice.geminiRealtime.model: text 120; =
        "gemini-2.5-flash-native-audio-preview-12-2025"; join
      Live model.
      | RuntimeMode gemini_realtime
    agentStack.runtimeConfig.voice.geminiRealtime.voice: text 120; = "Aoede"; join
      Voice.
    agentStack.runtimeConfig.voice.geminiRealtime.apiBaseUrl: url; =
        "https://generativelanguage.googleapis.com"; join
      As above.
    agentStack.runtimeConfig.voice.geminiRealtime.inputSampleRateHz: int 8000..96000; = 16000;
        join
      Sample rate sent.
    agentStack.runtimeConfig.voice.geminiRealtime.outputSampleRateHz: int 8000..96000; = 24000;
        join
      Sample rate received.
    agentStack.runtimeConfig.voice.openaiAudioApi.ttsModel: text 120; = "gpt-4o-mini-tts"; turn
      Speech model for TTS by API.
      | voice.conversationPolicy.ttsMode api
    agentStack.runtimeConfig.voice.openaiAudioApi.ttsVoice: text 120; = "alloy"; turn
      Voice for it.
      | voice.conversationPolicy.ttsMode api
    agentStack.runtimeConfig.voice.openaiAudioApi.ttsSpeed: num 0.25..4; = 1; turn
      Speed.
      | voice.conversationPolicy.ttsMode api
    agentStack.runtimeConfig.voice.musicBrain: policy; = {"mode": "disabled"}; turn
      Model that understands music requests; mode disabled = rules only.
    agentStack.runtimeConfig.voice.generation: policy; = {"mode": "dedicated_model", "model":
        {"provider": "claude-oauth", "model": "claude-sonnet-4-6"}}; follows preset; turn
      Model that writes spoken replies on the brain path.
      | preset when unset; reply path brain
    agentStack.runtimeConfig.claudeOAuthSession.sessionScope: choice guild, channel,
        voice_session; = "guild"; none
      Meant as what shares one conversation.
    agentStack.runtimeConfig.claudeOAuthSession.inactivityTimeoutMs: int 10000..43200000; =
        1800000; none
      Meant as idle limit.
    agentStack.runtimeConfig.claudeOAuthSession.contextPruningStrategy: choice summarize,
        evict_oldest, sliding_window; = "summarize"; none
      Meant as how old context is dropped.
    agentStack.runtimeConfig.claudeOAuthSession.maxPinnedStateChars: int 0..200000; = 12000;
        none
      Meant as size of pinned state.
    agentStack.runtimeConfig.claudeOAuthSession.voiceToolPolicy: choice none, fast_only, full; =
        "fast_only"; none
      Meant as tools in voice.
    agentStack.runtimeConfig.claudeOAuthSession.textToolPolicy: choice none, fast_only, full; =
        "full"; none
      Meant as tools in text.
    agentStack.runtimeConfig.devTeam.swarm.enabled: bool; = true; May only; use
      Uses the swarm service between workers.
    agentStack.runtimeConfig.devTeam.swarm.serverName: name 64; = "swarm"; May only; use
      Name of that service towards the workers: lower case, letters, digits, _ and -, everything
      else becomes -.
    agentStack.runtimeConfig.devTeam.swarm.command: text 400; = "bun"; May only; use
      Command line program started on the host.
      | Security relevant
    agentStack.runtimeConfig.devTeam.swarm.args: list 32x500; = ["run",
        "./mcp-servers/swarm-mcp/src/index.ts"]; May only; use
      Its arguments.
      | Empty list stays empty; an argument with a comma: send as array
    agentStack.runtimeConfig.devTeam.swarm.dbPath: text 500; = ""; May only; start
      Database of the service; empty = its default.
      | Host path; partly also use
    agentStack.runtimeConfig.devTeam.swarm.appendCoordinationPrompt: bool; = true; May only; use
      Adds a text on co-operation to worker prompts.
    agentStack.runtimeConfig.devTeam.swarm.allowDirectChildFallback: bool; = false; May only;
        use
      Starts workers as plain child processes when the service is away.
    agentStack.runtimeConfig.devTeam.codexCli.enabled: bool; = false; use
      This worker may be used.
      | permissions.devTasks.allowedUserIds, and in May allowedWorkspaceRoots
    agentStack.runtimeConfig.devTeam.codexCli.model: text 120; = "gpt-5.4"; use
      Its model; blank → default.
    agentStack.runtimeConfig.devTeam.codexCli.maxTurns: int 1..200; = 30; use
      Turns per task.
    agentStack.runtimeConfig.devTeam.codexCli.timeoutMs: int 10000..1800000; = 300000; use
      Time per task.
    agentStack.runtimeConfig.devTeam.codexCli.maxBufferBytes: int 4096..10485760; = 2097152; use
      Output kept per task.
    agentStack.runtimeConfig.devTeam.codexCli.defaultCwd: text 400; = ""; use
      Folder used when the task names none.
      | Host path
    agentStack.runtimeConfig.devTeam.codexCli.maxTasksPerHour: int 0..200; = 10; use
      Tasks per hour.
    agentStack.runtimeConfig.devTeam.codexCli.maxParallelTasks: int 1..20; = 2; use
      Tasks at once.
    agentStack.runtimeConfig.devTeam.claudeCode.enabled: bool; = false; use
      This worker may be used.
      | permissions.devTasks.allowedUserIds, and in May allowedWorkspaceRoots
    agentStack.runtimeConfig.devTeam.claudeCode.model: text 120; = "sonnet"; use
      Its model or alias; blank → default.
    agentStack.runtimeConfig.devTeam.claudeCode.maxTurns: int 1..200; = 30; use
      Turns per task.
    agentStack.runtimeConfig.devTeam.claudeCode.timeoutMs: int 10000..1800000; = 300000; use
      Time per task.
    agentStack.runtimeConfig.devTeam.claudeCode.maxBufferBytes: int 4096..10485760; = 2097152;
        use
      Output kept per task.
    agentStack.runtimeConfig.devTeam.claudeCode.defaultCwd: text 400; = ""; use
      Folder used when the task names none.
      | Host path
    agentStack.runtimeConfig.devTeam.claudeCode.maxTasksPerHour: int 0..200; = 10; use
      Tasks per hour.
    agentStack.runtimeConfig.devTeam.claudeCode.maxParallelTasks: int 1..20; = 2; use
      Tasks at once.
    agentStack.runtimeConfig.devTeam.codex.enabled: bool; = false; March only; use
      This worker may be used.
      | permissions.devTasks.allowedUserIds, and in May allowedWorkspaceRoots
    agentStack.runtimeConfig.devTeam.codex.model: text 120; = "gpt-5.4"; March only; use
      Its model; blank → default.
    agentStack.runtimeConfig.devTeam.codex.maxTurns: int 1..200; = 30; March only; use
      Turns per task.
    agentStack.runtimeConfig.devTeam.codex.timeoutMs: int 10000..1800000; = 300000; March only;
        use
      Time per task.
    agentStack.runtimeConfig.devTeam.codex.maxBufferBytes: int 4096..10485760; = 2097152; March
        only; use
      Output kept per task.
    agentStack.runtimeConfig.devTeam.codex.defaultCwd: text 400; = ""; March only; use
      Folder used when the task names none.
      | Host path
    agentStack.runtimeConfig.devTeam.codex.maxTasksPerHour: int 0..200; = 10; March only; use
      Tasks per hour.
    agentStack.runtimeConfig.devTeam.codex.maxParallelTasks: int 1..20; = 2; March only; use
      Tasks at once.
    agentStack.runtimeConfig.minecraft.enabled: bool; = false; May only; use
      Minecraft play is on.
    agentStack.runtimeConfig.minecraft.mcpUrl: text 500; = ""; May only; use
      Address of a running game bridge; empty = the bot starts one itself.
      | A set address alone switches the group on only when enabled is not false
    agentStack.runtimeConfig.minecraft.knownIdentities: objects 32; = []; May only; use
      Who is who: {mcUsername 40, discordUsername 64, label 80, relationship 40, notes 240};
      entries without or with a repeated mcUsername (case ignored) dropped.
      | Personal data
    agentStack.runtimeConfig.minecraft.server.label: text 80; = ""; May only; use
      Name of the usual server.
    agentStack.runtimeConfig.minecraft.server.host: text 200; = ""; May only; use
      Its host.
    agentStack.runtimeConfig.minecraft.server.port: int 1..65535; = 25565; May only; use
      Its port.
    agentStack.runtimeConfig.minecraft.server.description: text 160; = ""; May only; use
      A word about it.
    agentStack.runtimeConfig.minecraft.serverCatalog: objects 16; = []; May only; use
      Other servers: {label 80, host 200, port, description 160}; without label dropped, port
      1-65535 default 25565.
    agentStack.runtimeConfig.minecraft.narration.eagerness: int 0..100; = 25; May only; use
      How readily it tells in Discord what happens in the game.
    agentStack.runtimeConfig.minecraft.narration.minSecondsBetweenPosts: int 0..86400; = 300;
        May only; use
      Shortest pause between such posts.
    agentStack.runtimeConfig.minecraft.project.defaultActionBudget: int 5..200; = 40; May only;
        use
      Actions per building project.
    agentStack.runtimeConfig.minecraft.execution: policy; = {"mode": "inherit_orchestrator"};
        May only; use
      Model that plays.
      | Inherits the orchestrator
    """
}

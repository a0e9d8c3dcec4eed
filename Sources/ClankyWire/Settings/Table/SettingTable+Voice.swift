extension SettingCatalogue {
  /// Voice: limits, conversation, sounds, screen watch.
  static let voiceTable = """
    voice.enabled: bool; = true; live
      Voice on. Off ends every live session at once (end reason settings_disabled).
    voice.transcription.enabled: bool; = true; turn
      Speech is turned into text.
      | Brain and bridge paths need it
    voice.transcription.provider: choice openai, elevenlabs; = "openai"; join
      Recogniser vendor; anything else → openai.
      | In March from the 14th on; elevenlabs only with reply path brain
    voice.transcription.languageMode: choice auto, fixed; = "auto"; next recogniser
      Guess the language, or always use the hint.
      | Anything else → auto
    voice.transcription.languageHint: tag 20; = "en"; next recogniser
      Tag such as en or pt-br; lower case, _ → -; wrong shape → default.
    voice.transcription.noiseReduction: choice near_field, far_field, off; = "near_field"; May
        only; next recogniser
      Noise filter.
    voice.transcription.audioPrompt: text 280; May only; next recogniser
      Hint given to the recogniser.
    voice.transcription.micSensitivity: choice sensitive, normal, strict; = "normal"; May only;
        turn
      How loud speech must be to count.
    voice.transcription.logprobConfidenceThreshold: num -5..0; = -1; May only; turn
      Below this mean log probability a transcript is dropped.
    voice.transcription.sparseTranscriptMinCharsPerSec: num 0..20; = 4; May only; turn
      Fewer characters per second than this on a long clip = dropped.
      | 0 = off
    voice.transcription.sparseTranscriptMinClipMs: int 0..10000; = 2000; May only; turn
      Clip length from which that counts.
    voice.channelPolicy.allowedChannelIds: list 200x60; = []; live
      If not empty, voice happens there only. Saving ends sessions elsewhere
      (settings_channel_not_allowlisted).
    voice.channelPolicy.blockedChannelIds: list 200x60; = []; live
      Never there. Saving ends sessions there (settings_channel_blocked).
    voice.channelPolicy.blockedUserIds: list 200x60; = []; use
      People whose speech and requests are ignored in voice.
    voice.sessionLimits.maxSessionMinutes: int 1..240; = 30; live
      Longest session. In use capped at 60 in realtime modes, 120 otherwise. Every save and
      refresh starts the clock anew.
    voice.sessionLimits.inactivityLeaveSeconds: int 15..3600; = 300; live
      Leaves after this long without activity.
      | Save and refresh count as activity
    voice.sessionLimits.maxSessionsPerDay: int 0..240; = 120; join
      Joins per 24 h; 0 = no limit; in use capped at 120.
    voice.sessionLimits.maxConcurrentSessions: int 1..3; = 3; join
      Guilds with voice at once.
    voice.conversationPolicy.ambientReplyEagerness: int 0..100; = 50; turn
      How readily it answers speech that is not aimed at it.
    voice.conversationPolicy.commandOnlyMode: bool; = false; turn
      Answers only direct commands.
    voice.conversationPolicy.allowNsfwHumor: bool; = true; turn
      Allows rude humour in speech.
    voice.conversationPolicy.textOnlyMode: bool; = false; turn, partly join
      Answers spoken turns in the text channel and stays silent.
    voice.conversationPolicy.defaultInterruptionMode: choice speaker, anyone, none; = "speaker";
        turn
      Who may interrupt it.
    voice.conversationPolicy.useInterruptClassifier: bool; = false; May only; turn
      Asks a model whether speech over it is an interruption.
    voice.conversationPolicy.replyPath: choice brain, bridge, native; = "brain"; follows preset;
        join
      Who thinks: own model on text (brain), realtime model fed with text (bridge), realtime
      model on audio (native).
      | preset when unset
    voice.conversationPolicy.ttsMode: choice realtime, api; = "realtime"; follows preset; join
      Speech by the realtime link or by a TTS call; api holds only with replyPath brain, else
      realtime.
      | preset when unset
    voice.conversationPolicy.thinking: choice disabled, enabled, think_aloud; = "disabled"; May
        only; turn
      Model thinking before spoken replies.
    voice.conversationPolicy.thinkingBudgetTokens: int 128..16384; = 1024; May only; turn
      Tokens for it.
      | Thinking not disabled
    voice.conversationPolicy.operationalMessages: choice all, essential, minimal, none; =
        "minimal"; turn
      How many spoken or written status remarks.
    voice.conversationPolicy.streaming.enabled: bool; = true; turn
      Speaks while the answer is still being written.
      | ReplyPath brain
    voice.conversationPolicy.streaming.minSentencesPerChunk: int 1..6; = 2; turn
      Sentences per piece.
    voice.conversationPolicy.streaming.eagerFirstChunkChars: int 8..220; = 30; turn
      First piece goes out after so many characters.
    voice.conversationPolicy.streaming.maxBufferChars: int 80..800; = 300; turn
      Largest piece.
    voice.admission.mode: choice generation_decides, classifier_gate; = "generation_decides";
        follows preset; turn
      Who decides whether to answer. Forced: bridge → classifier_gate, native →
      generation_decides; free only with brain.
      | preset when unset; conversationPolicy.replyPath
    voice.admission.wakeSignals: list 10x40; = ["direct_address", "followup_latch",
        "focused_speaker", "command_only", "music_wake"]; none
      Meant as what wakes it.
      | Any text accepted
    voice.admission.musicWakeLatchSeconds: int 0..120; = 30; turn
      How long it stays awake while music plays.
    voice.soundboard.eagerness: int 0..100; = 40; turn
      How readily it plays sounds.
    voice.soundboard.enabled: bool; = true; turn
      May play sounds.
    voice.soundboard.allowExternalSounds: bool; = false; turn
      Also sounds of other guilds.
    voice.soundboard.preferredSoundIds: list 100x160; = []; turn
      Sounds it should prefer.
    voice.streamWatch.enabled: bool; = true; turn
      May watch shared screens.
    voice.streamWatch.commentaryEagerness: int 0..100; = 60; May only; turn
      How readily it comments.
    voice.streamWatch.visualizerMode: choice off, cqt, spectrum, waves, vectorscope; = "cqt";
        use
      Picture shown while it streams music; unknown → cqt.
    voice.streamWatch.commentaryIntervalSeconds: int 5..120; = 15; May only; turn
      Pause between comments.
      | March: minCommentaryIntervalSeconds
    voice.streamWatch.minCommentaryIntervalSeconds: int 3..120; = 8; March only; turn
      Pause between comments.
    voice.streamWatch.maxFramesPerMinute: int 6..600; = 180; turn
      Frames accepted per minute.
    voice.streamWatch.maxFrameBytes: int 50000..4000000; = 350000; turn
      Largest frame.
    voice.streamWatch.keyframeIntervalMs: int 500..2000; = 1200; use
      Pace of the share page.
    voice.streamWatch.autonomousCommentaryEnabled: bool; = true; turn
      Comments unasked.
    voice.streamWatch.brainContextEnabled: bool; = true; March only; turn
      Keeps notes on frames for later replies.
    voice.streamWatch.brainContextMinIntervalSeconds: int 1..60; = 4; March only; turn
      Pause between notes.
    voice.streamWatch.brainContextMaxEntries: int 1..24; = 8; March only; turn
      Notes kept.
    voice.streamWatch.brainContextProvider: text 40; = "claude-oauth"; March only; turn
      Provider for notes.
    voice.streamWatch.brainContextModel: text 120; = "claude-sonnet-4-5"; March only; turn
      Model for notes.
    voice.streamWatch.brainContextPrompt: block 420; March only; turn
      Instruction for notes.
    voice.streamWatch.noteProvider: text 40; = "claude-oauth"; May only; turn
      Provider for notes on frames.
      | Free text, not checked
    voice.streamWatch.noteModel: text 120; = "claude-haiku-4-5"; May only; turn
      Model for notes.
    voice.streamWatch.noteIntervalSeconds: int 3..120; = 10; May only; turn
      Pause between notes.
    voice.streamWatch.noteIdleIntervalSeconds: int 10..120; = 30; May only; turn
      Pause when nothing changes.
    voice.streamWatch.staticFloor: num 0.001..0.05; = 0.005; May only; turn
      Change below this counts as a still picture.
    voice.streamWatch.maxNoteEntries: int 1..24; = 12; May only; turn
      Notes kept.
    voice.streamWatch.changeThreshold: num 0.005..1; = 0.01; May only; turn
      Change from which a note is written early.
    voice.streamWatch.changeMinIntervalSeconds: int 1..30; = 2; May only; turn
      Shortest pause for such notes.
    voice.streamWatch.notePrompt: block 420; May only; turn
      Instruction for notes.
    voice.streamWatch.commentaryProvider: text 40; = ""; May only; turn
      Provider for comments; empty = as voice replies.
    voice.streamWatch.commentaryModel: text 120; = ""; May only; turn
      Model for comments.
    voice.streamWatch.nativeDiscordMaxFramesPerSecond: int 1..10; = 2; next watch
      Frames taken from a Discord stream.
    voice.streamWatch.nativeDiscordPreferredQuality: int 0..100; = 100; next watch
      Asked stream quality.
    voice.streamWatch.nativeDiscordPreferredPixelCount: int 4096..8294400; = 230400; March =
        921600; next watch
      Asked size in pixels.
    voice.streamWatch.nativeDiscordJpegQuality: int 10..100; = 60; May only; next watch
      Compression of taken frames.
    voice.streamWatch.nativeDiscordPreferredStreamType: text 32; = "screen"; next watch
      Kind of stream asked for.
      | Free text
    voice.streamWatch.sharePageMaxWidthPx: int 640..1920; = 960; use
      Width of frames from the share page.
    voice.streamWatch.sharePageJpegQuality: num 0.5..0.75; = 0.6; use
      Compression there.
    music.ducking.targetGain: num 0..1; = 0.15; turn
      Music volume while somebody speaks.
    music.ducking.fadeMs: int 0..10000; = 300; turn
      Length of that fade.
    """
}

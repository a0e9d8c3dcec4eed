extension Explanations {
  /// Fields of the voice state and of voice rows (contract 5.2 and appendix A).
  static let fieldsOfVoice = ExplanationGroup(
    .field,
    """
    activeCount: How many voice sessions or shares are live.
    sessions: The live or past sessions.
    textChannelId: Where the bot writes during the session.
    startedAt: When it began.
    lastActivityAt: When someone last spoke or the bot did something.
    maxEndsAt: When the session must end; empty when there is no limit.
    inactivityEndsAt: When the session ends if no one speaks.
    activeInputStreams: How many people are being recorded now.
    activeCaptures: Who is being recorded now and for how long; it need not be speech.
    soundboard: Sounds played in the session, or whether it may play them.
    realtimeToolOwnership: Who answers and runs tools: the bot's own model or the realtime
      provider.
    botTurnOpen: Whether the bot's sound is being sent. Others are not answered meanwhile.
    assistantOutput: What the bot is doing about its next words.
    phase: How far it is: of the output, a recogniser or music.
    lastTrigger: What the last answer was set off by.
    phaseEnteredAt: Since when it is in this phase.
    ttsPlaybackState: Whether speech waits to be played.
    ttsBufferedSamples: How much speech waits to be played, in samples.
    playbackArm: Whether the bot may play sound.
    armed: Whether the bot may play sound.
    armedAt: Since when.
    conversation: Attention, thoughts and addressing in the session.
    participants: Who is in the channel, other bots included, this bot not.
    membershipEvents: The last six who joined or left.
    eventType: Whether someone joined or left, or what the recogniser sent.
    pendingDeferredTurns: Turns put off until the bot has spoken. If it grows the bot does not
      keep up.
    recentTurns: The last turns; of the delays the last eight, the newest first.
    durableContext: Notes that are kept for this session.
    category: What a note is about, or the group of a channel.
    lastGenerationContext: What the last answer was made from.
    promptState: The prompts in force. Large; BRAIN shows them.
    instructions: The instructions of the realtime provider.
    classifier: The prompt of the model that decides.
    generation: The prompt or the context of the answering model.
    bridge: The prompt of the forwarded turn.
    streamWatch: The screen that the bot watches.
    asrSessions: The recogniser of each speaker; one that never spoke has none.
    sharedAsrSession: One recogniser for the whole room.
    brainTools: Tools that the realtime provider has.
    mcpStatus: Tool servers and whether their last call went well.
    music: What plays and what waits.
    batchAsr: Captures that wait to be recognised as files.
    realtime: The connection to the realtime provider.
    latency: The measured delays of the last answers.
    averages: Means over the last 12 answers, in ms.
    lastAssistantReplyAt: When the bot last answered.
    lastDirectAddressAt: When someone last addressed the bot.
    lastDirectAddressUserId: Who last addressed the bot.
    musicWakeLatchedUntil: Until then speech during music counts as addressed.
    musicWakeLatchedByUserId: Who woke the bot during music.
    wake: Whether the bot listens without being named.
    windowMs: How long it listens after an answer or address, in ms: 35 s.
    currentSpeakerActive: Whether the one who speaks is in talk with the bot.
    recentAssistantReply: Whether the bot answered not long ago.
    recentDirectAddress: Whether someone addressed the bot not long ago.
    msSinceAssistantReply: Since the bot's last answer, in ms.
    msSinceDirectAddress: Since the last address, in ms.
    thoughtEngine: What the bot thinks of saying by itself.
    busy: Whether it is thinking.
    nextAttemptAt: When it thinks again.
    lastAttemptAt: When it last thought.
    lastSpokenAt: When it last said a thought.
    pendingThought: The thought that it keeps.
    text: The words.
    draftText: The thought's first version.
    basisAt: The conversation that the thought is based on, by its time.
    revision: Which version it is.
    lastDecisionReason: Why it last kept, said or dropped the thought.
    lastDecisionAction: hold, speak_now or drop.
    memoryFactCount: How many facts the thought used.
    usedMemory: Whether the thought used memory.
    invalidatedAt: When the thought went out of date.
    invalidatedByUserId: Whose words made it out of date.
    invalidationReason: Why it went out of date.
    currentSpeakerTarget: To whom the speaker talks.
    currentSpeakerDirectedConfidence: How sure it is that the speaker means the bot. Practically
      always 0.
    lastDirectedToMe: The last one who meant the bot.
    recentAddressingGuesses: The last six guesses of who talks to whom.
    modelContext: How much conversation the model was given.
    availableTurns: How many turns there were to give.
    sentTurns: How many turns the model was given.
    contextChars: How long the given conversation is, in characters.
    decider: The context of the decision. No backend fills it in.
    trackedTurns: How many turns the bot keeps in mind.
    trackedTurnLimit: How many it keeps at most: 8.
    trackedTranscriptTurns: How many turns of the transcript it keeps.
    factProfiles: Facts loaded about the people in the room.
    guildFactProfile: Facts loaded about the bot and the community.
    loadedAt: When it was loaded.
    userFacts: Facts about people.
    selfFacts: Facts about the bot itself.
    loreFacts: Facts of the community.
    guidanceFacts: Facts on how the bot shall behave.
    behavioralFacts: Facts on how people or the bot behave.
    relevantFacts: Facts that fit what was said.
    ownerFacts: Private facts about the owner.
    memoryFacts: The facts that the answer had in front of it.
    capturedAt: When it was noted.
    incomingTranscript: The words that were answered.
    isEagerTurn: Whether the bot spoke up without being addressed.
    contextMessages: The conversation that the model was given.
    conversationContext: What the bot knew of attention and addressing.
    singleParticipantAssistantFollowup: Whether one person alone goes on talking with the bot.
    sameAsRecentDirectAddress: Whether it is the one who last addressed the bot.
    activeCommandSpeaker: Who is giving a command.
    activeCommandDomain: What the command is about.
    activeCommandIntent: What the command wants.
    msUntilCommandSessionExpiry: How long the command is still waited for, in ms.
    interruptedAssistantReply: The answer that was cut off.
    runtimeEventContext: What happened in the room.
    participantRoster: Who is in the room, by name.
    effectEvents: Effects that were sent.
    effectType: What sort of effect.
    soundName: The name of the sound.
    emoji: The emoji.
    recentConversationHistory: Earlier conversation that was found again.
    recentVoiceSessionContext: Summaries of earlier voice sessions.
    nativeDiscordSharers: Who shares a screen.
    recentToolOutcomes: What the last tools gave.
    sessionTiming: Whether the session is near its end.
    timeoutWarningActive: Whether the session is near its end.
    timeoutWarningReason: Which limit is near: max_duration or inactivity.
    maxSecondsRemaining: Until the session must end, in seconds.
    inactivitySecondsRemaining: Until it ends for silence, in seconds.
    tools: Tools that could be used, or how many servers lend.
    browserBrowse: Whether the bot could browse.
    screenShare: Whether the bot could offer a share, or how many shares are live.
    soundboardCandidateCount: How many sounds it could choose from.
    activityReactivity: How readily it reacts to what happens in the room, by its settings.
    soundboardEagerness: How readily it plays sounds, by its settings.
    llmConfig: The model and its settings.
    temperature: How freely the model chooses words.
    maxOutputTokens: How much the model may write.
    targetUserId: Whose screen it watches, or who is meant.
    lastFrameAt: When the last picture came.
    latestFrameAt: When the last picture came.
    latestFrameMimeType: The form of the last picture.
    latestFrameApproxBytes: How large the last picture was, in bytes; 0 is none. The picture
      itself is not served.
    acceptedFrameCountInWindow: How many pictures were taken in the present stretch of time.
    frameWindowStartedAt: When that stretch began.
    ingestedFrameCount: How many pictures were taken in all.
    lastCommentaryAt: When it last said something about the screen.
    lastCommentaryNote: What it said.
    lastMemoryRecapAt: When it last summed up what it saw.
    lastMemoryRecapText: The summary.
    lastMemoryRecapDurableSaved: Whether the summary was stored for good.
    lastMemoryRecapReason: Why it was or was not.
    lastNoteAt: When it last wrote a note about the screen.
    lastNoteProvider: The provider of that note.
    lastNoteModel: The model of that note.
    noteCount: How many notes.
    notePayload: The notes and their prompt.
    notes: The notes.
    lastBrainContextAt: The March name of lastNoteAt: when the last note was written.
    lastBrainContextProvider: The March name of lastNoteProvider.
    lastBrainContextModel: The March name of lastNoteModel.
    brainContextCount: The March name of noteCount.
    brainContextPayload: The March name of notePayload.
    visualFeed: What the bot saw, in words.
    nativeDiscord: The screen shares in Discord.
    activeSharerCount: How many share a screen.
    activeSharers: Who shares a screen.
    subscribedTargetUserId: Whose share the bot has joined.
    decodeInFlight: Whether a picture is being decoded.
    lastDecodeAttemptAt: When it last tried to decode a picture.
    lastDecodeSuccessAt: When it last could.
    lastDecodeFailureAt: When it last could not.
    lastDecodeFailureReason: Why it could not.
    codec: How the stream is packed.
    streamCount: How many streams.
    connected: Whether it is connected. Of a tool server: whether its last call went well.
    connectedAt: Since when it is connected.
    lastAudioAt: When sound last came.
    lastTranscriptAt: When words last came.
    idleMs: How long no one has spoken, in ms.
    idleTtlMs: After how long it closes, in ms: 60 s.
    hasIdleTimer: Whether the time to closing runs.
    idleTimerEndsAt: When it would close; the backend says so even when no timer runs.
    closedReason: Why the recogniser was closed; idle_ttl in practice.
    pendingAudioBytes: How much sound waits, in bytes.
    pendingAudioChunks: How many pieces of sound wait.
    pendingCommitResolvers: How many wait for final words.
    pendingCommitRequests: How often final words were asked for and have not come.
    transcriptByItemIds: How many utterances it has words of.
    speakerByItemIds: How many utterances it knows the speaker of.
    utterance: What is being said.
    partialText: The words so far.
    finalSegments: How many final pieces there are.
    bytesSent: How much sound was sent, in bytes.
    completedAt: When it ended.
    success: Whether it went well.
    serverName: The name of the tool server.
    lastConnectedAt: When it was last connected.
    lastCallAt: When it was last used.
    active: Whether it is going on.
    pauseReason: Why music is paused.
    replyHandoffMode: What music does while the bot speaks: duck or pause.
    replyHandoffRequestedByUserId: For whom music made way.
    replyHandoffSource: What made music make way.
    replyHandoffAt: When music made way.
    stoppedAt: When it ended.
    lastCommandAt: When music was last commanded.
    lastCommandReason: Why music was last commanded.
    lastTrackId: The number of the track.
    lastTrackTitle: The title of the track.
    lastTrackUrl: The address of the track.
    lastTrackArtists: Who made the track.
    lastPlaybackUrl: The address the sound comes from. It can be signed: do not show it around.
    lastPlaybackResolvedDirectUrl: Whether that address could be used as it was.
    lastQuery: What music was last looked for.
    lastRequestText: What was asked for, in words.
    lastRequestedByUserId: Who asked for it.
    pendingRequestedByUserId: Who asked for music that waits.
    pendingQuery: Music that is being looked for.
    pendingPlatform: Where it is looked for.
    pendingRequestedAt: When it was asked for.
    pendingResults: Tracks to choose from.
    disambiguationActive: Whether the bot asks which track is meant.
    artist: Who made the track.
    externalUrl: The address of the track.
    queueState: The tracks in order, and where it stands.
    tracks: The tracks in order.
    nowPlayingIndex: Which track plays, counted from 0.
    isPaused: Whether music is paused.
    volume: How loud, 0 to 1.
    inputSampleRateHz: Samples of incoming sound per second.
    outputSampleRateHz: Samples of outgoing sound per second.
    recentVoiceTurns: How many turns it keeps.
    replySuperseded: How many answers were left for newer ones.
    pendingTurns: How many turns wait. More than 2 for long: the bot does not keep up.
    drainActive: Whether waiting turns are being worked off.
    coalesceActive: Whether turns are being put together.
    lastEventAt: When the provider last said something.
    lastCloseCode: The code with which the connection was closed.
    lastCloseReason: Why the connection was closed.
    lastOutboundEventType: What was last sent to the provider.
    lastOutboundEventAt: When that was sent.
    lastOutboundEvent: What was last sent to the provider, whole.
    recentOutboundEvents: The last four things sent to the provider.
    payload: What was sent, whole; it can hold the instructions.
    activeResponseId: The answer that the provider is making.
    activeResponseStatus: How that answer stands.
    setupComplete: Whether the provider is ready.
    pendingResponseActive: Whether an answer is being made.
    utteranceCount: How many utterances there were.
    at: When it happened.
    heard: The words that the decision was made on.
    heardPerSpeaker: The same, by speaker.
    clipDurationMs: How long the sound is, in ms.
    addressingSource: Where the guess comes from.
    outputLockReason: What held the bot's output.
    inputKind: What sort of thing was decided on.
    itemId: The recogniser's number for the utterance.
    skipCause: Why the answer was not spoken.
    replyTextPreview: The beginning of what would have been said.
    utteranceTextPreview: The first 120 characters of what was said.
    estimatedPlaybackMs: How long the answer plays, as the bot estimates, in ms.
    hadAudio: Whether the answer had sound.
    hadBargeSuppression: Whether the answer's sound was held back after an interruption.
    finalThought: The thought that was decided on.
    memberUserId: Who joined or left.
    lastPlayedAt: When a sound was last played.
    msUntilMusicWakeLatchExpiry: How long speech during music still counts as addressed, in ms.
    musicActive: Whether music is on.
    musicWakeLatched: Whether someone woke the bot during music.
    pendingCommandFollowupSignal: Whether the bot waits for the answer to something it asked.
    sessionTimeoutWarningActive: Whether the session is near its end.
    sessionTimeoutWarningReason: Which limit is near.
    streamWatchNotes: What the bot noted about the screen.
    compactedSessionSummary: The summed up older part of the conversation.
    trackTitle: The title of the track.
    """)
}

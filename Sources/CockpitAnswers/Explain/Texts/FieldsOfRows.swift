extension Explanations {
  /// Fields of rows and of answers (contract 4.1, 4.4 and 4.5).
  static let fieldsOfRows = ExplanationGroup(
    .field,
    """
    id: The number of the row, fact or thing in the backend's log. Live rows have none.
    kind: What sort of row it is. In video rows the type of link; it is not the row's kind then.
    content: The text of the row: words, a code or an event name, by kind. Stored rows keep 2,000
      characters.
    metadata: The details of the row, as the backend wrote them; never cut.
    createdAt: When it was written, in UTC to the millisecond.
    updatedAt: When it was last changed, in UTC.
    guildId: The Discord server. Empty on rows that belong to none; a guild filter hides those.
    channelId: The Discord text channel.
    messageId: The Discord message. Of a model call: the message that set it off.
    userId: Who did it. On the bot's own rows the bot itself.
    usdCost: What the row cost in US dollars, as the backend counts. Recogniser and speech rows
      have none.
    sessionId: The voice session, browser run or agent session that it belongs to. session:ID
      shows all its rows.
    source: Which part of the bot wrote the row or made the call.
    reason: Why, as a code. explain knows many of them; unknown ones are shown as they came.
    event: What set it off, or the name of an event.
    error: What went wrong, as the service said it.
    errorMessage: What went wrong, in words.
    errorName: The class of the error.
    errorCode: The error as a code.
    errorType: The provider's class of the error, such as rate_limit_error.
    errorDescription: What went wrong with the login, in words.
    errorCount: How many things failed.
    message: What was said about it, in words.
    code: A number or name for the failure, or the exit code of a process.
    status: How it stands or ended. Of a failed model call the HTTP status: 429 limit, 401 key,
      5xx provider.
    state: How far it is.
    stage: Which step it was.
    allow: Whether the bot may go on: yes or no. The reason stands beside it.
    isError: Whether it failed.
    provider: The company or service that did it.
    model: The model that was used.
    mode: The realtime transport of a voice session, or the mode of memory.
    usage: Tokens read and written, and what came from or went into the cache.
    inputTokens: What the model read. The prompt is most of it; cost goes by it.
    outputTokens: What the model wrote.
    cacheReadTokens: Input that the provider had stored; it costs less.
    cacheWriteTokens: Input that the provider stored for the next call; it may cost more.
    totalTokens: Read and written tokens together.
    inputImages: Pictures that were given to the model.
    toolCallCount: How many tools the model asked for in this call.
    toolNames: Names of the tools it asked for: one text, the first 8.
    toolCalls: Tools that were asked for, or the calls of a session once they have ended.
    toolName: The tool that was called.
    tool: The tool that was used.
    toolType: Where the tool lives: function is built in, mcp is on a server.
    toolInput: What the tool was given.
    toolResultSummary: What the tool gave back, shortened.
    toolResultChars: How long the tool's result is, in characters.
    toolResultPreview: The beginning of the tool's result.
    arguments: What the tool was given.
    args: What the tool was given.
    input: What the tool was given.
    outputSummary: What the tool gave back, shortened; May gives an object.
    stopReason: Why the model stopped: done, a tool, or cut off at its limit.
    responseChars: How long the model's text is, in characters.
    responseShape: What the model's answer was made of, such as text and tools. May only.
    rawContentSummary: What the model's answer was made of. May only.
    responseDiagnostics: Remarks on the model's answer, for odd ones. May only.
    responseId: The provider's number for the answer.
    responseStatus: How the provider's answer ended.
    responseModel: The model that the realtime provider used.
    responseUsage: Tokens of a realtime answer, sound and text apart.
    responseFormat: The sound format that was asked for.
    transcript: The model's whole output, or what was heard or said in voice.
    transcriptSource: Whether the words are what was heard (input) or said (output).
    transcriptChars: How long the words are, in characters.
    transcriptError: Why a video's words could not be had.
    transcriptErrorCode: The same as a code.
    streaming: Whether the answer came piece by piece.
    systemPrompt: What the model was told to be. BRAIN shows it with what changed.
    userPrompt: What the model was asked.
    lastUserContent: The last thing the model was given in its tool loop.
    contextMessageCount: How many earlier messages the model was given.
    messageCount: How many messages the model was given.
    requestId: A number that ties the rows of one answer together; 0 is none. Of an error: give it
      to the provider's support.
    attempt: Which try it was.
    attempts: How often it was tried.
    available: What is there: model providers, or whether the server runs.
    unavailable: Model providers that are not ready.
    providers: The model providers that are set up.
    readyProviders: Model providers that are ready.
    ollamaHealthy: Whether the local model server answers.
    desired: What was wanted.
    actual: What is used instead.
    durationMs: How long it took, in ms.
    durationSeconds: How long it took or lasts, in seconds.
    latencyMs: How long it took, in ms.
    runtimeMs: How long the tool ran, in ms; 0 where unknown.
    elapsedMs: How much time has passed, in ms.
    timeoutMs: After how long it is given up, in ms.
    totalMs: The whole time, in ms. Of a voice answer the four measured stages, without
      recognition itself.
    resolveMs: How long finding the track's address took, in ms.
    queueWaitMs: How long it waited before it was begun, in ms. Not part of the total.
    pendingQueueDepth: How many turns waited.
    queueDepth: How many messages waited.
    finalizedToAsrStartMs: Delay from the end of speech to the start of recognition, in ms.
    asrToGenerationStartMs: Delay from the finished words to the start of the model, in ms.
    generationToReplyRequestMs: Delay from the start of the model to the handing over for speech,
      in ms. Tools are in it.
    replyRequestToAudioStartMs: Delay from the handing over to the first sound, in ms: the speech
      provider.
    voiceChannelId: The voice channel.
    maxSessionMinutes: The longest that the session may last, in minutes.
    inactivityLeaveSeconds: After so many seconds of silence the bot leaves.
    intentConfidence: How sure the bot was that it was asked to join, 0 to 1.
    requestedByUserId: Who asked for it.
    promotionReason: What made the sound count as speech.
    promotionDelayMs: How long it took to count as speech, in ms.
    promotionBytes: How much sound was there when it counted as speech, in bytes.
    promotionServerVadConfirmed: Whether the provider's voice detection confirmed it.
    promotionPeak: The loudest moment of the sound, 0 to 1.
    promotionRms: The mean loudness of the sound, 0 to 1.
    promotionActiveSampleRatio: The share of the sound that was not silence, 0 to 1.
    captureReason: Why the capture of speech ended.
    speakerName: Who spoke.
    displayName: The name as people see it on the server.
    callId: A number that ties start and end of a tool call together.
    replyText: What the bot says.
    replyPrompts: All prompts of the answer, with tools and parts. BRAIN shows them.
    directAddressed: Whether the bot was addressed directly.
    talkingTo: To whom the speaker talks: ME is the bot, ALL the room, else a name that a model
      made.
    directedConfidence: How sure it was that the bot was meant, 0 to 1; 0 also says unknown.
    participantCount: How many are there. In rows of joining and leaving humans only.
    clankvoxLevel: How serious the voice helper program found it. May only.
    clankvoxTarget: Which part of the voice helper program said it. May only.
    retryCount: How often it was tried again.
    trigger: What set it off.
    param: Which parameter the provider complained about.
    verbosity: How chatty the bot is set to be about voice.
    tier: How important the message was.
    sourceGuildId: The server that owns the sound; empty for the standard ones.
    playCount: How many sounds the session has played.
    query: What was searched for.
    queryText: What was searched for.
    platform: Where music is looked for.
    resultCount: How many results there were.
    title: The title of the track, video or automation.
    direct: Whether the bot was addressed directly, or the track's address could be used as it is.
    fileName: The name that the sound was sent under.
    language: The language that the recogniser was told.
    prompt: The hint that the recogniser was given, or the prompt of screen notes.
    sampleRateHz: Samples of sound per second.
    voice: The voice that speaks.
    speed: How fast it speaks; 1 is normal.
    outputFormat: The sound format that came.
    textChars: How long the spoken text is, in characters.
    triggerMessageId: The message that set it off. meta.triggerMessageId:ID shows all rows of that
      answer.
    triggerMessageIds: All messages that set it off.
    addressing: Whether and how sure the bot was addressed: direct, reason, confidence and
      threshold.
    inferred: Whether the addressing was concluded and not said.
    triggered: Whether the addressing was enough to answer.
    confidence: How sure it is, 0 to 1.
    threshold: How sure the bot must be to answer, usually 0.62. Of speech: the least mean logarithm of probability.
    meanLogprob: How sure the recogniser was of a word: the mean logarithm of its probability; 0 is certain.
    confidenceSource: Where the confidence comes from: a model, a fallback, a direct address or
      the exact name.
    sendAsReply: Whether it was sent as a reply to the message.
    canStandalonePost: Whether the bot might have posted without replying.
    image: Whether a picture was made for it.
    videoGeneration: Whether a video was made for it.
    gif: Whether a GIF was sent with it.
    toolImages: Pictures that tools gave.
    memory: What memory was looked up or holds.
    imageLookup: Whether earlier pictures were looked for.
    mentions: Whom it mentions.
    reaction: The reaction that the model wanted, and what blocked it.
    screenShareOffer: Whether it offered a link for sharing a screen.
    webSearch: Whether the web was searched, and what blocked it.
    video: Whether videos were looked at.
    llm: The model of the answer. Its costUsd repeats the llm_call rows: do not add both.
    costUsd: The cost of the model calls again: do not add it to the rows.
    performance: Where the time of a text answer went, in ms.
    queueMs: Waiting for the answer before it, in ms.
    processingMs: Working out the answer after waiting, in ms.
    ingestMs: Storing the incoming message, in ms.
    memorySliceMs: Looking up memory, in ms.
    llm1Ms: The first model call, in ms. Mostly the longest.
    followupMs: Further model calls after tools, in ms.
    typingDelayMs: Waiting on purpose, as a person types, in ms.
    sendMs: Sending to Discord, in ms.
    version: The version of this form of details.
    actionKind: What became of it: which kind of row.
    botId: The bot's user id.
    deployment: The name of the installation. It may tell a host name.
    turnId: A number that ties the steps of a text turn together.
    isReplyChannel: Whether the bot may answer everybody in this channel.
    addressSignal: What spoke for the bot being addressed.
    attentionMode: ACTIVE: the bot follows the conversation. AMBIENT: it waits to be called.
    attentionReason: Why it follows the conversation or not.
    includedTools: Tools that the model had for this answer.
    excludedTools: Tools that it had not, each with the reason.
    capabilities: What the bot could do at that moment.
    forceRespond: Whether it had to answer.
    targetChannelId: The channel it was meant for.
    syntheticId: A number for something that is no Discord message.
    coldAmbientProbability: How likely it was to speak up uncalled. March only.
    coldAmbientGatePassed: Whether chance let it speak up uncalled. March only.
    coldAmbientGateValue: The number that chance drew. March only.
    actorName: Who wrote it or is meant.
    factId: The number of the fact; facts show N shows it.
    subject: Whom the fact is about: a user id, __self__, __lore__ or __owner__.
    fact: The text of the fact, at most 400 characters.
    factType: The type of the fact, such as preference or project.
    evidenceText: The words that the fact was taken from.
    scope: Where the fact holds: for a user everywhere, a guild, the owner …
    memoryScope: Where the fact holds. May only.
    supersededFact: The older fact that it replaced. May only.
    sourceMessageId: The message that the fact was taken from.
    inputChars: How long the text was, in characters.
    vectorDims: The length of the vector.
    lastResortFallback: Whether the last way that was left had to be used. May only.
    fallbackAttempt: Which try with another provider it was. May only.
    traceSource: For which part of the bot it was done.
    traceEvent: For which event it was done.
    traceReason: Why it was done.
    traceMessageId: The message it was done for.
    runId: The number of the daily review.
    dateKey: The day that the review is about.
    maxFacts: How many facts the review may write.
    journalEntryCount: How many messages the review read.
    authorCount: How many people wrote them.
    factsExtracted: How many facts the review found.
    factsSelected: How many of them it chose.
    factsAdded: How many were new.
    factsSaved: How many were stored.
    factsSkipped: How many were left.
    rawResponseText: What the model of the review answered.
    extractedFacts: The facts that the review found.
    selectedFacts: The facts that it chose.
    savedFacts: The facts that it stored.
    skippedFacts: The facts that it left, each with the reason.
    reflectionPasses: The steps of the review.
    ownerPrivate: Whether private memory of the owner was allowed.
    collaborationContext: Whether it was work with others.
    loadedSectionKeys: Parts of the curated memory that were loaded.
    missingSectionKeys: Parts of the curated memory that do not exist.
    blockedSectionKeys: Parts of the curated memory that were not allowed here.
    totalChars: How long it all is, in characters.
    warnings: What was odd about it.
    summaryChars: How long the summary is, in characters.
    workMemoryProjectKey: The project whose notes were loaded.
    workMemoryCounts: How many notes of each sort.
    workMemoryChars: How long the notes are, in characters.
    scopeKey: The conversation that it belongs to.
    """)
}

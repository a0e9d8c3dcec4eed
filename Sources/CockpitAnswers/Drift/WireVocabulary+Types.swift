extension WireVocabulary {
  /// What the decoders read under each name: s text, w a word of an enumeration, n number, b true or
  /// false, a list, o object. Written by FieldTypeTests from their code (RECORD_GOLDENS=1).
  static let fieldTypes = """
    _meta:o accepted:b acceptedFrameCountInWindow:n action:ns active:b activeCaptures:a
    activeCommandDomain:s activeCommandIntent:s activeCommandSpeaker:s activeCount:n
    activeInputStreams:n activeResponseId:s activeResponseStatus:s activeSharerCount:n
    activeSharers:a activeVoiceSession:o activityReactivity:n actorDisplayName:s actorRole:s
    actorUserId:ns addressing:o adjudicatorModel:s adjudicatorProvider:s ageMinutes:n ageMs:n
    allow:b anchorMessageId:s armed:b armedAt:s artist:s asrSessions:a asrToGenerationStartMs:n
    assistantOutput:o at:ns atIso:s attentionMode:w authMethod:w authenticated:b author:s
    authorCount:n authorId:ns authorName:s author_id:ns author_name:s automationId:n
    automation_id:n availableTurns:n averages:o avgMs:n basisAt:s batchAsr:o behavioralFacts:a
    bindings:o botTurnOpen:b brainContextCount:n brainContextPayload:o brainTools:a bridge:o
    browserBrowse:b busy:b bytesSent:n cacheReadTokens:n cacheWriteTokens:n cachedUsers:a callId:ns
    capturedAt:s category:sw channelId:ns channel_id:ns channels:n classifier:o claude_oauth:b
    closedReason:s coalesceActive:b codec:s completedAt:s completionContent:s confidence:n
    configurationError:s connected:b connectedAt:s content:s contextChars:n contextMessages:an
    conversation:o conversationContext:o count:n createdAt:s created_at:s created_by_name:s
    created_by_user_id:ns currentSpeakerActive:b currentSpeakerDirectedConfidence:n
    currentSpeakerTarget:s currentUrl:s dailyCost:a dateKey:ns day:s decodeInFlight:b deleted:n
    description:s detail:s directAddressed:b directedConfidence:n disambiguationActive:b
    displayName:ns draftText:s drainActive:b durableContext:a durableProfile:o durationMs:n
    durationSeconds:n effectEvents:a effectType:s elapsedMs:n emoji:s enabled:b endReason:s
    endedAt:s error:ns errorContent:s errorMessage:ns errorName:s errorType:ns erroredAt:s
    estimatedPlaybackMs:n eventType:nsw everyMinutes:n evidence:s evidenceText:s evidence_text:s
    expectedGuildName:s expiresAt:s externalUrl:s extractedFacts:a extractorModel:s
    extractorProvider:s fact:nos factCount:n factProfiles:a factType:nsw fact_count:n fact_type:w
    facts:a factsAdded:n factsExtracted:n factsSaved:n factsSelected:n factsSkipped:n failed:b
    ffmpegAvailable:b finalSegments:n finalThought:ns finalizedToAsrStartMs:n finished_at:s
    followupMs:o followupSteps:n followupUserPrompts:a frameWindowStartedAt:s gateway:o
    generation:o generationToReplyRequestMs:n guidanceFacts:a guildCount:n guildFactProfile:o
    guildId:ns guild_id:ns harness:ns hasConnectedAtLeastOnce:b hasIdleTimer:b heard:ns
    hiddenByDefault:b hitStepLimit:b hour:n id:ns idleMs:n idleTimerEndsAt:s idleTtlMs:n
    inactivityEndsAt:s inactivitySecondsRemaining:n incomingTranscript:s ingestMs:o
    ingestedFrameCount:n initialUserPrompt:s inputChars:n inputSampleRateHz:n inputTokens:n
    instruction:s instructions:o invalidatedAt:s invalidatedByUserId:ns invalidationReason:s
    isEagerTurn:b isError:b isPaused:b isPrimary:b isReady:b journalEntryCount:n key:s kind:sw
    label:s lastActiveAt:s lastActivityAt:s lastAssistantReplyAt:s lastAt:ns lastAttemptAt:s
    lastAudioAt:s lastBotMessageAt:s lastBrainContextAt:s lastBrainContextModel:s
    lastBrainContextProvider:s lastCallAt:s lastCloseCode:n lastCloseReason:s lastCommandAt:s
    lastCommandReason:s lastCommentaryAt:s lastCommentaryNote:s lastConnectedAt:s
    lastDecisionAction:w lastDecisionReason:s lastDecodeAttemptAt:s lastDecodeFailureAt:s
    lastDecodeFailureReason:s lastDecodeSuccessAt:s lastDirectAddressAt:s
    lastDirectAddressUserId:ns lastDirectedToMe:o lastError:s lastEventAt:s lastFrameAt:s
    lastGatewayEventAt:s lastGenerationContext:o lastMemoryRecapAt:s lastMemoryRecapDurableSaved:b
    lastMemoryRecapReason:s lastMemoryRecapText:s lastNoteAt:s lastNoteModel:s lastNoteProvider:s
    lastOutboundEvent:o lastOutboundEventAt:s lastOutboundEventType:s
    lastPlaybackResolvedDirectUrl:b lastPlaybackUrl:s lastPlayedAt:s lastQuery:s lastRequestText:s
    lastRequestedByUserId:ns lastSpokenAt:s lastTrackArtists:a lastTrackId:s lastTrackTitle:s
    lastTrackUrl:s lastTranscriptAt:s lastTrigger:s last_error:s last_result:s last_run_at:s
    last_seen_at:s latency:o latestFrameApproxBytes:n latestFrameAt:s latestFrameMimeType:s
    launchMode:ns lexicalScore:n limit:n llm1Ms:o llmConfig:o loadedAt:s loreFacts:a markdown:s
    match_text:s maxEndsAt:s maxFacts:n maxMs:n maxOutputTokens:n maxSecondsRemaining:n maxTurns:n
    mcpStatus:a memberUserId:ns membershipEvents:a memory:bo memoryFactCount:n memoryFacts:o
    memorySliceMs:o message:ns messageId:ns message_id:ns messages:a metadata:o minMs:n minute:n
    mode:nsw model:ns modelContext:o msSinceAssistantReply:n msSinceDirectAddress:n
    msUntilCommandSessionExpiry:n msUntilMusicWakeLatchExpiry:n music:o musicActive:b
    musicWakeLatched:b musicWakeLatchedByUserId:ns musicWakeLatchedUntil:s name:s nativeDiscord:o
    newestExpiresAt:s nextAttemptAt:s nextRetryMs:n nextRunAt:s next_run_at:s notBeforeAt:s
    noteCount:n notePayload:o notes:a nowPlayingIndex:n ok:b openai_oauth:b outputSampleRateHz:n
    outputTokens:n ownerFacts:a ownerProfile:o p50Ms:n p95Ms:n partialText:s participantCount:n
    participantProfiles:a participantRoster:a participants:a pauseReason:w pending:n
    pendingAudioBytes:n pendingAudioChunks:n pendingCommandFollowupSignal:b pendingCommitRequests:n
    pendingCommitResolvers:n pendingDeferredTurns:n pendingPlatform:w pendingQuery:s
    pendingQueueDepth:n pendingRequestedAt:s pendingRequestedByUserId:ns pendingResponseActive:b
    pendingResults:a pendingThought:o pendingTurns:n performance:o phase:w phaseEnteredAt:s
    phases:o pid:n platform:w playCount:n playbackArm:o present:b processingMs:o promotionDelayMs:n
    prompt:s promptContext:o promptState:o promptTiers:a provider:ns providerUsed:ns publicHttps:o
    publicHttpsEnabled:b publicUrl:s query:ns queryText:s queueMs:o queueState:o queueWaitMs:n
    rawResponseText:s realtime:o realtimeToolOwnership:w reason:nsw recentAddressingGuesses:a
    recentAssistantReply:b recentConversationHistory:a recentDirectAddress:b recentOutboundEvents:a
    recentToolOutcomes:a recentTurns:a recentVoiceSessionContext:a recentVoiceTurns:n
    reconnectAttempts:n reconnectInFlight:b reflectionPasses:a relevantFacts:a replyHandoffAt:s
    replyHandoffMode:w replyHandoffRequestedByUserId:ns replyHandoffSource:s replyPrompts:o
    replyQueue:o replyRequestToAudioStartMs:n replySuperseded:n replyText:ns replyTextPreview:ns
    requestId:n requestedByUserId:ns requesterUserId:ns requiresToken:b responseModel:ns
    responseStatus:ns resultCount:n resultLength:n returnedResults:n revision:n role:nsw runId:s
    runStatus:ns running_started_at:s runtime:os runtimeEventContext:o runtimeMs:n
    sameAsRecentDirectAddress:b sampleCount:n sampleLimit:n saveAppliedToRuntime:b saveApplyError:s
    saveReason:s savedFacts:a schedule:o scope:w score:n screenShare:bo selectedFacts:a selfFacts:a
    semanticScore:n sendMs:o sentTurns:n serverName:s sessionId:ns sessionTimeoutWarningActive:b
    sessionTimeoutWarningReason:w sessionTiming:o setupComplete:b sharedAsrSession:o
    singleParticipantAssistantFollowup:b skipCause:ns skippedFacts:a slice:o soundName:s
    soundboard:bo soundboardCandidateCount:n soundboardEagerness:n source:nsw sourceMessageId:ns
    source_message_id:ns sources:a speakerByItemIds:n speakerName:ns stage:ns startContent:s
    startedAt:s started_at:s state:o stats:o status:nsw statusAfterRun:w statuses:a step:n steps:n
    stopReason:ns stoppedAt:s storedFact:s storedSubject:s strategy:s streamCount:n streamWatch:o
    streamWatchNotes:o subject:nsw subjectLabel:s subjectName:s subjectOverride:s
    subscribedTargetUserId:ns success:b summary:ns summaryChars:n summaryText:s supersedes:s
    systemPrompt:s tail:ns talkingTo:ns targetUrl:s targetUserId:ns temperature:n text:s
    textChannelId:ns textChars:n thought:ns thoughtEngine:o thoughtText:ns timeoutWarningActive:b
    timeoutWarningReason:w timestamp:s title:ns tool:ns toolCalls:a toolName:ns toolSteps:a
    toolType:w tools:ao totalChars:n totalCostUsd:n totalMs:no totalSteps:n
    trackedTranscriptTurns:n trackedTurnLimit:n trackedTurns:n tracks:a transcript:ns
    transcriptByItemIds:n transcriptChars:n transcriptSource:ns trigger:s triggerMessageId:ns
    ttsBufferedSamples:n ttsPlaybackState:w turnCount:n type:sw typingDelayMs:o updatedAt:s
    updated_at:s usage:o usd:n usdCost:n usd_cost:n usedMemory:b userFactProfile:o userFacts:a
    userId:ns userTag:s user_id:ns utterance:o utteranceCount:n utteranceTextPreview:ns
    visualFeed:a voice:o voiceChannelId:ns volume:n wake:o webSearch:b windowHours:n windowMs:n
    """
}

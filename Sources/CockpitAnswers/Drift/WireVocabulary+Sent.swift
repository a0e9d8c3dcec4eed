extension WireVocabulary {
  /// What a backend of the contract sends and nothing here reads, with the types of its values. Written
  /// by SentWireTests from what the demo sends (RECORD_GOLDENS=1).
  static let sentFields = """
    activeResponse:b activeSampleRatio:n addressed:b addressingReason:s allowUnsolicitedReplies:b
    ambientReplyEagerness:n ambiguousCount:n animationType:n appendText:s approxBytes:n
    asrSkippedShortClip:b attemptedCount:n audioDeliveredBytes:n audioDeliveredChunks:n
    audioSuppressedBytes:n audioSuppressedChunks:n availableFromTools:n awaitingToolOutputs:b
    backpressureActive:b behavioralFactCount:n behavioralMemoryLoadMs:n blockedByAllowedSet:b
    blockedByCapability:b blockedByConfiguration:b blockedByDailyCap:b blockedByHourlyCap:b
    blockedByPermission:b blockers:a browserBrowseAvailable:b bufferedBotSpeech:b candidateCount:n
    candidateSource:s capabilityReadyAtPromptTime:b captureAgeMs:n captureBytesSent:n changedKeys:a
    channelName:s charsPerSecond:n classifierConfidence:n classifierDecision:s classifierLatencyMs:n
    classifierReason:s classifierTarget:s combinedBytes:n commentaryPath:s compactedTurns:n
    complexCapabilityReadyAtPromptTime:b configured:b consecutiveEmptyCommits:n contextCharsSent:n
    contextTurnsAvailable:n contextTurnsSent:n continuityLoadMs:n conversationWindowCount:n
    ctxBuilt:b ctxShouldRun:b cursor:n decision:s decodeInFlightMs:n decryptFailures:n
    deferredActiveCapture:b deferredQueueSize:n deliveryRatio:n detectedFromRecentMessages:n
    detectedVideos:n domain:s downMs:n droppedAudioBytes:n droppedAudioChunks:n droppedBytes:n
    droppedFrames:n durableSaved:b eligibleCount:n epoch:n errors:a excludedToolCount:n
    expectRealtimeAudio:b expiresInMinutes:n expiresInMs:n explicitRequest:b extractedVideos:n
    fetchedPages:n firstAudioLatencyMs:n flushedBytes:n flushedChunks:n followupMs:n
    forceDecisionLoop:b frameRate:n functionCallArgumentChars:n functionCallArgumentPresent:b
    functionCallCount:n graceMs:n guidanceFactCount:n hardRecoveryAttempted:b heldMs:n holdMs:n
    imageLookupAvailable:b includedToolCount:n ingestMs:n inputAudioTokens:n inputLength:n
    inputTextTokens:n instructionsChars:n intentRequested:b interruptedUserId:s isLegacy:b
    itemStatuses:o itemTypes:o keyframeVideos:n keyframesExtracted:n labeledTranscriptChars:n
    lastAt:ns latestBotMessageId: latestFrameAgeMs:n leaseMode:s leaveVoiceChannelRequested:b
    length:n linkEnabled:b linkFallbackAvailable:b linkReason: linkStatus:s linkSupported:b linkUrl:
    llm1Ms:n localToolCount:n matchedReference: maxPerDay:n maxPerHour:n mcpToolCount:n
    memoryAvailable:b memorySliceMs:n memorySource:s mergedTurns:n mimeType:s minCaptureAgeMs:n
    minCaptureMs:n minecraftAvailable:b msSinceInboundAudio: musicPhase:s nativeAvailable:b
    nativeDiscordSharerCount:n nativeEnabled:b nativeReason:s nativeStatus:s nativeSupported:b
    newerTurnCount:n note:s observedPlayback:b openAiActiveResponse:b openStreams:n optedOutByUser:b
    outputAudioTokens:n outputAwaitingToolOutputs:b outputBotTurnOpen:b outputBufferedBotSpeech:b
    outputLocked:b outputOpenAiActiveResponse:b outputPendingResponse:b outputStreamBufferedBytes:n
    outputTextTokens:n parsedDecision:o participantProfileCount:n pcmBytes:n peak:n
    pendingResponse:b pendingResponseDropped:b pendingResponseRequestId:n pendingResponseSource:s
    playedSoundboardCount:n previousItemId: previousTranscript:s probability:n processingMs:n
    promptSnapshot:o providerFallbackUsed:b queueDepthBeforeEnqueue:n queueLength:n queueMs:n
    rawOutput:s recap:s recentConversationHistoryCount:n recentMessageCount:n
    recentReplyWindowActive:b recentToolOutcomeCount:n reconnectAttempt:n relevantFactCount:n
    remainingAtPromptTime:n remainingPendingBytes:n remainingQueueDepth:n renderedRowCount:n
    replyPath:s reply_skipped:n requestId:s requested:b requestedByModel:b requestedComplexByModel:b
    requestedRealtimeUtterance:b requestedRef:s requestedSimpleByModel:b requiredSilenceMs:
    resolvedCount:n responseCancelAttempted:b responseCancelSucceeded:b responseWindowSize:n
    resultTitles:a retryAfterMs: rms:n roll:n rows:a runs:a runtimeMode:s screenWatchActive:b
    screenWatchAvailable:b selectedVariant:s sendBudgetAllowed:b sendMs:n sent_message:n
    sent_reply:n sessionScope:s shape:s shareSessionId:s signalActiveSampleRatio:n signalPeak:n
    signalRms:n silenceDetected:b silenceMs:n simpleCapabilityReadyAtPromptTime:b
    skippedUtteranceMismatch:n soundId:s soundboardRefs:a speakerUserId:s started:b state:s
    streamBufferedBytes:n streamerUserId:s supported:b suppressionMs:n surface:s
    swarmToolsAvailable:b systemPromptChars:n talkNowAllowed:b target:s targetUtteranceId:n text:n
    thoughtDraft:s thoughtEagerness:n timedOutOnStart:b toolCallIndex:n toolCallsRunning:n
    toolCallsUsed:b toolCount:n toolDefinitionChars:n toolExposed:b toolLoopSteps:n tool_use:n
    totalLoadMs:n totalPromptChars:n totalToolCalls:n totalTurns:n transcriptEventType:s
    transcriptVideos:n transcriptionModelFallback: transcriptionModelPrimary:s
    transcriptionPlanReason:s transcriptionUsedFallbackModel:b transport: triggerReferenceMessageId:
    truncateAttempted:b truncateAudioEndMs:n truncateContentIndex:n truncateSucceeded:b
    ttsBufferedSamplesAtDone:n ttsProviderEndReason:s typingDelayMs:n unresolvedCount:n
    usedCachedBehavioralFacts:b usedImageLookupFollowup:b usedMemoryLookupFollowup:b
    usedScreenShareOffer:b usedWebSearchFollowup:b userFactCount:n userPromptChars:n utteranceId:n
    utteranceTextLength:n videoContextAvailable:b visualizerMode:s voice:s voiceToolsAvailable:b
    waitedMs:n warmMemorySimilarity:n warmMemoryVerdict:s webScrapeAvailable:b webSearch:o
    webSearchAvailable:b wsReadyState:n
    """

  /// Events, reasons and words of enumerations of it that have no text.
  static let sentWords = """
    advancement agent_tool ambient_allowed ambient_low_confidence ambient_no_signal automation_cycle
    barge_in_interrupt barge_in_ready bot_join_greeting browser_persistent_profile
    browser_stream_publish_start_failed capture_finalized chat clankvox_gateway_op4_forwarded
    clanky_controller_publish_failed cold_ambient_gate_closed connection_ready
    context_should_not_run dave_epoch_transition_retry death discord_api_error discord_send_failed
    discovery_feed_failed done empty_thought expired fetch_failed gateway_error hn hold_elapsed
    implementation initiative_cycle insufficient_signal keyframe_missing
    leave_directive_playback_wait link_expired llm_router llm_stream message_expired
    minecraft_event_bridge music_paused music_stream_publish_started music_stream_publish_stopped
    native_discord_decode_failed needs_disambiguation never_promoted new_user_turn
    newer_turn_finalized no_active_sharer no_browser_session not_reply_channel nothing_paused
    openai_realtime_asr_event_sent openai_realtime_asr_ws_closed openai_realtime_client_event_sent
    openai_realtime_per_user_transcription openai_realtime_session_updated openai_realtime_ws_closed
    played public_https_entrypoint_exited queue_advance queue_full quiet rate_limited
    realtime_transcript_turn reconnected reply_browser_browse reply_directive reply_memory_write
    reply_message reply_pipeline reply_session reply_tool_browser_session reply_tool_video_context
    reply_tool_web_search requester_not_sharing response_done_had_audio room_talk same_speaker
    scene_change screen_share_start screen_watch_start_rejected send_budget_exhausted session_end
    settings_refresh share_start slash_command_clank_code spawn_request speaking_end spoken
    stream_discovery_user_go_live stream_watch_brain_context_updated
    structured_output_recovered_as_prose subprocess_error talk_now_blocked tools_available
    turn_context unresolved_author_subject unsolicited_replies_disabled user_turn_in_progress
    voice_api_tts voice_file_asr voice_intent_detected voice_realtime_generation voice_realtime_tool
    voice_reply voice_soundboard_directive_decision voice_soundboard_directive_played voice_thought
    voice_tool_call voice_tool_media_pause voice_tool_media_play voice_tool_media_resume
    voice_tool_media_select voice_tool_music_queue_add voice_tool_music_queue_next watch_stopped
    worker xai_client_event_sent xai_instructions_updated xai_response_done xai_transcript
    xai_ws_closed
    """
}

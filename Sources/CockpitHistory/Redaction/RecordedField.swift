/// How a field of recorded JSON is redacted, by its key. A key that is not listed does not pass.
package enum RecordedField: Hashable, Sendable {
  /// Written by the bot's own code, such as a kind, a reason code or a time: passes if it looks like one.
  case machine
  /// Words of people and models, with names and ids replaced.
  case text
  /// Part of a prompt: left out unless asked for.
  case prompt
  case id(KnownIdentities.Sort)
  case name(KnownIdentities.Sort)
  case url
  case host
  /// Not on the list.
  case unknown

  package init(_ key: String) {
    if let field = Self.table[key] {
      self = field
    } else if key.hasSuffix("UserId") {
      // Replace ids in unknown fields too.
      self = .id(.person)
    } else if key.hasSuffix("MessageId") {
      self = .id(.message)
    } else if key.hasSuffix("ChannelId") {
      self = .id(.channel)
    } else if key.hasSuffix("GuildId") {
      self = .id(.guild)
    } else {
      self = .unknown
    }
  }

  /// What stands in fields for names without being one.
  static let roles: Set<String> = [
    "ME", "YOU", "ALL", "UNKNOWN", "author", "bot", "lore", "self", "other", "user", "assistant",
    "system", "none",
  ]

  /// Fields of the same object that name the owner of an id.
  static let namesBeside: [String: [String]] = [
    "userId": ["displayName", "userName", "username", "authorName", "subjectName"],
    "user_id": ["display_name", "user_name", "username", "author_name", "subject_name"],
    "memberUserId": ["displayName", "memberName"],
    "actorUserId": ["actorDisplayName", "actorName"],
    "speakerUserId": ["speakerName", "speakerDisplayName"],
    "authorId": ["authorName", "authorDisplayName"],
    "author_id": ["author_name"],
    "requesterUserId": ["requesterDisplayName", "requesterName"],
    "requestedByUserId": ["requestedByDisplayName", "requestedByName"],
    "targetUserId": ["targetDisplayName", "targetName"],
    "createdByUserId": ["createdByName"],
    "created_by_user_id": ["created_by_name"],
    "botId": ["botName"],
    "guildId": ["guildName"],
    "voiceChannelId": ["voiceChannelName"],
    "channelId": ["channelName"],
  ]

  private static let table: [String: RecordedField] = {
    var table: [String: RecordedField] = [:]
    func add(_ field: RecordedField, _ keys: String) {
      for key in keys.split(whereSeparator: \.isWhitespace) { table[String(key)] = field }
    }
    add(.id(.person), peopleKeys)
    add(.id(.bot), "botId")
    add(.id(.guild), "guildId guild_id requestedGuildId")
    add(.id(.channel), channelsKeys)
    add(.id(.message), messagesKeys)
    add(.name(.person), personNamesKeys)
    add(.name(.bot), "botName userTag tag")
    add(.name(.guild), "guildName expectedGuildName")
    add(.name(.channel), "channelName voiceChannelName textChannelName")
    add(.url, urlsKeys)
    add(.host, "domain host hostname")
    add(.prompt, promptsKeys)
    add(.text, textsKeys)
    add(.machine, machineKeys)
    return table
  }()
}

extension RecordedField {
  /// Keys of ids, names and addresses.
  static let keysOfIdentities = Set(
    table.filter {
      switch $0.value {
      case .id, .name, .url, .host: true
      case .machine, .text, .prompt, .unknown: false
      }
    }.keys)
}

/// The lists. A key has one class wherever it stands.
extension RecordedField {
  private static let peopleKeys = """
    userId user_id memberUserId actorUserId speakerUserId authorId author_id requesterUserId requestedByUserId
    targetUserId createdByUserId created_by_user_id subject storedSubject subjectOverride streamerUserId
    subscribedTargetUserId lastDirectAddressUserId invalidatedByUserId musicWakeLatchedByUserId requestedRequesterUserId
    speakerId participantUserId ownerUserId focusedSpeakerUserId
    """
  private static let channelsKeys = """
    channelId channel_id voiceChannelId textChannelId requestedTextChannelId rtcServerId
    """
  private static let messagesKeys = """
    messageId message_id triggerMessageId triggerMessageIds traceMessageId anchorMessageId sourceMessageId
    source_message_id soundId matchedReference requestedRef streamKey replyToMessageId referencedMessageId sentMessageId
    """
  private static let personNamesKeys = """
    displayName display_name userName username user_name authorName author_name authorDisplayName actorDisplayName
    actorName memberName subjectName subject_name subjectLabel speakerName speakerDisplayName requesterName
    requesterDisplayName requestedByName requestedByDisplayName createdByName created_by_name targetName
    targetDisplayName author speaker talkingTo currentSpeakerTarget classifierTarget participantRoster
    participantNames nickname globalName xHandles
    """
  private static let urlsKeys = """
    url urls publicUrl targetUrl currentUrl externalUrl lastPlaybackUrl lastTrackUrl trackUrl gifUrl imageUrl videoUrl
    apiBaseUrl sourceUrl pageUrl finalUrl redirectUrl thumbnailUrl mcpUrl attachmentUrl
    """
  private static let promptsKeys = """
    systemPrompt userPrompt initialUserPrompt followupUserPrompts instructions prompt promptSnapshot lastUserContent
    rawOutput rawResponseText rawContentSummary payload appendText description hint guidance operationalGuidance
    notePrompt brainContextPrompt audioPrompt promptTiers durableContext memoryFacts sections promptText
    responsePrompt plannerPrompt markdown
    """
  private static let textsKeys = """
    content text transcript heard message replyText replyTextPreview utteranceTextPreview thoughtText thoughtDraft
    draftText finalThought fact storedFact evidenceText evidence_text evidence match_text instruction summary
    summaryText query queryText lastQuery pendingQuery targetQuery title lastTrackTitle trackTitle lastTrackArtists
    trackArtists artist error errorMessage errorContent lastError last_error last_result note notes partialText
    incomingTranscript outputSummary toolResultSummary toolInput arguments input output args recentToolOutcomes detail
    near sourceLabel sourceLabels resultTitles startContent completionContent lastDecisionReason
    missingDependencies conversation name category label skipReason failureReason statusText lastNote caption
    topic body quote interruptedAssistantReply lastCommentaryNote lastMemoryRecapText lastRequestText recap target words answer question response result results snippet
    """
  private static let machineKeys = """
    id kind type event eventType stage phase state status statuses mode surface source sources scope role tier shape
    reason decisionReason gateDecisionReason addressingReason addressingSource classifierDecision classifierReason
    classifierModel classifierProvider attentionMode attentionReason captureReason promotionReason outputLockReason
    deferredBlockReason blockers pauseReason invalidationReason endReason closedReason skipCause saveReason
    triggerReason immediateTriggerReason nativeReason lastCommandReason timeoutWarningReason
    sessionTimeoutWarningReason transcriptionPlanReason ttsProviderEndReason stopReason action actionKind trigger
    lastTrigger operation parseState level at at_ms atIso createdAt created_at updatedAt updated_at startedAt
    started_at endedAt finished_at completedAt erroredAt connectedAt capturedAt armedAt basisAt expiresAt
    invalidatedAt notBeforeAt loadedAt phaseEnteredAt lastActivityAt lastActiveAt lastAt lastAttemptAt lastAudioAt
    lastAssistantReplyAt lastBotMessageAt lastCallAt lastCommandAt lastCommentaryAt lastDirectAddressAt lastEventAt
    lastFrameAt lastGatewayEventAt lastNoteAt lastOutboundEventAt lastPlayedAt lastSpokenAt lastTranscriptAt
    last_run_at last_seen_at latchedUntil musicWakeLatchedUntil latestFrameAt frameWindowStartedAt idleTimerEndsAt
    inactivityEndsAt maxEndsAt nextAttemptAt nextRunAt next_run_at pendingRequestedAt timestamp day dateKey
    sessionId session_id voiceSessionId sessionKey sessionType sessionScope runId taskId thoughtId pendingThoughtId
    callId itemId previousItemId responseId activeResponseId requestId instanceId lastTrackId trackId
    requestedTrackId selectedResultId ref itemType inputKind trackIds
    activeResponseStatus responseStatus runStatus statusAfterRun linkStatus nativeStatus transportStatus
    currentPhase musicPhase ttsPlaybackState commentaryMode leaseMode executionMode runtime runtimeMode
    realtimeToolOwnership replyPath responseShape responseFormat responseModel model models provider providers
    providerUsed providerOrder noteModel noteProvider brainContextModel brainContextProvider lastNoteModel
    lastNoteProvider inputTranscriptionModel transcriptionModelPrimary transcriptionModel transcriptionMethod
    outputModalities outputVoice voice variant selectedVariant simple size rating mimeType latestFrameMimeType
    languageHint namespace key loadedSectionKeys missingSectionKeys includedTools toolName toolNames tool tools
    toolType toolChoice functionCallNames serverName factType fact_type memoryScope memorySource confidenceSource
    mediaDirective actorRole actionType transcriptEventType transcriptSource traceSource lastOutboundEventType
    lastDecisionAction pendingPlatform platform selectedResultPlatform pendingResponseSource candidateSource
    wakeSignals warmMemoryVerdict bargeInReason binary errorName errorType errorCode code method what why version
    clankvoxLevel clankvoxTarget profile emoji required enum verbosity audioFormat schedule cron timezone
    codec commentaryPath decision effectType lastConnectedAt lastDecodeAttemptAt lastDecodeSuccessAt lastMemoryRecapAt
    lastMemoryRecapReason replyHandoffAt replyHandoffMode replyHandoffSource when
    saveApplyError authMethod reasoningEffort thinking kinds channels activity guild region outcome verdict
    """
}

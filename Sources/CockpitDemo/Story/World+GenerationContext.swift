/// The model's context for a voice turn.
extension World {
  /// Contract 5.2.8: the full form for the own brain, the reduced one for the provider bridge.
  func generationContext(_ session: VoiceSession, _ turn: VoiceTurn) -> DemoJSON {
    let head: DemoJSON = [
      "capturedAt": .time(now), "incomingTranscript": .string(turn.text),
      "speakerName": .string(turn.speaker.name), "directAddressed": .bool(turn.target == "ME"),
      "isEagerTurn": false,
    ]
    if session.isNative {
      return head.merging([
        "contextMessages": [], "conversationContext": nil, "userFacts": [], "relevantFacts": [],
      ]).frozen
    }
    let messages = session.turns.suffix(10).map { turn -> DemoJSON in
      ["role": .string(turn.role), "content": .string(turn.text)]
    }
    let known = session.peopleFacts.first { $0.person == turn.speaker }?.facts ?? []
    func raw(_ facts: [FactRow]) -> DemoJSON {
      .array(facts.map { $0.json(dialect).removing(["metadata"]) })
    }
    let sinceReply = session.lastReplyMs.map { DemoJSON.int(Int(now - $0)) } ?? .null
    let elapsed = Int((now - session.startedMs) / 1000)
    var context = head.merging([
      "contextMessages": .array(Array(messages)),
      "conversationContext": [
        "attentionMode": "ACTIVE", "currentSpeakerActive": true,
        "singleParticipantAssistantFollowup": false,
        "recentAssistantReply": .bool(session.lastReplyMs != nil), "recentDirectAddress": true,
        "sameAsRecentDirectAddress": .bool(session.lastAddressUser == turn.speaker.id),
        "msSinceAssistantReply": sinceReply, "msSinceDirectAddress": 0,
        "activeCommandSpeaker": nil, "activeCommandDomain": nil, "activeCommandIntent": nil,
        "msUntilCommandSessionExpiry": nil, "interruptedAssistantReply": .text(session.interrupted),
        "pendingCommandFollowupSignal": false, "musicActive": .bool(session.music.isActive),
        "musicWakeLatched": false, "msUntilMusicWakeLatchExpiry": nil,
        "sessionTimeoutWarningActive": false, "sessionTimeoutWarningReason": "none",
        "streamWatchNotes": session.watch.active
          ? [
            "prompt": .string(Prose.watchPrompt),
            "notes": .strings(session.watch.notes.suffix(24).map(\.text)),
            "lastAt": .number(session.watch.notes.last.map { Int($0.ms) }),
            "provider": "claude-oauth", "model": "claude-opus-4-6", "active": true,
          ] : .null,
        "compactedSessionSummary": nil,
      ],
      "runtimeEventContext": nil,
      "participantRoster": .strings(session.participants.prefix(12).map(\.name)),
      "membershipEvents": .array(
        session.membership.map {
          [
            "eventType": $0.joined ? "join" : "leave", "displayName": .string($0.person.name),
            "ageMs": .int(Int(now - $0.ms)),
          ]
        }),
      "effectEvents": [],
      "memoryFacts": [
        "guidanceFacts": [], "behavioralFacts": [], "userFacts": raw(known),
        "relevantFacts": raw(Array(session.loreFacts.prefix(3))),
      ],
      "recentConversationHistory": [],
      "durableContext": .array(
        session.notes.map {
          // Milliseconds here, text everywhere else (contract 9.1).
          ["text": .string($0.text), "category": .string($0.category), "at": .int(Int($0.ms))]
        }),
    ])
    if isMay {
      context = context.merging([
        "nativeDiscordSharers": .array(session.watch.sharers.map(VoiceSession.personJSON)),
        "recentToolOutcomes": .strings(
          session.toolCalls.suffix(3).map {
            "\($0.name) \($0.success ? "succeeded" : "failed") summary=\($0.output.text.prefix(80))"
          }),
      ])
    }
    return context.merging([
      "sessionTiming": [
        "timeoutWarningActive": false, "timeoutWarningReason": "none",
        "maxSecondsRemaining": .int(max(0, session.maxMinutes * 60 - elapsed)),
        "inactivitySecondsRemaining": .int(session.inactivitySeconds - 1),
      ],
      "tools": [
        "soundboard": true, "webSearch": true, "browserBrowse": true, "screenShare": true,
        "memory": true,
      ],
      "soundboardCandidateCount": 4, "activityReactivity": 40, "soundboardEagerness": 40,
      "llmConfig": [
        "provider": "anthropic", "model": "claude-sonnet-4-6", "temperature": 1,
        "maxOutputTokens": 2500,
      ],
      "source": "realtime", "mode": .string(session.mode),
    ]).frozen
  }
}

extension VoiceSession {
  /// The session as sent, every key of contract 5.2 in recorded order.
  func json(now: Int64) -> DemoJSON {
    let hardEnd = startedMs + Int64(maxMinutes) * 60_000
    let idleEnd = lastActivityMs + Int64(inactivitySeconds) * 1000
    let head: DemoJSON = [
      "sessionId": .string(id), "guildId": .string(guild.id),
      "voiceChannelId": .string(voiceChannel.id), "textChannelId": .string(textChannel.id),
      "startedAt": .time(startedMs), "lastActivityAt": .time(lastActivityMs),
      "maxEndsAt": isBare ? nil : .time(hardEnd),
      "inactivityEndsAt": isBare ? nil : .time(idleEnd),
      "activeInputStreams": .int(captures.count),
      "activeCaptures": .array(
        captures.map {
          [
            "userId": .string($0.person.id), "displayName": .string($0.person.name),
            "startedAt": .time($0.startedMs), "ageMs": age($0.startedMs, now),
          ]
        }),
      "soundboard": ["playCount": .int(soundboardCount), "lastPlayedAt": .time(soundboardMs)],
      "mode": .string(mode), "realtimeToolOwnership": .string(ownership),
      "botTurnOpen": .bool(botTurnOpen),
    ]
    let output: DemoJSON = [
      "assistantOutput": [
        "phase": .string(outputPhase), "reason": .string(outputReason),
        "lastTrigger": .text(outputTrigger), "phaseEnteredAt": .time(outputMs),
        "requestId": .int(activeRequest),
        "ttsPlaybackState": bufferedSamples > 0 ? "buffered" : "idle",
        "ttsBufferedSamples": .int(bufferedSamples),
      ],
      "playbackArm": [
        "armed": .bool(!isBare), "reason": isBare ? nil : "connection_ready",
        "armedAt": isBare ? nil : .time(startedMs + 90),
      ],
      "conversation": conversationJSON(now: now),
    ]
    let people = participants.sorted { $0.name.lowercased() < $1.name.lowercased() }
    let room: DemoJSON = [
      "participants": .array(people.map(Self.personJSON)),
      "participantCount": .int(people.count), "memory": memoryJSON,
      "membershipEvents": .array(
        membership.suffix(6).map {
          Self.personJSON($0.person).merging([
            "eventType": $0.joined ? "join" : "leave", "at": .time($0.ms),
            "ageMs": age($0.ms, now),
          ])
        }),
      "pendingDeferredTurns": .int(deferredTurns),
      "recentTurns": .array(turns.map(Self.turnJSON)),
      "durableContext": .array(
        notes.suffix(50).map {
          [
            "text": .string(String($0.text.prefix(240))), "category": .string($0.category),
            "at": .time($0.ms),
          ]
        }),
      "lastGenerationContext": generationContext,
      "promptState": [
        "instructions": Self.promptJSON(instructions), "classifier": Self.promptJSON(classifier),
        "generation": Self.promptJSON(generation), "bridge": Self.promptJSON(bridge),
      ],
      "streamWatch": watchJSON(now: now),
    ]
    return head.merging(output).merging(room).merging(machineryJSON(now: now))
  }

  private func machineryJSON(now: Int64) -> DemoJSON {
    let own = recognisers.map { recogniserJSON($0, now: now) }
    return [
      "asrSessions": isNative || own.isEmpty ? .null : .array(own),
      "sharedAsrSession": isNative ? sharedRecogniserJSON(now: now) : .null,
      "brainTools": brainTools,
      "toolCalls": toolCalls.isEmpty ? .null : .array(toolCalls.map { toolJSON($0) }),
      "mcpStatus": servers.isEmpty ? .null : .array(servers.map(Self.serverJSON)),
      "music": musicJSON,
      "batchAsr": batchPending.map {
        ["pendingTurns": .int($0.turns), "contextMessages": .int($0.messages)]
      } ?? .null,
      "realtime": realtimeJSON, "latency": latencyJSON,
    ]
  }

  static func personJSON(_ person: Person) -> DemoJSON {
    ["userId": .string(person.id), "displayName": .string(person.name)]
  }

  private func age(_ ms: Int64?, _ now: Int64) -> DemoJSON {
    ms.map { .int(max(0, Int(now - $0))) } ?? .null
  }

  private func recent(_ ms: Int64?, _ now: Int64) -> Bool {
    // The wake window of the contract (5.2.3), 35 s.
    ms.map { now - $0 <= 35_000 } ?? false
  }

  private func conversationJSON(now: Int64) -> DemoJSON {
    let awake = recent(lastReplyMs, now) || recent(lastAddressMs, now)
    let direct = guesses.last { $0.talkingTo == "ME" }
    return [
      "lastAssistantReplyAt": .time(lastReplyMs), "lastDirectAddressAt": .time(lastAddressMs),
      "lastDirectAddressUserId": .text(lastAddressUser),
      "musicWakeLatchedUntil": .time(musicWakeMs), "musicWakeLatchedByUserId": .text(musicWakeUser),
      "wake": [
        "attentionMode": awake ? "ACTIVE" : "AMBIENT", "active": .bool(awake),
        "currentSpeakerActive": .bool(
          captures.first.map { $0.person.id == lastAddressUser } ?? false),
        "recentAssistantReply": .bool(recent(lastReplyMs, now)),
        "recentDirectAddress": .bool(recent(lastAddressMs, now)),
        "msSinceAssistantReply": age(lastReplyMs, now),
        "msSinceDirectAddress": age(lastAddressMs, now), "windowMs": 35000,
      ],
      "thoughtEngine": [
        "busy": .bool(thoughtBusy), "nextAttemptAt": .time(nextThoughtMs),
        "lastAttemptAt": .time(lastThoughtMs), "lastSpokenAt": .time(lastSpokenThoughtMs),
        "pendingThought": thoughtJSON(now: now),
      ],
      "addressing": guesses.isEmpty
        ? .null
        : [
          "currentSpeakerTarget": nil, "currentSpeakerDirectedConfidence": 0,
          "lastDirectedToMe": direct.map {
            [
              "speakerName": .string($0.speaker), "directedConfidence": .double($0.confidence),
              "ageMs": age($0.ms, now),
            ]
          } ?? .null,
          "recentAddressingGuesses": .array(
            guesses.suffix(6).map {
              [
                "speakerName": .string($0.speaker), "talkingTo": .text($0.talkingTo),
                "directedConfidence": .double($0.confidence), "ageMs": age($0.ms, now),
              ]
            }),
        ],
      "modelContext": [
        "generation": modelContext, "decider": nil, "trackedTurns": .int(min(8, turns.count)),
        "trackedTurnLimit": 8, "trackedTranscriptTurns": .int(turns.count),
      ],
    ]
  }

  private func thoughtJSON(now: Int64) -> DemoJSON {
    guard let thought else { return nil }
    return [
      "id": .string(thought.id), "status": .string(thought.status), "text": .string(thought.text),
      "draftText": .string(thought.text), "trigger": "timer",
      "createdAt": .time(thought.createdMs), "updatedAt": .time(thought.updatedMs),
      "basisAt": .time(thought.updatedMs), "notBeforeAt": .time(thought.updatedMs + 10_000),
      "expiresAt": .time(thought.createdMs + 240_000), "ageMs": age(thought.createdMs, now),
      "revision": .int(thought.revision), "lastDecisionReason": .text(thought.reason),
      "lastDecisionAction": .text(thought.action), "memoryFactCount": 2, "usedMemory": true,
      "invalidatedAt": .time(thought.invalidatedMs),
      "invalidatedByUserId": .text(thought.invalidatedBy),
      "invalidationReason": .text(thought.invalidation),
    ]
  }

  private var memoryJSON: DemoJSON {
    if isBare { return ["factProfiles": [], "guildFactProfile": nil] }
    let loaded = startedMs + 12
    return [
      "factProfiles": .array(
        peopleFacts.map {
          Self.personJSON($0.person).merging([
            "loadedAt": .time(loaded), "userFacts": .array($0.facts.map(\.sessionJSON)),
          ])
        }),
      "guildFactProfile": [
        "loadedAt": .time(loaded), "selfFacts": .array(selfFacts.map(\.sessionJSON)),
        "loreFacts": .array(loreFacts.map(\.sessionJSON)),
      ],
    ]
  }

  private static func turnJSON(_ turn: Turn) -> DemoJSON {
    [
      "kind": .string(turn.kind), "role": .string(turn.role), "speakerName": .string(turn.speaker),
      "text": .string(turn.text), "at": .time(turn.ms), "addressing": turn.addressing,
    ]
  }

  private static func promptJSON(_ prompt: Prompt?) -> DemoJSON {
    guard let prompt else { return nil }
    return [
      "updatedAt": .time(prompt.ms), "source": .string(prompt.source),
      "replyPrompts": prompt.bundle,
    ]
  }

  private static func serverJSON(_ server: MCPServer) -> DemoJSON {
    [
      "serverName": .string(server.name), "connected": .bool(server.connected),
      "tools": .array(
        server.tools.map {
          ["name": .string($0.name), "description": .string($0.description)]
        }),
      "lastError": .text(server.lastError), "lastConnectedAt": .time(server.lastConnectedMs),
      "lastCallAt": .time(server.lastCallMs),
    ]
  }
}

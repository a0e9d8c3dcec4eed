import LenientJSON

/// A voice session in which every member that contract 5.2 names has a value, all values invented
/// and as different from each other as their type allows.
enum FullSession {
  static func json() throws -> JSONValue { try .parse(text) }

  static let text = #"""
    {
      "sessionId": "0f6a5f0e", "guildId": "812345678901200001",
      "voiceChannelId": "812345678901200002", "textChannelId": "812345678901200003",
      "startedAt": "2026-05-09T19:00:04.148Z", "lastActivityAt": "2026-05-09T19:00:05.185Z",
      "maxEndsAt": "2026-05-09T19:00:06.222Z", "inactivityEndsAt": "2026-05-09T19:00:07.259Z",
      "activeInputStreams": 24,
      "activeCaptures": [
        {
          "userId": "812345678901200009", "displayName": "james 10",
          "startedAt": "2026-05-09T19:00:11.407Z", "ageMs": 36
        }
      ],
      "soundboard": {"playCount": 39, "lastPlayedAt": "2026-05-09T19:00:14.518Z"},
      "mode": "openai_realtime", "realtimeToolOwnership": "transport_only", "botTurnOpen": true,
      "assistantOutput": {
        "phase": "speaking_live", "reason": "bot_audio_live", "lastTrigger": "runtime_state",
        "phaseEnteredAt": "2026-05-09T19:00:15.555Z", "requestId": 48,
        "ttsPlaybackState": "buffered", "ttsBufferedSamples": 0.175
      },
      "playbackArm": {
        "armed": true, "reason": "connection_ready", "armedAt": "2026-05-09T19:00:18.666Z"
      },
      "conversation": {
        "lastAssistantReplyAt": "2026-05-09T19:00:19.703Z",
        "lastDirectAddressAt": "2026-05-09T19:00:20.740Z",
        "lastDirectAddressUserId": "812345678901200021",
        "musicWakeLatchedUntil": "2026-05-09T19:00:22.814Z",
        "musicWakeLatchedByUserId": "812345678901200023",
        "wake": {
          "attentionMode": "ACTIVE", "active": true, "currentSpeakerActive": true,
          "recentAssistantReply": true, "recentDirectAddress": true, "msSinceAssistantReply": 72,
          "msSinceDirectAddress": 75, "windowMs": 35000
        },
        "thoughtEngine": {
          "busy": true, "nextAttemptAt": "2026-05-09T19:00:26.962Z",
          "lastAttemptAt": "2026-05-09T19:00:27.999Z", "lastSpokenAt": "2026-05-09T19:00:28.036Z",
          "pendingThought": {
            "id": "th 29", "status": "queued", "text": "text 30", "draftText": "draft 31",
            "trigger": "trig 32", "createdAt": "2026-05-09T19:00:33.221Z",
            "updatedAt": "2026-05-09T19:00:34.258Z", "basisAt": "2026-05-09T19:00:35.295Z",
            "notBeforeAt": "2026-05-09T19:00:36.332Z", "expiresAt": "2026-05-09T19:00:37.369Z",
            "ageMs": 114, "revision": 117, "lastDecisionReason": "why 40",
            "lastDecisionAction": "speak_now", "memoryFactCount": 123, "usedMemory": true,
            "invalidatedAt": "2026-05-09T19:00:42.554Z",
            "invalidatedByUserId": "812345678901200043", "invalidationReason": "inv 44"
          }
        },
        "addressing": {
          "currentSpeakerTarget": "ME", "currentSpeakerDirectedConfidence": 0.455,
          "lastDirectedToMe": {
            "speakerName": "james 46", "directedConfidence": 0.475, "ageMs": 144
          },
          "recentAddressingGuesses": [
            {
              "speakerName": "james 49", "talkingTo": "ME", "directedConfidence": 0.505,
              "ageMs": 153
            }
          ]
        },
        "modelContext": {
          "generation": {
            "source": "realtime", "capturedAt": "2026-05-09T19:00:52.924Z", "availableTurns": 159,
            "sentTurns": 162, "maxTurns": 50, "contextChars": 165, "transcriptChars": 168,
            "directAddressed": true
          },
          "decider": {"any": 1}, "trackedTurns": 171, "trackedTurnLimit": 8,
          "trackedTranscriptTurns": 174
        }
      },
      "participants": [
        {"userId": "812345678901200059", "displayName": "alex 60"},
        {"userId": "812345678901200061", "displayName": "james 62"}
      ],
      "participantCount": 2,
      "memory": {
        "factProfiles": [
          {
            "userId": "812345678901200063", "displayName": "james 64",
            "loadedAt": "2026-05-09T19:01:05.405Z",
            "userFacts": [
              {
                "id": 198, "createdAt": "2026-05-09T19:01:07.479Z",
                "updatedAt": "2026-05-09T19:01:08.516Z", "guildId": "812345678901200069",
                "channelId": "812345678901200070", "subject": "812345678901200071",
                "fact": "fact 72", "factType": "project", "evidenceText": "ev 73",
                "sourceMessageId": "812345678901200074", "confidence": 0.755
              }
            ]
          }
        ],
        "guildFactProfile": {
          "loadedAt": "2026-05-09T19:01:16.812Z",
          "selfFacts": [
            {
              "id": 231, "createdAt": "2026-05-09T19:01:18.886Z",
              "updatedAt": "2026-05-09T19:01:19.923Z", "guildId": "812345678901200080",
              "channelId": "812345678901200081", "subject": "812345678901200082",
              "fact": "fact 83", "factType": "project", "evidenceText": "ev 84",
              "sourceMessageId": "812345678901200085", "confidence": 0.865
            }
          ],
          "loreFacts": [
            {
              "id": 261, "createdAt": "2026-05-09T19:01:28.256Z",
              "updatedAt": "2026-05-09T19:01:29.293Z", "guildId": "812345678901200090",
              "channelId": "812345678901200091", "subject": "812345678901200092",
              "fact": "fact 93", "factType": "project", "evidenceText": "ev 94",
              "sourceMessageId": "812345678901200095", "confidence": 0.965
            }
          ]
        }
      },
      "membershipEvents": [
        {
          "userId": "812345678901200097", "displayName": "alex 98", "eventType": "join",
          "at": "2026-05-09T19:01:39.663Z", "ageMs": 300
        }
      ],
      "pendingDeferredTurns": 303,
      "recentTurns": [
        {
          "kind": "speech", "role": "user", "speakerName": "james 102", "text": "hey 103",
          "at": "2026-05-09T19:01:44.848Z",
          "addressing": {
            "talkingTo": "ME", "directedConfidence": 0.085, "source": "decision",
            "reason": "why 106"
          }
        }
      ],
      "durableContext": [
        {"text": "note 107", "category": "plan", "at": "2026-05-09T19:01:48.996Z"}
      ],
      "lastGenerationContext": \#(generationContext), "promptState": \#(promptState),
      "streamWatch": \#(streamWatch),
      "asrSessions": [
        {
          "userId": "812345678901200311", "displayName": "james 312", "connected": true,
          "phase": "ready", "connectedAt": "2026-05-09T19:05:13.581Z",
          "lastAudioAt": "2026-05-09T19:05:14.618Z",
          "lastTranscriptAt": "2026-05-09T19:05:15.655Z", "idleMs": 948, "idleTtlMs": 951,
          "hasIdleTimer": true, "pendingAudioBytes": 954, "pendingAudioChunks": 957,
          "utterance": {"partialText": "I was 320", "finalSegments": 963, "bytesSent": 966},
          "model": "asr 323", "sessionId": "sess 324"
        }
      ],
      "sharedAsrSession": {
        "userId": "812345678901200325", "displayName": "james 326", "connected": true,
        "phase": "ready", "connectedAt": "2026-05-09T19:05:27.099Z",
        "lastAudioAt": "2026-05-09T19:05:28.136Z", "lastTranscriptAt": "2026-05-09T19:05:29.173Z",
        "idleMs": 990, "idleTtlMs": 993, "hasIdleTimer": true, "pendingAudioBytes": 996,
        "pendingAudioChunks": 999,
        "utterance": {"partialText": "I was 334", "finalSegments": 1005, "bytesSent": 1008},
        "model": "asr 337", "sessionId": "sess 338", "pendingCommitResolvers": 1017,
        "pendingCommitRequests": 1020, "transcriptByItemIds": 1023, "speakerByItemIds": 1026
      },
      "brainTools": [
        {
          "name": "tool 343", "toolType": "mcp", "serverName": "srv 344",
          "description": "does 345"
        }
      ],
      "toolCalls": [
        {
          "callId": "call 346", "toolName": "web_search", "toolType": "function",
          "arguments": {"query": "q"}, "startedAt": "2026-05-09T19:05:47.839Z",
          "completedAt": "2026-05-09T19:05:48.876Z", "runtimeMs": 1047, "success": true,
          "outputSummary": {"ok": true, "resultCount": 5}, "error": "err 350"
        }
      ],
      "mcpStatus": [
        {
          "serverName": "srv 351", "connected": true,
          "tools": [{"name": "tool 352", "description": "does 353"}], "lastError": "err 354",
          "lastConnectedAt": "2026-05-09T19:05:55.135Z", "lastCallAt": "2026-05-09T19:05:56.172Z"
        }
      ],
      "music": {
        "phase": "playing", "active": true, "pauseReason": "wake_word",
        "replyHandoffMode": "duck", "replyHandoffRequestedByUserId": "812345678901200357",
        "replyHandoffSource": "src 358", "replyHandoffAt": "2026-05-09T19:05:59.283Z",
        "provider": "youtube", "source": "src 360", "startedAt": "2026-05-09T19:06:01.357Z",
        "stoppedAt": "2026-05-09T19:06:02.394Z", "lastTrackId": "tr 363",
        "lastTrackTitle": "Title 364", "lastTrackArtists": ["A 365", "B 366"],
        "lastTrackUrl": "https://example.org/t", "lastPlaybackUrl": "https://example.org/p",
        "lastPlaybackResolvedDirectUrl": true, "lastQuery": "q 367",
        "lastRequestedByUserId": "812345678901200368", "lastRequestText": "play 369",
        "lastCommandAt": "2026-05-09T19:06:10.690Z", "lastCommandReason": "why 371",
        "pendingQuery": "q 372", "pendingPlatform": "youtube",
        "pendingRequestedByUserId": "812345678901200373",
        "pendingRequestedAt": "2026-05-09T19:06:14.838Z",
        "pendingResults": [
          {
            "id": "r 375", "title": "T 376", "artist": "A 377", "platform": "youtube",
            "externalUrl": "https://example.org/r", "durationSeconds": 0.875
          }
        ],
        "disambiguationActive": true,
        "queueState": {
          "tracks": [{"id": "tr 379", "title": "T 380", "artist": "A 381", "source": "yt"}],
          "nowPlayingIndex": 0, "isPaused": true, "volume": 0.915
        }
      },
      "batchAsr": {"pendingTurns": 1149, "contextMessages": 1152},
      "realtime": {
        "provider": "openai", "inputSampleRateHz": 24000, "outputSampleRateHz": 24000,
        "recentVoiceTurns": 1155, "replySuperseded": 1158, "pendingTurns": 1161,
        "drainActive": true, "coalesceActive": true,
        "state": {
          "connected": true, "connectedAt": "2026-05-09T19:06:28.356Z",
          "lastEventAt": "2026-05-09T19:06:29.393Z", "sessionId": "sess 390",
          "lastError": "err 391", "lastCloseCode": 1006, "lastCloseReason": "why 392",
          "lastOutboundEventType": "session.update",
          "lastOutboundEventAt": "2026-05-09T19:06:33.541Z",
          "lastOutboundEvent": {
            "type": "session.update 394", "at": "2026-05-09T19:06:35.615Z",
            "payload": {"session": {"voice": "x"}}
          },
          "recentOutboundEvents": [
            {
              "type": "session.update 396", "at": "2026-05-09T19:06:37.689Z",
              "payload": {"session": {"voice": "x"}}
            }
          ],
          "activeResponseId": "resp 398", "activeResponseStatus": "in_progress",
          "setupComplete": true, "pendingResponseActive": true, "utteranceCount": 1197,
          "model": "m 400"
        }
      },
      "latency": {
        "recentTurns": [
          {
            "at": "2026-05-09T19:06:41.837Z", "finalizedToAsrStartMs": 1206,
            "asrToGenerationStartMs": 1209, "generationToReplyRequestMs": 1212,
            "replyRequestToAudioStartMs": 1215, "totalMs": 1218, "queueWaitMs": 1221,
            "pendingQueueDepth": 1224
          }
        ],
        "averages": {
          "finalizedToAsrStartMs": 1227, "asrToGenerationStartMs": 1230,
          "generationToReplyRequestMs": 1233, "replyRequestToAudioStartMs": 1236, "totalMs": 1239
        },
        "turnCount": 1242
      }
    }
    """#
}

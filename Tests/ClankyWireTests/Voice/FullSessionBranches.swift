import LenientJSON

/// The larger branches of the full session.
extension FullSession {
  static let generationContext = #"""
    {
      "capturedAt": "2026-05-09T19:01:49.033Z", "incomingTranscript": "hey 110",
      "speakerName": "james 111", "directAddressed": true, "isEagerTurn": true,
      "contextMessages": [{"role": "user", "content": "hey 112"}],
      "conversationContext": {
        "attentionMode": "ACTIVE", "currentSpeakerActive": true,
        "singleParticipantAssistantFollowup": true, "recentAssistantReply": true,
        "recentDirectAddress": true, "sameAsRecentDirectAddress": true,
        "msSinceAssistantReply": 339, "msSinceDirectAddress": 342,
        "activeCommandSpeaker": "james 115", "activeCommandDomain": "music",
        "activeCommandIntent": "play", "msUntilCommandSessionExpiry": 348,
        "pendingCommandFollowupSignal": true, "interruptedAssistantReply": {"text": "x"},
        "musicActive": true, "musicWakeLatched": true, "msUntilMusicWakeLatchExpiry": 351,
        "sessionTimeoutWarningActive": true, "sessionTimeoutWarningReason": "inactivity",
        "streamWatchNotes": {
          "prompt": "prompt 118", "notes": ["note 119", "note 120"], "lastAt": 1778353425011,
          "provider": "p 121", "model": "m 122", "active": true
        },
        "compactedSessionSummary": {"text": "y"}
      },
      "runtimeEventContext": {
        "category": "membership", "eventType": "join", "actorUserId": "812345678901200123",
        "actorDisplayName": "alex 124", "actorRole": "other", "soundName": "snd 125", "emoji": "x"
      },
      "participantRoster": ["james 126"],
      "membershipEvents": [{"eventType": "leave", "displayName": "alex 127", "ageMs": 384}],
      "effectEvents": [
        {
          "displayName": "alex 129", "effectType": "emoji", "soundName": "snd 130", "emoji": "x",
          "ageMs": 393
        }
      ],
      "memoryFacts": {
        "guidanceFacts": [
          {
            "id": 396, "created_at": "2026-05-09T19:02:13.921Z",
            "updated_at": "2026-05-09T19:02:14.958Z", "scope": "user",
            "guild_id": "812345678901200135", "channel_id": "812345678901200136",
            "user_id": "812345678901200137", "subject": "812345678901200138",
            "subjectLabel": "label 139", "fact": "fact 140", "fact_type": "guidance",
            "evidence_text": "ev 141", "source_message_id": "812345678901200142",
            "confidence": 0.465, "metadata": {"isLegacy": true}
          }
        ],
        "behavioralFacts": [
          {
            "id": 432, "created_at": "2026-05-09T19:02:25.365Z",
            "updated_at": "2026-05-09T19:02:26.402Z", "scope": "user",
            "guild_id": "812345678901200147", "channel_id": "812345678901200148",
            "user_id": "812345678901200149", "subject": "812345678901200150",
            "subjectLabel": "label 151", "fact": "fact 152", "fact_type": "guidance",
            "evidence_text": "ev 153", "source_message_id": "812345678901200154",
            "confidence": 0.585, "metadata": {"isLegacy": true}
          }
        ],
        "userFacts": [
          {
            "id": 468, "created_at": "2026-05-09T19:02:37.809Z",
            "updated_at": "2026-05-09T19:02:38.846Z", "scope": "user",
            "guild_id": "812345678901200159", "channel_id": "812345678901200160",
            "user_id": "812345678901200161", "subject": "812345678901200162",
            "subjectLabel": "label 163", "fact": "fact 164", "fact_type": "guidance",
            "evidence_text": "ev 165", "source_message_id": "812345678901200166",
            "confidence": 0.705, "metadata": {"isLegacy": true}
          }
        ],
        "relevantFacts": [
          {
            "id": 504, "created_at": "2026-05-09T19:02:49.253Z",
            "updated_at": "2026-05-09T19:02:50.290Z", "scope": "user",
            "guild_id": "812345678901200171", "channel_id": "812345678901200172",
            "user_id": "812345678901200173", "subject": "812345678901200174",
            "subjectLabel": "label 175", "fact": "fact 176", "fact_type": "guidance",
            "evidence_text": "ev 177", "source_message_id": "812345678901200178",
            "confidence": 0.825, "metadata": {"isLegacy": true}
          }
        ]
      },
      "userFacts": [
        {
          "id": 540, "created_at": "2026-05-09T19:03:01.697Z",
          "updated_at": "2026-05-09T19:03:02.734Z", "scope": "user",
          "guild_id": "812345678901200183", "channel_id": "812345678901200184",
          "user_id": "812345678901200185", "subject": "812345678901200186",
          "subjectLabel": "label 187", "fact": "fact 188", "fact_type": "guidance",
          "evidence_text": "ev 189", "source_message_id": "812345678901200190",
          "confidence": 0.945, "metadata": {"isLegacy": true}
        }
      ],
      "relevantFacts": [
        {
          "id": 576, "created_at": "2026-05-09T19:03:13.141Z",
          "updated_at": "2026-05-09T19:03:14.178Z", "scope": "user",
          "guild_id": "812345678901200195", "channel_id": "812345678901200196",
          "user_id": "812345678901200197", "subject": "812345678901200198",
          "subjectLabel": "label 199", "fact": "fact 200", "fact_type": "guidance",
          "evidence_text": "ev 201", "source_message_id": "812345678901200202",
          "confidence": 0.095, "metadata": {"isLegacy": true}
        }
      ],
      "recentConversationHistory": [
        {
          "anchorMessageId": "812345678901200204", "createdAt": "2026-05-09T19:03:25.585Z",
          "guildId": "812345678901200206", "channelId": "812345678901200207",
          "authorId": "812345678901200208", "authorName": "james 209", "ageMinutes": 630,
          "score": 0.175, "semanticScore": 0.185,
          "messages": [
            {
              "message_id": "812345678901200213", "created_at": "2026-05-09T19:03:34.918Z",
              "guild_id": "812345678901200215", "channel_id": "812345678901200216",
              "author_id": "812345678901200217", "author_name": "james 218", "is_bot": 1,
              "content": "hey 219"
            }
          ]
        }
      ],
      "durableContext": [{"text": "note 220", "category": "fact", "at": 1778353425010}],
      "nativeDiscordSharers": [{"userId": "812345678901200221"}],
      "recentToolOutcomes": ["ok 222"],
      "sessionTiming": {
        "timeoutWarningActive": true, "timeoutWarningReason": "max_duration",
        "maxSecondsRemaining": 669, "inactivitySecondsRemaining": 672
      },
      "tools": {
        "soundboard": true, "webSearch": true, "browserBrowse": true, "screenShare": true,
        "memory": true
      },
      "soundboardCandidateCount": 675, "activityReactivity": 0.325, "soundboardEagerness": 0.335,
      "llmConfig": {
        "provider": "p 228", "model": "m 229", "temperature": 0.365, "maxOutputTokens": 693
      },
      "source": "realtime", "mode": "openai_realtime"
    }
    """#

  static let promptState = #"""
    {
      "instructions": {
        "updatedAt": "2026-05-09T19:03:52.584Z", "source": "session_start",
        "replyPrompts": {
          "hiddenByDefault": true, "systemPrompt": "sys 233", "initialUserPrompt": "user 234",
          "followupUserPrompts": ["more 235"], "followupSteps": 708,
          "tools": [
            {"name": "tool 237", "description": "does 238", "parameters": {"type": "object"}}
          ],
          "promptTiers": [
            {
              "key": "identity", "label": "Identity 239", "present": true, "sources": ["src 240"],
              "details": {"toolCount": 723}
            }
          ]
        }
      },
      "classifier": {
        "updatedAt": "2026-05-09T19:04:02.954Z", "source": "session_start",
        "replyPrompts": {
          "hiddenByDefault": true, "systemPrompt": "sys 243", "initialUserPrompt": "user 244",
          "followupUserPrompts": ["more 245"], "followupSteps": 738,
          "tools": [
            {"name": "tool 247", "description": "does 248", "parameters": {"type": "object"}}
          ],
          "promptTiers": [
            {
              "key": "identity", "label": "Identity 249", "present": true, "sources": ["src 250"],
              "details": {"toolCount": 753}
            }
          ]
        }
      },
      "generation": {
        "updatedAt": "2026-05-09T19:04:12.324Z", "source": "session_start",
        "replyPrompts": {
          "hiddenByDefault": true, "systemPrompt": "sys 253", "initialUserPrompt": "user 254",
          "followupUserPrompts": ["more 255"], "followupSteps": 768,
          "tools": [
            {"name": "tool 257", "description": "does 258", "parameters": {"type": "object"}}
          ],
          "promptTiers": [
            {
              "key": "identity", "label": "Identity 259", "present": true, "sources": ["src 260"],
              "details": {"toolCount": 783}
            }
          ]
        }
      },
      "bridge": {
        "updatedAt": "2026-05-09T19:04:22.694Z", "source": "session_start",
        "replyPrompts": {
          "hiddenByDefault": true, "systemPrompt": "sys 263", "initialUserPrompt": "user 264",
          "followupUserPrompts": ["more 265"], "followupSteps": 798,
          "tools": [
            {"name": "tool 267", "description": "does 268", "parameters": {"type": "object"}}
          ],
          "promptTiers": [
            {
              "key": "identity", "label": "Identity 269", "present": true, "sources": ["src 270"],
              "details": {"toolCount": 813}
            }
          ]
        }
      }
    }
    """#

  static let streamWatch = #"""
    {
      "active": true, "targetUserId": "812345678901200272",
      "requestedByUserId": "812345678901200273", "lastFrameAt": "2026-05-09T19:04:34.138Z",
      "latestFrameAt": "2026-05-09T19:04:35.175Z", "latestFrameMimeType": "image/png",
      "latestFrameApproxBytes": 828, "acceptedFrameCountInWindow": 831,
      "frameWindowStartedAt": "2026-05-09T19:04:38.286Z", "ingestedFrameCount": 837,
      "lastCommentaryAt": "2026-05-09T19:04:40.360Z", "lastCommentaryNote": "c 281",
      "lastMemoryRecapAt": "2026-05-09T19:04:42.434Z", "lastMemoryRecapText": "r 283",
      "lastMemoryRecapDurableSaved": true, "lastMemoryRecapReason": "why 284",
      "lastNoteAt": "2026-05-09T19:04:45.545Z", "lastNoteProvider": "p 286",
      "lastNoteModel": "m 287", "noteCount": 864,
      "notePayload": {
        "prompt": "prompt 290", "notes": ["note 291", "note 292"],
        "lastAt": "2026-05-09T19:04:49.693Z", "provider": "p 293", "model": "m 294"
      },
      "visualFeed": [
        {
          "text": "seen 295", "at": "2026-05-09T19:04:56.952Z", "provider": "p 297",
          "model": "m 298", "speakerName": "james 299"
        }
      ],
      "nativeDiscord": {
        "activeSharerCount": 900, "subscribedTargetUserId": "812345678901200301",
        "decodeInFlight": true, "lastDecodeAttemptAt": "2026-05-09T19:05:02.174Z",
        "lastDecodeSuccessAt": "2026-05-09T19:05:03.211Z",
        "lastDecodeFailureAt": "2026-05-09T19:05:04.248Z", "lastDecodeFailureReason": "why 305",
        "ffmpegAvailable": true,
        "activeSharers": [
          {
            "userId": "812345678901200306", "displayName": "alex 307", "codec": "h264",
            "streamCount": 924, "lastFrameAt": "2026-05-09T19:05:09.433Z",
            "updatedAt": "2026-05-09T19:05:10.470Z"
          }
        ]
      }
    }
    """#
}

extension FullSession {
  /// The same session as a March backend would spell it.
  static func marchJSON() throws -> JSONValue {
    var march = text
    for (may, name) in [
      ("\"lastNoteAt\"", "\"lastBrainContextAt\""),
      ("\"lastNoteProvider\"", "\"lastBrainContextProvider\""),
      ("\"lastNoteModel\"", "\"lastBrainContextModel\""),
      ("\"noteCount\"", "\"brainContextCount\""),
      ("\"notePayload\"", "\"brainContextPayload\""),
      ("\"outputSummary\": {\"ok\": true, \"resultCount\": 5}", "\"outputSummary\": \"done\""),
    ] {
      march = march.split(separator: may, omittingEmptySubsequences: false).joined(separator: name)
    }
    return try .parse(march)
  }
}

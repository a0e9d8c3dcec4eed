extension World {
  func textRuntime(
    _ event: String, _ turn: TextTurn, message: String, stage: String, allow: Bool,
    reason: String, _ details: DemoJSON
  ) {
    let head: DemoJSON = [
      "botId": .string(Cast.bot.id), "deployment": nil, "triggerMessageId": .string(message),
      "sessionId": nil, "turnId": nil, "source": "message_event", "stage": .string(stage),
      "allow": .bool(allow), "reason": .string(reason),
    ]
    log(
      "text_runtime", in: turn.place, message: message, user: turn.speaker.id,
      content: .string(event), metadata: head.merging(details))
  }

  /// March only (contract 4.4).
  private static let coldAmbient: DemoJSON = [
    "coldAmbientProbability": 0.2, "coldAmbientGatePassed": true, "coldAmbientGateValue": 0.11,
  ]

  /// - Parameter refusal: why the message is not let in; nil if it is.
  func logAdmission(
    _ turn: TextTurn, message: String, addressing: DemoJSON, refusal: String? = nil
  ) {
    let extra: DemoJSON = isMay || turn.direct ? [:] : Self.coldAmbient
    let details: DemoJSON = [
      "isReplyChannel": true, "allowUnsolicitedReplies": true, "ambientReplyEagerness": 20,
      "addressSignal": addressing, "attentionMode": turn.direct ? "ACTIVE" : "AMBIENT",
      "attentionReason": turn.direct ? "direct_address" : "none",
      "recentReplyWindowActive": false, "responseWindowSize": 4, "latestBotMessageId": nil,
      "triggerReferenceMessageId": nil, "recentMessageCount": .int(min(9, conversation.count)),
    ]
    textRuntime(
      "reply_admission_decision", turn, message: message, stage: "admission",
      allow: refusal == nil,
      reason: refusal ?? (turn.direct ? "hard_address" : "ambient_allowed"),
      details.merging(extra))
  }

  /// March counted its video findings; May leaves that to the tool (contract 4.5).
  private static func marchVideo(_ used: Bool) -> DemoJSON {
    let count: DemoJSON = used ? 1 : 0
    return [
      "requested": .bool(used), "used": .bool(used), "detectedVideos": count,
      "detectedFromRecentMessages": 0, "extractedVideos": count, "transcriptVideos": count,
      "keyframeVideos": count, "keyframesExtracted": used ? 6 : 0, "errorCount": 0, "errors": [],
      "blockedByHourlyCap": false, "maxPerHour": 12, "remainingAtPromptTime": 11,
      "enabled": true,
    ]
  }

  /// - Parameter refusal: why the gate stays closed; nil if it opens.
  func logGate(
    _ turn: TextTurn, message: String, addressing: DemoJSON, refusal: String? = nil
  ) {
    log(
      "memory_runtime", in: turn.place, user: turn.speaker.id,
      content: "curated_prompt_memory_loaded",
      metadata: [
        "source": "reply_pipeline", "mode": "text", "ownerPrivate": false,
        "collaborationContext": false, "loadedSectionKeys": ["identity"],
        "missingSectionKeys": ["core"], "blockedSectionKeys": [], "totalChars": 412,
        "warnings": [],
      ])
    textRuntime(
      "reply_pipeline_gate", turn, message: message, stage: "pipeline", allow: refusal == nil,
      reason: refusal ?? "ready",
      [
        "triggerMessageIds": [.string(message)], "forceRespond": false,
        "forceDecisionLoop": false, "isReplyChannel": true,
        "sendBudgetAllowed": .bool(refusal != "send_budget_exhausted"),
        "talkNowAllowed": .bool(refusal != "talk_now_blocked"), "ctxBuilt": true,
        "ctxShouldRun": .bool(refusal != "context_should_not_run"),
        "addressed": .bool(turn.direct), "addressSignal": addressing,
      ])
    guard refusal == nil else { return }
    let names = ToolCatalogue.all.compactMap { $0["name"]?.stringValue }
    textRuntime(
      "reply_tool_availability", turn, message: message, stage: "tool_availability",
      allow: true, reason: "tools_available",
      [
        "triggerMessageIds": [.string(message)], "includedToolCount": .int(names.count - 1),
        "excludedToolCount": 1, "includedTools": .strings(names.dropLast()),
        "excludedTools": [["name": "spawn_code_worker", "reason": "settings_disabled"]],
        "capabilities": [
          "webSearchAvailable": true, "webScrapeAvailable": true, "browserBrowseAvailable": true,
          "memoryAvailable": true, "imageLookupAvailable": true, "videoContextAvailable": true,
          "swarmToolsAvailable": false, "voiceToolsAvailable": true,
          "minecraftAvailable": .bool(turn.place.guild == Cast.arcade.id),
        ],
      ])
  }

  /// The flag objects of `sent_reply` and `sent_message` (contract 4.5).
  func replyDetails(_ turn: TextTurn, text: String) -> DemoJSON {
    let used = Set(turn.tools.map(\.name))
    let search = turn.tools.first { $0.name == "web_search" }
    let titles = search?.output["resultTitles"]?.arrayValue ?? []
    let media: DemoJSON = [
      "canStandalonePost": true,
      "image": [
        "requestedByModel": .bool(used.contains("generate_image")),
        "requestedSimpleByModel": .bool(used.contains("generate_image")),
        "requestedComplexByModel": false,
        "selectedVariant": used.contains("generate_image") ? "simple" : nil,
        "used": .bool(used.contains("generate_image")), "blockedByDailyCap": false,
        "blockedByCapability": false, "maxPerDay": 10, "remainingAtPromptTime": 9,
        "simpleCapabilityReadyAtPromptTime": true, "complexCapabilityReadyAtPromptTime": true,
        "capabilityReadyAtPromptTime": true,
      ],
      "videoGeneration": [
        "requestedByModel": false, "used": false, "blockedByDailyCap": false,
        "blockedByCapability": false, "maxPerDay": 10, "remainingAtPromptTime": 10,
        "capabilityReadyAtPromptTime": true,
      ],
      "gif": [
        "requestedByModel": .bool(used.contains("gif_search")),
        "used": .bool(used.contains("gif_search")), "blockedByDailyCap": false,
        "blockedByConfiguration": false, "maxPerDay": 60, "remainingAtPromptTime": 58,
      ],
      "toolImages": ["requestedByModel": false, "availableFromTools": 0, "used": false],
      "memory": [
        "toolCallsUsed": .bool(used.contains("memory_search") || used.contains("memory_write")),
        "query": turn.tools.first { $0.name == "memory_search" }?.input["query"] ?? .null,
        "results": [],
      ],
      "imageLookup": [
        "requested": false, "used": false, "query": "", "candidateCount": 0, "resultCount": 0,
        "error": nil, "results": [],
      ],
      "mentions": [
        "text": .string(text), "attemptedCount": 0, "resolvedCount": 0, "ambiguousCount": 0,
        "unresolvedCount": 0,
      ],
    ]
    return media.merging([
      "reaction": Self.noReaction, "screenShareOffer": Self.noOffer,
      "webSearch": [
        "requested": .bool(search != nil), "used": .bool(search != nil),
        "query": search?.input["query"] ?? "", "resultCount": .int(titles.count),
        "results": .array(
          titles.enumerated().map { index, title in
            [
              "title": title, "url": .string("https://example.org/\(index + 1)"),
              "domain": "example.org",
            ]
          }),
        "fetchedPages": .int(search == nil ? 0 : 2),
        "providerUsed": search == nil ? nil : "brave", "providerFallbackUsed": false,
        "blockedByHourlyCap": false, "maxPerHour": 20, "remainingAtPromptTime": 19,
        "configured": true, "optedOutByUser": false, "error": nil,
      ],
      "video": isMay ? ["mode": "agent_tool"] : Self.marchVideo(used.contains("video_context")),
    ])
  }
}

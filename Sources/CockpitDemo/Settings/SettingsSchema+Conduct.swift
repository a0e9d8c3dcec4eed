extension SettingsSchema {
  /// Identity, prompts, permissions, text, memory.
  static let conduct = """
    identity.botName | s 50 | "clanky" |
    identity.botNameAliases | l 100 50 | ["clank", "clanker", "clanka", "clinky"] |
    persona.flavor | s 2000 | "A dry-witted workshop hand who likes soldering, long walks and
      short answers." |
    persona.hardLimits | l 40 220 | [] |
    prompting.global.capabilityHonestyLine | s 400 | "" |
    prompting.global.impossibleActionLine | s 400 | "" |
    prompting.global.memoryEnabledLine | s 400 | "You remember people between conversations." |
    prompting.global.memoryDisabledLine | s 400 | "You remember nothing between
      conversations." |
    prompting.global.skipLine | s 400 | "When nothing needs to be said, answer [SKIP]." |
    prompting.text.guidance | l 40 320 | ["Keep replies short.", "Match the tone of the
      room.", "Name your source."] |
    prompting.voice.guidance | l 40 320 | ["Speak in short sentences.", "Leave room for
      others."] |
    prompting.voice.operationalGuidance | l 40 320 | ["Say what you are doing in five words."]
      |
    prompting.media.promptCraftGuidance | s 8000 | "Name subject, place, light and style." |
    permissions.replies.allowReplies | b | true |
    permissions.replies.allowUnsolicitedReplies | b | true |
    permissions.replies.allowReactions | b | true |
    permissions.replies.replyChannelIds | l 200 60 | [] |
    permissions.replies.discoveryChannelIds | l 200 60 | [] |  | Y
    permissions.replies.allowedChannelIds | l 200 60 | [] |
    permissions.replies.blockedChannelIds | l 200 60 | [] |
    permissions.replies.blockedUserIds | l 200 60 | [] |
    permissions.replies.maxMessagesPerHour | i 0 500 | 20 |
    permissions.replies.maxReactionsPerHour | i 0 500 | 24 |
    permissions.devTasks.allowedUserIds | l 200 60 | [] |
    permissions.devTasks.allowedWorkspaceRoots | l 200 500 | [] |  | Y
    interaction.activity.ambientReplyEagerness | i 0 100 | 20 |
    interaction.activity.responseWindowEagerness | i 0 100 | 55 |
    interaction.activity.reactivity | i 0 100 | 40 |
    interaction.activity.minSecondsBetweenMessages | i 5 300 | 5 |
    interaction.activity.replyCoalesceWindowSeconds | i 0 20 | 6 |
    interaction.activity.replyCoalesceMaxMessages | i 1 20 | 6 |
    interaction.replyGeneration.temperature | n 0 2 | 1 |
    interaction.replyGeneration.maxOutputTokens | i 32 16384 | 2500 |
    interaction.replyGeneration.reasoningEffort | c none low medium high xhigh "" | "low" |
      "minimal"
    interaction.replyGeneration.pricing | F | {} |
    interaction.startup.catchupEnabled | b | true |
    interaction.startup.catchupLookbackHours | i 1 168 | 6 |
    interaction.startup.catchupMaxMessagesPerChannel | i 1 200 | 20 |
    interaction.startup.maxCatchupRepliesPerChannel | i 0 20 | 2 |
    interaction.sessions.sessionIdleTimeoutMs | i 10000 1800000 | 300000 |
    interaction.sessions.maxConcurrentSessions | i 1 100 | 20 |
    interaction.followup.enabled | b | false |  | M
    interaction.followup.execution | P | {"mode": "dedicated_model", "model": {"provider":
      "anthropic", "model": "claude-haiku-4-5"}} |  | M
    interaction.followup.toolBudget.maxToolSteps | i 0 6 | 2 |  | M
    interaction.followup.toolBudget.maxTotalToolCalls | i 0 12 | 3 |  | M
    interaction.followup.toolBudget.maxWebSearchCalls | i 0 8 | 2 |  | M
    interaction.followup.toolBudget.maxMemoryLookupCalls | i 0 8 | 2 |  | M
    interaction.followup.toolBudget.maxImageLookupCalls | i 0 8 | 2 |  | M
    interaction.followup.toolBudget.toolTimeoutMs | i 1000 120000 | 10000 |  | M
    memory.enabled | b | true |
    memory.promptSlice.maxRecentMessages | i 4 120 | 35 |
    memory.embeddingModel | s 120 | "text-embedding-3-small" |
    memory.reflection.enabled | b | true |
    memory.reflection.hour | i 0 23 | 4 |
    memory.reflection.minute | i 0 59 | 0 |
    memory.reflection.maxFactsPerReflection | i 1 100 | 20 |
    memoryLlm | B | {} |
    """
}

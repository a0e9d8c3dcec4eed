extension SettingCatalogue {
  /// Who the bot is, what it may do in text, and what it remembers.
  static let talkingTable = """
    identity.botName: text 50; = "clanky"; use
      Name the bot answers to and signs with.
      | Blank is accepted and stored as empty text; the default is then not used
    identity.botNameAliases: list 100x50; use
      Other spellings that count as calling the bot by name, misheard ones included.
      | Empty list = only the name
    persona.flavor: text 2000; use / turn
      Free description of character and tone, placed into nearly every prompt.
      | Private prose
    persona.hardLimits: list 40x220; = []; use / turn
      Rules that the bot must never break, one per entry.
      | Entries may hold commas: send as array
    prompting.global.capabilityHonestyLine: line 400; = ""; use / turn
      Sentence about being honest on what it can do.
      | Empty = no such sentence
    prompting.global.impossibleActionLine: line 400; = ""; use / turn
      Sentence for requests that it cannot carry out.
      | Empty = no such sentence
    prompting.global.memoryEnabledLine: line 400; use / turn
      Sentence used while memory is on.
      | memory.enabled
    prompting.global.memoryDisabledLine: line 400; use / turn
      Sentence used while memory is off.
      | memory.enabled
    prompting.global.skipLine: line 400; use / turn
      Tells the model how to say "no message"; the marker [SKIP] is what the pipeline looks for.
      | A text without that marker makes it talk more
    prompting.text.guidance: list 40x320; use
      Style hints for text replies.
    prompting.voice.guidance: list 40x320; turn
      Style hints for speech.
    prompting.voice.operationalGuidance: list 40x320; turn
      Style hints for short spoken status messages.
      | voice.conversationPolicy.operationalMessages
    prompting.media.promptCraftGuidance: block 8000; use
      How to word prompts for pictures and videos.
      | Image and video tools
    permissions.replies.allowReplies: bool; = true; use
      Master switch for text replies.
    permissions.replies.allowUnsolicitedReplies: bool; = true; use
      May answer messages that do not address it.
      | replies.allowReplies
    permissions.replies.allowReactions: bool; = true; use
      May put emoji reactions on messages.
    permissions.replies.replyChannelIds: list 200x60; = []; use
      Channels where it behaves as a regular: more willing to speak unasked.
      | Empty = none
    permissions.replies.discoveryChannelIds: list 200x60; = []; May only; use
      Channels where its own posts with found links may go.
      | initiative.text.enabled
    permissions.replies.allowedChannelIds: list 200x60; = []; use
      If not empty, text happens in these channels only.
      | Empty = all
    permissions.replies.blockedChannelIds: list 200x60; = []; use
      Channels it ignores; wins over the allowed list.
    permissions.replies.blockedUserIds: list 200x60; = []; use
      People it ignores in text.
    permissions.replies.maxMessagesPerHour: int 0..500; = 20; use
      Cap on messages sent per hour, all guilds together.
      | 0 = silent
    permissions.replies.maxReactionsPerHour: int 0..500; = 24; use
      Cap on reactions per hour.
      | replies.allowReactions
    permissions.devTasks.allowedUserIds: list 200x60; = []; use
      People who may start coding tasks; empty = coding tasks are off.
      | Security relevant
    permissions.devTasks.allowedWorkspaceRoots: list 200x500; = []; May only; use
      Folders on the bot host in which coding workers may run.
      | Host paths; security relevant
    interaction.activity.ambientReplyEagerness: int 0..100; = 20; use
      How readily it joins text talk that is not aimed at it.
      | permissions.replies.allowUnsolicitedReplies
    interaction.activity.responseWindowEagerness: int 0..100; = 55; use
      How readily it goes on for a while after it has just spoken.
    interaction.activity.reactivity: int 0..100; = 40; use
      How readily it reacts with emoji and the like.
      | permissions.replies.allowReactions
    interaction.activity.minSecondsBetweenMessages: int 5..300; = 5; use
      Shortest pause between two of its own messages.
    interaction.activity.replyCoalesceWindowSeconds: int 0..20; = 6; use
      Waits this long to answer several messages of one burst at once.
      | 0 = off
    interaction.activity.replyCoalesceMaxMessages: int 1..20; = 6; use
      Most messages answered together.
    interaction.replyGeneration.temperature: num 0..2; = 1; use
      Randomness of text generation.
      | Inherited by bindings without their own
    interaction.replyGeneration.maxOutputTokens: int 32..16384; = 2500; use
      Longest generation.
      | Inherited likewise
    interaction.replyGeneration.reasoningEffort: choice none, low, medium, high, xhigh, ""; =
        "low"; March = "minimal"; use
      How much the model thinks before it writes; minimal is turned into low in May (kept in
      March), anything unknown into empty.
    interaction.replyGeneration.pricing: free; = {}; use
      Own prices: provider → model → {inputPer1M, outputPer1M, cacheReadPer1M, cacheWritePer1M}
      in USD. The only member without a fixed shape: everything inside is kept. Its models join
      /api/llm/models.
      | Not an object → {}
    interaction.startup.catchupEnabled: bool; = true; start
      After a start, looks at what was said meanwhile.
    interaction.startup.catchupLookbackHours: int 1..168; = 6; start
      How far back that look goes.
      | startup.catchupEnabled
    interaction.startup.catchupMaxMessagesPerChannel: int 1..200; = 20; start
      Messages read per channel.
      | startup.catchupEnabled
    interaction.startup.maxCatchupRepliesPerChannel: int 0..20; = 2; start
      Late answers per channel at most.
      | startup.catchupEnabled
    interaction.sessions.sessionIdleTimeoutMs: int 10000..1800000; = 300000; none
      Meant as idle limit of helper-agent sessions.
      | The process takes this from its own configuration
    interaction.sessions.maxConcurrentSessions: int 1..100; = 20; none
      Meant as number of helper-agent sessions.
      | The process takes this from its own configuration
    memory.enabled: bool; = true; use
      Long-term memory on or off.
      | Off hides facts from prompts, deletes nothing
    memory.promptSlice.maxRecentMessages: int 4..120; = 35; use
      Recent messages put into a prompt.
    memory.embeddingModel: text 120; = "text-embedding-3-small"; use
      Model for search by meaning; vectors of another model are not comparable.
      | Embedding key is process configuration
    memory.reflection.enabled: bool; = true; use
      Distils facts from what was said (March: once a day, May: soon after talk).
      | memory.enabled
    memory.reflection.hour: int 0..23; = 4; use
      Hour of the daily run, host time.
      | March; May: none
    memory.reflection.minute: int 0..59; = 0; use
      Minute of it.
      | March; May: none
    memory.reflection.maxFactsPerReflection: int 1..100; = 20; use
      Facts kept per run.
      | March; May: none
    memoryLlm: binding; optional; = {}; use
      Model for memory work. {} = the orchestrator. One of the two alone is completed with the
      orchestrator's provider or a default model.
      | To return to {} remove the member
    automations.enabled: bool; = true; use
      Scheduled tasks run.
      | Off skips runs, keeps the tasks
    interaction.followup.enabled: bool; = false; March only; use
      A second model pass after tools.
    interaction.followup.execution: policy; = {"mode": "dedicated_model", "model": {"provider":
        "anthropic", "model": "claude-haiku-4-5"}}; March only; use
      Model for it.
    interaction.followup.toolBudget.maxToolSteps: int 0..6; = 2; March only; use
      Tool rounds.
    interaction.followup.toolBudget.maxTotalToolCalls: int 0..12; = 3; March only; use
      Tool calls.
    interaction.followup.toolBudget.maxWebSearchCalls: int 0..8; = 2; March only; use
      Searches.
    interaction.followup.toolBudget.maxMemoryLookupCalls: int 0..8; = 2; March only; use
      Memory lookups.
    interaction.followup.toolBudget.maxImageLookupCalls: int 0..8; = 2; March only; use
      Picture lookups.
    interaction.followup.toolBudget.toolTimeoutMs: int 1000..120000; = 10000; March only; use
      Time per tool.
    """
}

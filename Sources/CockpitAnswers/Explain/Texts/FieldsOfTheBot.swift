extension Explanations {
  /// Fields of statistics, settings, automations and prompts (contract 5.1 and 7).
  static let fieldsOfTheBot = ExplanationGroup(
    .field,
    """
    stats: Counts, cost and delays.
    last24h: How often each of 17 kinds was written in the last 24 hours, rolling.
    dailyCost: Cost by UTC day, the newest first, at most 14 days.
    day: A UTC day.
    usd: US dollars of that day.
    windowHours: How many hours the delays cover: 24.
    sampleLimit: How many answers are looked at for the delays at most: 4,000.
    sampleCount: How many answers the delays are made of.
    byKind: The same by kind.
    phases: The parts of the time of a text answer.
    count: How many there are; of a delay, how many answers were measured.
    minMs: The shortest, in ms.
    p50Ms: Half of them were faster, in ms.
    p95Ms: 95 of 100 were faster, in ms.
    avgMs: The mean, in ms.
    maxMs: The longest, in ms.
    isReady: Whether the bot's Discord client is ready. No: servers and channels are listed empty.
    userTag: The name of the bot's account.
    guildCount: In how many servers the bot is.
    lastBotMessageAt: When the bot last wrote.
    replyQueue: Messages that wait for an answer.
    channels: In how many channels something waits, or the channels.
    pending: How many wait.
    gateway: The bot's own connection to Discord.
    hasConnectedAtLeastOnce: Whether the bot has reached Discord since its start. No: check its
      token and network.
    reconnectInFlight: Whether the bot is reconnecting to Discord now.
    reconnectAttempts: How often it has tried.
    lastGatewayEventAt: When Discord last spoke to the bot.
    publicHttps: The tunnel with the public address.
    enabled: Whether it is switched on.
    pid: The process number on the bot's host.
    newestExpiresAt: When the newest screen share link ends.
    ok: Whether it went well.
    accepted: Whether it was taken.
    detail: More about the failure.
    authenticated: Whether the backend knows us.
    requiresToken: Whether the backend wants a token.
    publicHttpsEnabled: Whether the backend has a public address.
    authMethod: How we were let in.
    configurationError: What is wrong with the bot's settings.
    intent: The settings as they were chosen.
    effective: The settings as they are in force.
    bindings: Which models and logins the settings lead to.
    saveAppliedToRuntime: Whether saved settings are in force.
    saveApplyError: Why they are not.
    name: What it is called: a guild, a channel, a tool or a pass of a reflection.
    type: Text or voice channel; the type of a fact or event.
    statuses: Which automations were asked for: active, paused, deleted.
    instruction: What the automation or agent was told to do.
    createdByName: Who had it scheduled.
    createdByUserId: Who had it scheduled, by id.
    isRunning: Whether it runs now.
    runningStartedAt: Since when it runs.
    lastRunAt: When it last ran.
    lastError: The last error; empty when there was none. A failed automation is paused.
    lastResult: What the last run gave.
    matchText: The words it is found by.
    everyMinutes: It runs every so many minutes.
    hour: The hour at which it runs, on the bot's host.
    minute: The minute at which it runs.
    atIso: The one time at which it runs.
    finishedAt: When it ended.
    endReason: Why the session ended; explain with that reason says more.
    totalSteps: How many steps; several turns are counted again.
    toolSteps: The tools that were used, in order.
    lastActiveAt: When it was last active.
    failed: Whether it failed.
    description: What the tool does.
    parameters: What the tool wants to be given.
    deleted: How many were deleted.
    requesterUserId: Whom the bot follows into voice.
    hiddenByDefault: Whether prompts are folded at first.
    initialUserPrompt: What the model was first asked.
    followupUserPrompts: What the model was asked after tools.
    followupSteps: How often it was asked again.
    promptTiers: The parts that the prompt was built from. May only.
    label: The name of the part.
    present: Whether the part is in the prompt.
    sources: Where the part comes from.
    details: More about the part.
    _meta: When the settings were last changed, and whether the running bot has them.
    expectedGuildName: The server's name as it must be typed.
    timestamp: When it was written.
    action: What was done.
    claude_oauth: Whether the bot is logged in to Claude.
    openai_oauth: Whether the bot is logged in to OpenAI.
    """)
}

extension Explanations {
  /// Fields of rows about work: browser, media, code, search, automations, the game (contract 4.4).
  static let fieldsOfWork = ExplanationGroup(
    .field,
    """
    steps: How many steps the browser agent took; several turns of a session are counted again.
    step: Which step it was.
    turnCostUsd: What the browser turn cost; it repeats the llm_tool_call rows.
    totalCostUsd: All of it in US dollars. Of a browser run it repeats the llm_tool_call rows; of
      the statistics it covers kept rows.
    imageInputCount: Pictures that were given to the model.
    imageCount: How many pictures came back.
    sessionKey: The conversation that the run belongs to.
    filledIn: Whether the row was added later, from the list of activity that its source keeps.
    fullLength: How long the text was before it was cut, in characters.
    runtime: Which program did it, or the bot's own state in the statistics.
    currentUrl: The page that the browser was on.
    hitStepLimit: Whether the browser agent had to stop because it had no step left.
    profile: Which browser profile or settings were used.
    size: The size of the picture.
    variant: Which way the picture was made.
    rating: The strictest rating that GIFs may have.
    returnedResults: How many results came.
    used: Whether it was used.
    gifUrl: The address of the GIF.
    pollAttempts: How often it was asked whether the video was ready.
    videoId: The video's number at its site.
    url: The address.
    urls: The addresses that were posted.
    key: What names the video.
    channel: The channel of the video, or a Discord channel.
    hasTranscript: Whether the video has words that could be read.
    keyframeCount: How many pictures of the video were taken.
    keyframeError: Why pictures of the video could not be taken.
    keyframeErrorCode: The same as a code.
    keyframeErrorCount: How many pictures of the video failed.
    keyframePayloadBytes: How large the pictures are, in bytes.
    missingDependency: A program that the bot's host lacks. Install it there.
    missingDependencies: Programs that the bot's host lacks. Install them there.
    ffmpegAvailable: Whether ffmpeg is on the bot's host. Without it there are no pictures of
      videos and streams.
    ytDlpAvailable: Whether yt-dlp is on the bot's host. Without it linked videos cannot be read.
    cacheHit: Whether it was known already and not fetched again.
    videoRefs: The videos in the message.
    targetCount: How many things were looked at.
    role: What the agent is for, or whose turn it is: user or assistant.
    turnNumber: Which turn it was.
    turnCount: How many turns. Of the delays at most the last 12.
    maxTurns: How many turns an agent may take, or how many turns of talk the model is given at
      most.
    cwd: The folder on the bot's host. It tells the host's paths.
    configuredProvider: The provider of the settings.
    authProvider: The login that was used.
    workspaceMode: How the agent's folder was made.
    workspaceBranch: The branch the agent works on.
    workspaceBaseRef: The commit it began with.
    workspaceRepoRoot: The repository on the bot's host.
    workspaceCwd: The agent's folder on the bot's host.
    workspaceRoot: A folder on the bot's host.
    taskId: The number of the coding task.
    existingTaskId: The task that exists already.
    taskStatus: How the task stands.
    assignee: Who has the task.
    githubRepo: The repository at GitHub.
    instanceId: The number of the running worker.
    persistedSession: Whether the session is kept.
    launchMode: How the worker was started.
    executionMode: How the agent runs.
    ptyId: The terminal of the worker.
    logPath: The worker's log on the bot's host.
    path: A file on the bot's host.
    isTimeout: Whether it took too long.
    workerId: The worker.
    workerSessionKey: The worker's session.
    sessionType: What sort of sub agent it is.
    command: What the sub agent was told to do.
    socketPath: The socket of the server on the bot's host.
    hint: What to do about it.
    harness: Which coding program is used.
    sender: Who asked.
    priority: How urgent it is.
    requestReason: Why it was asked for.
    limitPerMinute: How many are allowed in a minute.
    summary: What was reported, in words.
    annotationId: The number of the report.
    resultLength: How long the result is, in characters.
    hasHandoff: Whether there are notes for the next one.
    exitCode: How the process ended; 0 is well.
    exitSignal: The signal that ended the process.
    signal: The signal that ended the process.
    signalCode: The signal that ended the process.
    cancelled: Whether it was called off.
    cancelReason: Why it was called off.
    tail: The end of a worker's terminal output.
    sourceCounts: How many candidates each feed gave.
    sourceLabel: The name of the feed.
    sourceLabels: The names of the feeds.
    maxResults: How many results were asked for.
    pageReadsRequested: How many pages should be read.
    pageReadsSucceeded: How many pages could be read.
    providerUsed: The search provider that answered.
    fallbackUsed: Whether the first provider failed and another one answered.
    maxAttemptsPerRequest: How often it is tried at most.
    automationId: The number of the automation; CMD lists them.
    schedule: When the automation runs. Daily times are those of the bot's host.
    nextRunAt: When the automation runs next, in UTC.
    operation: What was done to the automations.
    updatedIds: The automations that were changed.
    targetQuery: What the automations were looked up by.
    media: The picture or video of the post.
    runStatus: How the run went: ok, error or skipped.
    statusAfterRun: How the automation stands after it; an error pauses it.
    pendingThoughtId: The thought that it came from.
    pendingThoughtRevision: Which version of the thought.
    mediaDirective: Which picture or video was wanted.
    channelSummary: What is known of the channel.
    discoveryCandidateCount: How many ideas there were.
    parseState: Whether the model's answer was in the form that was asked for.
    parseOk: Whether the model's answer could be read.
    contractViolation: Whether the model broke the form that was asked for.
    contractViolationReason: In which way.
    thoughtId: The number of the thought.
    thoughtText: The thought.
    thoughtRevision: Which version of the thought.
    notBeforeAt: The thought is not said before this.
    expiresAt: After this it is forgotten or ends.
    ageMs: How old it is, in ms.
    sourceType: What sort of feed it is.
    value: The feed, or a value.
    currentSources: All feeds after the change, one to a line.
    streamKey: The number of the screen share.
    rtcServerId: The voice server of the screen share.
    nextRetryMs: After so many ms it is tried again.
    retryMs: After so many ms it is tried again.
    targetUrl: The address behind the tunnel, or the page.
    line: A line that the program printed.
    binary: The program of the tunnel.
    publicUrl: The public address. After a failure it may be the old one.
    tag: The name of the bot's account.
    replyChannelCount: Channels where it answers.
    discoveryChannelCount: Channels where it posts by itself.
    allowedChannelCount: Channels it may use.
    channelCount: How many channels.
    lookbackHours: How far back it looked for messages, in hours.
    maxMessagesPerChannel: How many messages it reads of each channel.
    maxRepliesPerChannel: How many it answers in each channel.
    expectedUpdatedAt: The version of the settings that was expected.
    currentUpdatedAt: The version of the settings that is in force.
    previousUpdatedAt: The version of the settings before.
    activeVoiceSessions: How many voice sessions took the settings over.
    created: Files that were made.
    redirectUri: Where the login comes back to.
    callbackPort: The port that the login comes back to.
    events: What happened in the game.
    eventCount: How many things happened.
    categories: What sorts of things happened.
    serverLabel: The name of the game server.
    minSecondsBetweenPosts: The shortest time between two reports, in seconds.
    lastActionAt: When the last report was.
    baseUrl: The address of the game link.
    entryPoint: The program of the game link.
    port: The port of the game link.
    stream: Which output of the process it was.
    skipped: Files that were left as they were.
    """)
}

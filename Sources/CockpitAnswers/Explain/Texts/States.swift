extension Explanations {
  /// States and other words that a value can be (contract 5 to 7), and our own for a turn or a link.
  static let states = ExplanationGroup(
    .state,
    """
    responded: Outcome of a turn: the bot was heard.
    denied: Outcome of a turn: it was decided not to answer, by a rule or by the model.
    dropped: Outcome of a turn: it never came to a decision: silence, no words, or newer speech.
    failed: It should have worked and did not. The error or reason beside it says why.
    pending: Outcome of a turn: not decided yet, or how it ended is not on record.
    interrupted: Outcome of a turn: someone spoke over the answer.
    observed: State of an answer here: rows on record say so.
    inferred: State of an answer here: it follows from rows that do not say so themselves.
    unknown: State of an answer here: no row on record tells. It stays unknown rather than
      guessed.
    contradicted: State of an answer here: rows contradict one another.
    connecting: The connection is being made; nothing was heard yet.
    live: The connection of this program: bytes arrive. It says nothing about the bot's own
      health.
    stale: Connected, and no byte came for 10 s. What is shown is old; it is tried again by
      itself, r tries now.
    reconnecting: The connection is gone and is made anew by itself; r tries now.
    polling: A stream is held back on the way, often by a tunnel, so the same is asked for again
      and again. All data come, a little later.
    degraded: It works in part: one stream is live and the other is not, or single requests fail.
    stopped: Ended for good: repeating does not help. :setup takes another address or token. Of a
      tunnel: not running.
    bot ok: The bot is connected to Discord and nothing is known to be wrong with it.
    bot offline: The bot is not connected to Discord. It tries again by itself; else see its log.
    bot ?: How the bot is has not been said yet.
    models fail: Three model calls in a row failed: the bot cannot answer. Check the provider's
      status, key and quota.
    voice down: A live session has no connection to its provider: deaf and mute there. Have it
      leave and join again.
    tunnel down: The public address of the backend does not work. See the bot's log, restart the
      bot.
    tools down: Calls of a tool or of its server fail again and again in voice. ! says which; look
      whether the server runs.
    search down: Three web searches in a row failed. Check the search provider's status and key.
    memory slow: Three embeddings in a row failed: memory is found by words alone. Check the
      provider's key and quota.
    web down: Three runs of the bot's browser in a row failed. See whether a browser starts on its
      host.
    asr fails: Three speech recognitions in a row failed. Check their provider.
    tts fails: Three speech syntheses in a row failed. Check their provider.
    queue full: Messages wait for a reply and do not get one, or are turned away. ! says more.
    voice waits: More than two turns wait for an answer in voice.
    job failed: An automation failed and is paused. CMD lists it.
    job missed: An automation was due and did not run. CMD lists it.
    over budget: The cost of the UTC day is over triage.budget_usd of the configuration.
    watch: Rows match a watch of the configuration, or of the command line. ! lists it with its rows.
    slo: A promise of [slo] in the configuration is broken, or will be at the present rate. CMD shows
      each with its budget.
    no answer: Somebody should have had an answer within the last 15 min, and no row says why not.
      g i lists which, with the rows.
    no link: Our own connection is not live; how the bot is now is not known.
    bot back: What was wrong with the bot ended a moment ago. ! lists what was.
    bot errors: Many rows of the last minutes are failures. f is:error lists them.
    error: It failed. Of a row: its kind or event says so. Of a tunnel: its process ended;
      lastError says why.
    warning: Something was not as it should be and the bot went on.
    info: Nothing was wrong with this row.
    idle: Nothing is going on. Of a recogniser: not connected, which is normal while no one
      speaks.
    response_pending: An answer was asked for and has not begun. If it stays so, look for
      voice_error rows.
    awaiting_tool_outputs: The answer waits for tools.
    speaking_live: Sound of the answer comes in and is played.
    speaking_buffered: The answer is complete and the rest of it is still played.
    buffered: Speech waits to be played.
    ACTIVE: The bot follows the conversation: it may answer without being called.
    AMBIENT: The bot waits to be called by its name.
    ME: The speaker meant the bot.
    ALL: The speaker meant everybody in the room.
    YOU: The bot itself, in the transcript of its thoughts.
    queued: A thought that waits for its moment.
    reconsider: A thought that is outdated and will be thought over.
    hold: Decision about a thought: keep it for later.
    speak_now: Decision about a thought: say it.
    drop: Decision about a thought: forget it.
    ready: Working: a recogniser listens, a tunnel has its address.
    committing: The recogniser was given the sound and makes the final words.
    closing: It is being closed.
    starting: The tunnel is being set up. Its address comes when it is ready.
    disabled: It is switched off in the bot's settings.
    loading: Music is being found or prepared.
    playing: Music plays.
    paused: Music or an automation is paused. A failed run pauses an automation by itself.
    paused_wake_word: Music is paused because someone called the bot; it goes on by itself.
    stopping: Music is being ended.
    duck: Music becomes quiet while the bot speaks.
    pause: Music pauses while the bot speaks.
    auto: The bot chooses where to look for music.
    soundcloud: Music is looked for at SoundCloud.
    discord: The music comes from Discord.
    yt: A track from YouTube.
    sc: A track from SoundCloud.
    running: It has begun and its end is not on record. Of a reflection: if it stays so, its end
      row is missing.
    completed: It has ended well.
    ok: It went well.
    skipped: It was not done, on purpose. The reason beside it says why.
    active: In force: an automation runs at its times; a session goes on.
    deleted: It was deleted. Facts cannot be brought back; automations stay listed with all.
    saved: A fact of a reflection that was stored.
    author: A fact about someone who wrote.
    bot: A fact about the bot itself, or the bot.
    __self__: Facts of the bot about itself.
    __lore__: Facts of the community that belong to no one alone.
    __owner__: Private facts about the owner. Masked here until Enter shows them.
    user: A person, or a fact that holds for a person on all servers. Role of a turn: someone in
      the room.
    guild: A Discord server, or a fact that holds there only.
    owner: A private fact of the bot's owner.
    project: A fact about what someone works on, or of a coding project.
    task: A fact of one coding task. Not listed by the backend.
    swarm: A fact of the coding workers. Not listed by the backend.
    collaborator: A fact about someone who works with the owner. Not listed by the backend.
    preference: What someone likes or wants.
    profile: Who someone is.
    relationship: How people are related.
    guidance: How the bot shall behave. It does not lose weight with age.
    behavioral: How someone or the bot behaves. It does not lose weight with age.
    lore: A story or joke of the community.
    other: A fact of no special type.
    fact: Something that is so: a note of a session, or one memory of the bot.
    plan: A note of a session on what will be.
    voice_agent: The session uses the realtime provider xAI.
    openai_realtime: The session uses OpenAI Realtime.
    gemini_realtime: The session uses Gemini Live.
    elevenlabs_realtime: The session uses ElevenLabs agents.
    transport_only: The bot's own model answers and runs the tools; the provider only speaks.
    provider_native: The realtime provider answers and runs the tools itself.
    function: A tool that is built into the bot.
    mcp: A tool of an MCP server.
    join: Someone came into the channel.
    leave: Someone left the channel.
    thought: Something that the bot thought without being asked.
    assistant: The bot's side of a conversation.
    inactivity: The session is near its end because no one speaks.
    none: There is none: no deadline is near, or no login is needed.
    open_local: No token is set, so everybody on that host may ask the backend. Set
      DASHBOARD_TOKEN.
    header: The token was sent in a header, as this program does.
    session: A voice session, or a login by cookie.
    text: A text channel, or memory as text answers see it.
    voice: A voice channel, or memory as voice answers see it.
    request: The person was named in the request.
    recent_message: The person wrote not long ago.
    active_voice_session: The person is in the live voice session.
    primary_user: The person the answer is for.
    once: A schedule that runs one time.
    low: Not what is wanted first; a priority.
    llm: How an address was found: by a model.
    fallback: A second way was used because the first one failed.
    identity: Part of the prompt: who the bot is.
    base_mode: Part of the prompt: how it behaves in this mode.
    curated_memory: Part of the prompt: memory files that people keep.
    structured_facts: Part of the prompt: facts about the people present.
    retrieved_history: Part of the prompt: earlier conversation that was found again.
    capabilities_tools: Part of the prompt: what the bot can do now.
    current_input: Part of the prompt: what was just said.
    output_contract: Part of the prompt: the form that the answer must have.
    session_start: The instructions that a voice session began with.
    realtime_instruction_refresh: The instructions were written anew during the session.
    tool_use: The model stopped in order to use a tool; the answer goes on afterwards.
    end_turn: The model stopped because it was done.
    input: What the provider heard.
    output: What the model or provider said.
    gap: Rows that are missing here, drawn as a mark. ]g goes to the next one.
    filled: Rows that were missing after a lost connection and were fetched; nothing is missing.
    costed: A row with a cost.
    superseded by: A newer fact or reply took its place.
    highLatency: The turn took more than twice the session's mean.
    emptyASR: Sound was captured and nothing was recognised.
    outputGap: More than 30 s passed from the end of speech to the first sound.
    slowTool: A tool took more than 3 s.
    silentResponse: The provider's answer had no sound.
    watchdog: The answer took too long and was given up.
    toolFailed: A tool failed during the turn.
    neverPlayed: An answer was made and never played.
    """)
}

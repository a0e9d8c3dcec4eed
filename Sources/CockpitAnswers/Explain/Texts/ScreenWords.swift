extension Explanations {
  /// Short words on the screen that are no names of the wire.
  static let screenWords = ExplanationGroup(
    .word,
    """
    PULSE: The first tab: everything the bot does, as it happens.
    VOICE: The second tab: the live voice session, its turns and the past sessions.
    BRAIN: The third tab: how an answer came about: calls, prompts, tools, facts.
    MEMORY: The fourth tab: what the bot remembers. Facts are changed and deleted here.
    CMD: The fifth tab: connection, cost, automations, actions.
    SSE: The two streams on which the backend tells what happens. Healthy ones speak every 3 s.
    REST: Single requests to the backend; p50 and p95 are of the last ones.
    WIRE: Names in the backend's rows that this version has never heard of; nothing of the rows is
      lost. doctor --wire lists them in a report for the project.
    GAPS: Rows fetched after a hole, and rows that cannot be had any more. ]g goes to them.
    CLOCK SKEW: The backend's clock minus the one here. Ages are wrong by as much; set the clock
      that is off.
    GATEWAY: The bot's own connection to Discord.
    TUNNEL: The public address of the backend, if it has one. down: no one gets in through it.
    UPTIME: The backend does not say since when it runs; the last login is the nearest thing.
    REPLIES: Messages that wait in the bot's own queue now. Whose model call failed waits no
      longer: CALL FAILED has them.
    CALL FAILED: People whose last model call failed, so that they got no answer, in 24 hours or
      as far as rows are here.
    PROCESSING: How long the bot worked on a reply, without the time that the message waited in
      its queue.
    RT: The realtime provider of a voice session: it hears or speaks for the bot.
    MCP: Servers that lend tools to the bot. One counts as down from a failed call to the next
      good one.
    SKIP: The share of turns that the bot decided not to answer, of all turns of the session.
    PENDING: Turns that wait to be heard or decided. More than 2 for long: the bot does not keep
      up.
    DEFER: Turns put off until the bot has spoken.
    FOCUS: Who speaks, else who addressed the bot last.
    ADDRESSED: How long ago someone addressed the bot, and how sure it was of that.
    WAKE: How long the bot still listens without being named. After that call it by its name.
    THOUGHT: What the bot thinks of saying by itself, and when it thinks again.
    STREAMS: Sound streams that come in.
    STALE: So old is what is shown: nothing newer came.
    blame: The stage of a turn that is furthest above its usual time.
    GEN: The model's part of an answer; GEN 11/50: turns it was given, and the most it gets.
    TRACKED: Turns that the bot keeps of the room, and the most it keeps.
    DECIDER: The context of deciding whether to answer. No backend fills it in.
    CONTEXT TIERS: What a prompt was built from: + is in, - is out.
    critical path: The steps of an answer that nothing else could overlap: what made it as slow as
      it was.
    CACHED: Input tokens that the provider had stored: they cost less.
    TOKENS: What the model read (in) and wrote (out). Cost goes by them.
    COST: US dollars of this row as the backend counts them. 0 also for calls without a price.
    FORECAST: Today's cost at midnight UTC if it goes on so, with an 80 % interval.
    FREE CALLS: Calls without a price: tokens tell more there.
    UTC days: The backend counts cost from midnight UTC, not from yours.
    kept rows: The backend keeps 14 days or 120,000 rows. Totals cover those only and can shrink.
    not served: This backend has no such thing to ask for. Nothing is wrong.
    STOP: Why the model stopped: end_turn is done, tool_use wants a tool, max_tokens was cut off.
    PHASES: Where the time of a text answer went: queue, ingest, memory, model, follow-up, typing,
      sending.
    PHASE: Where the time of a text answer went, or what the bot is doing about its next words.
    ROW: The number of the row in the backend's log. Live rows have none until the stored one
      comes.
    TRIGGER: The message that set it off.
    SESSION: The voice session that the row belongs to.
    OUTCOME: Whether the row reports a failure. Nothing on the wire says so itself: it follows
      from kind and details.
    HEARD: The words that the decision was made on; several speakers are divided by a bar.
    ASR: Speech recognition: from sound to words.
    TTS: Speech synthesis: from words to sound.
    INPUT: Light: someone's sound comes in.
    OUTPUT: Light: the bot's sound goes out.
    TRANSPORT: Light: whether the bot may play sound.
    CONTENT: The text of the row as it came.
    EVENT: What a container row names: its kind only says from where it comes.
    DURATION: How long it took, where the backend says so. Model calls have none.
    WORDS: What was heard or said.
    SPEAKER: Who spoke.
    USER: Who did it; on the bot's own rows the bot.
    TIME: When it was written, on the backend's clock.
    ROSTER: Who was in the room when the answer was made.
    """)
}

extension Explanations {
  /// Kinds of rows about answers in text, models, memory, automations and initiative (contract 4.4).
  static let kindsOfAnswers = ExplanationGroup(
    .kind,
    """
    sent_reply: The bot answered a message in text. Its cost stands on the llm_call rows of the
      same message. W says why it answered.
    sent_message: The bot posted a message of its own, not as a reply. Same details as sent_reply.
    reply_skipped: The bot decided not to answer a message; the content is the reason code. W
      shows the steps up to the decision.
    reacted: The bot put an emoji on a message; the content is the emoji. The detail names the
      message.
    text_runtime: A step on the way to a text answer: admission, gate, queue or tools on offer.
      The event name says which; allow and reason say what came of it.
    llm_call: One finished call of a language model, with tokens, cost and prompts. It has no
      duration. BRAIN lists the calls.
    llm_error: A call of a language model failed; the content is the provider's message. Status
      429 is a limit, 401 a key, 5xx the provider. CMD shows how often.
    llm_tool_call: One model step in a tool loop of the browser or music agent. It asks for tools;
      it does not say how they went. Results are browser_tool_result rows.
    llm_lifecycle: A model provider was set up, checked or replaced by a fallback. Look at reason
      and unavailable when answers changed.
    automation_created: Someone had the bot schedule a task. CMD lists the automations.
    automation_updated: Automations were changed, paused or deleted; the content names the
      operation and the numbers.
    automation_post: A scheduled task posted a message; the content is its text. Its cost is on
      the llm_call rows.
    automation_run: A scheduled task ran; runStatus says how it went and nextRunAt when it runs
      again.
    automation_error: A scheduled task failed, and the bot has paused it for that. CMD shows its
      last error; it cannot be resumed from here.
    initiative_post: The bot wrote of its own accord; reason says why it thought it worth saying.
    initiative_skip: The bot thought about writing of its own accord and did not; the content is
      the reason.
    initiative_source_add: A feed or site was added to what the bot reads for ideas.
    initiative_source_remove: A feed or site was removed from what the bot reads for ideas.
    discovery_feed_snapshot: The bot looked through its feeds; the content counts the candidates
      that it found.
    memory_fact: The bot wrote a fact about someone or itself. Edits and deletions made by people
      write no row. g r shows the fact in MEMORY.
    memory_embedding_call: Text was turned into a vector for the search by meaning. Costs little;
      many of them are normal.
    memory_embedding_error: The search by meaning had no vector for this text. Search falls back
      to words. Check the embedding provider.
    memory_reflection_start: The daily review of the conversation has begun. Only the March
      backend writes it.
    memory_reflection_complete: The daily review has ended; details list facts taken and left.
      Only the March backend writes it.
    memory_reflection_error: The daily review failed. Only the March backend writes it.
    memory_runtime: The bot loaded or stored memory: curated prompt memory, the summary of a voice
      session, notes of workers.
    """)
}

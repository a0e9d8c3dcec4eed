extension Explanations {
  /// Kinds of rows about the browser, media, code, search and the game (contract 4.4).
  static let kindsOfWork = ExplanationGroup(
    .kind,
    """
    browser_agent_session_turn: One turn of the browser agent is done. Its cost repeats that of
      the llm_tool_call rows of the run.
    browser_agent_reasoning: What the browser agent thought at a step, up to 500 characters.
    browser_agent_final: What the browser agent reported at its end, up to 500 characters.
    browser_browse_call: A browsing task is done. Its cost repeats that of the llm_tool_call rows:
      do not add both.
    browser_browse_failed: A browsing task failed; errorMessage says why. Its name does not end in
      _error, but it is one.
    browser_tool_step: The browser agent used a tool, such as open or click; the content is its
      name.
    browser_tool_result: What a browser tool gave back, up to 800 characters; isError says whether
      it failed.
    browser_agent: Start, profile or problem of the browser agent; the content is the event name.
    image_call: A picture was generated; the cost is on this row.
    image_error: A picture could not be generated; the content says why: often a refusal of the
      provider or a limit.
    gif_call: A GIF was searched for; used says whether it was sent.
    gif_error: The search for a GIF failed.
    video_call: A video was generated; the cost is on this row.
    video_error: A video could not be generated; the content says why.
    video_context_call: The bot read a video that someone linked: transcript and key frames.
    video_context_error: A linked video could not be read. missingDependency names a program that
      the bot's host lacks.
    code_agent_call: A coding agent was started. March writes it at the end with its cost, May at
      the launch without.
    code_agent_error: A coding agent failed; error or errorMessage says why.
    sub_agent_session_lifecycle: A sub agent began, finished, failed or was cancelled; the content
      is the event.
    swarm_server_status: Whether the server for coding workers runs. hint says what to do when it
      does not.
    swarm_server_spawn_failed: A coding worker could not be started; reason says why.
    swarm_server_spawn_fallback: A coding worker was started another way because the server could
      not do it.
    swarm_spawn_request_received: A worker asked for another worker.
    swarm_spawn_request_accepted: A request for another worker was granted.
    swarm_spawn_request_declined: A request for another worker was refused; the content is the
      reason.
    swarm_spawn_request_noop: A request for another worker needed nothing: the task has someone
      already or is over.
    swarm_spawn_request_response_error: The answer to a request for a worker could not be
      delivered.
    swarm_spawn_request_rate_limited: Too many workers were asked for within a minute; the request
      was refused.
    swarm_activity_bridge_error: News of the coding workers could not be read. What they do may be
      missing here.
    swarm_task_progress: A coding worker reported progress; the text is metadata.summary.
    swarm_task_result: A coding task has ended; status says how.
    swarm_task_cancel_error: A coding task could not be cancelled. It may still run.
    swarm_task_delivery_error: The result of a coding task could not be given to the channel.
    swarm_worker_adoption_timeout: A started worker did not report in time. tail is the end of its
      terminal output.
    swarm_worker_exit: A coding worker has ended; exitCode and tail say how.
    swarm_worker_log_attached: The log file of a coding worker was found and is followed.
    search_call: A web search: how many results, which provider, how long. fallbackUsed says that
      the first provider failed.
    search_error: A web search failed; the content says why. The bot answers without it.
    search_service: A page that was being read could not be let go of. No action is needed.
    minecraft_game_events: What happened in the game since the last report.
    minecraft_mcp_init_error: The link to the game server could not be started. Check that the
      game server runs.
    minecraft_mcp_process: The program that links the bot to the game: started, reused, ready,
      ended.
    minecraft_mcp_process_output: A line that this program printed.
    minecraft_narration_blocked: The bot wanted to report on the game and its limits forbade it;
      the content says which.
    minecraft_narration_candidate: Events of the game that may be worth a report.
    minecraft_narration_filtered: Nothing that happened in the game was worth a report.
    minecraft_narration_post: The bot reported on the game; the content is its text.
    minecraft_narration_skip: The model chose not to report on the game; the content is the
      reason.
    minecraft_runtime_call: A tool of the game was used; the content is its name.
    minecraft_runtime_tool_error: A tool of the game failed; the content says why.
    """)
}

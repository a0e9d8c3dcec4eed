extension Explanations {
  /// The rules over events (docs/rules.md).
  static let ruleNames = ExplanationGroup(
    .word,
    """
    empty_asr_after_promotion: Rule: somebody spoke, the capture became a turn, and the recogniser
      gave no word. Look at the recogniser in VOICE and at the person's microphone.
    direct_address_denied_by_lock: Rule: somebody addressed the bot and was refused because it was
      speaking or its output was held. See which reply held it.
    output_lock_stuck: Rule: the output is held and nothing is heard. If it comes back, end the
      session and join again.
    repeated_silence_gate_drops: Rule: captures of one person are dropped as silence again and
      again. Have the person raise the microphone, or lower the gate.
    generated_no_output: Rule: a spoken reply was requested and no sound came. See whether the
      provider or the voice output failed.
    tool_stalled: Rule: a tool runs for longer than it may, and holds the answer back. Look at its
      arguments and its server.
    tool_ownership_mismatch: Rule: a tool was called by the side that does not own tools in this
      session. Leave and join again; see the settings of voice.
    barge_in_storm: Rule: people try to interrupt the bot again and again. It may be too long or
      deaf to them; see the gates' reasons.
    stale_response: Rule: a response lives and nothing comes from the provider, or a turn waited too
      long. See the provider's state in VOICE.
    repeated_reconnects: Rule: connections break three times within five minutes. The close codes say
      who hung up.
    screen_commentary_storm: Rule: the bot comments on a shared screen again and again. Raise the
      pause between comments.
    music_masks_speech: Rule: while music plays, people who address the bot are not understood. Turn
      the music down.
    high_latency_turn: Rule: an answer took over twice the median of those before it. The stage to
      blame is named.
    asr_confidence_degraded: Rule: the recogniser is unsure of one person's words again and again.
      Check microphone and language.
    reply_missing_after_direct_address: Rule: somebody addressed the bot, it meant to answer, and
      nothing came. Ask 'why' of the message.
    turns_piling_up: Rule: spoken turns wait for the bot and become more. Let people pause; leave and
      join if it does not drain.
    generation_watchdog: Rule: the backend waited for a spoken answer of the model and gave up. Check
      the provider's status.
    recogniser_gone: Rule: somebody speaks while the recogniser of that person is not connected. End
      the session and join again if it stays so.
    mcp_down: Rule: a tool server is not connected and has an error. Its tools are missing until it
      runs again.
    gateway_flapping: Rule: the bot has been reconnecting to Discord for half a minute. Check Discord
      and the network of the bot's host.
    tunnel_not_ready: Rule: the public address is switched on and does not work. See the tunnel's
      error in CMD.
    budget: Rule: the UTC day has cost more than [anomalies.budget] usd allows. See which model and
      channel cost most.
    error_burst: Rule: more failed within five minutes than the last 24 h make plausible. Open the
      failures: most have one cause.
    silent_backend: Rule: a stream is open and brings not one byte for 10 s. It is tried again by
      itself; else look at the bot's host.
    prompt_jump: Rule: a prompt became much longer, or a part changed that was always the same.
      Compare the two in BRAIN.
    not_recorded: Rule: a stretch is not on record, so what is missing there says nothing. 'history
      status' says why.
    ignored_in_thread: Rule: somebody answered or addressed the bot, and neither an answer nor a
      reason for silence is on record. Ask 'why' of the message.
    generated_not_sent: Rule: the model wrote an answer that never reached the channel. Check the
      bot's right to post there.
    automation_missed: Rule: an automation was due and did not run. See CMD; restart the bot if others
      do not run either.
    speech_without_turns: Rule: people speak, the bot notices it, and no turn is made of it. End the
      session and join again.
    unusual_silence: Rule: the bot said nothing in an hour of the day in which it always spoke in the
      recorded weeks. Write to it.
    gateway_run_failed: Rule: a run of an agent behind a gateway failed, or was stopped. See its last
      tool and the error in BRAIN.
    gateway_run_stalled: Rule: a run of a gateway has begun and is silent. See which tool it waits
      for; stop it if it does not come back.
    gateway_tool_failing: Rule: a tool of an agent fails again and again. Compare the errors of the
      calls.
    gateway_job_failed: Rule: the last run of a gateway's job failed. See its words in the row and the
      job in CMD.
    gateway_job_missed: Rule: a gateway's job was due and did not begin. See whether it is switched
      off, then the gateway's log.
    gateway_approval_expired: Rule: an agent asked for an approval or an answer and nobody gave it in
      time. Ask it again if it still matters.
    """)
}

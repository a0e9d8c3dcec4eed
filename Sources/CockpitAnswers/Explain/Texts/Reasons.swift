extension Explanations {
  /// Reason codes: of decisions, ends, joins, refusals (contract 3.4, 4.5 and appendix A).
  static let reasons = ExplanationGroup(
    .reason,
    """
    bot_turn_open: The bot was speaking, so it did not take this turn. Normal when people talk
      over it.
    command_only_not_addressed: Only commands are answered there, and the bot was not addressed.
      Calling it by its name helps.
    generation_decides: No rule decided; the answering model itself chose to speak or to stay
      silent.
    interrupted_reply_followup: It went on with a reply that someone had interrupted.
    llm_unavailable: The model could not be reached. Look for llm_error rows around it; check key,
      quota and the provider's status.
    missing_transcript: Nothing was recognised in what was said. Look at the recogniser in VOICE
      if it happens often.
    model_yes: The model that decides said that the bot should answer.
    model_no: The model that decides said that it was not for the bot. Saying its name helps.
    music_playing_not_awake: Music was playing and no one had called the bot by its name. Say its
      name to wake it.
    native_realtime: The realtime provider decides by itself in this mode; the bot's own rules
      were not asked.
    owned_tool_followup: A tool of this speaker had just answered, so what he said next counted as
      addressed to the bot.
    owned_tool_followup_cancel: The speaker whose tool ran called it off.
    owned_tool_followup_other_speaker_blocked: A tool was waiting for one speaker and another one
      spoke: only the first is answered meanwhile.
    pending_command_followup: The bot had asked something for a command and took this as the
      answer.
    classifier_runtime_error: The model that decides failed, so the bot stayed silent. Look for
      llm_error rows around it.
    unparseable_classifier_output: The model that decides gave an answer that could not be read.
      When it repeats try another classifier model.
    llm_skip: The answering model chose to say nothing. Its prompt and output in BRAIN say more.
    server_vad_confirmed: The provider's voice detection confirmed that it was speech.
    strong_local_audio: The sound was loud and long enough to count as speech without the
      provider.
    silence_gate: The capture was too quiet to be speech and was let go. Check the speaker's
      microphone if words get lost.
    provisional_capture: The sound ended before it counted as speech.
    empty_capture: The capture held no sound.
    asr_low_confidence: The recogniser was not sure of the words, so they were let go.
    asr_control_tokens: The recogniser gave control signs instead of words.
    asr_sparse_transcript: The recogniser heard too few words for the length of the sound, so they
      were let go.
    idle_hallucination: The recogniser made words up out of silence; the bot let them go.
    no_bridge_transcript: No transcript came that could have been forwarded to the realtime
      provider.
    empty_transcript: The recogniser gave no words.
    superseded: Newer speech took the place of this turn before it was answered.
    never_played: An answer was made and its sound never began within 30 s. Look for voice_error
      rows; have the bot leave and join again.
    watchdog_timeout: The answer did not come in time and was given up.
    generation_watchdog_timeout: The model took longer than 20 s and the turn was given up. Check
      the provider's latency.
    nl_leave: Someone asked the bot in words to leave.
    switch_channel: The session ended because the bot moved to another voice channel.
    assistant_leave_directive: The model itself decided to leave the channel.
    settings_disabled: Voice was switched off in the settings of the bot, which ends every
      session.
    settings_channel_blocked: The settings of the bot forbid this voice channel.
    settings_channel_not_allowlisted: The settings of the bot allow other voice channels only.
    max_duration: The session reached its longest allowed time. Have the bot join again, or raise
      the limit in its settings.
    inactivity_timeout: No one spoke for so long that the bot left. Its settings have the time.
    realtime_runtime_error: The realtime provider failed and the session ended. Check its status,
      key and quota; join again.
    realtime_socket_closed: The connection to the realtime provider was closed. When it repeats
      check network, key and quota.
    connection_lost: The bot lost the connection to Discord voice. Join again; check the host's
      network when it repeats.
    subprocess_crashed: The voice helper program of the bot crashed. Join again; the bot's own log
      says more.
    bot_disconnected: Someone or Discord disconnected the bot from the channel.
    response_stalled: An answer hung and the session was ended. Join again; look for voice_error
      rows before it.
    shutdown: The bot was shut down or restarted.
    joined: The bot is in the voice channel now.
    already_in_channel: The bot was in that channel already; nothing changed.
    no_guild_available: The bot is in no server, or Discord is not ready yet. Try again in a
      minute.
    guild_not_found: The bot is not in that server. Check the server's id.
    requester_not_in_voice: The person to follow is in no voice channel. Join one first: the bot
      follows a person.
    requester_is_bot: The person to follow is a bot. Choose a person.
    no_voice_members_found: No one is in voice, so there is no one to follow.
    text_channel_unavailable: There is no text channel where the bot may write. Give it the right
      to post in one.
    join_not_handled: The bot did not act on the request to join. Try again; see its log.
    voice_join_unconfirmed: The bot tried to join and is not in the channel. Check its rights
      there and try again.
    voice_join_unknown: The bot gave no usable answer to the request to join. VOICE shows whether
      it came.
    voice_join_unavailable: This backend has no voice. Nothing can be joined.
    added_new: A fact was written that was not known before.
    updated_existing: A known fact was written again with new words or confidence.
    merged_superseded: A fact replaced an older one that it contradicts or contains.
    direct_address: The message was addressed to the bot by mention, reply or name.
    hard_address: The message was taken as clearly addressed to the bot.
    name_exact: The message has the bot's name in it.
    exact_name: The bot's name stands in the message as it is spelled.
    below_threshold: The bot was not sure enough that the message was for it.
    message_event: A message in Discord set it off.
    message_create: A new message in Discord set it off.
    stream_end: The capture ended because the sound ended.
    idle_ttl: The recogniser was closed because no one spoke for its idle time. It opens again by
      itself.
    idle_timeout: It was ended because nothing happened for its idle time.
    hourly_message_cap: The bot has reached its messages for this hour and waits.
    message_cooldown_active: The bot has just posted and waits before the next report.
    min_gap_active: Too little time has passed since the last post.
    no_significant_events: Nothing happened that was worth a report.
    unauthorized_public_api_token: The token for sending screen frames is missing or wrong.
    unauthorized_dashboard_token: The dashboard token is missing or wrong. :setup takes another
      one.
    dashboard_or_public_api_token_required: The bot has no token set, so it takes no screen
      frames.
    dashboard_token_required_when_public_https_enabled: The bot has a public address and no
      dashboard token, so it refuses everybody. Set DASHBOARD_TOKEN there.
    settings_version_required: Settings were sent without their version and were refused.
    settings_conflict: Settings were changed by someone else meanwhile. Read them again, then
      save.
    payload_too_large: What was sent is larger than the backend takes (7 MiB, frames 6 MB).
    invalid_json_body: What was sent is no JSON. A proxy may have changed it.
    ingest_rate_limited: More than 1,200 screen frames came within a minute from one address.
    not_found: The fact is gone, or belongs to another server. Reload the list.
    duplicate: Another fact in the same scope says the same. Change the text or delete one.
    guild_name_confirmation_mismatch: The server's name was not typed exactly, so nothing was
      deleted.
    decision: The addressing came from the row of the decision itself.
    interrupted: Someone spoke over the bot's answer and it was cut off. Marked [interrupted] in
      the transcript.
    unknown_sound: There is no soundboard sound of that name.
    structured_output_recovered_as_prose: The model was asked for a form and answered in prose;
      the bot used the prose.
    openai_active_response: The realtime provider is making an answer.
    pending_response: An answer was asked for and has not begun.
    bot_audio_live: Sound of an answer is coming in and is played.
    bot_audio_buffered: The answer is complete and its sound is still played.
    user_pause: A person paused the music.
    wake_word: Someone called the bot, and the music was paused for it.
    slash_command: A slash command in Discord did it.
    tool_call: A tool that the model called did it.
    """)
}

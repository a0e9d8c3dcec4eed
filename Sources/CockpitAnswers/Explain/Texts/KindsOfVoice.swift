extension Explanations {
  /// Kinds of rows about voice, recognition, speech, music and screens (contract 4.4).
  static let kindsOfVoice = ExplanationGroup(
    .kind,
    """
    voice_session_start: The bot joined a voice channel. The row's channel is the text channel;
      voiceChannelId is where it speaks.
    voice_session_end: The bot left voice; the content is the reason. explain with that reason
      says what to do.
    voice_turn_in: Someone's sound counted as speech. The row has no words; they come in the
      asr_final_segment row after it.
    voice_turn_out: The bot's sound began. The row has no words; realtime_reply_requested has
      them.
    voice_runtime: A step of a voice session; the event name in the content says which. About 250
      names exist; explain with the event's own name.
    voice_error: A failure in voice, or a warning of the realtime provider: both have this kind.
      The event name tells which.
    voice_warn: The voice helper process sent sound that could not be read. Rare ones do no harm.
    voice_info: A voice message was not sent to the channel because the bot is set to be less
      chatty there.
    voice_soundboard_play: The bot played a sound of the soundboard; the content is the sound's
      id.
    voice_music: A search for music or a request for it was finished. The guild is in the
      metadata, so a guild filter hides this row.
    voice_lifecycle: The voice helper program was not found at the start. Not expected in the log:
      it is written before the log is ready.
    music_player: A step of the music player: finding, playing, failing. It has no guild, so a
      guild filter hides it.
    stream_discovery: A screen share was noticed, joined or lost. Some rows have JSON in the
      content and no metadata.
    asr_call: Speech was sent to a recogniser. The row has no cost and no words.
    asr_error: The speech recogniser failed, so the bot did not understand. Check its provider and
      key when it repeats.
    tts_call: Text was turned into speech. The row has no cost.
    tts_error: Text could not be turned into speech: the bot had an answer and no voice. Check the
      provider when it repeats.
    """)
}

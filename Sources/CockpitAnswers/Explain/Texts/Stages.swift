extension Explanations {
  /// Steps of a turn and the stages of its delay (contract 7.2 and 8.5).
  static let stages = ExplanationGroup(
    .stage,
    """
    capture: Step of a turn, and lane in VOICE: sound of a speaker was recorded.
    promoted: Step of a turn: the sound counted as speech. Before that it is only noise that is
      listened to.
    asr: Step of a turn, and lane in VOICE: speech was turned into words.
    generation: Step of a turn: the model made the answer.
    tools: Step of a turn: tools ran for the answer. Not used is normal.
    reply: Step of a turn: the answer was handed over to be spoken.
    audio: Step of a turn: the answer was heard. Where it stops here, an answer was made and not
      played.
    decision: Step of a turn, and lane in VOICE: it was decided whether to answer. The reason
      stands beside it.
    admission: Stage of a text answer: may this message be answered at all?
    fin>asr: Delay from the end of speech to the start of recognition (finalizedToAsrStartMs).
    asr>gen: Delay from the finished words to the start of the model (asrToGenerationStartMs).
    gen>reply: Delay from the start of the model to the handing over for speech
      (generationToReplyRequestMs). Usually the longest; a slow one is the model or its tools.
    reply>audio: Delay from the handing over to the first sound (replyRequestToAudioStartMs). A
      slow one is the speech provider.
    reply_requested: The first of two delay rows of an answer: handed over, no sound yet.
    audio_started: The second of two delay rows of an answer: complete, with the first sound.
    output: Lane in VOICE: what the bot says: requests, sound, delays and failures.
    bargeIn: Lane in VOICE: people who talk over the bot.
    screen: Lane in VOICE: screens that are watched or shared.
    thought: Lane in VOICE: what the bot thinks of saying by itself.
    music: Lane in VOICE: music and sounds.
    other: Lane in VOICE: events that belong to no other lane.
    """)
}

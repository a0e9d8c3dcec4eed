internal import CockpitStores

/// Spoken turns and thoughts that were heard. Sentences are those of the verdict that VOICE shows.
extension WhyRule {
  static let voiceAnswers = [interrupted, thoughtSpoken, spoken]

  /// The verdict's sentence.
  static func verdict(_ exchange: Exchange) -> String { exchange.voice?.verdict.sentence ?? "" }

  /// The row of a moment of the turn.
  static func source(_ exchange: Exchange, _ mark: VoiceTurnRecord.Mark?) -> Exchange.Source? {
    mark.flatMap { exchange.voice?.sources[$0.event] }
  }

  static func outcome(_ exchange: Exchange) -> VoiceTurnRecord.Outcome? {
    exchange.voice?.turn.outcome
  }

  /// Evidence of the turn other than its outcome.
  static func turnEvidence(_ exchange: Exchange) -> [Claim] {
    [
      (exchange.admission?.source, "the decision"), (exchange.wordsSource, "what was understood"),
      (exchange.trigger, "the first row"),
    ]
  }

  static func toTurn(_ exchange: Exchange, _ sentence: String) -> Answer.NextStep {
    Answer.NextStep(sentence, target: exchange.trigger?.row.map { .row($0) })
  }

  private static func heard(_ exchange: Exchange) -> [Claim] {
    let turn = exchange.voice?.turn
    let audio = source(exchange, turn?.audioStarted) ?? exchange.sources.last
    let claims: [Claim] = [
      (audio, "the sound"), (source(exchange, turn?.replyRequested), "the reply"),
    ]
    return claims + turnEvidence(exchange)
  }

  /// That it was heard may follow from a row of delays only.
  private static func certainty(_ exchange: Exchange) -> Answer.State {
    exchange.voice?.turn.audioStarted?.isInferred == false ? .observed : .inferred
  }

  private static let interrupted = WhyRule(
    "voice.interrupted", .interrupted, stop: .output,
    when: { outcome($0) == .interrupted }, says: verdict,
    reason: { _ in "interrupted" },
    evidence: { exchange in
      [(source(exchange, exchange.voice?.turn.interrupted), "the interruption")] + heard(exchange)
    },
    next: { toTurn($0, "Look at the turn in VOICE: who spoke over it, and when.") },
    fixture: WhyFixture(
      carriers: [],
      """
      0 voice_turn_in voice_activity_started {"sessionId":"$S"}
      1600 voice_runtime openai_realtime_asr_final_segment {"sessionId":"$S",
        "speakerName":"kofi","transcript":"clanky read step two","itemId":"i1"}
      1601 voice_runtime voice_turn_addressing {"sessionId":"$S","source":"realtime",
        "allow":true,"reason":"generation_decides","heard":"clanky read step two",
        "talkingTo":"ME"}
      2300 voice_runtime@bot realtime_reply_requested {"sessionId":"$S","source":"realtime",
        "requestId":1,"replyText":"Step two: fold."}
      2500 voice_turn_out@bot bot_audio_started {"sessionId":"$S"}
      2900 voice_runtime voice_barge_in_interrupt {"sessionId":"$S"}
      """))

  private static let thoughtSpoken = WhyRule(
    "thought.spoken", .spoken,
    when: { $0.medium == .thought && outcome($0) == .responded }, says: verdict,
    reason: { $0.voice?.turn.decision?.reason },
    evidence: heard, next: { toTurn($0, "Look at the thought in VOICE.") },
    fixture: WhyFixture(
      carriers: [],
      """
      0 voice_runtime@bot voice_thought_decision {"sessionId":"$S","allow":true,
        "reason":"a gap, and it fits","finalThought":"the kettle is on","thoughtId":"t1"}
      1 voice_runtime@bot voice_thought_spoken {"sessionId":"$S",
        "thoughtText":"the kettle is on","thoughtId":"t1"}
      500 voice_runtime@bot realtime_reply_requested {"sessionId":"$S","source":"voice_thought",
        "requestId":4,"replyText":"the kettle is on"}
      700 voice_turn_out@bot bot_audio_started {"sessionId":"$S"}
      """)
  ).with(state: certainty)

  private static let spoken = WhyRule(
    "voice.spoken", .spoken,
    when: { outcome($0) == .responded }, says: verdict, evidence: heard,
    next: { toTurn($0, "Look at the turn in VOICE, and at its prompt in BRAIN.") },
    fixture: WhyFixture(
      carriers: [6],
      """
      0 voice_turn_in voice_activity_started {"sessionId":"$S"}
      1500 voice_runtime voice_turn_finalized {"sessionId":"$S","durationMs":1500}
      1800 voice_runtime openai_realtime_asr_final_segment {"sessionId":"$S",
        "speakerName":"kofi","transcript":"clanky read step two","itemId":"i1"}
      1801 voice_runtime voice_turn_addressing {"sessionId":"$S","source":"realtime",
        "allow":true,"reason":"generation_decides","heard":"clanky read step two",
        "directAddressed":true,"talkingTo":"ME"}
      2600 voice_runtime@bot realtime_reply_requested {"sessionId":"$S","source":"realtime",
        "requestId":1,"replyText":"Step two: fold."}
      2800 voice_turn_out@bot bot_audio_started {"sessionId":"$S"}
      """)
  ).with(state: certainty)
}

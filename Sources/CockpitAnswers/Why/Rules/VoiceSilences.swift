internal import CockpitStores

/// Spoken turns that were not answered, or whose answer was not heard.
extension WhyRule {
  static let voiceSilences = [
    voiceSkipped, voiceDenied, voiceSuperseded, voiceUnheard, neverPlayed, mute, maybePlayed,
    voiceFailed, voiceOpen, voiceUnknown,
  ]

  private static func code(_ exchange: Exchange) -> String? {
    exchange.voice?.endReason ?? exchange.voice?.turn.reason
  }

  private static func isSoundMissing(_ exchange: Exchange) -> Bool {
    outcome(exchange) == .failed && exchange.voice?.verdict.stop == .audio
  }

  private static let voiceSkipped = WhyRule(
    "voice.skipped", .skipped, stop: .generated,
    when: { outcome($0) == .denied && $0.voice?.turn.skipped != nil }, says: verdict,
    reason: code,
    evidence: { exchange in
      [(source(exchange, exchange.voice?.turn.skipped), "the skip")] + turnEvidence(exchange)
    },
    next: { toTurn($0, "Read the prompt and the output of the call in BRAIN.") },
    fixture: WhyFixture(
      carriers: [4],
      """
      0 voice_turn_in voice_activity_started {"sessionId":"$S"}
      1800 voice_runtime openai_realtime_asr_final_segment {"sessionId":"$S",
        "speakerName":"kofi","transcript":"no, the other one","itemId":"i1"}
      1801 voice_runtime voice_turn_addressing {"sessionId":"$S","source":"realtime",
        "allow":true,"reason":"generation_decides","heard":"no, the other one","talkingTo":"ALL"}
      2600 voice_runtime@bot realtime_reply_skipped {"sessionId":"$S","source":"realtime",
        "skipCause":"model_skip"}
      """))

  private static let voiceDenied = WhyRule(
    "voice.denied", .notAdmitted, stop: .admitted,
    when: { outcome($0) == .denied }, says: verdict,
    reason: { $0.voice?.turn.decision?.reason ?? code($0) },
    evidence: turnEvidence,
    next: { toTurn($0, "Say its name to be sure of an answer; K explains the code.") },
    fixture: WhyFixture(
      carriers: [3],
      """
      0 voice_turn_in voice_activity_started {"sessionId":"$S"}
      1800 voice_runtime openai_realtime_asr_final_segment {"sessionId":"$S",
        "speakerName":"kofi","transcript":"the crates are behind door three","itemId":"i1"}
      1801 voice_runtime voice_turn_addressing {"sessionId":"$S","source":"realtime",
        "allow":false,"reason":"model_no","heard":"the crates are behind door three",
        "talkingTo":"ALL"}
      """))

  private static let voiceSuperseded = WhyRule(
    "voice.superseded", .superseded, stop: .delivered,
    when: { outcome($0) == .dropped && $0.voice?.turn.reason == "superseded" }, says: verdict,
    reason: code,
    evidence: { exchange in
      [(source(exchange, exchange.voice?.turn.dropped), "newer speech")] + turnEvidence(exchange)
    },
    next: { toTurn($0, "Look at the turn after it in VOICE: that one took its place.") },
    fixture: WhyFixture(
      carriers: [4],
      """
      0 voice_turn_in voice_activity_started {"sessionId":"$S"}
      1800 voice_runtime openai_realtime_asr_final_segment {"sessionId":"$S",
        "speakerName":"kofi","transcript":"clanky how far is it","itemId":"i1"}
      1801 voice_runtime voice_turn_addressing {"sessionId":"$S","source":"realtime",
        "allow":true,"reason":"generation_decides","heard":"clanky how far is it",
        "talkingTo":"ME"}
      2700 voice_runtime realtime_reply_superseded_newer_input {"sessionId":"$S",
        "source":"realtime","requestId":2}
      """))

  private static let voiceUnheard = WhyRule(
    "voice.unheard", .unheard, stop: .cameIn,
    when: { outcome($0) == .dropped }, says: verdict, reason: code,
    evidence: { exchange in
      [(source(exchange, exchange.voice?.turn.dropped), "it was let go")] + turnEvidence(exchange)
    },
    next: { toTurn($0, "Check the microphone of the speaker, and the recogniser in VOICE.") },
    fixture: WhyFixture(
      carriers: [3],
      """
      0 voice_turn_in voice_activity_started {"sessionId":"$S"}
      1500 voice_runtime voice_turn_finalized {"sessionId":"$S","durationMs":1500}
      1900 voice_runtime voice_turn_dropped_silence_gate {"sessionId":"$S","peak":0.03}
      """))

  private static let neverPlayed = WhyRule(
    "voice.never_played", .notSent, .inferred, stop: .output,
    when: {
      isSoundMissing($0) && $0.voice?.turn.isOutcomeInferred == true && $0.isComplete
    },
    says: verdict, reason: code,
    evidence: { exchange in
      [(source(exchange, exchange.voice?.turn.replyRequested), "speech was asked for")]
        + turnEvidence(exchange)
    },
    next: { toTurn($0, "Look for voice_error rows; have the bot leave and join again.") },
    fixture: WhyFixture(
      carriers: [4],
      """
      0 voice_turn_in voice_activity_started {"sessionId":"$S"}
      1800 voice_runtime openai_realtime_asr_final_segment {"sessionId":"$S",
        "speakerName":"kofi","transcript":"clanky read step two","itemId":"i1"}
      1801 voice_runtime voice_turn_addressing {"sessionId":"$S","source":"realtime",
        "allow":true,"reason":"generation_decides","heard":"clanky read step two",
        "talkingTo":"ME"}
      2600 voice_runtime@bot realtime_reply_requested {"sessionId":"$S","source":"realtime",
        "requestId":1,"replyText":"Step two: fold."}
      90000 voice_turn_in voice_activity_started {"sessionId":"$S"}
      """))

  private static let mute = WhyRule(
    "voice.mute", .notSent, stop: .output,
    when: { isSoundMissing($0) && $0.voice?.turn.isOutcomeInferred == false }, says: verdict,
    reason: code,
    evidence: { exchange in
      [
        (source(exchange, exchange.voice?.turn.failed), "no sound came"),
        (source(exchange, exchange.voice?.turn.replyRequested), "speech was asked for"),
      ] + turnEvidence(exchange)
    },
    next: { toTurn($0, "Check the speech provider; have the bot leave and join again.") },
    fixture: WhyFixture(
      carriers: [5],
      """
      0 voice_turn_in voice_activity_started {"sessionId":"$S"}
      1800 voice_runtime openai_realtime_asr_final_segment {"sessionId":"$S",
        "speakerName":"kofi","transcript":"clanky read step two","itemId":"i1"}
      1801 voice_runtime voice_turn_addressing {"sessionId":"$S","source":"realtime",
        "allow":true,"reason":"generation_decides","heard":"clanky read step two",
        "talkingTo":"ME"}
      2600 voice_runtime@bot realtime_reply_requested {"sessionId":"$S","source":"realtime",
        "requestId":1,"replyText":"Step two: fold."}
      12800 voice_error@bot response_silent_fallback {"sessionId":"$S","requestId":1,
        "responseStatus":"completed"}
      """))

  /// No sound is on record, and rows of that time are missing.
  private static let maybePlayed = WhyRule(
    "voice.unknown.sound", .unknown, .unknown, stop: .output,
    when: { isSoundMissing($0) },
    says: { exchange in
      "Unknown: an answer to \(exchange.authorName) was handed to speech, and no sound of it is on "
        + "record; not all rows of that time are here."
    },
    evidence: { exchange in
      [(source(exchange, exchange.voice?.turn.replyRequested), "speech was asked for")]
        + turnEvidence(exchange)
    },
    next: { _ in
      Answer.NextStep("Rows of that time are missing here: fetch more of the past, and ask again.")
    },
    fixture: WhyFixture(
      carriers: [], missing: [5],
      """
      0 voice_turn_in voice_activity_started {"sessionId":"$S"}
      1800 voice_runtime openai_realtime_asr_final_segment {"sessionId":"$S",
        "speakerName":"kofi","transcript":"clanky read step two","itemId":"i1"}
      1801 voice_runtime voice_turn_addressing {"sessionId":"$S","source":"realtime",
        "allow":true,"reason":"generation_decides","heard":"clanky read step two",
        "talkingTo":"ME"}
      2600 voice_runtime@bot realtime_reply_requested {"sessionId":"$S","source":"realtime",
        "requestId":1,"replyText":"Step two: fold."}
      2800 voice_turn_out@bot bot_audio_started {"sessionId":"$S"}
      90000 voice_turn_in voice_activity_started {"sessionId":"$S"}
      """))

  private static let voiceFailed = WhyRule(
    "voice.model_failed", .modelFailed, stop: .model,
    when: { outcome($0) == .failed }, says: verdict, reason: code,
    evidence: { exchange in
      [(source(exchange, exchange.voice?.turn.failed), "it failed")] + turnEvidence(exchange)
    },
    next: { toTurn($0, "Check the model provider's status page, key and quota.") },
    fixture: WhyFixture(
      carriers: [4],
      """
      0 voice_turn_in voice_activity_started {"sessionId":"$S"}
      1800 voice_runtime openai_realtime_asr_final_segment {"sessionId":"$S",
        "speakerName":"kofi","transcript":"clanky read step two","itemId":"i1"}
      1801 voice_runtime voice_turn_addressing {"sessionId":"$S","source":"realtime",
        "allow":true,"reason":"generation_decides","heard":"clanky read step two",
        "talkingTo":"ME"}
      2700 voice_error@bot voice_brain_generation_failed {"sessionId":"$S","source":"realtime",
        "reason":"fetch_failed","error":"fetch failed"}
      """))

  private static let voiceOpen = WhyRule(
    "voice.open", .open, .unknown,
    when: { outcome($0) == .pending && $0.isOpen },
    says: { exchange in
      guard exchange.isCutOff else { return verdict(exchange) }
      let sentence = verdict(exchange)
      return "When the connection was lost: " + sentence.prefix(1).lowercased()
        + sentence.dropFirst()
    },
    evidence: turnEvidence, next: WhyWords.waiting,
    fixture: WhyFixture(
      carriers: [], isOpen: true,
      """
      0 voice_turn_in voice_activity_started {"sessionId":"$S"}
      """))

  private static let voiceUnknown = WhyRule(
    "voice.unknown", .unknown, .unknown,
    when: { $0.voice != nil }, says: verdict, evidence: turnEvidence,
    next: { exchange in
      exchange.isComplete
        ? toTurn(exchange, "Look into the bot's own log at that time.")
        : Answer.NextStep(
          "Rows of that time are missing here: fetch more of the past, and ask again.")
    },
    fixture: WhyFixture(
      carriers: [],
      """
      0 voice_turn_in voice_activity_started {"sessionId":"$S"}
      1800 voice_runtime openai_realtime_asr_final_segment {"sessionId":"$S",
        "speakerName":"kofi","transcript":"clanky read step two","itemId":"i1"}
      """))
}

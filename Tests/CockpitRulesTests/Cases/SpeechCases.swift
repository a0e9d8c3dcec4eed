import CockpitRules

/// Recordings for the rules about what is heard.
enum SpeechCases {
  static let all = emptyASR + silenceGate + confidence + music + bargeIn

  private static func turn(
    _ tape: inout RuleTape, _ at: Double, _ user: String = "ada", ms: Int = 900
  ) {
    tape.voice(
      "voice_activity_started", at, #""promotionReason":"server_vad_confirmed""#, user: user)
    tape.voice("voice_turn_finalized", at + Double(ms) / 1000, #""durationMs":\#(ms)"#, user: user)
  }

  static let emptyASR: [RuleCase] = [
    .fires(.emptyASR, "a bridge without transcript", [.critical]) {
      turn(&$0, 0)
      $0.voice("voice_turn_dropped_no_bridge_transcript", 2)
    },
    .fires(.emptyASR, "the bridge timed out", [.critical]) {
      turn(&$0, 0)
      $0.voice("openai_realtime_asr_bridge_timeout_fallback", 3, #""waitMs":2000"#)
    },
    .fires(.emptyASR, "two people, one of them unheard", [.critical]) {
      turn(&$0, 0, "ada")
      turn(&$0, 0.5, "ben")
      $0.voice("openai_realtime_asr_final_segment", 2, #""transcript":"hello there""#, user: "ben")
      $0.voice("voice_realtime_transcription_empty", 2.5, user: "ada")
    },
    .fires(.emptyASR, "again within five minutes is one incident", [.critical]) {
      turn(&$0, 0)
      $0.voice("voice_turn_skipped_empty_capture", 2)
      turn(&$0, 60)
      $0.voice("voice_turn_skipped_empty_capture", 62)
    },
    .fires(.emptyASR, "a final without a letter is no word", [.critical]) {
      turn(&$0, 0)
      $0.voice("openai_realtime_asr_final_segment", 1.5, #""transcript":" … ""#)
      $0.voice("voice_turn_dropped_asr_sparse_transcript", 2)
    },
    .quiet(.emptyASR, "it was understood") {
      turn(&$0, 0)
      $0.voice("openai_realtime_asr_final_segment", 1.5, #""transcript":"what time is it""#)
      $0.voice("voice_realtime_transcription_empty", 2)
    },
    .quiet(.emptyASR, "the words came just after the closing event") {
      turn(&$0, 0)
      $0.voice("openai_realtime_asr_bridge_timeout_fallback", 3)
      $0.voice("openai_realtime_asr_final_segment", 4.5, #""transcript":"what time is it""#)
    },
    .quiet(.emptyASR, "the words came from the file") {
      turn(&$0, 0)
      $0.voice("voice_realtime_transcription_empty", 1.5)
      $0.voice("file_asr_transcript", 2.5, #""transcript":"what time is it""#)
    },
    .quiet(.emptyASR, "the turn was held for others of the room") {
      turn(&$0, 0)
      $0.voice("realtime_turn_held_room_coalesce", 1, user: "ben")
      $0.voice("openai_realtime_asr_bridge_timeout_fallback", 3)
    },
    .quiet(.emptyASR, "it was merged after it closed") {
      turn(&$0, 0)
      $0.voice("openai_realtime_asr_bridge_timeout_fallback", 3)
      $0.voice("realtime_turn_room_coalesce_flushed", 4, user: "ben")
    },
    .quiet(.emptyASR, "the silence gate dropped it") {
      turn(&$0, 0)
      $0.voice("voice_turn_dropped_silence_gate", 1, #""peak":0.02"#)
      $0.voice("voice_turn_skipped_empty_capture", 1.1)
    },
    .quiet(.emptyASR, "a provisional capture") {
      turn(&$0, 0)
      $0.voice("voice_turn_dropped_provisional_capture", 1)
      $0.voice("voice_realtime_transcription_empty", 1.2)
    },
    .quiet(.emptyASR, "shorter than 700 ms") {
      turn(&$0, 0, ms: 500)
      $0.voice("voice_turn_dropped_no_bridge_transcript", 2)
    },
    .quiet(.emptyASR, "the session ended within two seconds") {
      turn(&$0, 0)
      $0.voice("voice_turn_dropped_no_bridge_transcript", 2)
      $0.voice("voice_session_end", 3)
    },
  ]

  private static func drop(
    _ tape: inout RuleTape, _ at: Double, _ user: String = "ada", peak: Double = 0.2,
    more: String = ""
  ) {
    tape.voice(
      "voice_turn_dropped_silence_gate", at, #""peak":\#(peak),"rms":0.01"# + more, user: user)
  }

  static let silenceGate: [RuleCase] = [
    .fires(.silenceGateDrops, "three within a minute", [.warning]) {
      for at in [0.0, 20, 59] { drop(&$0, at) }
    },
    .fires(.silenceGateDrops, "two people, three each", [.warning, .warning]) {
      for at in [0.0, 10, 20] { for user in ["ada", "ben"] { drop(&$0, at, user) } }
    },
    .fires(.silenceGateDrops, "an open microphone is told once", [.info]) {
      for at in [0.0, 10, 20, 700, 710, 720] { drop(&$0, at, peak: 0.004) }
    },
    .fires(.silenceGateDrops, "one loud peak makes it speech", [.warning]) {
      for at in [0.0, 10] { drop(&$0, at, peak: 0.004) }
      drop(&$0, 20, peak: 0.4)
    },
    .quiet(.silenceGateDrops, "two are not three") { for at in [0.0, 20] { drop(&$0, at) } },
    .quiet(.silenceGateDrops, "three in more than a minute") {
      for at in [0.0, 40, 80] { drop(&$0, at) }
    },
    .quiet(.silenceGateDrops, "three people, one each") {
      for user in ["ada", "ben", "eve"] { drop(&$0, 1, user) }
    },
    .quiet(.silenceGateDrops, "bursts of noise") {
      for at in [0.0, 10, 20] { drop(&$0, at, more: #","isBurstArtifact":true"#) }
    },
    .quiet(.silenceGateDrops, "three sessions, one each") {
      for session in ["s1", "s2", "s3"] {
        $0.voice("voice_turn_dropped_silence_gate", 1, #""peak":0.3"#, in: session)
      }
    },
    .quiet(.silenceGateDrops, "dropped for another reason") {
      for at in [0.0, 10, 20] { $0.voice("voice_turn_dropped_provisional_capture", at) }
    },
  ]

  private static func unsure(
    _ tape: inout RuleTape, _ at: Double, _ user: String = "ada", ms: Int = 1200
  ) {
    tape.voice(
      "voice_turn_dropped_asr_low_confidence", at,
      #""meanLogprob":-1.4,"threshold":-1.0,"clipDurationMs":\#(ms)"#, user: user)
  }

  static let confidence: [RuleCase] = [
    .fires(.confidenceDegraded, "three within five minutes", [.warning]) {
      for at in [0.0, 100, 290] { unsure(&$0, at) }
    },
    .fires(.confidenceDegraded, "one understood turn does not refute it", [.warning]) {
      unsure(&$0, 0)
      $0.voice("openai_realtime_asr_final_segment", 10, #""transcript":"hello""#)
      unsure(&$0, 20)
      unsure(&$0, 30)
    },
    .fires(.confidenceDegraded, "what others say does not count", [.warning]) {
      for at in [0.0, 20, 30] {
        unsure(&$0, at)
        $0.voice("openai_realtime_asr_final_segment", at + 1, #""transcript":"yes""#, user: "ben")
      }
    },
    .quiet(.confidenceDegraded, "two are not three") { for at in [0.0, 20] { unsure(&$0, at) } },
    .quiet(.confidenceDegraded, "two turns between were understood") {
      unsure(&$0, 0)
      for at in [5.0, 10] { $0.voice("file_asr_transcript", at, #""transcript":"hello""#) }
      unsure(&$0, 20)
      unsure(&$0, 30)
    },
    .quiet(.confidenceDegraded, "short clips") {
      for at in [0.0, 20, 30] { unsure(&$0, at, ms: 300) }
    },
    .quiet(.confidenceDegraded, "over more than five minutes") {
      for at in [0.0, 200, 400] { unsure(&$0, at) }
    },
    .quiet(.confidenceDegraded, "three people") {
      for user in ["ada", "ben", "eve"] { unsure(&$0, 1, user) }
    },
    .quiet(.confidenceDegraded, "a new session begins anew") {
      unsure(&$0, 0)
      unsure(&$0, 10)
      $0.voice("voice_session_end", 20)
      unsure(&$0, 30)
    },
  ]

  static let music: [RuleCase] = [
    .fires(.musicMasksSpeech, "two lost turns while it plays", [.warning]) {
      $0.voice("voice_music_started", 0, #""title":"Blue in Green""#)
      $0.voice("voice_turn_dropped_silence_gate", 5)
      $0.voice("voice_turn_dropped_asr_low_confidence", 30)
    },
    .fires(.musicMasksSpeech, "a state tells that it plays", [.warning]) {
      $0.state(0) { $0.isMusicPlaying = true }
      $0.voice("voice_realtime_transcription_empty", 5)
      $0.voice(
        "voice_turn_addressing", 30,
        #""allow":false,"reason":"music_playing_not_awake","directedConfidence":0.9"#)
    },
    .fires(.musicMasksSpeech, "ten of twelve with music, one of twelve without", [.warning]) {
      for at in 0..<12 { $0.voice("voice_activity_started", Double(at)) }
      $0.voice("voice_turn_dropped_silence_gate", 13)
      $0.voice("voice_music_started", 20)
      for at in 0..<12 { $0.voice("voice_activity_started", 30 + Double(at) * 5) }
      for at in 0..<10 { $0.voice("voice_turn_dropped_silence_gate", 90 + Double(at) * 5) }
    },
    .quiet(.musicMasksSpeech, "one lost turn") {
      $0.voice("voice_music_started", 0)
      $0.voice("voice_turn_dropped_silence_gate", 5)
    },
    .quiet(.musicMasksSpeech, "no music") {
      for at in [0.0, 10, 20] { $0.voice("voice_turn_dropped_silence_gate", at) }
    },
    .quiet(.musicMasksSpeech, "the music had stopped") {
      $0.voice("voice_music_started", 0)
      $0.voice("voice_music_paused", 3)
      for at in [5.0, 10] { $0.voice("voice_turn_dropped_silence_gate", at) }
    },
    .quiet(.musicMasksSpeech, "nobody addressed the bot") {
      $0.voice("voice_music_started", 0)
      for at in [5.0, 10] {
        $0.voice(
          "voice_turn_addressing", at,
          #""allow":false,"reason":"music_playing_not_awake","directedConfidence":0.3"#)
      }
    },
    .quiet(.musicMasksSpeech, "as many are lost without music") {
      for at in 0..<12 { $0.voice("voice_activity_started", Double(at) * 10) }
      for at in 0..<6 { $0.voice("voice_turn_dropped_silence_gate", Double(at) * 10 + 5) }
      for at in 0..<12 { $0.voice("voice_activity_started", 200 + Double(at)) }
      $0.voice("voice_music_started", 199)
      for at in 0..<6 { $0.voice("voice_turn_dropped_silence_gate", 220 + Double(at) * 50) }
      for at in 0..<2 { $0.voice("voice_turn_dropped_silence_gate", 600 + Double(at)) }
    },
    .quiet(.musicMasksSpeech, "two minutes apart") {
      $0.voice("voice_music_started", 0)
      for at in [5.0, 125] { $0.voice("voice_turn_dropped_silence_gate", at) }
    },
  ]

  private static func gate(
    _ tape: inout RuleTape, _ at: Double, capture: String, allow: Bool = false
  ) {
    tape.voice(
      "voice_barge_in_gate", at,
      #""allow":\#(allow),"reason":"echo_guard","captureUtteranceId":"\#(capture)""#)
  }

  static let bargeIn: [RuleCase] = [
    .fires(.bargeInStorm, "three captures within ten seconds", [.warning]) {
      for (index, at) in [0.0, 4, 9].enumerated() { gate(&$0, at, capture: "u\(index)") }
    },
    .fires(.bargeInStorm, "told apart by when they began", [.warning]) {
      for at in [0.0, 4, 9] {
        $0.voice(
          "voice_barge_in_gate", at, #""allow":false,"captureStartedAt":\#(Int(at * 1000) + 1)"#)
      }
    },
    .fires(.bargeInStorm, "three interruptions within thirty seconds", [.warning]) {
      for at in [0.0, 15, 29] { $0.voice("voice_barge_in_interrupt", at) }
    },
    .quiet(.bargeInStorm, "one capture, asked three times") {
      for at in [0.0, 4, 9] { gate(&$0, at, capture: "u1") }
    },
    .quiet(.bargeInStorm, "allowed") {
      for (index, at) in [0.0, 4, 9].enumerated() {
        gate(&$0, at, capture: "u\(index)", allow: true)
      }
    },
    .quiet(.bargeInStorm, "two captures") {
      for (index, at) in [0.0, 4].enumerated() { gate(&$0, at, capture: "u\(index)") }
    },
    .quiet(.bargeInStorm, "over more than ten seconds") {
      for (index, at) in [0.0, 8, 16].enumerated() { gate(&$0, at, capture: "u\(index)") }
    },
    .quiet(.bargeInStorm, "two interruptions") {
      for at in [0.0, 15] { $0.voice("voice_barge_in_interrupt", at) }
    },
    .quiet(.bargeInStorm, "two sessions") {
      for (session, at) in [("s1", 0.0), ("s2", 1), ("s1", 2)] {
        $0.voice("voice_barge_in_interrupt", at, in: session)
      }
    },
  ]
}

import ClankyWire
import Foundation
import Testing

@testable import CockpitStores

/// Why it was silent, or why it said that.
@MainActor
@Suite struct VerdictTests {
  private func verdict(
    after wait: Int64 = 1000, _ build: (VoiceScene) -> Void
  ) throws -> Verdict {
    let scene = VoiceScene()
    build(scene)
    let record = try scene.play()
    let turn = try #require(record.turns.first)
    let verdict = try #require(record.verdict(turn.id, nowMs: scene.end - 1000 + wait))
    for item in verdict.items where item.event != nil {
      #expect(item.rowID != nil && item.timeMs != nil, "cited events can be gone to")
    }
    return verdict
  }

  private func state(_ verdict: Verdict, _ step: Verdict.Step) -> Verdict.State? {
    verdict.items.first { $0.step == step }?.state
  }

  @Test func anAnswerSaysWhy() throws {
    let verdict = try verdict {
      $0.speech(0, by: "1", "what is new")
      $0.addressing(1400, by: "1", "what is new", allow: true)
      $0.add(1420, "voice_generation_memory_loaded", by: "1", ["userFactCount": 2])
      $0.add(
        1700, "voice_brain_tool_call", by: "1",
        ["toolName": "web_search", "durationMs": 100, "isError": false])
      $0.answer(1400, to: "1", 5, "a lot")
    }
    #expect(verdict.isAnswer && verdict.stop == nil)
    #expect(verdict.items.allSatisfy { $0.state == .passed })
    #expect(
      verdict.sentence
        == "name1 addressed the bot directly, allowed by generation_decides, "
        + "sure to 92 % it was for ME, used web_search, with facts loaded: 2 user.")
  }

  @Test func anAnswerThatIsMadeIsDecided() throws {
    let open = try verdict(after: 0) {
      $0.speech(0, by: "1", "what is new")
      $0.addressing(1400, by: "1", "what is new", allow: true)
    }
    #expect(state(open, .decision) == .passed)
    #expect(open.sentence == "Allowed by generation_decides: the answer to name1 is on its way.")
    let heard = try verdict(after: 0) { $0.speech(0, by: "1", "what is new") }
    #expect(heard.sentence == "Not decided yet: name1 is being heard or answered.")
  }

  @Test(arguments: [
    ("model_no", nil as String?, "the model said it was not for the bot (model_no)"),
    (
      "music_playing_not_awake", nil,
      "music was playing and nobody had woken the bot (music_playing_not_awake)"
    ),
    ("bot_turn_open", "tts_buffered", "the output was locked (tts_buffered)"),
    ("brand_new_reason", nil, "brand_new_reason"),
  ])
  func deniedIsStoppedAtTheDecision(reason: String, lock: String?, words: String) throws {
    let verdict = try verdict {
      $0.speech(0, by: "1", "whatever")
      $0.addressing(
        1400, by: "1", "whatever", allow: false, reason: reason,
        lock.map { ["outputLockReason": $0] } ?? [:])
    }
    #expect(verdict.stop == .decision && !verdict.isAnswer)
    #expect(state(verdict, .asr) == .passed && state(verdict, .decision) == .stopped)
    #expect(state(verdict, .generation) == .skipped && state(verdict, .audio) == .skipped)
    #expect(verdict.sentence == "Silent: it was decided not to answer name1: \(words).")
  }

  @Test func nothingRecognised() throws {
    let scene = VoiceScene()
    scene.add(0, "voice_activity_started", by: "1")
    scene.add(900, "voice_turn_finalized", by: "1", ["durationMs": 900])
    scene.add(1200, "voice_realtime_transcription_empty", by: "1")
    let record = try scene.play()
    #expect(record.turns[0].outcome == .dropped && record.turns[0].anomalies == [.emptyASR])
    let verdict = try #require(record.verdict(record.turns[0].id, nowMs: scene.end))
    #expect(verdict.stop == .asr && state(verdict, .asr) == .failed)
    #expect(state(verdict, .capture) == .passed && state(verdict, .decision) == .skipped)
  }

  @Test func droppedForLowConfidence() throws {
    let verdict = try verdict {
      $0.speech(0, by: "1", "mumble")
      $0.add(1300, "voice_turn_dropped_asr_low_confidence", by: "1", ["meanLogprob": -2])
    }
    #expect(verdict.stop == .asr && state(verdict, .asr) == .stopped)
    #expect(verdict.sentence.contains("the recogniser was not sure (asr_low_confidence)"))
  }

  @Test func neverPromoted() throws {
    let verdict = try verdict {
      $0.add(0, "voice_turn_dropped_provisional_capture", by: "1", [:])
    }
    #expect(verdict.stop == .promoted && state(verdict, .promoted) == .stopped)
  }

  @Test func theModelChoseSilence() throws {
    let verdict = try verdict {
      $0.speech(0, by: "1", "just talking")
      $0.addressing(1400, by: "1", "just talking", allow: true)
      $0.prepare(1410, by: "1")
      $0.add(
        2000, "anthropic:opus",
        ["model": "opus", "transcript": "[SKIP]", "source": "voice_realtime_generation"],
        kind: "llm_call", cost: "0.004")
    }
    #expect(verdict.stop == .generation && state(verdict, .generation) == .stopped)
    #expect(verdict.sentence == "Silent: the model chose to say nothing to name1.")
  }

  @Test(arguments: [
    ("realtime_reply_skipped", ["skipCause": "output_busy"], Verdict.Step.reply, "output_busy"),
    ("realtime_reply_superseded_newer_input", [:], .reply, "newer speech took its place"),
    ("voice_generation_watchdog_timeout", ["timeoutMs": "20000"], .generation, "took too long"),
    ("realtime_generation_failed", ["error": "overloaded"], .generation, "overloaded"),
  ])
  func rowsThatEndATurn(
    row: String, details: [String: String], step: Verdict.Step, words: String
  ) throws {
    let verdict = try verdict {
      $0.speech(0, by: "1", "hello")
      $0.addressing(1400, by: "1", "hello", allow: true)
      $0.prepare(1410, by: "1")
      $0.add(2000, row, by: "1", details)
    }
    #expect(verdict.stop == step)
    #expect(verdict.sentence.hasPrefix("Silent: ") && verdict.sentence.contains(words))
    #expect(verdict.items.first { $0.step == step }?.event != nil)
  }

  @Test func madeAndNeverPlayed() throws {
    let said = try verdict {
      $0.speech(0, by: "1", "hello")
      $0.addressing(1400, by: "1", "hello", allow: true)
      $0.request(2000, 3, "hi there")
      $0.add(2500, "openai_realtime_response_done", ["requestId": 3, "hadAudio": false])
    }
    #expect(said.stop == .audio && state(said, .audio) == .failed)
    #expect(said.sentence.contains("generated but never played"))
    let unsaid = try verdict {
      $0.speech(0, by: "1", "hello")
      $0.addressing(1400, by: "1", "hello", allow: true)
      $0.request(2000, 3, "hi there")
      $0.add(60_000, "openai_realtime_asr_audio_flushed", by: "2")
    }
    #expect(unsaid.stop == .audio && state(unsaid, .audio) == .inferred)
  }

  @Test func whatIsNotKnownIsCalledUnknown() throws {
    let open = try verdict(after: 500) { $0.speech(0, by: "1", "hello") }
    #expect(open.stop == nil && state(open, .decision) == .running)
    let over = try verdict(after: 600_000) { $0.speech(0, by: "1", "hello") }
    #expect(over.stop == .decision && state(over, .decision) == .unknown)
    #expect(over.sentence.hasPrefix("Unknown: "))
  }

  @Test func theBridgeIsNamed() throws {
    let verdict = try verdict {
      $0.speech(0, by: "1", "hello")
      $0.addressing(1400, by: "1", "hello", allow: true, reason: "classifier_allow")
      $0.add(1500, "openai_realtime_text_turn_forwarded", by: "1", ["captureReason": "stream_end"])
      $0.latency(1700, 2, [4, nil, nil, 196], source: "realtime_transcript_turn")
      $0.add(1701, "bot_audio_started")
    }
    #expect(verdict.isAnswer)
    #expect(verdict.items.first { $0.step == .generation }?.detail.contains("handed to") == true)
    #expect(state(verdict, .reply) == .inferred)
  }
}

import ClankyWire
import Foundation
import Testing

@testable import CockpitStores

/// Turn reconstruction by contract 8.5, with its weaknesses mended.
@MainActor
@Suite struct TurnTests {
  @Test func anAnswerHasAllItsParts() throws {
    let scene = VoiceScene()
    scene.speech(0, by: "1", "hey clanky what is new")
    scene.addressing(1400, by: "1", "hey clanky what is new", allow: true)
    scene.answer(1400, to: "1", 5, "quite a lot")
    let record = try scene.play()
    let turn = try #require(record.turns.first)
    #expect(record.turns.count == 1)
    #expect(turn.outcome == .responded)
    #expect(turn.speakerID == "1" && turn.speaker == "name1")
    #expect(turn.words == "hey clanky what is new" && !turn.isPartial)
    #expect(turn.reply == "quite a lot")
    #expect(turn.latency?.totalMs == 1110 && turn.latency?.queueWaitMs == 3)
    #expect(turn.audioStarted?.isInferred == false)
    #expect(turn.events.count == scene.facts.count)
    #expect(turn.captureMs == 1000 && turn.requestID == 5 && turn.path == .brain)
    record.checkLanes()
    #expect(record.turnID(of: turn.events[3]) == turn.id)
    let making = try #require(record.blocks(in: .generation).first { !$0.isMoment })
    #expect(making.start == startMs + 1400 && making.end == startMs + 2300)
    let sound = try #require(record.blocks(in: .output).first { !$0.isMoment })
    #expect(sound.isEndEstimated && sound.end == sound.start + 1200)
  }

  @Test func speakersThatOverlapStayApart() throws {
    let scene = VoiceScene()
    scene.speech(0, by: "1", "first question", length: 3000)
    scene.speech(500, by: "2", "second question", length: 1000)
    scene.addressing(1800, by: "2", "second question", allow: false, reason: "model_no")
    scene.addressing(3300, by: "1", "first question", allow: true)
    scene.answer(3300, to: "1", 9, "the answer")
    let record = try scene.play()
    #expect(record.turns.count == 2)
    #expect(record.turns[0].words == "first question" && record.turns[0].outcome == .responded)
    #expect(record.turns[1].words == "second question" && record.turns[1].outcome == .denied)
    #expect(record.turns[1].skippedReason == "model_no")
    #expect(record.skipRate.decisions == 2 && record.skipRate.skipped == 1)
    record.checkLanes()
  }

  @Test func answersGoToWhomTheyAreMeantFor() throws {
    let scene = VoiceScene()
    scene.speech(0, by: "1", "one")
    scene.addressing(1300, by: "1", "one", allow: true)
    scene.speech(1400, by: "2", "two")
    scene.addressing(2700, by: "2", "two", allow: true)
    scene.request(3000, 2, "for two", to: "name2")
    scene.request(3100, 1, "for one", to: "name1")
    scene.latency(3300, 2, [1, 2, 3, 300])
    scene.add(3301, "bot_audio_started")
    scene.latency(5300, 1, [1, 2, 3, 2200])
    scene.add(5301, "bot_audio_started")
    let turns = try scene.play().turns
    #expect(turns.map(\.reply) == ["for one", "for two"])
    #expect(turns.map(\.latency?.replyRequestToAudioStartMs) == [2200, 300])
    #expect(turns.allSatisfy { $0.outcome == .responded })
  }

  @Test func theSearchBehindAToolBelongsToItsTurn() throws {
    let scene = VoiceScene()
    scene.speech(0, by: "1", "what is the weather", length: 1000)
    scene.addressing(1300, by: "1", "what is the weather", allow: true)
    scene.prepare(1310, by: "1")
    scene.add(
      2900, "dry until three", by: "1", ["source": "voice_realtime_generation", "latencyMs": 1240],
      kind: "search_call")
    scene.request(4000, 1, "Dry until three.")
    let record = try scene.play()
    let turn = try #require(record.turns.first)
    let search = try #require(record.events.first { $0.kind == "search_call" })
    #expect(record.turns.count == 1 && turn.events.contains(search.id))
  }

  @Test func longSpeechAndSlowToolsAreNotCut() throws {
    let scene = VoiceScene()
    scene.speech(0, by: "1", "a very long story", length: 40_000)
    scene.addressing(40_300, by: "1", "a very long story", allow: true)
    scene.prepare(40_310, by: "1")
    scene.add(
      75_000, "voice_brain_tool_call", by: "1",
      [
        "toolName": "web_search", "durationMs": 34_000, "isError": false,
        "source": "voice_realtime_generation", "toolInput": ["query": "x"],
      ])
    scene.request(76_000, 3, "found it")
    scene.latency(76_200, 3, [5, 5, 35_700, 200])
    scene.add(76_201, "bot_audio_started")
    let record = try scene.play()
    let turn = try #require(record.turns.first)
    #expect(record.turns.count == 1 && turn.outcome == .responded)
    #expect(turn.tools.map(\.durationMs) == [34_000])
    #expect(turn.tools[0].startMs == startMs + 41_000)
    #expect(turn.anomalies.contains(.slowTool(name: "web_search", ms: 34_000)))
    let tool = try #require(record.blocks(in: .tools).first)
    #expect(tool.start == startMs + 41_000 && tool.words == "web_search" && tool.outcome == .passed)
  }

  @Test func bargeInInterrupts() throws {
    let scene = VoiceScene()
    scene.speech(0, by: "1", "tell me a story")
    scene.addressing(1300, by: "1", "tell me a story", allow: true)
    scene.request(2000, 4, "once upon a time")
    scene.latency(2200, 4, [1, 2, 3, 200])
    scene.add(2201, "bot_audio_started")
    scene.add(2900, "voice_activity_started", by: "2")
    scene.add(3000, "voice_barge_in_gate", by: "2", ["allow": true, "reason": "loud"])
    scene.add(3010, "voice_barge_in_interrupt", by: "2", [:])
    scene.completed(3050, 4, ["hadBargeSuppression": true])
    let record = try scene.play()
    #expect(record.turns.map(\.outcome) == [.interrupted, .pending])
    #expect(record.turns[0].interruptedBy == "2")
    let sound = try #require(record.blocks(in: .output).first { !$0.isMoment })
    #expect(sound.outcome == .interrupted && sound.end == startMs + 3010)
    let verdict = try #require(record.verdict(record.turns[0].id, nowMs: scene.end))
    #expect(verdict.stop == .audio && verdict.isAnswer)
    #expect(verdict.sentence.hasPrefix("Cut off by"))
    record.checkLanes()
  }

  @Test func aLateSecondDecisionCounts() throws {
    let scene = VoiceScene()
    scene.speech(0, by: "1", "are you there")
    scene.addressing(1300, by: "1", "are you there", allow: false, reason: "bot_turn_open")
    scene.addressing(5000, by: "1", "are you there", allow: true)
    scene.answer(5000, to: "1", 7, "yes")
    let record = try scene.play()
    #expect(record.turns.count == 1)
    #expect(record.turns[0].outcome == .responded && record.turns[0].decisions.count == 2)
  }

  @Test func speakersWhoAreAnsweredTogetherShareTheOutcome() throws {
    let scene = VoiceScene()
    scene.speech(0, by: "3", "so that the")
    scene.add(1260, "realtime_turn_held_room_coalesce", by: "3")
    scene.speech(500, by: "2", "the hinge keeps catching", length: 8000)
    scene.addressing(
      9000, by: "3", "[c]: so that the | [b]: the hinge keeps catching", allow: true,
      reason: "generation_decides",
      [
        "heardPerSpeaker": [
          ["userId": "3", "speakerName": "c", "transcript": "so that the"],
          ["userId": "2", "speakerName": "b", "transcript": "the hinge keeps catching"],
        ]
      ])
    scene.answer(9000, to: "3", 8, "reprint it")
    let record = try scene.play()
    #expect(record.turns.map(\.outcome) == [.responded, .responded])
    #expect(record.turns[1].mergedInto == record.turns[0].id)
    #expect(record.turns[0].words == "so that the")
    #expect(record.skipRate.decisions == 1)
  }

  @Test func eventsOfTheRoomAndThoughtsAreTurnsOfTheBot() throws {
    let scene = VoiceScene()
    scene.add(
      0, "voice_runtime_event_decision", by: "5",
      [
        "inputKind": "event", "source": "member_join_greeting", "allow": true,
        "transcript": "[Pell joined the voice channel]", "reason": "generation_decides",
      ])
    scene.add(
      20, "voice_generation_prep_stage", by: "5",
      ["source": "member_join_greeting", "stage": "x", "state": "start"])
    scene.add(
      600, "realtime_reply_requested",
      ["requestId": 6, "source": "member_join_greeting", "replyText": "hi Pell"])
    scene.latency(800, 6, [nil, nil, 580, 200], source: "member_join_greeting")
    scene.add(801, "bot_audio_started")
    scene.completed(1000, 6, ["source": "member_join_greeting:stream_chunk_0"])
    scene.add(
      60_000, "voice_thought_decision",
      ["allow": true, "action": "speak", "finalThought": "nice weather"])
    scene.add(60_100, "voice_thought_spoken", ["finalThought": "nice weather"])
    let record = try scene.play()
    #expect(record.turns.map(\.origin) == [.roomEvent, .thought])
    #expect(record.turns[0].outcome == .responded && record.turns[0].reply == "hi Pell")
    #expect(record.turns[0].aboutID == "5" && record.turns[0].speakerID == nil)
    #expect(record.turns[1].reply == "nice weather")
    #expect(record.skipRate.decisions == 0 && record.skipRate.share == nil)
  }

  @Test func requestNumbersThatAreUsedTwiceAreToldApartByTheirSource() throws {
    let scene = VoiceScene()
    for (at, source) in [(0, "bot_join_greeting"), (300, "member_join_greeting")] {
      scene.add(
        at, "voice_runtime_event_decision", by: "5",
        ["inputKind": "event", "source": source, "allow": true, "transcript": "[\(source)]"])
    }
    for (at, source) in [(900, "bot_join_greeting"), (1200, "member_join_greeting")] {
      scene.add(
        at, "realtime_reply_requested",
        ["requestId": 1, "source": source, "replyText": "hello \(source)"])
    }
    scene.latency(1250, 1, [nil, nil, 1, 2], source: "bot_join_greeting")
    scene.add(1251, "bot_audio_started")
    scene.completed(1300, 1, ["source": "bot_join_greeting:stream_chunk_0"])
    scene.latency(1700, 2, [nil, nil, 3, 4], source: "member_join_greeting")
    scene.completed(1900, 2, ["source": "member_join_greeting:stream_chunk_0"])
    let turns = try scene.play().turns
    #expect(turns.map(\.outcome) == [.responded, .responded])
    #expect(turns.map(\.latency?.totalMs) == [3, 7])
    #expect(turns[1].audioStarted?.isInferred == true)
  }

  @Test func providersToolsAreFoundByCall() throws {
    let scene = VoiceScene()
    scene.speech(0, by: "1", "play the horn and search")
    scene.addressing(
      1300, by: "1", "play the horn and search", allow: true, reason: "native_realtime")
    scene.add(
      1500, "realtime_tool_call_started",
      ["callId": "a", "toolName": "play_soundboard", "arguments": ["refs": ["horn"]]])
    scene.add(1510, "realtime_tool_call_started", ["callId": "b", "toolName": "web_search"])
    scene.add(
      1800, "realtime_tool_call_failed",
      ["callId": "a", "toolName": "play_soundboard", "runtimeMs": 300, "error": "unknown_sound"])
    scene.add(
      2700, "realtime_tool_call_completed",
      ["callId": "b", "toolName": "web_search", "runtimeMs": 1190, "outputSummary": ["ok": true]])
    scene.add(3000, "bot_audio_started")
    scene.add(
      3400, "openai_realtime_response_done",
      [
        "responseModel": "gpt-realtime", "responseStatus": "completed", "hadAudio": true,
        "responseUsage": ["inputTokens": 900, "outputTokens": 210],
      ], cost: "0.0119")
    let record = try scene.play()
    let turn = try #require(record.turns.first)
    #expect(turn.outcome == .responded && turn.path == .native)
    #expect(turn.tools.map(\.isSuccess) == [false, true])
    #expect(turn.tools.map(\.durationMs) == [300, 1190])
    #expect(turn.anomalies == [.toolFailed(name: "play_soundboard")])
    let chain = try #require(record.chain(turn.id))
    #expect(chain.path == .provider)
    #expect(
      chain.groups.contains {
        $0.map { chain.nodes[$0].name } == ["play_soundboard", "web_search"]
      })
    #expect(chain.nodes.first { $0.name == "web_search" }?.isCritical == true)
    #expect(chain.costUSD == 0.0119 && chain.tokensIn == 900)
    record.checkLanes()
  }

  @Test func aToolRunsUntilItIsOver() throws {
    let scene = VoiceScene()
    scene.speech(0, by: "1", "search")
    scene.addressing(1300, by: "1", "search", allow: true, reason: "native_realtime")
    scene.add(1500, "realtime_tool_call_started", ["callId": "a", "toolName": "web_search"])
    let record = try scene.play()
    #expect(record.turns[0].tools[0].isRunning && record.turns[0].tools[0].durationMs == nil)
    let block = try #require(record.blocks(in: .tools).first)
    #expect(block.isOpen && block.end == nil && block.length(at: startMs + 2500) == 1000)
    #expect(record.blocks(in: .tools, from: startMs + 9000, to: startMs + 9500).count == 1)
  }

  @Test func lateAndDoubledRowsChangeNothing() throws {
    let scene = VoiceScene()
    for at in stride(from: 0, to: 60_000, by: 10_000) {
      scene.speech(at, by: "\(at / 10_000 % 3)", "words \(at)")
      scene.addressing(at + 1400, by: "\(at / 10_000 % 3)", "words \(at)", allow: at % 20_000 == 0)
      if at % 20_000 == 0 {
        scene.answer(at + 1400, to: "\(at / 10_000 % 3)", at / 10_000 + 1, "answer \(at)")
      }
    }
    let wanted = try scene.play().outline
    #expect(wanted.count == 6)
    let count = scene.voice.record(scene.session)?.events.count
    // The same rows once more, stored: by REST and by replay.
    let stored = "[" + scene.facts.map(\.stored).joined(separator: ",") + "]"
    Array(stored.utf8).withUnsafeBytes { bytes in
      _ = scene.activity.applyRows(bytes, nowMs: startMs)
      scene.voice.follow(scene.activity.log)
      scene.voice.applyReplay(bytes, of: scene.session)
    }
    #expect(scene.voice.record(scene.session)?.events.count == count)
    #expect(scene.voice.record(scene.session)?.outline == wanted)
    for seed in 0..<8 as Range<UInt64> {
      var random = SeededRandom(seed)
      let again = VoiceScene()
      let order = scene.facts.shuffled(using: &random)
      #expect(try again.play(order + order.prefix(5)).outline == wanted, "seed \(seed)")
    }
  }

  @Test func rowsWithoutABeginningAreTurnsAllTheSame() throws {
    let scene = VoiceScene()
    scene.addressing(0, by: "1", "hello", allow: true, reason: "model_yes", ["clipDurationMs": 900])
    scene.answer(0, to: "1", 2, "hi")
    let turn = try #require(try scene.play().turns.first)
    #expect(turn.outcome == .responded && !turn.isStartKnown && turn.words == "hello")
    #expect(turn.startedAt == startMs - 900)
  }

  @Test func hostileRowsDoNoHarm() throws {
    let scene = VoiceScene()
    scene.add(0, "voice_activity_started", by: nil, ["promotionDelayMs": "NaN"])
    scene.add(1, "voice_turn_finalized", by: nil, ["durationMs": Int.max, "reason": ["a": 1]])
    scene.add(
      2, "voice_turn_addressing", by: nil,
      [
        "allow": "yes", "heard": 7, "directedConfidence": 1e300,
        "heardPerSpeaker": [1, ["userId": 2]],
      ])
    scene.add(
      3, "voice_latency_stage",
      [
        "stage": "audio_started", "generationToReplyRequestMs": Int.max,
        "replyRequestToAudioStartMs": Int.max, "requestId": -1,
      ])
    scene.add(4, "voice_brain_tool_call", ["durationMs": -5])
    scene.add(5, "bot_utterance_completed", ["estimatedPlaybackMs": Int.max])
    scene.add(6, "realtime_tool_call_completed", ["callId": "", "runtimeMs": Int.max])
    let record = try scene.play()
    for turn in record.turns {
      _ = record.verdict(turn.id, nowMs: .max)
      _ = record.chain(turn.id)
    }
    record.checkLanes()
  }
}

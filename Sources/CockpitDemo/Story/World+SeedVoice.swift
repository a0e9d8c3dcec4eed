/// Past voice sessions, for the history and its replay (contract 7.1).
extension World {
  func seedPastSessions(into rows: inout [ActionRow]) {
    let ends = [
      "nl_leave", "inactivity_timeout", "max_duration", "connection_lost", "nl_leave",
      "assistant_leave_directive",
    ]
    for (index, reason) in ends.enumerated() {
      let guild = Cast.guilds[index % 3]
      let start = startMs - Int64(index) * 22 * 3_600_000 - Int64(random.int(2...5)) * 3_600_000
      let minutes = reason == "max_duration" ? 60 : random.int(6...48)
      seedSession(
        guild, start: start, end: start + Int64(minutes) * 60_000, reason: reason,
        // One session is longer than the replay limit of 500 rows.
        turns: index == 2 ? 110 : random.int(5...12), into: &rows)
    }
  }

  private func seedSession(
    _ guild: Guild, start: Int64, end: Int64, reason: String, turns: Int,
    into rows: inout [ActionRow]
  ) {
    let room = VoiceRoom.of(guild)
    let id = random.uuid()
    let voice = guild.voice(room.voice)
    let place = Place(guild: guild.id, channel: guild.text(room.text).id)
    func add(
      _ content: String, _ user: Person, kind: String = "voice_runtime", cost: Double? = nil,
      _ metadata: DemoJSON = [:]
    ) {
      let head: DemoJSON = ["sessionId": .string(id)]
      if let action = makeAction(
        kind, in: place, message: nil, user: user.id, content: .string(content),
        metadata: head.merging(metadata), cost: cost)
      {
        rows.append(action.row)
      }
    }
    now = start
    add(
      "voice_joined:\(voice.id)", room.people[0], kind: "voice_session_start",
      [
        "mode": .string(room.mode), "requestedByUserId": .string(room.people[0].id),
        "voiceChannelId": .string(voice.id), "maxSessionMinutes": 60,
        "inactivityLeaveSeconds": 300, "intentConfidence": 0.9,
      ])
    now = start + 4000
    add(
      "voice_membership_changed", room.people[1],
      [
        "eventType": "join", "memberUserId": .string(room.people[1].id),
        "displayName": .string(room.people[1].name), "participantCount": 2,
      ])
    let lines = Script.voice(guild)
    let gap = max(6000, (end - start - 20_000) / Int64(max(1, turns)))
    for index in 0..<turns {
      now = start + 8000 + Int64(index) * gap
      let turn = lines[index % lines.count]
      add(
        "voice_activity_started", turn.speaker, kind: "voice_turn_in",
        [
          "promotionReason": "server_vad_confirmed", "promotionDelayMs": 240,
          "promotionBytes": 11520, "promotionServerVadConfirmed": true, "promotionPeak": 0.41,
          "promotionRms": 0.06, "promotionActiveSampleRatio": 0.5,
        ])
      now += 1900
      add(
        "voice_turn_finalized", turn.speaker,
        ["reason": "stream_end", "bytesSent": 91_200, "durationMs": 1900])
      now += 380
      let item = "item_" + random.token(8)
      add(
        "openai_realtime_asr_final_segment", turn.speaker,
        [
          "speakerName": .string(turn.speaker.name), "transcript": .string(turn.text),
          "eventType": "conversation.item.input_audio_transcription.completed",
          "itemId": .string(item), "previousItemId": nil,
        ])
      guard let reply = turn.reply else { continue }
      let generation = random.int(600...1500)
      now += Int64(generation)
      add(
        "realtime_reply_requested", Cast.bot,
        [
          "mode": .string(room.mode), "source": "realtime", "requestId": .int(index + 1),
          "replyText": .string(reply), "requestedRealtimeUtterance": true,
          "replyPrompts": nil,
        ])
      now += 140
      add("bot_audio_started", Cast.bot, kind: "voice_turn_out")
      add(
        "voice_latency_stage", Cast.bot,
        [
          "mode": .string(room.mode), "stage": "audio_started", "source": "realtime",
          "captureReason": "stream_end", "requestId": .int(index + 1), "queueWaitMs": 4,
          "pendingQueueDepth": 0, "finalizedToAsrStartMs": 40, "asrToGenerationStartMs": 20,
          "generationToReplyRequestMs": .int(generation - 20), "replyRequestToAudioStartMs": 140,
        ])
      now += 3000
      add(
        "openai_realtime_response_done", Cast.bot, cost: 0.0061,
        ["requestId": .int(index + 1), "responseStatus": "completed", "hadAudio": true])
    }
    now = max(end, now + 1000)
    add(
      reason, room.people[0], kind: "voice_session_end",
      [
        "mode": .string(room.mode), "voiceChannelId": .string(voice.id),
        "durationSeconds": .int(Int((now - start) / 1000)),
        "requestedByUserId": reason == "nl_leave" ? .string(room.people[0].id) : nil,
      ])
  }
}

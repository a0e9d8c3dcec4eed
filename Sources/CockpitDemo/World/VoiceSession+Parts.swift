extension VoiceSession {
  func recogniserJSON(_ session: Recogniser, now: Int64) -> DemoJSON {
    [
      "userId": .string(session.person.id), "displayName": .string(session.person.name),
      "connected": .bool(session.connected), "phase": .string(session.phase),
      "connectedAt": .time(session.connectedMs), "lastAudioAt": .time(session.lastAudioMs),
      "lastTranscriptAt": .time(session.lastTranscriptMs),
      "idleMs": .int(max(0, Int(now - session.lastAudioMs))), "idleTtlMs": 60000,
      "hasIdleTimer": .bool(
        session.connected && !captures.contains { $0.person == session.person }),
      "pendingAudioBytes": 0, "pendingAudioChunks": 0,
      "utterance": [
        "partialText": .string(String(session.partial.prefix(200))),
        "finalSegments": .int(session.finals), "bytesSent": .int(session.bytesSent),
      ],
      "model": "gpt-4o-mini-transcribe", "sessionId": .string(session.providerSession),
    ]
  }

  func sharedRecogniserJSON(now: Int64) -> DemoJSON {
    guard let session = recognisers.last else { return nil }
    return [
      "connected": .bool(session.connected), "phase": .string(session.phase), "userId": nil,
      "displayName": nil, "connectedAt": .time(recognisers.first?.connectedMs),
      "lastAudioAt": .time(session.lastAudioMs),
      "lastTranscriptAt": .time(session.lastTranscriptMs),
      "idleMs": .int(max(0, Int(now - session.lastAudioMs))), "idleTtlMs": 60000,
      "hasIdleTimer": false, "pendingAudioBytes": 0, "pendingAudioChunks": 0,
      "pendingCommitResolvers": 0, "pendingCommitRequests": 0,
      "transcriptByItemIds": .int(recognisers.count), "speakerByItemIds": .int(recognisers.count),
      "utterance": [
        "partialText": .string(String(session.partial.prefix(200))),
        "finalSegments": .int(session.finals), "bytesSent": .int(session.bytesSent),
      ],
      "model": "gpt-4o-mini-transcribe", "sessionId": .string(session.providerSession),
    ]
  }

  func toolJSON(_ call: ToolCall) -> DemoJSON {
    [
      "callId": .string(call.id), "toolName": .string(call.name), "toolType": .string(call.type),
      "arguments": call.arguments, "startedAt": .time(call.startedMs),
      "completedAt": .time(call.completedMs), "runtimeMs": .number(call.runtimeMs),
      "success": .bool(call.success), "outputSummary": outputSummary(call.output),
      "error": .text(call.error),
    ]
  }

  /// March keeps a text; May keeps whatever the tool returned (contract 5.2.11).
  func outputSummary(_ output: DemoJSON) -> DemoJSON {
    guard dialect == .march else { return output }
    switch output {
    case .null, .string: return output
    default: return .string(output.text)
    }
  }

  func watchJSON(now: Int64) -> DemoJSON {
    let note = watch.notes.last
    let provider: DemoJSON = note == nil ? nil : "claude-oauth"
    let model: DemoJSON = note == nil ? nil : "claude-opus-4-6"
    let head: DemoJSON = [
      "active": .bool(watch.active), "targetUserId": .text(watch.target?.id),
      "requestedByUserId": .text(watch.requester?.id), "lastFrameAt": .time(watch.frameMs),
      "lastCommentaryAt": .time(watch.commentaryMs), "lastCommentaryNote": .text(watch.commentary),
      "lastMemoryRecapAt": .time(watch.recapMs), "lastMemoryRecapText": .text(watch.recap),
      "lastMemoryRecapDurableSaved": .bool(watch.recap != nil),
      "lastMemoryRecapReason": watch.recap == nil ? nil : "watch_stopped",
      "latestFrameAt": .time(watch.frameMs),
      "latestFrameMimeType": watch.frameMs == nil ? nil : .string(watch.frameType),
      "latestFrameApproxBytes": .int(watch.frameBytes),
      "acceptedFrameCountInWindow": .int(watch.windowFrames),
      "frameWindowStartedAt": .time(watch.windowMs),
    ]
    // The keys were renamed between the two releases (contract 5.2.9).
    let names =
      dialect == .may
      ? ["lastNoteAt", "lastNoteProvider", "lastNoteModel", "noteCount", "notePayload"]
      : [
        "lastBrainContextAt", "lastBrainContextProvider", "lastBrainContextModel",
        "brainContextCount", "brainContextPayload",
      ]
    let payload: DemoJSON =
      note == nil
      ? .null
      : [
        "prompt": .string(Prose.watchPrompt),
        "notes": .strings(
          watch.notes.suffix(24).map {
            "\($0.speaker ?? "screen"): \($0.text) (\(max(0, (now - $0.ms) / 1000))s ago)"
          }),
        "lastAt": .time(note?.ms), "provider": provider, "model": model,
      ]
    let renamed: DemoJSON = .object(
      .init([
        .init(key: names[0], value: .time(note?.ms)), .init(key: names[1], value: provider),
        .init(key: names[2], value: model),
        .init(key: names[3], value: .int(watch.notes.count)),
      ]))
    let feed: DemoJSON = [
      "ingestedFrameCount": .int(watch.frames),
      "visualFeed": .array(
        watch.notes.suffix(24).map {
          [
            "text": .string(String($0.text.prefix(220))), "at": .time($0.ms),
            "provider": provider, "model": model, "speakerName": .text($0.speaker),
          ]
        }),
    ]
    let native: DemoJSON = [
      "activeSharerCount": .int(watch.sharers.count),
      "subscribedTargetUserId": .text(watch.target?.id), "decodeInFlight": false,
      "lastDecodeAttemptAt": .time(watch.frameMs), "lastDecodeSuccessAt": .time(watch.frameMs),
      "lastDecodeFailureAt": nil, "lastDecodeFailureReason": nil,
      "ffmpegAvailable": watch.frameMs == nil ? nil : true,
      "activeSharers": .array(
        watch.sharers.map {
          Self.personJSON($0).merging([
            "codec": "H264", "streamCount": 1, "lastFrameAt": .time(watch.frameMs),
            "updatedAt": .time(watch.frameMs),
          ])
        }),
    ]
    return head.merging(renamed).merging(feed).setting(names[4], payload)
      .setting("nativeDiscord", native)
  }

  var musicJSON: DemoJSON {
    let track = music.last
    let head: DemoJSON = [
      "phase": .string(music.phase), "active": .bool(music.isActive),
      "pauseReason": .text(music.pauseReason), "replyHandoffMode": .text(music.handoff),
      "replyHandoffRequestedByUserId": .text(music.handoffUser),
      "replyHandoffSource": music.handoff == nil ? nil : "voice_reply",
      "replyHandoffAt": .time(music.handoffMs),
      "provider": track == nil ? nil : "discord", "source": track == nil ? nil : "voice_tool_call",
      "startedAt": .time(music.startedMs), "stoppedAt": .time(music.stoppedMs),
      "lastTrackId": .text(track?.id), "lastTrackTitle": .text(track?.title),
      "lastTrackArtists": .strings(track.map { [$0.artist] } ?? []),
      "lastTrackUrl": .text(track?.url),
      "lastPlaybackUrl": .text(
        track.map { "https://media.example.invalid/audio/\($0.id.dropFirst(8)).m4a?sig=demo" }),
      "lastPlaybackResolvedDirectUrl": .bool(track != nil), "lastQuery": .text(music.query),
      "lastRequestedByUserId": .text(music.requester),
      "lastRequestText": .text(music.requestText), "lastCommandAt": .time(music.commandMs),
      "lastCommandReason": .text(music.commandReason),
    ]
    let pending: DemoJSON = [
      "pendingQuery": .text(music.pendingQuery),
      "pendingPlatform": music.pendingQuery == nil ? nil : "auto",
      "pendingRequestedByUserId": .text(music.pendingUser),
      "pendingRequestedAt": .time(music.pendingMs),
      "pendingResults": .array(
        music.pending.map {
          [
            "id": .string($0.id), "title": .string($0.title), "artist": .string($0.artist),
            "platform": "youtube", "externalUrl": .string($0.url),
            "durationSeconds": .int($0.seconds),
          ]
        }),
      "disambiguationActive": .bool(!music.pending.isEmpty),
      "queueState": [
        "tracks": .array(
          music.queue.map {
            [
              "id": .string($0.id), "title": .string($0.title), "artist": .string($0.artist),
              "source": .string($0.source),
            ]
          }),
        "nowPlayingIndex": .number(music.index), "isPaused": .bool(music.phase == "paused"),
        "volume": .double(music.volume),
      ],
    ]
    return head.merging(pending)
  }

  var realtimeJSON: DemoJSON {
    let last = outbound.last
    func event(_ item: (type: String, ms: Int64, payload: DemoJSON)) -> DemoJSON {
      ["type": .string(item.type), "at": .time(item.ms), "payload": item.payload]
    }
    return [
      "provider": mode == "openai_realtime" ? "openai" : "xai", "inputSampleRateHz": 24000,
      "outputSampleRateHz": 24000, "recentVoiceTurns": .int(min(8, turns.count)),
      "replySuperseded": .int(superseded), "pendingTurns": .int(pendingTurns),
      "drainActive": .bool(pendingTurns > 0), "coalesceActive": false,
      "state": isBare
        ? .null
        : [
          "connected": .bool(realtimeConnected), "connectedAt": .time(startedMs - 240),
          "lastEventAt": .time(lastEventMs), "sessionId": .string(providerSession),
          "lastError": .text(lastError), "lastCloseCode": .number(closeCode),
          "lastCloseReason": nil, "lastOutboundEventType": .text(last?.type),
          "lastOutboundEventAt": .time(last?.ms), "lastOutboundEvent": last.map(event) ?? .null,
          "recentOutboundEvents": .array(outbound.map(event)),
          "activeResponseId": .text(activeResponse), "activeResponseStatus": .text(responseStatus),
        ],
    ]
  }

  /// Contract 5.2.14: newest first, averages over the last twelve, nulls left out per field.
  var latencyJSON: DemoJSON {
    guard !latencies.isEmpty else { return nil }
    let kept = latencies.suffix(12)
    func average(_ values: [Int]) -> DemoJSON {
      values.isEmpty
        ? .null : .int(Int((Double(values.reduce(0, +)) / Double(values.count)).rounded()))
    }
    let names = Self.stageNames
    var averages: DemoJSON = [:]
    for (index, name) in names.enumerated() {
      averages = averages.setting(name, average(kept.compactMap { $0.stages[index] }))
    }
    return [
      "recentTurns": .array(
        latencies.suffix(8).reversed().map { entry in
          var json: DemoJSON = ["at": .time(entry.ms)]
          for (index, name) in names.enumerated() {
            json = json.setting(name, .number(entry.stages[index]))
          }
          return json.merging([
            "totalMs": .int(entry.total), "queueWaitMs": .int(entry.queueWait),
            "pendingQueueDepth": .int(entry.depth),
          ])
        }),
      "averages": averages.setting("totalMs", average(kept.map(\.total))),
      "turnCount": .int(kept.count),
    ]
  }

  static let stageNames = [
    "finalizedToAsrStartMs", "asrToGenerationStartMs", "generationToReplyRequestMs",
    "replyRequestToAudioStartMs",
  ]
}

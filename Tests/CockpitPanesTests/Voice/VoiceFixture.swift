import ClankyWire
import CockpitStores
import Foundation
import TerminalCore

@testable import CockpitPanes

/// Voice sessions for the goldens: invented, at the fixed time of `Fixture`.
@MainActor
enum VoiceFixture {
  static func rich() -> Fixture {
    let fixture = Fixture()
    rich(fixture)
    return fixture
  }

  /// A session with something in every field that the tab shows.
  static func rich(_ fixture: Fixture) {
    Fixture.withBytes("{\"activeCount\":1,\"sessions\":[\(richSession)]}") {
      fixture.voice.apply($0, atNs: Fixture.monotonicNs)
    }
    if let state = fixture.voice.state { fixture.connection.learn(state) }
    Fixture.withBytes("[\(events.joined(separator: ","))]") {
      _ = fixture.activity.applyRows($0, nowMs: Fixture.nowMs)
    }
    fixture.voice.follow(fixture.activity.log)
  }

  /// Two sessions at once: the rich one and one that says next to nothing.
  static func two(_ fixture: Fixture) {
    Fixture.withBytes("{\"activeCount\":2,\"sessions\":[\(richSession),\(sparseSession)]}") {
      fixture.voice.apply($0, atNs: Fixture.monotonicNs)
    }
    if let state = fixture.voice.state { fixture.connection.learn(state) }
  }

  /// A session of which nearly everything is null.
  static func sparse(_ fixture: Fixture) {
    Fixture.withBytes("{\"activeCount\":1,\"sessions\":[\(sparseSession)]}") {
      fixture.voice.apply($0, atNs: Fixture.monotonicNs)
    }
  }

  /// No session, with three past ones; the newest was fetched and is capped.
  static func none(_ fixture: Fixture, hasHistory: Bool = true) {
    Fixture.withBytes("{\"activeCount\":0,\"sessions\":[]}") {
      fixture.voice.apply($0, atNs: Fixture.monotonicNs)
    }
    guard hasHistory else { return }
    Fixture.withBytes(history) { fixture.voice.applyHistory($0) }
  }

  static func replay(_ fixture: Fixture, rows: [String] = pastEvents) {
    Fixture.withBytes("[\(rows.joined(separator: ","))]") {
      fixture.voice.applyReplay($0, of: "past-1")
    }
  }

  static let james = "700000000000000001"
  static let ada = "700000000000000002"

  static func event(
    _ id: Int, _ time: String, _ name: String, kind: String = "voice_runtime",
    user: String? = nil, session: String = "s-1", _ metadata: String = ""
  ) -> String {
    Fixture.row(
      id, time, kind, content: name, user: user, channel: "600000000000000001",
      metadata: "{\"sessionId\":\"\(session)\"\(metadata.isEmpty ? "" : ",")\(metadata)}")
  }

  /// One answered turn with a slow tool, one that the model declined, one with nothing recognised,
  /// one that goes on.
  static let events: [String] =
    turn(from: 100, session: "s-1", at: "14:31") + [
      event(
        130, "14:31:50.000", "voice_activity_started", kind: "voice_turn_in", user: ada,
        "\"promotionReason\":\"server_vad_confirmed\",\"promotionDelayMs\":180"),
      event(131, "14:31:52.000", "voice_turn_finalized", user: ada, "\"durationMs\":2000"),
      event(
        132, "14:31:52.400", "openai_realtime_asr_final_segment", user: ada,
        "\"speakerName\":\"作者 Ada\",\"transcript\":\"whatever that means\""),
      event(
        133, "14:31:52.600", "voice_turn_addressing", user: ada,
        "\"allow\":false,\"reason\":\"model_no\",\"transcript\":\"whatever that means\",\"talkingTo\":\"james\",\"directedConfidence\":0.12"
      ),
      event(
        140, "14:32:00.000", "voice_activity_started", kind: "voice_turn_in", user: james,
        "\"promotionReason\":\"server_vad_confirmed\""),
      event(
        141, "14:32:01.500", "voice_turn_dropped_asr_low_confidence", user: james,
        "\"transcript\":\"mumble mumble\",\"reason\":\"asr_low_confidence\""),
      event(
        150, "14:32:06.000", "voice_activity_started", kind: "voice_turn_in", user: james,
        "\"promotionReason\":\"server_vad_confirmed\""),
      event(
        151, "14:32:07.000", "realtime_tool_call_started",
        "\"callId\":\"call-9\",\"toolName\":\"play_soundboard\",\"toolType\":\"function\",\"arguments\":{\"refs\":[\"airhorn\"]}"
      ),
    ]

  /// An answered turn, beginning at second 5 of a minute.
  static func turn(from id: Int, session: String, at minute: String) -> [String] {
    [
      event(
        id, "\(minute):05.000", "voice_activity_started", kind: "voice_turn_in", user: james,
        session: session, "\"promotionReason\":\"server_vad_confirmed\",\"promotionDelayMs\":212"),
      event(
        id + 1, "\(minute):06.000", "openai_realtime_asr_partial_segment", user: james,
        session: session, "\"speakerName\":\"james\",\"transcript\":\"hey clanky\""),
      event(
        id + 2, "\(minute):08.000", "voice_turn_finalized", user: james, session: session,
        "\"durationMs\":3000"),
      event(
        id + 3, "\(minute):08.600", "openai_realtime_asr_final_segment", user: james,
        session: session,
        "\"speakerName\":\"james\",\"transcript\":\"hey clanky what's the latest on the rust compiler?\""
      ),
      event(
        id + 4, "\(minute):08.900", "voice_turn_addressing", user: james, session: session,
        "\"allow\":true,\"reason\":\"generation_decides\",\"directAddressed\":true,\"talkingTo\":\"ME\",\"directedConfidence\":0.95,\"transcript\":\"hey clanky what's the latest on the rust compiler?\""
      ),
      event(
        id + 5, "\(minute):09.200", "voice_generation_prep_stage", user: james, session: session,
        "\"stage\":\"generation_start\""),
      event(
        id + 6, "\(minute):13.200", "voice_brain_tool_call", session: session,
        "\"toolName\":\"web_search\",\"toolInput\":{\"query\":\"latest rust news\"},\"durationMs\":3600,\"isError\":false,\"toolResultSummary\":{\"ok\":true,\"resultCount\":5}"
      ),
      event(
        id + 7, "\(minute):15.600", "realtime_reply_requested", session: session,
        "\"requestId\":7,\"replyText\":\"Rust 1.90 is out.\""),
      event(
        id + 8, "\(minute):15.700", "bot_audio_started", kind: "voice_turn_out", session: session,
        "\"requestId\":7"),
      event(
        id + 9, "\(minute):15.705", "voice_latency_stage", session: session,
        "\"stage\":\"audio_started\",\"requestId\":7,\"finalizedToAsrStartMs\":45,\"asrToGenerationStartMs\":1250,\"generationToReplyRequestMs\":6460,\"replyRequestToAudioStartMs\":80,\"queueWaitMs\":4,\"pendingQueueDepth\":0"
      ),
      event(
        id + 10, "\(minute):20.000", "bot_utterance_completed", session: session,
        "\"requestId\":7,\"durationMs\":4300"),
    ]
  }

  static let pastEvents = pastEvents(of: "past-1")

  static func pastEvents(of session: String) -> [String] {
    [
      event(
        1, "12:00:02.000", "voice_session_start", kind: "voice_session_start", session: session,
        "\"mode\":\"openai_realtime\",\"voiceChannelId\":\"600000000000000009\"")
    ] + turn(from: 10, session: session, at: "12:01")
      + turn(from: 40, session: session, at: "12:02")
      + [
        event(
          80, "12:03:00.000", "inactivity_timeout", kind: "voice_session_end", session: session,
          "\"durationSeconds\":178")
      ]
  }

  static let history = """
    [{"sessionId":"past-1","guildId":"500000000000000001","mode":"openai_realtime",\
    "startedAt":"2026-03-01T12:00:02.000Z","endedAt":"2026-03-01T12:03:00.000Z",\
    "durationSeconds":178,"endReason":"inactivity_timeout"},\
    {"sessionId":"past-2","guildId":"","mode":"gemini_realtime",\
    "startedAt":"2026-02-28T20:00:00.000Z","endedAt":"2026-02-28T21:02:03.000Z",\
    "durationSeconds":3723,"endReason":"max_duration"},\
    {"sessionId":"past-3","guildId":"500000000000000001","mode":"voice_agent",\
    "startedAt":null,"endedAt":null,"durationSeconds":null,"endReason":null}]
    """

  static let sparseSession = """
    {"sessionId":"s-2","guildId":null,"voiceChannelId":null,"textChannelId":null,\
    "startedAt":null,"maxEndsAt":null,"inactivityEndsAt":null,"activeInputStreams":0,\
    "activeCaptures":[],"soundboard":{"playCount":0,"lastPlayedAt":null},"mode":"voice_agent",\
    "assistantOutput":{"phase":"idle","reason":"idle","requestId":0},"participants":[],\
    "participantCount":0,"recentTurns":[],"asrSessions":null,"sharedAsrSession":null,\
    "brainTools":null,"toolCalls":null,"mcpStatus":null,"music":null,"batchAsr":null,\
    "realtime":null,"latency":null,"lastGenerationContext":null}
    """

  static let richSession = """
    {"sessionId":"s-1","guildId":"500000000000000001","voiceChannelId":"600000000000000009",\
    "textChannelId":"600000000000000001","startedAt":"2026-03-01T14:10:09.000Z",\
    "lastActivityAt":"2026-03-01T14:32:08.000Z","maxEndsAt":"2026-03-01T15:10:09.000Z",\
    "inactivityEndsAt":"2026-03-01T14:41:09.000Z","activeInputStreams":1,\
    "activeCaptures":[{"userId":"700000000000000001","displayName":"james",\
    "startedAt":"2026-03-01T14:32:05.800Z","ageMs":3200}],\
    "soundboard":{"playCount":4,"lastPlayedAt":"2026-03-01T14:29:09.000Z"},\
    "mode":"elevenlabs_realtime","realtimeToolOwnership":"transport_only","botTurnOpen":true,\
    "assistantOutput":{"phase":"speaking_live","reason":"bot_audio_live",\
    "lastTrigger":"audio_delta","phaseEnteredAt":"2026-03-01T14:32:03.000Z","requestId":7,\
    "ttsPlaybackState":"buffered","ttsBufferedSamples":9600},\
    "playbackArm":{"armed":true,"reason":"connection_ready","armedAt":"2026-03-01T14:10:10.000Z"},\
    "conversation":{"lastAssistantReplyAt":"2026-03-01T14:31:57.000Z",\
    "lastDirectAddressAt":"2026-03-01T14:32:06.000Z","lastDirectAddressUserId":"700000000000000001",\
    "musicWakeLatchedUntil":null,"musicWakeLatchedByUserId":null,\
    "wake":{"attentionMode":"ACTIVE","active":true,"currentSpeakerActive":true,\
    "recentAssistantReply":true,"recentDirectAddress":true,"msSinceAssistantReply":12000,\
    "msSinceDirectAddress":3000,"windowMs":35000},\
    "thoughtEngine":{"busy":false,"nextAttemptAt":"2026-03-01T14:32:49.000Z",\
    "lastAttemptAt":"2026-03-01T14:30:49.000Z","lastSpokenAt":null,\
    "pendingThought":{"id":"t-1","status":"queued","text":"ask about the keyboard",\
    "draftText":"ask about the new keyboard","trigger":"silence",\
    "createdAt":"2026-03-01T14:31:49.000Z","updatedAt":"2026-03-01T14:31:59.000Z",\
    "basisAt":null,"notBeforeAt":"2026-03-01T14:32:59.000Z","expiresAt":"2026-03-01T14:35:59.000Z",\
    "ageMs":20000,"revision":2,"lastDecisionReason":"busy room","lastDecisionAction":"hold",\
    "memoryFactCount":1,"usedMemory":true,"invalidatedAt":null,"invalidatedByUserId":null,\
    "invalidationReason":null}},\
    "addressing":{"currentSpeakerTarget":null,"currentSpeakerDirectedConfidence":0,\
    "lastDirectedToMe":{"speakerName":"james","directedConfidence":0.95,"ageMs":3000},\
    "recentAddressingGuesses":[{"speakerName":"james","talkingTo":"ME","directedConfidence":0.95,\
    "ageMs":3000},{"speakerName":"作者 Ada","talkingTo":"james","directedConfidence":0.12,\
    "ageMs":17000}]}},\
    "participants":[{"userId":"700000000000000001","displayName":"james"},\
    {"userId":"700000000000000002","displayName":"作者 Ada"},\
    {"userId":"700000000000000003","displayName":"sarah"}],"participantCount":3,\
    "membershipEvents":[{"userId":"700000000000000003","displayName":"sarah","eventType":"join",\
    "at":"2026-03-01T14:20:09.000Z","ageMs":720000},{"userId":"700000000000000004",\
    "displayName":"bob","eventType":"leave","at":"2026-03-01T14:30:09.000Z","ageMs":120000}],\
    "pendingDeferredTurns":1,\
    "recentTurns":[{"kind":"membership","role":"user","speakerName":"sarah","text":"sarah joined",\
    "at":"2026-03-01T14:20:09.000Z"},\
    {"kind":"speech","role":"user","speakerName":"james",\
    "text":"hey clanky what's the latest on the rust compiler?","at":"2026-03-01T14:31:08.900Z",\
    "addressing":{"talkingTo":"ME","directedConfidence":0.95,"source":"decision","reason":"named"}},\
    {"kind":"speech","role":"assistant","speakerName":"clanky","text":"Rust 1.90 is out.",\
    "at":"2026-03-01T14:31:15.700Z"},\
    {"kind":"speech","role":"user","speakerName":"作者 Ada","text":"whatever that means",\
    "at":"2026-03-01T14:31:52.500Z"},\
    {"kind":"thought","role":"assistant","speakerName":"YOU","text":"Ada is not talking to me",\
    "at":"2026-03-01T14:31:55.000Z"}],\
    "durableContext":[{"text":"they plan a trip in June","category":"plan",\
    "at":"2026-03-01T14:25:00.000Z"}],\
    "streamWatch":{"active":true,"targetUserId":"700000000000000001",\
    "requestedByUserId":"700000000000000002","lastFrameAt":"2026-03-01T14:32:07.000Z",\
    "latestFrameAt":"2026-03-01T14:32:07.000Z","latestFrameMimeType":"image/jpeg",\
    "latestFrameApproxBytes":84211,"acceptedFrameCountInWindow":12,\
    "frameWindowStartedAt":"2026-03-01T14:32:00.000Z","ingestedFrameCount":142,\
    "lastCommentaryAt":"2026-03-01T14:30:00.000Z","lastCommentaryNote":"nice code",\
    "lastMemoryRecapAt":null,"lastMemoryRecapText":null,"lastMemoryRecapDurableSaved":false,\
    "lastMemoryRecapReason":null,"lastNoteAt":"2026-03-01T14:32:05.000Z",\
    "lastNoteProvider":"anthropic","lastNoteModel":"claude-haiku-4-5","noteCount":6,\
    "notePayload":{"prompt":"Notes on the screen:","notes":["Rust docs (12s ago)"],\
    "lastAt":"2026-03-01T14:32:05.000Z","provider":"anthropic","model":"claude-haiku-4-5"},\
    "visualFeed":[{"text":"User is browsing the Rust docs","at":"2026-03-01T14:31:40.000Z",\
    "provider":"anthropic","model":"claude-haiku-4-5","speakerName":"james"},\
    {"text":"Scrolling through a trait impl","at":"2026-03-01T14:32:05.000Z"}],\
    "nativeDiscord":{"activeSharerCount":1,"subscribedTargetUserId":"700000000000000001",\
    "decodeInFlight":false,"lastDecodeAttemptAt":"2026-03-01T14:32:07.000Z",\
    "lastDecodeSuccessAt":"2026-03-01T14:32:07.000Z","lastDecodeFailureAt":null,\
    "lastDecodeFailureReason":null,"ffmpegAvailable":true,\
    "activeSharers":[{"userId":"700000000000000001","displayName":"james","codec":"H264",\
    "streamCount":1,"lastFrameAt":"2026-03-01T14:32:07.000Z","updatedAt":null}]}},\
    "asrSessions":[{"userId":"700000000000000001","displayName":"james","connected":true,\
    "phase":"ready","connectedAt":"2026-03-01T14:11:00.000Z",\
    "lastAudioAt":"2026-03-01T14:32:08.900Z","lastTranscriptAt":"2026-03-01T14:32:08.500Z",\
    "idleMs":110,"idleTtlMs":60000,"hasIdleTimer":false,"pendingAudioBytes":4100,\
    "pendingAudioChunks":2,"utterance":{"partialText":"I was wonder","finalSegments":0,\
    "bytesSent":88200},"model":"gpt-4o-mini-transcribe","sessionId":"sess_abc"},\
    {"userId":"700000000000000002","displayName":"作者 Ada","connected":false,"phase":"idle",\
    "connectedAt":null,"lastAudioAt":null,"lastTranscriptAt":"2026-03-01T14:31:52.000Z",\
    "idleMs":17000,"idleTtlMs":60000,"hasIdleTimer":true,"pendingAudioBytes":0,\
    "pendingAudioChunks":0,"utterance":null,"model":"gpt-4o-mini-transcribe","sessionId":null}],\
    "sharedAsrSession":null,"brainTools":null,\
    "toolCalls":[{"callId":"call-1","toolName":"web_search","toolType":"function",\
    "arguments":{"query":"latest rust news"},"startedAt":"2026-03-01T14:31:09.600Z",\
    "completedAt":"2026-03-01T14:31:13.200Z","runtimeMs":3600,"success":true,\
    "outputSummary":{"ok":true,"resultCount":5},"error":null},\
    {"callId":"call-2","toolName":"slack_send","toolType":"mcp","arguments":{"to":"#dev"},\
    "startedAt":"2026-03-01T14:31:20.000Z","completedAt":"2026-03-01T14:31:25.000Z",\
    "runtimeMs":5000,"success":false,"outputSummary":null,"error":"timeout after 5 s"}],\
    "mcpStatus":[{"serverName":"filesystem","connected":true,"tools":[{"name":"read",\
    "description":"Read a file"},{"name":"list","description":"List a folder"}],"lastError":null,\
    "lastConnectedAt":"2026-03-01T14:10:09.000Z","lastCallAt":null},\
    {"serverName":"slack","connected":false,"tools":[],"lastError":"timeout after 5 s",\
    "lastConnectedAt":null,"lastCallAt":"2026-03-01T14:31:25.000Z"}],\
    "music":{"phase":"playing","active":true,"pauseReason":null,"replyHandoffMode":"duck",\
    "replyHandoffRequestedByUserId":"700000000000000001","replyHandoffSource":"voice_reply",\
    "replyHandoffAt":"2026-03-01T14:32:00.000Z","provider":"youtube","source":"queue",\
    "startedAt":"2026-03-01T14:28:00.000Z","stoppedAt":null,"lastTrackId":"tr-1",\
    "lastTrackTitle":"Midnight City","lastTrackArtists":["M83"],\
    "lastTrackUrl":"https://example.org/t","lastPlaybackUrl":"https://example.org/secret?sig=1",\
    "lastPlaybackResolvedDirectUrl":true,"lastQuery":"midnight city",\
    "lastRequestedByUserId":"700000000000000001","lastRequestText":"play midnight city",\
    "lastCommandAt":"2026-03-01T14:27:58.000Z","lastCommandReason":"voice_request",\
    "pendingQuery":"outro","pendingPlatform":"youtube",\
    "pendingRequestedByUserId":"700000000000000002",\
    "pendingRequestedAt":"2026-03-01T14:32:00.000Z",\
    "pendingResults":[{"id":"r1","title":"Outro","artist":"M83","platform":"youtube",\
    "externalUrl":"https://example.org/r1","durationSeconds":247}],"disambiguationActive":true,\
    "queueState":{"tracks":[{"id":"tr-1","title":"Midnight City","artist":"M83","source":"yt"},\
    {"id":"tr-2","title":"夜に駆ける","artist":"YOASOBI","source":"yt"},\
    {"id":"tr-3","title":"Alive","artist":null,"source":"sc"}],"nowPlayingIndex":0,\
    "isPaused":false,"volume":0.6}},\
    "batchAsr":{"pendingTurns":1,"contextMessages":3},\
    "realtime":{"provider":"elevenlabs","inputSampleRateHz":24000,"outputSampleRateHz":24000,\
    "recentVoiceTurns":8,"replySuperseded":1,"pendingTurns":0,"drainActive":false,\
    "coalesceActive":false,"state":{"connected":true,"connectedAt":"2026-03-01T14:10:10.000Z",\
    "lastEventAt":"2026-03-01T14:32:07.000Z","sessionId":"rt-1","lastError":null,\
    "lastCloseCode":null,"lastCloseReason":null,"lastOutboundEventType":"input_audio",\
    "lastOutboundEventAt":"2026-03-01T14:32:08.000Z","lastOutboundEvent":null,\
    "recentOutboundEvents":[{"type":"input_audio","at":"2026-03-01T14:32:08.000Z",\
    "payload":{"n":1}}],"utteranceCount":3,"model":"eleven_turbo"}},\
    "latency":{"recentTurns":[{"at":"2026-03-01T14:31:15.705Z","finalizedToAsrStartMs":45,\
    "asrToGenerationStartMs":1250,"generationToReplyRequestMs":6460,\
    "replyRequestToAudioStartMs":80,"totalMs":7835,"queueWaitMs":4,"pendingQueueDepth":0}],\
    "averages":{"finalizedToAsrStartMs":45,"asrToGenerationStartMs":1250,\
    "generationToReplyRequestMs":6460,"replyRequestToAudioStartMs":80,"totalMs":7835},\
    "turnCount":1}}
    """
}

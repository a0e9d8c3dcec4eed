/// A lane of the flight recorder: one stage of the life of a spoken turn (contract 8.4).
package enum Lane: String, CaseIterable, Hashable, Sendable {
  /// Audio of people: activity, end of speech, drops.
  case capture
  /// The recogniser.
  case asr
  /// Whether the bot answers.
  case decision
  /// The model, from the go-ahead to the request for speech.
  case generation
  /// Tools of either owner.
  case tools
  /// The bot's output: requests, audio, delays.
  case output
  /// Users who interrupt the bot.
  case bargeIn
  /// Screens that are watched or shared.
  case screen
  /// The thought engine.
  case thought
  /// Music and sounds.
  case music
  /// All the rest: an event is never left out.
  case other

  /// The lane of an event by its name (the content up to its first colon) and kind: the rules of
  /// contract 8.4 with the corrections named there, and the families of appendix A. Names decide
  /// before kinds.
  package init(name: String, kind: String) {
    self = Self.byName(name) ?? Self.byKind(kind) ?? .other
  }

  private static let names: [String: Lane] = [
    "voice_activity_started": .capture, "voice_turn_finalized": .capture,
    "voice_realtime_transcription_empty": .asr,
    "voice_turn_addressing": .decision, "voice_runtime_event_decision": .decision,
    "voice_reply_classifier_debug": .decision, "voice_membership_changed": .decision,
    "voice_screen_watch_capability": .generation,
    "openai_realtime_instructions_updated": .generation,
    "realtime_generation_failed": .generation, "voice_brain_generation_failed": .generation,
    "voice_realtime_instruction_memory_loaded": .generation,
    "llm_call": .generation, "llm_error": .generation,
    "voice_brain_tool_call": .tools, "llm_tool_call": .tools, "search_call": .tools,
    "search_error": .tools,
    "bot_audio_started": .output, "bot_utterance_completed": .output,
    "active_response_cleared_stale": .output, "voice_latency_stage": .output,
    "openai_realtime_text_turn_forwarded": .output, "text_turn_forwarded": .output,
    "voice_soundboard_play": .music, "soundboard_play_failed": .music,
    "tts_call": .output, "tts_error": .output, "asr_call": .asr, "asr_error": .asr,
    "speech": .output,
  ]

  /// The longest prefix that fits wins; so they stand from the special to the general.
  private static let prefixes: [(String, Lane)] = [
    ("voice_barge_in_", .bargeIn), ("voice_interrupt_", .decision),
    ("voice_turn_dropped", .capture), ("voice_turn_skipped", .capture),
    ("realtime_turn_", .capture), ("file_asr_turn_", .capture),
    ("openai_realtime_asr_", .asr), ("file_asr_", .asr),
    ("voice_generation_", .generation), ("voice_context_compaction", .generation),
    ("realtime_tool_call_", .tools), ("realtime_tools_", .tools),
    ("realtime_reply_", .output), ("voice_reply_", .output), ("response_", .output),
    ("voice_output_lease", .output), ("realtime_assistant_utterance", .output),
    ("realtime_audio_write", .output),
    ("voice_thought_", .thought), ("voice_pending_thought_", .thought),
    ("voice_music_", .music), ("voice_tool_music_", .music), ("voice_tool_media_", .music),
    ("voice_soundboard_", .music), ("soundboard_", .music), ("music_stream_publish", .screen),
    ("stream_watch_", .screen), ("screen_watch_", .screen), ("screen_share_", .screen),
    ("native_discord_", .screen), ("browser_stream_publish", .screen),
    ("clankvox_", .other),
  ]

  private static func byName(_ name: String) -> Lane? {
    if let lane = names[name] { return lane }
    if let lane = prefixes.first(where: { name.hasPrefix($0.0) })?.1 { return lane }
    // `<label>_transcript`, `<label>_response_done`, `<label>_text_turn_forwarded` of any provider.
    for suffix in ["_transcript", "_response_done", "_text_turn_forwarded"]
    where name.hasSuffix(suffix) { return .output }
    return nil
  }

  private static func byKind(_ kind: String) -> Lane? {
    switch kind {
    case "voice_turn_in", "voice_session_start", "voice_session_end": .capture
    case "voice_turn_out", "voice_error": .output
    case "voice_soundboard_play", "voice_music", "music_player": .music
    default: nil
    }
  }

  /// The place of an event among those of its millisecond, by name and kind.
  package static func order(name: String, kind: String) -> Int {
    rank(Lane(name: name, kind: kind))
  }

  /// Orders two events of the same millisecond.
  static func rank(_ lane: Lane) -> Int {
    switch lane {
    case .capture: 0
    case .asr: 1
    case .decision: 2
    case .generation: 3
    case .tools: 4
    case .output: 5
    default: 6
    }
  }
}

/// A stretch of a lane.
package struct LaneBlock: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    /// It went as it should.
    case passed
    /// It was decided against.
    case denied
    /// It was dropped.
    case dropped
    case failed
    case interrupted
    /// Still running, as far as is known.
    case open
    /// A moment that neither passes nor fails.
    case neutral
  }

  package var lane: Lane
  /// Milliseconds since 1970.
  package var start: Int64
  /// nil if no end is known: it is never invented. Equal to `start` for a moment.
  package var end: Int64?
  /// The label of the block: recognised speech, the tool, the reason; may be empty. Untrusted text.
  package var words: String
  package var outcome: Outcome
  /// The turn it belongs to, if it belongs to one.
  package var turnID: VoiceTurnRecord.ID?
  /// The speaker, for capture and recogniser.
  package var userID: String?
  /// The events it rests on, in order.
  package var events: [VoiceEvent.ID]
  /// Whether the end is reckoned and not reported, such as the end of playback.
  package var isEndEstimated = false
  /// Whether it may still be running. Without an end and not open, its end was never reported.
  package var isOpen = false

  package var isMoment: Bool { end == start }

  /// Its known length in ms; up to `now` while it is open.
  package func length(at now: Int64) -> Int64 { max(0, (end ?? (isOpen ? now : start)) - start) }
}

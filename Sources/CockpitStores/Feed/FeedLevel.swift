internal import ClankyWire

/// How much of the log the feed shows, least first.
package enum FeedLevel: String, CaseIterable, Hashable, Sendable {
  /// What one person would tell another: who said what, what came of it, tools, errors, memory, sessions.
  case story
  /// The steps of each answer too, without the noise of streams and buffers.
  case normal
  /// Every row.
  case everything

  package var next: FeedLevel {
    switch self {
    case .story: .normal
    case .normal: .everything
    case .everything: .story
    }
  }

  /// Whether the level shows rows of this weight one by one.
  func shows(_ weight: FeedWeight) -> Bool {
    switch self {
    case .story: weight == .story
    case .normal: weight != .noise
    case .everything: true
    }
  }
}

/// How much a row says to somebody who reads the feed.
enum FeedWeight: UInt8, Hashable, Sendable {
  case noise, step, story

  /// Events of text and voice in which `allow: false` is the reason of a silence.
  static let decisions: Set<String> = [
    "reply_admission_decision", "reply_pipeline_gate", "reply_tool_availability",
    "voice_turn_addressing", "voice_thought_decision",
  ]

  /// - Parameter isDenied: whether the row of a decision says no.
  init(_ label: ActionLabel, severity: Severity, isDenied: Bool) {
    if severity == .error || isDenied {
      self = .story
    } else if let event = label.event {
      self = Self.weight(ofEvent: event, kind: label.kind)
    } else if Self.noisyKinds.contains(label.kind) {
      self = .noise
    } else if Self.stepKinds.contains(label.kind) || ActionKind(rawValue: label.kind).isContainer {
      self = .step
    } else {
      // A kind that is not known may be what a newer backend has to tell.
      self = .story
    }
  }

  private static let noisyKinds: Set<String> = [
    "memory_embedding_call", "discovery_feed_snapshot", "minecraft_mcp_process_output",
    "swarm_worker_log_attached",
  ]

  private static let stepKinds: Set<String> = [
    "llm_call", "llm_tool_call", "asr_call", "tts_call", "voice_turn_in", "voice_turn_out",
    "browser_agent_session_turn", "browser_agent_reasoning", "browser_tool_step",
    "browser_tool_result", "memory_reflection_start", "swarm_task_progress",
    "swarm_spawn_request_received", "swarm_spawn_request_accepted", "swarm_spawn_request_noop",
    "minecraft_narration_candidate", "minecraft_narration_filtered", "minecraft_runtime_call",
  ]

  private static let storyEvents: Set<String> = [
    "realtime_reply_requested", "file_asr_transcript", "voice_brain_tool_call",
    "realtime_tool_call_completed", "voice_membership_changed", "music_player_playing",
    "reply_queue_gate_rejected", "bot_logged_in", "voice_barge_in_interrupt",
  ]

  private static let noisyEvents: Set<String> = [
    "voice_latency_stage", "voice_generation_prep_stage", "curated_prompt_memory_loaded",
    "reply_tool_availability", "stream_watch_frame_ingested", "stream_watch_note_updated",
    "voice_output_lease_released", "voice_runtime_event_decision",
  ]

  private static func weight(ofEvent event: String, kind: String) -> FeedWeight {
    // The content of these names a reason, not an event.
    if kind == "voice_session_start" || kind == "voice_session_end" { return .story }
    if storyEvents.contains(event) || event.hasSuffix("_asr_final_segment") { return .story }
    if ["_skipped", "_superseded", "_superseded_newer_input", "_dropped", "_rejected"]
      .contains(where: event.hasSuffix)
    {
      return .story
    }
    if noisyEvents.contains(event) || event.hasPrefix("clankvox_") { return .noise }
    return
      ["_asr_partial_segment", "_instructions_updated", "_event_sent", "_debug", "_ingested"]
      .contains(where: event.hasSuffix) ? .noise : .step
  }
}

/// The kind of an action: an open set, since every version of the backend adds some.
package struct ActionKind: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// Whether contract 4.4 lists it.
  package var isKnown: Bool { Self.known[rawValue] != nil }

  /// Where it belongs: by the table, else by its prefix (contract 8.1), else SYSTEM. An unknown
  /// kind is normal and never dropped.
  package var domain: Domain {
    if let domain = Self.known[rawValue] { return domain }
    // Bytes: a kind may be a megabyte of combining marks, which take seconds as characters.
    let bytes = rawValue.utf8
    if let end = bytes.firstIndex(of: UInt8(ascii: "_")),
      let domain = Self.prefixes[String(rawValue[..<end])]
    {
      return domain
    }
    return bytes.suffix(6).elementsEqual("_error".utf8) ? .error : .system
  }

  /// Whether the real event name is in `content`, up to its first colon (contract Appendix A).
  package var isContainer: Bool {
    var text = rawValue
    return text.withUTF8 { Self.isContainer(UnsafeRawBufferPointer($0)) }
  }

  /// The same on bytes: every `*_runtime` and `*_lifecycle`, and the others that log event names.
  package static func isContainer(_ kind: UnsafeRawBufferPointer) -> Bool {
    func ends(_ suffix: StaticString) -> Bool {
      let length = suffix.utf8CodeUnitCount
      guard kind.count >= length else { return false }
      for index in 0..<length
      where kind[kind.count - length + index] != suffix.utf8Start[index] { return false }
      return true
    }
    func equals(_ word: StaticString) -> Bool { kind.count == word.utf8CodeUnitCount && ends(word) }
    guard let last = kind.last else { return false }
    switch last {
    case UInt8(ascii: "e"):
      return ends("_runtime") || ends("_lifecycle") || equals("runtime") || equals("search_service")
    case UInt8(ascii: "r"):
      return equals("voice_error") || equals("bot_error") || equals("music_player")
        || equals("code_agent_error") || equals("swarm_activity_bridge_error")
    case UInt8(ascii: "n"): return equals("voice_warn")
    case UInt8(ascii: "o"): return equals("voice_info")
    case UInt8(ascii: "c"): return equals("voice_music")
    case UInt8(ascii: "g"): return equals("bot_warning")
    case UInt8(ascii: "d"): return equals("dashboard")
    case UInt8(ascii: "t"): return equals("browser_agent")
    case UInt8(ascii: "s"): return equals("swarm_server_status") || equals("minecraft_mcp_process")
    case UInt8(ascii: "y"): return equals("stream_discovery")
    default: return false
    }
  }

  private static let prefixes: [String: Domain] = [
    "voice": .voice, "llm": .llm, "memory": .memory, "browser": .browser, "asr": .asr, "tts": .tts,
    "image": .media, "gif": .media, "video": .media, "code": .code, "swarm": .code,
    "search": .discovery, "discovery": .discovery, "automation": .automation,
    "initiative": .initiative, "minecraft": .game, "game": .game, "tool": .tool, "text": .text,
    "reply": .text, "sent": .text, "music": .voice,
  ]

  /// Every kind of contract 4.4 and its domain, and the twelve names that the specification lists
  /// but nothing emits.
  package static let known: [String: Domain] = {
    var known: [String: Domain] = [:]
    known.reserveCapacity(128)
    for (domain, kinds) in table {
      // By bytes: no start waits for grapheme clusters.
      for kind in kinds.utf8.split(whereSeparator: { $0 <= 0x20 }) {
        known[String(Substring(kind))] = domain
      }
    }
    return known
  }()

  private static let table: KeyValuePairs<Domain, String> = [
    .llm: """
    llm_call llm_error llm_tool_call llm_lifecycle
    """,
    .voice: """
    voice_session_start voice_session_end voice_turn_in voice_turn_out voice_runtime
    voice_error voice_warn voice_info voice_soundboard_play voice_music voice_lifecycle
    music_player
    """,
    .system: """
    stream_discovery bot_error bot_warning bot_runtime bot_lifecycle dashboard runtime daily
    generic interval membership effect visualizer
    """,
    .asr: """
    asr_call asr_error
    """,
    .tts: """
    tts_call tts_error speech
    """,
    .text: """
    sent_reply sent_message reply_skipped reacted text_runtime direct
    """,
    .memory: """
    memory_fact memory_embedding_call memory_embedding_error memory_reflection_start
    memory_reflection_complete memory_reflection_error memory_runtime
    """,
    .browser: """
    browser_agent_session_turn browser_agent_reasoning browser_agent_final
    browser_browse_call browser_browse_failed browser_tool_step browser_tool_result
    browser_agent browser_session
    """,
    .media: """
    image_call image_error gif_call gif_error video_call video_error video_context_call
    video_context_error tiktok youtube url
    """,
    .code: """
    code_agent_call code_agent_error sub_agent_session_lifecycle swarm_server_status
    swarm_server_spawn_failed swarm_server_spawn_fallback swarm_spawn_request_received
    swarm_spawn_request_accepted swarm_spawn_request_declined swarm_spawn_request_noop
    swarm_spawn_request_response_error swarm_spawn_request_rate_limited
    swarm_activity_bridge_error swarm_task_progress swarm_task_result swarm_task_cancel_error
    swarm_task_delivery_error swarm_worker_adoption_timeout swarm_worker_exit
    swarm_worker_log_attached
    """,
    .discovery: """
    discovery_feed_snapshot search_call search_error search_service
    """,
    .automation: """
    automation_created automation_updated automation_post automation_run automation_error
    """,
    .initiative: """
    initiative_post initiative_skip initiative_source_add initiative_source_remove
    """,
    .game: """
    minecraft_game_events minecraft_mcp_init_error minecraft_mcp_process
    minecraft_mcp_process_output minecraft_narration_blocked minecraft_narration_candidate
    minecraft_narration_filtered minecraft_narration_post minecraft_narration_skip
    minecraft_runtime_call minecraft_runtime_tool_error
    """,
  ]
}

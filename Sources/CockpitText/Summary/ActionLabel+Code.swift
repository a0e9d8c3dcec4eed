import ClankyWire

extension ActionLabel {
  /// Three letters for the narrowest feeds: the event, else the domain.
  package var code: String {
    if severity == .error { return "ERR" }
    switch event ?? kind {
    case "llm_tool_call", "voice_brain_tool_call": return "TOL"
    case "voice_turn_in": return "VIN"
    case "voice_turn_out": return "VOT"
    default: break
    }
    if (event ?? kind).hasPrefix("realtime_tool_call") { return "TOL" }
    return switch domain {
    case .llm: "LLM"
    case .voice: "VOX"
    case .asr: "ASR"
    case .tts: "TTS"
    case .text: "TXT"
    case .memory: "MEM"
    case .browser: "WEB"
    case .media: "MED"
    case .code: "COD"
    case .discovery: "DIS"
    case .automation: "AUT"
    case .initiative: "INI"
    case .system: "SYS"
    case .tool: "TOL"
    case .error: "ERR"
    case .game: "GAM"
    }
  }
}

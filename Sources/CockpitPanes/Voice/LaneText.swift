/// Labels of blocks in a lane: rows with nothing but an event name get a readable one. Speech
/// passes unchanged.
enum LaneText {
  /// Replacements for names that say too little, or too much.
  private static let names = [
    "response_done": "answer complete", "response_created": "answer begun",
    "client_event_sent": "sent to the provider", "session_created": "provider connected",
    "session_updated": "provider settings changed", "voice_latency_stage": "delay measured",
    "bot_utterance_completed": "utterance complete", "bot_audio_started": "sound began",
    "asr_final_segment": "words final", "asr_partial_segment": "words so far",
  ]
  /// Redundant prefixes, longer than the rest of the name.
  private static let prefixes = [
    "openai_realtime_", "gemini_realtime_", "xai_realtime_", "elevenlabs_realtime_", "voice_agent_",
    "realtime_", "voice_",
  ]

  /// `openai_realtime_response_done` as `answer complete`; text that is no name unchanged.
  static func plain(_ text: String) -> String {
    guard text.utf8.count <= 160, text.utf8.contains(UInt8(ascii: "_")) else { return text }
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.allSatisfy(isName), let first = parts.first else { return text }
    let rest = parts.dropFirst().map { String($0).replacing("_", with: " ") }
    return ([word(String(first))] + rest).joined(separator: ", ")
  }

  private static func word(_ name: String) -> String {
    if let word = names[name] { return word }
    guard let prefix = prefixes.first(where: { name.hasPrefix($0) }) else {
      return name.replacing("_", with: " ")
    }
    let rest = String(name.dropFirst(prefix.count))
    return names[rest] ?? rest.replacing("_", with: " ")
  }

  /// Wire names consist of lower-case letters, digits and underscores.
  private static func isName(_ part: Substring) -> Bool {
    !part.isEmpty
      && part.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
      }
  }
}

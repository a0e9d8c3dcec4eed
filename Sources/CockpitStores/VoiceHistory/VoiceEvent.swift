package import LenientJSON
package import ClankyWire

/// One event of a voice session: an action whose metadata was parsed once and stripped of its
/// prompts.
package struct VoiceEvent: Identifiable, Sendable {
  /// By arrival; never used twice by one store.
  package typealias ID = Int

  package let id: ID
  /// Milliseconds since 1970.
  package let timeMs: Int64
  package let kind: String
  /// The event that the content names, else the kind.
  package let name: String
  package let lane: Lane
  package let severity: Severity
  package let userID: String?
  package let channelID: String?
  package let guildID: String?
  package let messageID: String?
  /// The text, at most `maxContent` bytes of it.
  package let content: String?
  /// The metadata without the keys in `heavyKeys`.
  package let metadata: JSONValue
  /// Whether details were left out: the row in the log has them.
  package let isTrimmed: Bool
  /// US dollars.
  package let costUSD: Double?
  /// The row of the activity log; nil for a replayed event. It may have been evicted.
  package internal(set) var rowID: RowID?
  /// The backend's id, if it was known when the event arrived: the row may know it later.
  package internal(set) var actionID: Int?

  static let maxContent = 2000

  /// Details of tens of kilobytes that no derivation needs (contract 9.4): prompts and raw output.
  static let heavyKeys: Set<String> = [
    "replyPrompts", "systemPrompt", "userPrompt", "promptSnapshot", "rawOutput", "instructions",
    "payload", "initialUserPrompt", "tools", "lastUserContent", "rawContentSummary",
    "responseDiagnostics",
  ]

  /// The event that a row tells of: two kinds always have the same one (contract 4.5, Voice).
  static func name(of label: ActionLabel) -> String {
    switch label.kind {
    case "voice_turn_in": "voice_activity_started"
    case "voice_turn_out": "bot_audio_started"
    default: label.title
    }
  }

  /// The text of a detail; nil if absent or empty.
  package func string(_ key: String) -> String? {
    guard let text = metadata[key]?.string, !text.isEmpty else { return nil }
    return text
  }

  package func int(_ key: String) -> Int? { metadata[key]?.int }
  package func bool(_ key: String) -> Bool? { metadata[key]?.bool }

  /// A finite number.
  package func double(_ key: String) -> Double? {
    metadata[key]?.double.flatMap { $0.isFinite ? $0 : nil }
  }

  /// The text after the name in the content of an error, such as `soundboard_play_failed: …`.
  package var detail: String? {
    guard let content, content.count > name.count, content.hasPrefix(name) else {
      return name == kind ? content : nil
    }
    let rest = content.dropFirst(name.count).drop { $0 == ":" || $0 == " " }
    return rest.isEmpty ? nil : String(rest)
  }

  /// The order of a session: by time, then by the life of a turn, then by name, so that it does
  /// not depend on the order of arrival.
  static func precedes(_ left: VoiceEvent, _ right: VoiceEvent) -> Bool {
    if left.timeMs != right.timeMs { return left.timeMs < right.timeMs }
    let ranks = (Lane.rank(left.lane), Lane.rank(right.lane))
    if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
    if left.name != right.name { return left.name < right.name }
    if left.userID != right.userID { return (left.userID ?? "") < (right.userID ?? "") }
    return left.id < right.id
  }

  /// Equal for the live and replayed copies of one action.
  var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(timeMs)
    hasher.combine(kind)
    hasher.combine(name)
    hasher.combine(userID)
    hasher.combine(channelID)
    for key in Self.tellingKeys { hasher.combine(metadata[key]) }
    return hasher.finalize()
  }

  /// The keys that distinguish two rows of the same name and millisecond.
  private static let tellingKeys = [
    "callId", "itemId", "reason", "requestId", "responseId", "source", "stage", "state", "toolName",
    "transcript", "type",
  ]
}

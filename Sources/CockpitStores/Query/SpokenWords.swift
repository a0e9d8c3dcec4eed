internal import LenientJSON
internal import ClankyWire

/// The words of a row that stand in its metadata: voice rows carry what was said there and not in
/// their content (contract 4.5, Voice), tools and searches what they were asked.
enum SpokenWords {
  /// The keys whose texts a feed line shows. Prompts are not among them: every one of them would
  /// hit, and nobody sees where.
  private static let keys: Set<String> = [
    "displayName", "error", "errorMessage", "fact", "finalThought", "heard", "message", "model",
    "query", "reason", "replyText", "replyTextPreview", "skipCause", "speakerName", "subject",
    "summary", "thoughtText", "title", "tool", "toolName", "toolNames", "transcript",
    "utteranceTextPreview",
  ]

  /// Whether the needle is in one of them. The bytes are asked first: parsing is for those rows
  /// only that hold the needle somewhere.
  static func hold(_ needle: TextNeedle, in row: ActionRowView) -> Bool {
    let isPossible = row.withRaw { bytes in
      needle.isIn(bytes) || ByteSearch.contains(bytes, Array("\\u".utf8))
        || ByteSearch.contains(bytes, Array("\\n".utf8))
    }
    guard isPossible, case .object(let metadata) = row.metadata() else { return false }
    for member in metadata.members where keys.contains(member.key) {
      if let text = member.value.string, needle.isIn(text) { return true }
    }
    // What a tool was asked is shown as its arguments.
    for key in ["toolInput", "arguments", "input"] {
      guard case .object(let object) = metadata[key] ?? .null else { continue }
      if object.members.contains(where: { $0.value.string.map(needle.isIn) ?? false }) {
        return true
      }
    }
    return false
  }
}

internal import LenientJSON
internal import ClankyWire

/// The searchable text in a row's metadata: voice rows keep speech there and not in their content
/// (contract 4.5, Voice), tools and searches their input.
enum SpokenWords {
  /// The keys whose texts a feed line shows. Prompts are excluded: every prompt would match,
  /// invisibly.
  private static let keys: Set<String> = [
    "displayName", "error", "errorMessage", "fact", "finalThought", "heard", "message", "model",
    "query", "reason", "replyText", "replyTextPreview", "skipCause", "speakerName", "subject",
    "summary", "thoughtText", "title", "tool", "toolName", "toolNames", "transcript",
    "utteranceTextPreview",
  ]

  /// Whether one of them contains the needle. The bytes are searched first, so that only rows with
  /// the needle somewhere are parsed.
  static func hold(_ needle: TextNeedle, in row: ActionRowView) -> Bool {
    let isPossible = row.withRaw { bytes in
      needle.isIn(bytes) || ByteSearch.contains(bytes, Array("\\u".utf8))
        || ByteSearch.contains(bytes, Array("\\n".utf8))
    }
    guard isPossible, case .object(let metadata) = row.metadata() else { return false }
    for member in metadata.members where keys.contains(member.key) {
      if let text = member.value.string, needle.isIn(text) { return true }
    }
    // A tool's input is shown as its arguments.
    for key in ["toolInput", "arguments", "input"] {
      guard case .object(let object) = metadata[key] ?? .null else { continue }
      if object.members.contains(where: { $0.value.string.map(needle.isIn) ?? false }) {
        return true
      }
    }
    return false
  }
}

internal import ClankyWire
internal import LenientJSON

/// The searchable words of a row: content, transcripts, names, tools and their input, errors. Prompts are left out,
/// because most words would match each of them.
enum RowText {
  /// The number of characters of each text that are indexed.
  static let limit = 2000

  private static let keys: Set<String> = [
    "displayName", "error", "errorMessage", "fact", "finalThought", "heard", "message", "model",
    "query", "reason", "replyText", "replyTextPreview", "skipCause", "speakerName", "subject",
    "summary", "thoughtText", "title", "tool", "toolName", "toolNames", "transcript",
    "utteranceTextPreview",
  ]
  private static let inputs = ["toolInput", "arguments", "input"]
  private static let wanted = keys.union(inputs)

  /// The words in their order.
  static func words(_ json: UnsafeRawBufferPointer) -> [String] {
    guard let scan = try? ActionScanner.scan(json) else { return [] }
    var words: [String] = []
    func add(_ text: String) { words += HistoryWords.split(String(text.prefix(limit))) }
    if let content = scan.content.text(in: json) { add(content) }
    guard case .object(let metadata) = scan.metadata(wanted, in: json) else { return words }
    for member in metadata.members where keys.contains(member.key) {
      if let text = member.value.string { add(text) }
      for value in member.value.array ?? [] { value.string.map(add) }
    }
    for key in inputs {
      guard case .object(let object) = metadata[key] ?? .null else { continue }
      for member in object.members { member.value.string.map(add) }
    }
    return words
  }
}

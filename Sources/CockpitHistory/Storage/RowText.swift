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
    var words: [String] = []
    texts(json) { HistoryWords.each($0) { word, _ in words.append(word) } }
    return words
  }

  /// The same with spaces between them, for the index: without a string for each word.
  static func line(_ json: UnsafeRawBufferPointer) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(json.count / 2)
    texts(json) { HistoryWords.append($0, to: &line) }
    return line
  }

  private static func texts(_ json: UnsafeRawBufferPointer, _ take: (String) -> Void) {
    guard let scan = try? ActionScanner.scan(json) else { return }
    // Bytes are counted faster than characters, of which there are fewer.
    func add(_ text: String) { take(text.utf8.count <= limit ? text : String(text.prefix(limit))) }
    if let content = scan.content.text(in: json) { add(content) }
    guard case .object(let metadata) = scan.metadata(wanted, in: json) else { return }
    for member in metadata.members where keys.contains(member.key) {
      if let text = member.value.string { add(text) }
      for value in member.value.array ?? [] { value.string.map(add) }
    }
    for key in inputs {
      guard case .object(let object) = metadata[key] ?? .null else { continue }
      for member in object.members { member.value.string.map(add) }
    }
  }
}

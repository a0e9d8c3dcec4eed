internal import LenientJSON
internal import ClankyWire

/// A term that looks into the metadata.
struct MetadataTerm {
  private let term: Query.Term
  /// Keys of which at least one is in the bytes when the term can hold, with their quotes.
  private let keys: [[UInt8]]
  /// Whether the keys have a single spelling, apart from `\u00` escapes.
  private let isPlain: Bool

  var isNegated: Bool { term.isNegated }

  init(_ term: Query.Term) {
    self.term = term
    let names =
      switch term.field {
      case .model: ["model", "responseModel"]
      case .provider: ["provider", "providerUsed"]
      case .tool: ["toolName", "tool", "toolNames", "toolCalls"]
      case .source: ["source"]
      case .session: ["sessionId", "sessionKey"]
      case .ms: Self.durations
      case .tokens: ["usage", "responseUsage"]
      default: Array(term.path.prefix(1))
      }
    keys = names.map { Array("\"\($0)\"".utf8) }
    isPlain = names.allSatisfy { name in
      !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
  }

  /// The durations of contract 4.4, the most complete first.
  private static let durations = [
    "durationMs", "runtimeMs", "latencyMs", "totalMs", "elapsedMs", "resolveMs", "performance",
  ]

  /// Some kinds name the tool, or provider and model, in their content.
  func looksAtContent(of row: ActionRowView) -> Bool {
    term.field == .tool && Self.namesToolInContent(row)
  }

  private static func namesToolInContent(_ row: ActionRowView) -> Bool {
    row.kind == "minecraft_runtime_call"
  }

  /// Whether the metadata bytes can contain a match. A key may be escaped, so bytes with `\u00` are
  /// never ruled out.
  func mayHold(_ metadata: UnsafeRawBufferPointer) -> Bool {
    !isPlain || keys.contains { ByteSearch.contains(metadata, $0) }
      || ByteSearch.contains(metadata, Array("\\u00".utf8))
  }

  /// Whether the term holds, before negation.
  func holds(_ metadata: JSONValue, _ row: ActionRowView) -> Bool {
    switch term.field {
    case .model, .provider, .source, .session, .tool:
      return Self.texts(term.field, [], metadata, row).contains(where: matches)
    case .ms: return number(Self.duration(metadata))
    case .tokens: return number(Self.tokens(metadata))
    default: return path(metadata)
    }
  }

  private func matches(_ text: String) -> Bool {
    guard case .patterns(let patterns) = term.test else { return false }
    return patterns.contains { $0.matches(text) }
  }

  private func number(_ value: Double?) -> Bool {
    guard let value, case .numbers(let tests) = term.test else { return false }
    return tests.contains { $0.holds(value) }
  }

  /// `toolNames` is one text with commas, or a list (contract 4.5).
  static func tools(_ metadata: JSONValue, _ row: ActionRowView) -> [String] {
    var names = [metadata["toolName"]?.string, metadata["tool"]?.string].compactMap { $0 }
    if let joined = metadata["toolNames"]?.string {
      names += joined.split(separator: ",").map { String($0).trimmed }
    }
    names += metadata["toolNames"]?.array?.compactMap(\.string) ?? []
    names += metadata["toolCalls"]?.array?.compactMap { $0["name"]?.string } ?? []
    if namesToolInContent(row), let content = row.content(limit: 200) { names.append(content) }
    return names
  }

  /// The duration a row tells, in milliseconds.
  static func duration(_ metadata: JSONValue) -> Double? {
    for key in durations {
      if let value = metadata[key]?.double, value.isFinite { return value }
    }
    return metadata["performance"]?["totalMs"]?.double.flatMap { $0.isFinite ? $0 : nil }
  }

  /// The tokens a row tells: of a call its input and output, of a realtime answer its total.
  static func tokens(_ metadata: JSONValue) -> Double? {
    for usage in [metadata["usage"], metadata["responseUsage"], metadata["llm"]?["usage"]] {
      guard let usage, usage.object != nil else { continue }
      if let total = usage["totalTokens"]?.double { return total }
      let input = usage["inputTokens"]?.double
      let output = usage["outputTokens"]?.double
      if input != nil || output != nil { return (input ?? 0) + (output ?? 0) }
    }
    return nil
  }

  private func path(_ metadata: JSONValue) -> Bool {
    guard let value = Self.value(term.path, metadata), value != .null else { return false }
    switch term.test {
    case .numbers: return number(value.double)
    case .patterns(let patterns):
      if patterns.contains(where: \.isAnything) { return true }
      switch value {
      case .string(let text): return matches(text)
      case .number(let number): return matches(number.text)
      case .bool(let bool): return matches(bool ? "true" : "false")
      case .array(let elements): return elements.contains { $0.string.map(matches) ?? false }
      default: return false
      }
    default: return false
    }
  }
}

extension String {
  /// Without the spaces around it.
  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

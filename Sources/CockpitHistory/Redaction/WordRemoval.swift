internal import ClankyWire
internal import LenientJSON

/// Leaves the words of people and models out of what is recorded, for those who may not keep speech: content,
/// transcripts, prompts, facts. Kinds, times, ids, names, reasons, tools and costs stay, and how long each text was.
enum WordRemoval {
  /// The row without words. A row that cannot be parsed has none left but its kind and time.
  static func row(_ json: [UInt8]) -> [UInt8] {
    guard let value = json.withUnsafeBytes({ try? JSONValue.parse($0) }),
      case .object(var row) = value
    else { return bare(json) }
    let kind = row["kind"]?.string ?? ""
    row.members = row.members.map { member in
      guard member.key == "content", let text = member.value.string else { return removed(member) }
      return .init(key: member.key, value: .string(content(text, kind)))
    }
    return Array(JSONValue.object(row).serialized().utf8)
  }

  /// The document without words.
  static func document(_ body: [UInt8]) -> [UInt8] {
    guard let value = body.withUnsafeBytes({ try? JSONValue.parse($0) }) else {
      return Array("{}".utf8)
    }
    return Array(removed(value, isWords: false).serialized().utf8)
  }

  private static func bare(_ json: [UInt8]) -> [UInt8] {
    guard let columns = json.withUnsafeBytes({ RowColumns($0) }) else { return json }
    let row = JSONValue.body([
      ("kind", .string(columns.kind)),
      ("createdAt", .string(WireTime(milliseconds: columns.atMs).iso)),
      ("content", .string("[\(json.count) bytes]")),
    ])
    return Array(row.serialized().utf8)
  }

  /// The name of an event stays.
  private static func content(_ text: String, _ kind: String) -> String {
    guard let event = ActionLabel(kind: kind, content: text).event else { return length(text) }
    let rest = text.dropFirst(event.count).drop { $0 == ":" || $0 == " " }
    return rest.isEmpty ? event : event + ": " + length(String(rest))
  }

  private static func removed(_ member: JSONObject.Member) -> JSONObject.Member {
    switch RecordedField(member.key) {
    case .text, .prompt:
      // What is short and has no spaces is a code.
      return .init(key: member.key, value: removed(member.value, isWords: true))
    case .unknown, .url:
      return .init(key: member.key, value: removed(member.value, isWords: false))
    case .machine, .id, .name, .host:
      return .init(key: member.key, value: removed(member.value, isWords: false))
    }
  }

  /// - Parameter isWords: whether all strings are words; else those with spaces in them are.
  private static func removed(_ value: JSONValue, isWords: Bool) -> JSONValue {
    switch value {
    case .null, .bool, .number: return value
    case .string(let text): return .string(isWords || isSentence(text) ? length(text) : text)
    case .array(let elements): return .array(elements.map { removed($0, isWords: isWords) })
    case .object(let object):
      return .object(
        JSONObject(
          members: object.members.map { member in
            switch RecordedField(member.key) {
            case .name, .id, .machine: return removed(member)
            default:
              return isWords
                ? .init(key: member.key, value: removed(member.value, isWords: true))
                : removed(member)
            }
          }))
    }
  }

  /// Names have spaces too, but few.
  private static func isSentence(_ text: String) -> Bool {
    text.utf8.count > 64 && text.contains(where: \.isWhitespace)
  }

  private static func length(_ text: String) -> String {
    text.isEmpty ? "" : "[\(text.count) characters]"
  }
}

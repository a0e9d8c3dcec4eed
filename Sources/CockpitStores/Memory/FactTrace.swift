internal import LenientJSON
internal import ClankyWire

/// Traces of a fact in the bytes and metadata of rows.
struct FactTrace {
  let messageID: String?
  private let factID: Int?
  private let text: String?
  private let subject: String?
  /// Every row related to the fact contains one of these.
  private let needles: [[UInt8]]

  init(_ fact: Fact, runID: String?) {
    messageID = fact.sourceMessageID
    factID = fact.id
    subject = fact.subject
    let words = fact.fact ?? ""
    text = words.utf8.count >= Provenance.shortestText ? words : nil
    var needles: [[UInt8]] = []
    if let messageID { needles.append(Self.quoted(messageID)) }
    if let runID { needles.append(Self.quoted(runID)) }
    if let factID {
      needles.append(Array("\"factId\":\(factID)".utf8))
      needles.append(Array("\"id\":\(factID)".utf8))
    }
    // Without its quotes: in a prompt the text stands among others.
    if text != nil { needles.append(Array(Self.quoted(words).dropFirst().dropLast())) }
    self.needles = needles.filter { $0.count >= 3 }
  }

  func mayConcern(_ bytes: UnsafeRawBufferPointer) -> Bool {
    needles.contains { ByteSearch.contains(bytes, $0) }
  }

  /// Whether the metadata of a `memory_fact` row is about this fact.
  func wrote(_ metadata: JSONValue) -> Bool {
    if let id = metadata["factId"]?.int, let factID { return id == factID }
    return text != nil && metadata["fact"]?.string == text
      && metadata["subject"]?.string == subject
  }

  /// How the row's metadata shows that the fact was in the model's context; nil if it does not.
  func evidence(in metadata: JSONValue) -> Provenance.Use.Evidence? {
    var ids: Set<Int> = []
    Self.listedIDs(in: metadata, into: &ids)
    if let factID, ids.contains(factID) { return .listed }
    guard let text, let members = metadata.object?.members else { return nil }
    return members.first { Self.holds($0.value, text, depth: 0) }.map { .text(key: $0.key) }
  }

  /// The ids of the facts contained in a tree: objects with an id and a fact.
  static func listedIDs(in value: JSONValue, into ids: inout Set<Int>, depth: Int = 0) {
    guard depth < maxDepth else { return }
    switch value {
    case .array(let elements):
      for element in elements { listedIDs(in: element, into: &ids, depth: depth + 1) }
    case .object(let object):
      if object["fact"]?.string != nil, let id = object["id"]?.int { ids.insert(id) }
      for member in object.members { listedIDs(in: member.value, into: &ids, depth: depth + 1) }
    case .null, .bool, .number, .string: break
    }
  }

  /// Deeper trees are none of the backend's.
  private static let maxDepth = 12

  private static func holds(_ value: JSONValue, _ text: String, depth: Int) -> Bool {
    guard depth < maxDepth else { return false }
    switch value {
    case .string(let string): return string.utf8.count >= text.utf8.count && isIn(string, text)
    case .array(let elements): return elements.contains { holds($0, text, depth: depth + 1) }
    case .object(let object):
      return object.members.contains { holds($0.value, text, depth: depth + 1) }
    case .null, .bool, .number: return false
    }
  }

  private static func isIn(_ string: String, _ text: String) -> Bool {
    var string = string
    return string.withUTF8 { ByteSearch.contains(UnsafeRawBufferPointer($0), Array(text.utf8)) }
  }

  /// As the backend's `JSON.stringify` spells it: everything but quotes, backslashes and C0 stays.
  private static func quoted(_ text: String) -> [UInt8] {
    Array(JSONValue.string(text).serialized().utf8)
  }
}

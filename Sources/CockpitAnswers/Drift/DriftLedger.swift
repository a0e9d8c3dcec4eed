internal import ClankyWire
package import LenientJSON

/// Counts what a backend says that this program does not know: kinds, events, fields, types, reasons, words of
/// enumerations and routes. Memory is bounded for any input. Only names are kept, and only those that do not also
/// occur in texts.
package struct DriftLedger: Sendable {
  package enum Subject: String, CaseIterable, Sendable {
    case kind, event, field, type, reason, value, route
  }

  /// One thing that is not known.
  package struct Entry: Hashable, Sendable {
    package var subject: Subject
    /// The name of the kind, field or route; `field = value` for a value.
    package var name: String
    /// The JSON types, or the expected and the received type.
    package var detail: String { details.sorted().joined(separator: " or ") }
    /// Where it was, first: a kind of row, or a document.
    package var within: String
    /// The route that it came by.
    package var route: String
    package var count = 0
    /// ms since 1970.
    package var firstMs: Int64
    package var lastMs: Int64
    var details: Set<String> = []
  }

  private struct Key: Hashable {
    var subject: Subject
    var name: String
  }

  /// Names of one subject that are kept.
  package static let most = 100
  private let limit: Int
  private let findsMaps: Bool
  /// The most words of texts that are remembered; a name that equals one is withheld.
  private static let mostWords = 200_000
  private static let longestToken = 40
  private static let mostDetails = 6
  private static let deepest = 12
  /// Elements of a list that are looked at.
  private static let mostElements = 200

  private let vocabulary: WireVocabulary
  private var entries: [Key: Entry] = [:]
  private var counts: [Subject: Int] = [:]
  /// Occurrences of names beyond the limit, and of names that are not shown.
  package private(set) var beyond: [Subject: Int] = [:]
  package private(set) var withheld: [Subject: Int] = [:]
  /// Hashes of words in texts.
  private var words: Set<Int> = []
  /// Names that were looked up, bounded.
  private var known: [Lookup: Bool] = [:]
  package private(set) var rows = 0
  package private(set) var documents = 0
  package private(set) var unreadable = 0
  package private(set) var fromMs: Int64?
  package private(set) var toMs: Int64?

  /// - Parameter limit: names of one subject that are kept.
  package init(_ vocabulary: WireVocabulary, limit: Int = Self.most) {
    self.init(vocabulary, limit: limit, findsMaps: true)
  }

  /// - Parameter findsMaps: whether an object of names that are mostly unknown is taken for data.
  init(_ vocabulary: WireVocabulary, limit: Int, findsMaps: Bool) {
    self.vocabulary = vocabulary
    self.limit = limit
    self.findsMaps = findsMaps
  }

  // MARK: Taking in

  /// A row, stored or live, as it came.
  ///
  /// - Parameters:
  ///   - route: the request path without ids.
  ///   - atMs: when it was received, ms since 1970.
  package mutating func take(row: JSONValue, from route: String, atMs: Int64) {
    guard case .object(let object) = row else {
      unreadable += 1
      return
    }
    rows += 1
    span(atMs)
    let kind = object["kind"]?.string ?? ""
    let within = Self.isToken(kind) ? kind : "row"
    if !kind.isEmpty, !vocabulary.knows(kind: kind) {
      note(.kind, Self.isToken(kind) ? kind : nil, "", "row", route, atMs)
    }
    for member in object.members where member.key != "kind" {
      if member.key == "content" {
        take(content: member.value, of: kind, within, route, atMs)
      } else {
        take(member, within: within, route, atMs, depth: 0)
      }
    }
  }

  /// A document, such as the statistics.
  package mutating func take(
    document: JSONValue, called name: String, from route: String, atMs: Int64
  ) {
    documents += 1
    span(atMs)
    walk(document, below: "", within: name, route, atMs, depth: 0)
  }

  /// The answer to a request that should be there.
  package mutating func take(route: String, status: Int, atMs: Int64) {
    guard status == 404 || status == 405 || status == 410 || status == 501 else { return }
    note(.route, route, "status \(status)", "", route, atMs)
  }

  /// A list or an answer that is no JSON.
  package mutating func noteUnreadable() { unreadable += 1 }

  private mutating func span(_ ms: Int64) {
    fromMs = min(fromMs ?? ms, ms)
    toMs = max(toMs ?? ms, ms)
  }

  /// The content of a row: an event's name up to the first colon, or words.
  private mutating func take(
    content: JSONValue, of kind: String, _ within: String, _ route: String, _ atMs: Int64
  ) {
    guard let text = content.string else {
      if !content.isNull { note(.type, "content", Self.type(content), within, route, atMs) }
      return
    }
    guard ActionKind(rawValue: kind).isContainer else { return learn(text) }
    let event = String(text.prefix { $0 != ":" }.prefix(200))
    guard Self.isToken(event), event.contains("_") else { return learn(text) }
    learn(String(text.dropFirst(event.count)))
    if !knows(event, .events) { note(.event, event, "", within, route, atMs) }
  }

  private mutating func walk(
    _ value: JSONValue, below field: String, within: String, _ route: String, _ atMs: Int64,
    depth: Int
  ) {
    switch value {
    case .string(let text): learn(text)
    case .array(let elements):
      guard depth < Self.deepest else { return }
      for element in elements.prefix(Self.mostElements) {
        walk(element, below: field, within: within, route, atMs, depth: depth + 1)
      }
    case .object(let object):
      guard depth < Self.deepest else { return }
      if isMap(object, field) {
        let areKinds = WireVocabulary.kindMaps.contains(field)
        for member in object.members.prefix(Self.mostElements) {
          if areKinds, Self.isToken(member.key) {
            if !vocabulary.knows(kind: member.key), !knows(member.key, .events) {
              note(.kind, member.key, "", within, route, atMs)
            }
          } else {
            learn(member.key)
          }
          walk(member.value, below: "", within: within, route, atMs, depth: depth + 1)
        }
        return
      }
      for member in object.members.prefix(Self.mostElements) {
        take(member, within: within, route, atMs, depth: depth)
      }
    default: break
    }
  }

  private mutating func take(
    _ member: JSONObject.Member, within: String, _ route: String, _ atMs: Int64, depth: Int
  ) {
    let (name, value) = (member.key, member.value)
    guard knows(name, .fields) else {
      // What is below is not known either, and may be anything.
      learnAll(of: value)
      note(.field, Self.isName(name) ? name : nil, Self.type(value), within, route, atMs)
      return
    }
    guard vocabulary.takes(value, in: name) else {
      learnAll(of: value)
      let detail = "\(Self.type(value)) instead of \(vocabulary.typeWords(of: name))"
      note(.type, name, detail, within, route, atMs)
      return
    }
    if WireVocabulary.opaque.contains(name) { return learnAll(of: value) }
    if let text = value.string {
      if vocabulary.isEnumeration(name) {
        if Self.isToken(text) {
          let subject: Subject =
            WireVocabulary.isReason(name) && text.contains("_") ? .reason : .value
          if !knows(text, .words) { note(subject, "\(name) = \(text)", "", within, route, atMs) }
        } else {
          learn(text)
        }
      } else if WireVocabulary.isReason(name), Self.isToken(text), text.contains("_") {
        if !knows(text, .reasons) { note(.reason, "\(name) = \(text)", "", within, route, atMs) }
      } else {
        learn(text)
      }
      return
    }
    walk(value, below: name, within: within, route, atMs, depth: depth + 1)
  }

  /// Whether the members of an object are data: their names are not listed then.
  private mutating func isMap(_ object: JSONObject, _ field: String) -> Bool {
    if WireVocabulary.kindMaps.contains(field) { return true }
    guard findsMaps, object.count >= 4 else { return false }
    let unknown = object.members.prefix(64).count { !knows($0.key, .fields) }
    return unknown * 2 > min(object.count, 64)
  }

  /// Which names are meant.
  private enum Names: Hashable { case fields, events, reasons, words }
  private struct Lookup: Hashable {
    var name: String
    var names: Names
  }

  private mutating func knows(_ name: String, _ names: Names) -> Bool {
    guard name.utf8.count <= 120 else { return false }
    let lookup = Lookup(name: name, names: names)
    if let known = known[lookup] { return known }
    let set =
      switch names {
      case .fields: vocabulary.fields
      case .events: vocabulary.events
      case .reasons: vocabulary.reasons
      case .words: vocabulary.words
      }
    let result = set.contains(WireVocabulary.fold(name))
    if known.count < 8_192 { known[lookup] = result }
    return result
  }

  // MARK: Words of people

  private mutating func learnAll(of value: JSONValue) {
    switch value {
    case .string(let text): learn(text)
    case .array(let elements):
      for element in elements.prefix(Self.mostElements) { learnAll(of: element) }
    case .object(let object):
      for member in object.members.prefix(Self.mostElements) {
        learn(member.key)
        learnAll(of: member.value)
      }
    default: break
    }
  }

  /// Remembers a text and its words: no name that equals one is shown.
  private mutating func learn(_ text: String) {
    guard words.count < Self.mostWords else { return }
    let bytes = text.utf8.prefix(20_000)
    if bytes.count <= Self.longestToken { words.insert(Self.hash(bytes[...])) }
    for word in bytes.split(whereSeparator: { !Self.isNameByte($0) })
    where word.count <= Self.longestToken { words.insert(Self.hash(word)) }
  }

  private static func hash(_ bytes: some Sequence<UInt8>) -> Int {
    // FNV-1a over lower case: the same in every run, and no text is kept.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes {
      hash = (hash ^ UInt64(byte | (byte >= 0x41 && byte <= 0x5A ? 0x20 : 0))) &* 0x100_0000_01B3
    }
    return Int(truncatingIfNeeded: hash)
  }

  private func isWord(_ name: String) -> Bool {
    // Of a value that is what stands behind the field.
    let own = name.firstRange(of: " = ").map { String(name[$0.upperBound...]) } ?? name
    return words.contains(Self.hash(own.utf8))
  }

  // MARK: Entries

  private mutating func note(
    _ subject: Subject, _ name: String?, _ detail: String, _ within: String, _ route: String,
    _ atMs: Int64
  ) {
    guard let name else {
      withheld[subject, default: 0] += 1
      return
    }
    let key = Key(subject: subject, name: name)
    var entry: Entry
    if let known = entries[key] {
      entry = known
    } else {
      guard counts[subject, default: 0] < limit else {
        beyond[subject, default: 0] += 1
        return
      }
      counts[subject, default: 0] += 1
      entry = Entry(
        subject: subject, name: name, within: within, route: route, firstMs: atMs, lastMs: atMs)
    }
    if !detail.isEmpty, entry.details.count < Self.mostDetails { entry.details.insert(detail) }
    entry.count += 1
    entry.firstMs = min(entry.firstMs, atMs)
    entry.lastMs = max(entry.lastMs, atMs)
    entries[key] = entry
  }

  /// The unknown names, without those that also occur in texts; sorted.
  package var found: [Entry] { all.filter { !isHidden($0) } }

  /// A known route or field name is never withheld.
  private func isHidden(_ entry: Entry) -> Bool {
    entry.subject != .route && entry.subject != .type && isWord(entry.name)
  }

  /// Names that occur in texts too.
  var all: [Entry] {
    entries.values.sorted { ($0.order, $0.name) < ($1.order, $1.name) }
  }

  /// Names that are not shown, because they are no names of fields or occur in texts too.
  package var hiddenCount: Int {
    withheld.values.reduce(0, +)
      + entries.values.count(where: isHidden)
  }

  package var isEmpty: Bool { entries.isEmpty && withheld.isEmpty }

  // MARK: Tokens

  /// `[a-z0-9_]{1,40}`, and no id: not more than four digits in a row.
  static func isToken(_ text: String) -> Bool {
    isPlain(text) { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x5F }
  }

  /// A name of a member as programs write them.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, first < 0x30 || first > 0x39 else { return false }
    return isPlain(text, isNameByte)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (byte >= 0x61 && byte <= 0x7A) || (byte >= 0x41 && byte <= 0x5A)
      || (byte >= 0x30 && byte <= 0x39) || byte == 0x5F
  }

  private static func isPlain(_ text: String, _ isGood: (UInt8) -> Bool) -> Bool {
    let bytes = text.utf8
    guard !bytes.isEmpty, bytes.count <= longestToken, bytes.allSatisfy(isGood) else {
      return false
    }
    var digits = 0
    for byte in bytes {
      digits = byte >= 0x30 && byte <= 0x39 ? digits + 1 : 0
      if digits > 4 { return false }
    }
    return true
  }

  static func type(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .number: "number"
    case .string: "text"
    case .array: "list"
    case .object: "object"
    }
  }
}

extension DriftLedger.Entry {
  fileprivate var order: Int {
    DriftLedger.Subject.allCases.firstIndex(of: subject) ?? 0
  }
}

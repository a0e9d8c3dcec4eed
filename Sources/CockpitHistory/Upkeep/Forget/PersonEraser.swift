internal import ClankyWire
internal import LenientJSON

/// Takes a person out of rows, documents and text. Pure: bytes in, bytes out.
struct PersonEraser: Sendable {
  let person: PersonMatcher
  /// What stands for the person from now on, such as `person-7f3a`.
  let pseudonym: String

  // MARK: rows

  /// What becomes of a row.
  enum Row: Hashable, Sendable {
    case unchanged
    /// It mentioned the person.
    case changed([UInt8])
    /// It was theirs: time, kind, cost and durations are left.
    case tombstone([UInt8])
  }

  func row(_ json: [UInt8]) -> Row {
    guard json.withUnsafeBytes({ person.mayBeIn($0) }) else { return .unchanged }
    guard let value = json.withUnsafeBytes({ try? JSONValue.parse($0) }), let object = value.object
    else { return unread(json) }
    if let user = (object["userId"] ?? object["user_id"])?.string, person.isID(user) {
      return .tombstone(bytes(tombstone(object)))
    }
    var new = erased(value, under: [], isAbout: false)
    // The content is what the metadata is about.
    if case .object(var row) = new, let metadata = object["metadata"]?.object, isAbout(metadata),
      let place = row.members.firstIndex(where: { $0.key == "content" }),
      let content = object["content"]?.string
    {
      row.members[place].value = .string(self.content(content, object))
      new = .object(row)
    }
    guard new != value else { return .unchanged }
    return .changed(bytes(new))
  }

  /// A row that is too large to be parsed: all or nothing.
  private func unread(_ json: [UInt8]) -> Row {
    guard let columns = json.withUnsafeBytes({ RowColumns($0) }),
      json.withUnsafeBytes({ person.isIn(JSONText.decode($0)) })
    else { return .unchanged }
    let time = WireTime(milliseconds: columns.atMs).iso
    return .tombstone(
      bytes(
        tombstone(
          JSONObject(members: [
            .init(key: "kind", value: .string(columns.kind)),
            .init(key: "createdAt", value: .string(time)),
            .init(key: "content", value: .string(String(decoding: json, as: UTF8.self))),
          ]))))
  }

  private static let keptKeys: Set<String> = [
    "id", "kind", "createdAt", "created_at", "usdCost", "usd_cost",
  ]
  private static let keptMetadata: Set<String> = [
    "durationMs", "runtimeMs", "latencyMs", "isError", "costUsd", "usdCost",
  ]

  private func tombstone(_ object: JSONObject) -> JSONValue {
    var members = object.members.filter { Self.keptKeys.contains($0.key) }
    members.append(.init(key: "userId", value: .string(pseudonym)))
    let content = object["content"]?.string ?? ""
    members.append(.init(key: "content", value: .string(self.content(content, object))))
    let kept = (object["metadata"]?.object?.members ?? []).filter { member in
      guard Self.keptMetadata.contains(member.key) else { return false }
      switch member.value {
      case .number, .bool: return true
      default: return false
      }
    }
    members.append(
      .init(
        key: "metadata",
        value: .object(
          JSONObject(members: kept + [.init(key: "forgotten", value: .bool(true))]))))
    return erased(.object(JSONObject(members: members)), under: ["content"], isAbout: false)
  }

  /// A content that is gone; the event that it names stays.
  private func content(_ content: String, _ row: JSONObject) -> String {
    let event = ActionLabel(kind: row["kind"]?.string ?? "", content: content).event
    guard let event, event.contains("_") || event.contains("-") else {
      return content.isEmpty ? "" : Self.forgotten(content)
    }
    let rest = content.dropFirst(event.count)
    return rest.count <= 1 ? event : event + ": " + Self.forgotten(String(rest.dropFirst()))
  }

  // MARK: documents and text

  /// The body of a document without the person; nil if they are not in it.
  func document(_ body: [UInt8]) -> [UInt8]? {
    guard body.withUnsafeBytes({ person.mayBeIn($0) }) else { return nil }
    guard let value = body.withUnsafeBytes({ try? JSONValue.parse($0) }) else {
      return text(String(decoding: body, as: UTF8.self)).map { Array($0.utf8) }
    }
    let new = erased(value, under: [], isAbout: false)
    return new == value ? nil : bytes(new)
  }

  /// A text without the person; nil if they are not in it.
  func text(_ text: String) -> String? { person.replacing(text, with: pseudonym) }

  /// Whether a part of a block, which may begin and end within a row, names the person.
  func isIn(part raw: [UInt8]) -> Bool {
    raw.withUnsafeBytes { person.mayBeIn($0) && person.isIn(JSONText.decode($0)) }
  }

  // MARK: JSON

  /// Keys of an id whose object is about that person.
  private static let idKeys: Set<String> = [
    "userId", "user_id", "authorId", "author_id", "speakerId", "speakerUserId", "memberUserId",
    "actorUserId", "requesterUserId", "requestedByUserId", "createdByUserId",
    "created_by_user_id", "streamerUserId", "subject", "subjectId", "subject_id",
  ]
  /// Keys of a name whose object is about that person.
  private static let nameKeys: Set<String> = [
    "displayName", "display_name", "speakerName", "authorName", "author_name", "userName",
    "username", "subjectName", "subject_name", "memberName", "actorDisplayName", "actorName",
    "createdByName", "created_by_name",
  ]
  /// Strings under such keys are what somebody said or wrote.
  private static let spoken: Set<String> = [
    "text", "transcript", "content", "fact", "message", "heard", "utterance", "evidence",
    "evidenceText", "evidence_text", "summary", "thoughtText", "finalThought", "query",
  ]
  /// Strings under keys with such parts quote people at length.
  private static let quoting = [
    "prompt", "transcript", "heard", "utterance", "history", "context", "messages",
    "instructions", "input",
  ]
  /// Longer strings are taken for text that quotes people.
  private static let longText = 400

  private func isAbout(_ object: JSONObject) -> Bool {
    object.members.contains { member in
      guard let text = member.value.string else { return false }
      return Self.idKeys.contains(member.key) && person.isID(text)
        || Self.nameKeys.contains(member.key) && person.isName(text)
    }
  }

  /// Whether an object is about somebody else.
  private func isAboutOther(_ object: JSONObject) -> Bool {
    object.members.contains { member in
      guard let text = member.value.string, !text.isEmpty else { return false }
      return Self.idKeys.contains(member.key) && !person.isID(text)
    }
  }

  /// The value without the person.
  ///
  /// - Parameters:
  ///   - keys: the keys that lead to it.
  ///   - isAbout: whether it belongs to an object about the person.
  private func erased(_ value: JSONValue, under keys: [String], isAbout: Bool) -> JSONValue {
    switch value {
    case .null, .bool: return value
    case .number(let number): return person.isID(number.text) ? .string(pseudonym) : value
    case .string(let text): return .string(erased(text, under: keys, isAbout: isAbout))
    case .array(let elements):
      return .array(
        elements.compactMap { element in
          // A fact about them goes as a whole.
          if let object = element.object, object["fact"] != nil, self.isAbout(object) { return nil }
          return erased(element, under: keys, isAbout: isAbout)
        })
    case .object(let object):
      let isTheirs = self.isAbout(object) || isAbout && !isAboutOther(object)
      return .object(
        JSONObject(
          members: object.members.map { member in
            JSONObject.Member(
              key: key(member.key),
              value: erased(member.value, under: keys + [member.key], isAbout: isTheirs))
          }))
    }
  }

  private func key(_ key: String) -> String {
    var plain = key
    let mayName = plain.withUTF8 { person.mayBeIn(UnsafeRawBufferPointer($0)) }
    return mayName ? text(key) ?? key : key
  }

  private func erased(_ text: String, under keys: [String], isAbout: Bool) -> String {
    var plain = text
    let mayName = plain.withUTF8 { person.mayBeIn(UnsafeRawBufferPointer($0)) }
    guard mayName || isAbout else { return text }
    if mayName, person.isID(text) || person.isName(text) { return pseudonym }
    if isAbout, let key = keys.last,
      Self.spoken.contains(key) || text.contains(where: \.isWhitespace)
        || quotes(keys)
    {
      return text.isEmpty ? text : Self.forgotten(text)
    }
    guard mayName, let new = self.text(text) else { return text }
    return quotes(keys) || text.utf8.count > Self.longText ? Self.forgotten(text) : new
  }

  private func quotes(_ keys: [String]) -> Bool {
    keys.contains { key in
      let key = key.lowercased()
      return Self.quoting.contains { key.contains($0) }
    }
  }

  private static func forgotten(_ text: String) -> String {
    // A text that was replaced before keeps the length that it says.
    if text.hasPrefix("[forgotten "), text.hasSuffix(" characters]") { return text }
    return "[forgotten \(grouped(text.count)) characters]"
  }

  private static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var at = digits.count - 3
    while at > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: at))
      at -= 3
    }
    return digits
  }

  private func bytes(_ value: JSONValue) -> [UInt8] { Array(value.serialized().utf8) }
}

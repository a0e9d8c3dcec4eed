internal import LenientJSON

/// Which ids and names stand together in recorded JSON: there is no other list of people.
struct PersonNamesFound {
  /// The names of each id that was seen.
  private(set) var names: [String: Set<String>] = [:]

  /// Keys of an id, each with the keys of the same object that name that person.
  private static let pairs: [String: [String]] = [
    "userId": [
      "displayName", "userName", "username", "authorName", "subjectName", "userTag",
    ],
    "user_id": ["display_name", "user_name", "username", "author_name", "subject_name"],
    "memberUserId": ["displayName", "memberName"],
    "actorUserId": ["actorDisplayName", "actorName"],
    "speakerUserId": ["speakerName", "speakerDisplayName"],
    "speakerId": ["speakerName"],
    "authorId": ["authorName", "authorDisplayName"],
    "author_id": ["author_name"],
    "requesterUserId": ["requesterDisplayName", "requesterName"],
    "requestedByUserId": ["requestedByDisplayName", "requestedByName"],
    "targetUserId": ["targetDisplayName", "targetName"],
    "createdByUserId": ["createdByName"],
    "created_by_user_id": ["created_by_name"],
    "subject": ["subjectName"],
  ]
  /// Keys of the metadata that name the user of the row, where no id stands beside them.
  private static let ownKeys = ["displayName", "userName", "username", "authorName", "actorName"]

  /// Adds what a row or a document says.
  mutating func read(_ json: [UInt8]) {
    guard let value = json.withUnsafeBytes({ try? JSONValue.parse($0) }) else { return }
    look(at: value)
    guard let user = (value["userId"] ?? value["user_id"])?.string,
      let metadata = value["metadata"]?.object
    else { return }
    note(user, nil)
    // Rows of speech recognition are those of the speaker.
    if value["content"]?.string?.prefix(while: { $0 != ":" }).contains("_asr_") ?? false {
      note(metadata["userId"]?.string ?? user, metadata["speakerName"]?.string)
    }
    guard !metadata.members.contains(where: { Self.pairs[$0.key] != nil }) else { return }
    for key in Self.ownKeys { note(user, metadata[key]?.string) }
  }

  private mutating func look(at value: JSONValue) {
    switch value {
    case .array(let elements): for element in elements { look(at: element) }
    case .object(let object):
      for member in object.members {
        if let keys = Self.pairs[member.key], let id = member.value.string {
          note(id, nil)
          for key in keys { note(id, object[key]?.string) }
        }
        look(at: member.value)
      }
    default: break
    }
  }

  private mutating func note(_ id: String, _ name: String?) {
    guard !id.isEmpty, id.utf8.count <= 64,
      !["ME", "YOU", "ALL", "author", "bot", "lore"].contains(id)
    else { return }
    guard let name, !name.isEmpty, name.utf8.count <= 200, name != id else {
      names[id, default: []].formUnion([])
      return
    }
    names[id, default: []].insert(name)
  }

  /// The ids that have a name, without regard to case and accents.
  func ids(named name: String) -> [String] {
    let words = HistoryWords.split(name)
    return names.filter { _, names in
      names.contains { $0 == name || !words.isEmpty && HistoryWords.split($0) == words }
    }.keys.sorted()
  }
}

package import LenientJSON

/// The names of users that the wire contains beside their ids. There is no look-up for users
/// (contract 6.1, 9.1), so names are learned wherever both appear together.
package enum PersonNames {
  /// Keys of an id, each with the keys of the same object that name that person. The first one that is
  /// there counts.
  private static let pairs: [(id: String, names: [String])] = [
    ("userId", ["displayName", "userName", "username", "authorName", "subjectName", "userTag"]),
    ("user_id", ["display_name", "user_name", "username", "author_name", "subject_name"]),
    ("memberUserId", ["displayName", "memberName"]),
    ("actorUserId", ["actorDisplayName", "actorName"]),
    ("speakerUserId", ["speakerName", "speakerDisplayName"]),
    ("authorId", ["authorName", "authorDisplayName"]),
    ("author_id", ["author_name"]),
    ("requesterUserId", ["requesterDisplayName", "requesterName"]),
    ("requestedByUserId", ["requestedByDisplayName", "requestedByName"]),
    ("targetUserId", ["targetDisplayName", "targetName"]),
    ("createdByUserId", ["createdByName"]),
    ("created_by_user_id", ["created_by_name"]),
  ]
  private static let ids = Dictionary(uniqueKeysWithValues: pairs.map { ($0.id, $0.names) })

  /// Keys that name the user of the row itself, where the details have no id for them.
  private static let ownKeys = ["displayName", "userName", "username", "authorName", "actorName"]

  /// A name is as long as this at most, in UTF-8 bytes; Discord allows 32 characters.
  private static let maxLength = 200
  /// Maximum depth of the search.
  private static let maxDepth = 4

  /// Whether a text can be a name: ids and the roles used in prompts cannot.
  package static func isName(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= maxLength else { return false }
    if ["ME", "YOU", "ALL", "author", "bot", "lore"].contains(text) { return false }
    return !(text.utf8.count >= 15 && text.utf8.allSatisfy { (0x30...0x39).contains($0) })
  }

  /// Calls back with every id and name in the metadata of an action.
  ///
  /// - Parameters:
  ///   - user: the user of the row.
  ///   - isSpeakers: whether the row's user is the speaker, so that `speakerName` is theirs.
  package static func find(
    in metadata: JSONValue, user: String?, isSpeakers: Bool = false,
    _ found: (_ id: String, _ name: String) -> Void
  ) {
    guard case .object(let object) = metadata else { return }
    look(at: object, depth: 0, found)
    guard let user, !user.isEmpty else { return }
    if isSpeakers, let name = metadata["speakerName"]?.string, isName(name) { found(user, name) }
    for key in ownKeys {
      guard let name = metadata[key]?.string, isName(name) else { continue }
      // The name may belong to another user than the id beside it.
      let isOther = object.members.contains { member in
        ids[member.key]?.contains(key) == true && member.value.string?.isEmpty == false
      }
      if !isOther { found(user, name) }
    }
  }

  private static func look(
    at object: JSONObject, depth: Int, _ found: (String, String) -> Void
  ) {
    for member in object.members {
      switch member.value {
      case .string(let id) where !id.isEmpty && id.utf8.count <= 64:
        guard let keys = ids[member.key] else { continue }
        let names = keys.lazy.compactMap { key in
          object.members.first { $0.key == key }?.value.string.flatMap { isName($0) ? $0 : nil }
        }
        if let name = names.first { found(id, name) }
      case .object(let inner) where depth < maxDepth && !VoiceEvent.heavyKeys.contains(member.key):
        look(at: inner, depth: depth + 1, found)
      case .array(let list) where depth < maxDepth && !VoiceEvent.heavyKeys.contains(member.key):
        for case .object(let inner) in list.prefix(64) { look(at: inner, depth: depth + 1, found) }
      default: break
      }
    }
  }

  /// The author of the message that a text-reply prompt is about, as the prompt spells it: the line
  /// below its first heading is `Message from NAME: …`, or `NAME: …` below the heading of the
  /// current message. The row's user is that person.
  package static func author(of prompt: String) -> String? {
    var lines = prompt.prefix(2000).split(separator: "\n", omittingEmptySubsequences: true)[...]
    guard let heading = lines.popFirst(), heading.hasPrefix("==="), let line = lines.first else {
      return nil
    }
    var rest = line.prefix(maxLength)
    if rest.hasPrefix("Message from ") {
      rest = rest.dropFirst("Message from ".count)
    } else if !heading.contains("CURRENT MESSAGE") {
      return nil
    }
    guard let colon = rest.firstIndex(of: ":") else { return nil }
    let name = String(rest[..<colon])
    return isName(name) ? name : nil
  }
}

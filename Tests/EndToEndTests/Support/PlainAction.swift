import Foundation

/// What one action says, read with Foundation's JSON instead of the program's own parser: what
/// came out is compared with what went in.
struct PlainAction: Hashable, CustomStringConvertible {
  var time: String
  var kind: String
  /// The first 2,000 UTF-16 units: all that the stored twin has. Empty text is stored as null
  /// (wire contract 4.1).
  var content: String
  /// Canonical JSON with sorted keys.
  var metadata: String
  var place: [String?]

  /// - Parameter object: live or stored shape, or a line of `tail --json`.
  init(_ object: [String: Any]) throws {
    func text(_ names: String...) -> String? {
      names.lazy.compactMap { object[$0] as? String }.first
    }
    time = text("created_at", "createdAt") ?? ""
    kind = text("kind") ?? ""
    content = Self.stored(text("content") ?? "")
    place = [
      text("guild_id", "guildId"), text("channel_id", "channelId"),
      text("message_id", "messageId"), text("user_id", "userId"),
    ]
    let value = object["metadata"] ?? NSNull()
    metadata = String(
      decoding: try JSONSerialization.data(
        withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes]),
      as: UTF8.self)
  }

  static func stored(_ text: String) -> String {
    String(decoding: Array(text.utf16.prefix(2000)), as: UTF16.self)
  }

  var description: String { "\(time) \(kind) \(content.prefix(60)) \(metadata.prefix(60))" }

  /// The objects of a JSON text.
  static func objects(_ text: String) throws -> [[String: Any]] {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return (value as? [[String: Any]]) ?? (value as? [String: Any]).map { [$0] } ?? []
  }
}

/// How often each action occurs.
struct ActionCounts: Equatable, CustomStringConvertible {
  private(set) var counts: [PlainAction: Int] = [:]
  var total: Int { counts.values.reduce(0, +) }

  mutating func add(_ action: PlainAction) { counts[action, default: 0] += 1 }

  /// What the other has more often, and less often: empty when they are the same.
  func difference(from other: ActionCounts) -> [String] {
    Set(counts.keys).union(other.counts.keys).compactMap { action in
      let (mine, theirs) = (counts[action] ?? 0, other.counts[action] ?? 0)
      return mine == theirs ? nil : "\(mine) instead of \(theirs): \(action)"
    }
  }

  var description: String { "\(total) actions" }
}

import LenientJSON

/// A request for a runtime snapshot (contract 6.7). It can cost money: only ever on request.
package struct SnapshotRequest: Hashable, Sendable {
  /// A message treated as recent.
  package struct Message: Hashable, Sendable {
    /// The message, if there is one.
    package var messageID: String?
    /// The author.
    package var authorID: String
    /// Name of the author.
    package var authorName: String?
    /// Its text.
    package var content: String

    /// Memberwise.
    package init(
      messageID: String? = nil, authorID: String, authorName: String? = nil, content: String
    ) {
      self.messageID = messageID
      self.authorID = authorID
      self.authorName = authorName
      self.content = content
    }

    fileprivate var json: JSONValue {
      .body([
        ("messageId", messageID.map(JSONValue.string)), ("authorId", .string(authorID)),
        ("authorName", authorName.map(JSONValue.string)), ("content", .string(content)),
      ])
    }
  }

  /// Why a request is not sent.
  package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// No guild is given.
    case guildMissing
    /// The text would be cut; its length in UTF-16 units.
    case queryTooLong(units: Int)

    /// The error as one sentence with the next step.
    package var description: String {
      switch self {
      case .guildMissing: "Choose a guild first; the backend needs one for a snapshot."
      case .queryTooLong(let units):
        "The text is \(FactProblem.characters(units - SnapshotRequest.queryLimit)) too long; shorten it."
      }
    }
  }

  /// The longest text that is used whole, in UTF-16 units (contract 6.7).
  package static let queryLimit = 420

  /// The guild, which is required.
  package var guildID: String
  /// The channel whose conversations are preferred.
  package var channelID: String?
  /// The user the bot would reply to.
  package var userID: String?
  /// The text attributed to the user.
  package var queryText: String
  /// For which kind of reply.
  package var mode: SnapshotMode
  /// Messages treated as recent.
  package var recentMessages: [Message]
  /// Additional users whose facts are looked up.
  package var participantIDs: [String]

  /// Memberwise.
  package init(
    guildID: String, channelID: String? = nil, userID: String? = nil, queryText: String = "",
    mode: SnapshotMode = .text, recentMessages: [Message] = [], participantIDs: [String] = []
  ) {
    self.guildID = guildID
    self.channelID = channelID
    self.userID = userID
    self.queryText = queryText
    self.mode = mode
    self.recentMessages = recentMessages
    self.participantIDs = participantIDs
  }

  /// The body to `POST`, with `Content-Type: application/json`.
  package func body() throws(Problem) -> JSONValue {
    guard !guildID.collapsingWhitespace.isEmpty else { throw .guildMissing }
    let query = queryText.collapsingWhitespace
    guard query.utf16.count <= Self.queryLimit else {
      throw .queryTooLong(units: query.utf16.count)
    }
    return .body([
      ("guildId", .string(guildID)),
      ("channelId", channelID.map(JSONValue.string)),
      ("userId", userID.map(JSONValue.string)),
      ("queryText", .string(query)),
      ("mode", .string(mode.rawValue)),
      ("recentMessages", recentMessages.isEmpty ? nil : .array(recentMessages.map(\.json))),
      (
        "participantIds",
        participantIDs.isEmpty ? nil : .array(participantIDs.map(JSONValue.string))
      ),
    ])
  }
}

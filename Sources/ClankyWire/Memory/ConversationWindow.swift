import LenientJSON

/// A part of an old conversation that was recalled (contract 6.6; in the generation context with
/// more members, as recorded).
package struct ConversationWindow: WireReadable {
  /// The message that fitted; not always a Discord id.
  package var anchorMessageID: String?
  /// When it was written.
  package var createdAt: WireTime?
  /// Its guild.
  package var guildID: String?
  /// Its channel.
  package var channelID: String?
  /// The author.
  package var authorID: String?
  /// Name of the author.
  package var authorName: String?
  /// The score it is ranked by.
  package var score: Double?
  /// Nearness of meaning.
  package var semanticScore: Double?
  /// Minutes since then.
  package var ageMinutes: Double?
  /// The messages around it, oldest first.
  package var messages: [ConversationMessage]

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    anchorMessageID: String? = nil, createdAt: WireTime? = nil, guildID: String? = nil,
    channelID: String? = nil, authorID: String? = nil, authorName: String? = nil,
    score: Double? = nil, semanticScore: Double? = nil, ageMinutes: Double? = nil,
    messages: [ConversationMessage] = []
  ) {
    self.anchorMessageID = anchorMessageID
    self.createdAt = createdAt
    self.guildID = guildID
    self.channelID = channelID
    self.authorID = authorID
    self.authorName = authorName
    self.score = score
    self.semanticScore = semanticScore
    self.ageMinutes = ageMinutes
    self.messages = messages
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    anchorMessageID = fields.string("anchorMessageId")
    createdAt = fields.time("createdAt")
    guildID = fields.id("guildId")
    channelID = fields.id("channelId")
    authorID = fields.id("authorId")
    authorName = fields.string("authorName")
    score = fields.double("score")
    semanticScore = fields.double("semanticScore")
    ageMinutes = fields.double("ageMinutes")
    messages = fields.list("messages", of: ConversationMessage.init) ?? []
  }
}

/// A message of a recalled conversation, in either spelling (contract 6.6; snake_case in the
/// generation context, as recorded).
package struct ConversationMessage: WireReadable {
  /// The message; not always a Discord id.
  package var messageID: String?
  /// When it was written.
  package var timestamp: WireTime?
  /// Its guild.
  package var guildID: String?
  /// Its channel.
  package var channelID: String?
  /// The author.
  package var authorID: String?
  /// Name of the author.
  package var author: String?
  /// Whether the bot wrote it.
  package var isBot: Bool?
  /// Its text.
  package var content: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    messageID: String? = nil, timestamp: WireTime? = nil, guildID: String? = nil,
    channelID: String? = nil, authorID: String? = nil, author: String? = nil, isBot: Bool? = nil,
    content: String? = nil
  ) {
    self.messageID = messageID
    self.timestamp = timestamp
    self.guildID = guildID
    self.channelID = channelID
    self.authorID = authorID
    self.author = author
    self.isBot = isBot
    self.content = content
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    messageID = fields.string("messageId", "message_id")
    timestamp = fields.time("timestamp", "created_at")
    guildID = fields.id("guildId", "guild_id")
    channelID = fields.id("channelId", "channel_id")
    authorID = fields.id("authorId", "author_id")
    author = fields.string("author", "author_name")
    isBot = fields.flag("isBot", "is_bot")
    content = fields.string("content")
  }
}

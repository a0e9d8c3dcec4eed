/// One message of a conversation, as a server gets it.
package struct ChatMessage: Hashable, Sendable {
  package enum Role: String, Hashable, Sendable { case user, assistant, system }

  package var role: Role
  package var text: String
  /// At most `ChatImage.maxCount`. Only those of the newest message are sent; older ones are named in the text.
  package var images: [ChatImage]

  package init(_ role: Role, _ text: String, images: [ChatImage] = []) {
    self.role = role
    self.text = text
    self.images = images
  }
}

/// An image that goes with a message.
package struct ChatImage: Hashable, Sendable {
  package static let maxCount = 8

  /// The file's name, without its folder.
  package var name: String
  /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
  package var mimeType: String
  package var bytes: [UInt8]

  package init(name: String, mimeType: String, bytes: [UInt8]) {
    self.name = name
    self.mimeType = mimeType
    self.bytes = bytes
  }
}

/// What is sent to get one answer.
package struct ChatTurn: Hashable, Sendable {
  /// Whose history the agent sees. Never both.
  package enum History: Hashable, Sendable {
    /// The server keeps it under the session key.
    case server
    /// It goes with every message: everything before this one, oldest first. No session key is sent.
    case client([ChatMessage])
  }

  /// Nil is the server's default agent; for a server that is no gateway, its model.
  package var agent: String?
  /// `agent:<id>:cockpit-<channel>-v<n>`
  package var sessionKey: String
  package var message: ChatMessage
  package var history: History
  /// The same for each attempt at this message: a gateway answers the message once.
  package var idempotencyKey: String
  /// Whether the message was spoken and transcribed here.
  package var isSpoken = false

  package init(
    agent: String?, sessionKey: String, message: ChatMessage, history: History,
    idempotencyKey: String
  ) {
    self.agent = agent
    self.sessionKey = sessionKey
    self.message = message
    self.history = history
    self.idempotencyKey = idempotencyKey
  }
}

/// What a conversation is held with: a gateway over its WebSocket, or a server over HTTP.
@MainActor
package protocol ChatBackend: AnyObject {
  /// What this backend can do beyond text.
  var abilities: ChatAbilities { get }
  /// Sends a message. `tell` is called on the main actor, after this call has returned, and for the last time with
  /// `ended`. Several answers may be under way at once, in different sessions.
  func send(_ turn: ChatTurn, tell: @escaping @MainActor (ChatEvent) -> Void) -> any ChatAnswer
  /// The agents to choose from; for a server that is no gateway, its models. `done` is called once, asynchronously.
  func agents(_ done: @escaping @MainActor (Result<[ChatAgent], ChatFailure>) -> Void)
  /// Changes how the messages of a session are answered from now on. `done` is called once, asynchronously or not,
  /// with the reason where nothing was changed.
  func change(
    _ setting: ChatSetting, session key: String,
    _ done: @escaping @MainActor (ChatFailure?) -> Void)
  /// Tells the server something beside messages, where `abilities` has `notes`.
  ///
  /// - Returns: why it was not told, as one sentence.
  func signal(_ signal: ChatSignal) -> String?
}

/// Something beside a message.
package enum ChatSignal: Hashable, Sendable {
  /// The user is writing.
  case typing
  /// What the agent shall know; it does not answer it.
  case context(String)
  /// What the user thinks of the last answer; nil takes that back.
  case rating(isGood: Bool?)
}

/// How messages are answered.
package enum ChatSetting: Hashable, Sendable {
  /// Nil is the agent's own.
  case model(String?)
  case thinking(String?)
}

extension ChatBackend {
  package func change(
    _ setting: ChatSetting, session key: String,
    _ done: @escaping @MainActor (ChatFailure?) -> Void
  ) {
    done(ChatFailure(.unsupported, "This server has no such setting."))
  }

  package func signal(_ signal: ChatSignal) -> String? { "This server takes messages alone." }
}

/// An answer under way.
@MainActor
package protocol ChatAnswer: AnyObject {
  /// Asks the server to stop. `ended(.aborted)` follows, at the latest when the connection is closed. Does nothing
  /// after the end.
  func cancel()
}

package struct ChatAbilities: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let images = ChatAbilities(rawValue: 1)
  /// The server keeps the history of a session.
  package static let serverHistory = ChatAbilities(rawValue: 2)
  /// The backend sends `ChatEvent.tool` during an answer.
  package static let tools = ChatAbilities(rawValue: 4)
  /// What answers is a model that is named with each message, and no agent.
  package static let models = ChatAbilities(rawValue: 8)
  /// The server takes a `ChatSignal`.
  package static let notes = ChatAbilities(rawValue: 16)
  /// An answer comes as whole texts, each in place of the one before.
  package static let wholeTexts = ChatAbilities(rawValue: 32)
}

/// An agent or a model that can be talked to.
package struct ChatAgent: Hashable, Sendable {
  package var id: String
  package var name: String?

  package init(id: String, name: String? = nil) {
    self.id = id
    self.name = name
  }
}

package import ElevenLabsWire
internal import LenientJSON

/// What happens to a conversation: by the owner, by the server, by time.
package enum ConversationInput: Sendable, Equatable {
  /// Begin. `owner` is who asked, such as the session key of a channel; one that differs from the owner
  /// of a live conversation is refused unless `replaces`.
  case start(owner: String, agent: String, replaces: Bool)
  /// There is an address to connect to.
  case addressed
  /// There is none.
  case unaddressed(ServiceRefusal)
  /// No address or no connection, for a reason in one sentence.
  case unreachable(String)
  case opened
  case frame(ServerFrame)
  /// A message that is not a JSON object.
  case unreadable
  case closed(code: Int, reason: String)
  /// Time passed: `Conversation.wakeNs`.
  case woke

  case say(String)
  /// The owner types.
  case typing
  case contextualUpdate(String, id: String?)
  case feedback(EventID, ClientFrame.Score?)
  /// A tool of the owner's has answered.
  case toolResult(call: String, result: String, isError: Bool)
  case decide(call: String, isApproved: Bool)
  case mute(Bool)
  /// Samples of the microphone, in `ConversationMetadata.inputFormat`.
  case audio([UInt8])
  case end
}

/// What is to be done for a conversation.
package enum ConversationCommand: Sendable, Equatable {
  /// Get an address: a signed one for a private agent, each used once.
  case fetchAddress(agent: String)
  /// Connect to the address.
  case connect
  case send(ClientFrame)
  case close(code: Int, reason: String)
  /// Run a tool of the owner's; `toolResult` follows.
  case run(ClientToolCall)
  case tell(ConversationNotice)
}

/// What others want to know of a conversation.
package enum ConversationNotice: Sendable, Equatable {
  case phase
  /// Another conversation is live, this one's; nothing was started.
  case busy(owner: String)
  /// A line is new or has changed.
  case line(ConversationLine)
  case reasoning
  case tool(ConversationTool)
  case waiting(McpApproval)
  /// An approval is over, with the words for how.
  case settled(McpApproval, String)
  /// Speech of the agent, in `ConversationMetadata.outputFormat`.
  case audio([UInt8], EventID?)
  /// Speech up to this event is not played; nil is all of it.
  case interrupted(EventID?)
  /// One sentence; it may contain remote text.
  case remark(String)
  /// Figures changed: context, latency, voice activity, mode.
  case figures
}

/// One line of the transcript.
package struct ConversationLine: Sendable, Equatable, Identifiable {
  package enum Speaker: String, Sendable { case user, agent }

  /// Counts the lines of all conversations of this program run.
  package var id: Int
  package var speaker: Speaker
  package var text: String
  package var eventID: EventID?
  /// Monotonic time of its beginning.
  package var atNs: UInt64
  /// The full text has come.
  package var isWhole: Bool
  package var isInterrupted = false
  /// Its text was corrected: a full text that comes later does not count.
  package var isCorrected = false
  /// Waits until the agent has finished its greeting.
  package var isQueued = false
}

/// A tool that was used in the conversation.
package struct ConversationTool: Sendable, Equatable {
  package enum Kind: String, Sendable { case client, agent, mcp }
  package enum State: String, Sendable { case waiting, running, done, failed, unknown }

  package var id: String
  package var name: String
  package var kind: Kind
  package var state: State
  package var startedNs: UInt64
  package var endedNs: UInt64?
  /// Why it failed; remote text.
  package var problem: String?
}

/// A tool of an MCP server that waits for the owner.
package struct McpApproval: Sendable, Equatable {
  package var call: McpToolCall
  package var createdNs: UInt64
  /// nil if the server names no time.
  package var expiresNs: UInt64?
  /// An answer has been sent.
  package var isAnswered = false

  /// Everything that is shown, in a stable order: an answer is bound to it.
  package var shownText: String {
    [
      call.id, call.service ?? "", call.name, call.summary ?? "", call.parameters.serialized(),
    ].joined(separator: "\u{0}")
  }
}

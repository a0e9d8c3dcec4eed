/// What happens during one answer, whichever transport carries it.
package enum ChatEvent: Hashable, Sendable {
  /// The agent has taken the message. `run` names the run in the feed, where the transport says it.
  case started(run: String?)
  /// The agent works and has no text yet: `preparing_context`, `starting_model`; as sent.
  case phase(String)
  case model(String)
  /// More text, to be appended.
  case text(String)
  /// The whole text so far: what was shown before is wrong.
  case replaced(String)
  /// More of what the model thinks, where the session streams it.
  case thinking(String)
  /// A tool's call began or ended. Events with the same `id` are the same call.
  case tool(ChatTool)
  case usage(ChatUsage)
  /// The last event of an answer, exactly one.
  case ended(ChatEnd)
}

/// A call of a tool during an answer.
package struct ChatTool: Hashable, Sendable {
  package enum State: String, Hashable, Sendable { case running, done, failed, unknown }

  package var id: String
  package var name: String
  package var state: State
  /// From start to end, by this device's monotonic clock.
  package var durationMs: Int?

  package init(id: String, name: String, state: State, durationMs: Int? = nil) {
    self.id = id
    self.name = name
    self.state = state
    self.durationMs = durationMs
  }
}

/// What an answer took; nil where the server does not say it.
package struct ChatUsage: Hashable, Sendable {
  package var inputTokens: Int?
  package var outputTokens: Int?
  package var totalTokens: Int?
  package var costUSD: Double?

  package init(
    inputTokens: Int? = nil, outputTokens: Int? = nil, totalTokens: Int? = nil,
    costUSD: Double? = nil
  ) {
    self.inputTokens = inputTokens
    self.outputTokens = outputTokens
    self.totalTokens = totalTokens
    self.costUSD = costUSD
  }
}

/// How an answer ended. The text that has arrived is kept in every case.
package enum ChatEnd: Hashable, Sendable {
  case completed
  /// Cancelled from here or by another client.
  case aborted
  case failed(ChatFailure)
}

/// Why an answer failed.
package struct ChatFailure: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The server cannot be reached, or the connection broke during the answer.
    case connection
    /// The secret or the scopes do not suffice.
    case authentication
    /// The server does not take this request: an unknown agent, an image too large.
    case request
    /// The server does not speak this transport (404): another one may be tried.
    case unsupported
    /// The agent or the model failed.
    case agent
    case rateLimit
  }

  package var kind: Kind
  /// One sentence with the next step. It may contain remote text.
  package var sentence: String
  /// After this time the same message may be sent again.
  package var retryAfterMs: Int?

  package init(_ kind: Kind, _ sentence: String, retryAfterMs: Int? = nil) {
    self.kind = kind
    self.sentence = sentence
    self.retryAfterMs = retryAfterMs
  }
}

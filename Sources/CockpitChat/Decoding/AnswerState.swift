internal import LenientJSON

/// The events reported so far for one answer over HTTP.
struct AnswerState: Sendable {
  let isGateway: Bool
  private(set) var text = AnswerText()
  private(set) var isOver = false
  private var model: String?
  private var hasStarted = false
  private var events: [ChatEvent] = []

  init(isGateway: Bool) { self.isGateway = isGateway }

  /// What has not been told yet.
  mutating func told() -> [ChatEvent] {
    defer { events = [] }
    return events
  }

  /// - Parameter id: that of the answer; a gateway's is the id of the run.
  mutating func start(id: String?) {
    guard !hasStarted, !isOver else { return }
    hasStarted = true
    events.append(.started(run: isGateway ? id : nil))
  }

  mutating func name(model new: String?) {
    guard let new, !new.isEmpty, new != model else { return }
    model = new
    tell(.model(new))
  }

  mutating func append(_ more: String) { tell(text.append(more)) }

  mutating func become(_ whole: String) { tell(text.become(whole)) }

  mutating func think(_ more: String) { if !more.isEmpty { tell(.thinking(more)) } }

  /// - Parameter usage: with the names of either interface.
  mutating func count(_ usage: JSONValue?) {
    guard let usage, let fields = JSONFields(usage) else { return }
    let counted = ChatUsage(
      inputTokens: fields.int("prompt_tokens", "input_tokens"),
      outputTokens: fields.int("completion_tokens", "output_tokens"),
      totalTokens: fields.int("total_tokens"))
    // Zeros are sent before anything is counted.
    guard counted != ChatUsage(), counted.totalTokens != 0 else { return }
    tell(.usage(counted))
  }

  private mutating func tell(_ event: ChatEvent?) {
    guard let event, !isOver else { return }
    start(id: nil)
    events.append(event)
  }

  // MARK: The end

  mutating func end(_ end: ChatEnd) {
    guard !isOver else { return }
    events.append(.ended(end))
    isOver = true
  }

  mutating func fail(_ kind: ChatFailure.Kind, _ sentence: String) {
    end(.failed(ChatFailure(kind, sentence)))
  }

  /// The answer is complete, as far as it goes.
  mutating func complete() {
    guard !text.isEmpty else { return end(.failed(empty)) }
    guard !text.isCut else { return end(.failed(.cut)) }
    end(.completed)
  }

  /// An error that the server told inside its answer.
  mutating func fail(_ error: JSONValue?) {
    let fields = error.flatMap { JSONFields($0) }
    let words = fields?.string("message") ?? error?.string ?? ""
    let type = [fields?.string("type"), fields?.string("code")].compactMap(\.self)
    let kind: ChatFailure.Kind =
      type.contains { $0.hasPrefix("rate_limit") } ? .rateLimit : .agent
    end(.failed(.agent(words, isGateway: isGateway, kind: kind)))
  }

  private var empty: ChatFailure {
    ChatFailure(
      .agent,
      isGateway
        ? "The agent gave no answer; see the gateway's log."
        : "The model gave no answer; see the server's log.")
  }

  /// Why an answer without an end is no whole one.
  var unfinished: ChatFailure {
    ChatFailure(
      .connection,
      text.isEmpty
        ? "The server closed the connection before it answered; see its log, then send the message again."
        : "The connection ended in the middle of the answer; what has arrived is kept. Send the message again for a whole one."
    )
  }

  /// `length`, `max_output_tokens`, `content_filter`: why a model stopped early.
  mutating func stopEarly(_ reason: String) {
    switch reason {
    case "length", "max_output_tokens":
      fail(.agent, "The model stopped at its limit of tokens; ask it to go on.")
    case "content_filter":
      fail(.agent, "The server's content filter cut the answer; put the message in other words.")
    case "tool_calls", "function_call":
      fail(.agent, "The model wants to call a tool, which this program does not offer; ask again.")
    default: fail(.agent, "The model stopped early (\(reason.prefix(80))); ask it to go on.")
    }
  }
}

extension ChatFailure {
  /// The longest words of a server in a sentence, characters.
  private static let wordLimit = 400

  static let cut = ChatFailure(
    .agent, "The answer is longer than 2 MiB; the rest of it was left out.")

  /// - Parameter words: the server's own, remote text.
  static func agent(_ words: String, isGateway: Bool, kind: Kind = .agent) -> ChatFailure {
    let words = words.isEmpty ? "it does not say why" : String(words.prefix(wordLimit))
    return ChatFailure(
      kind,
      isGateway
        ? "The agent failed: \(words). See the gateway's log, then send the message again."
        : "The model failed: \(words). See the server's log, then send the message again.")
  }
}

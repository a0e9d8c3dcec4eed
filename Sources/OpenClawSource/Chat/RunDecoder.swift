internal import CockpitChat
internal import LenientJSON
internal import OpenClawWire

/// Decodes the gateway's events of one run into `ChatEvent`s (OPENCLAW.md, 9): the cumulative texts of protocol 3 and
/// the deltas of protocol 4. Emits exactly one `ended`, as the last event.
struct RunDecoder {
  typealias Told = CockpitChat.ChatEvent

  /// The number of calls of tools that are followed.
  private static let maximumTools = 500

  let runId: String
  private(set) var text = AnswerText()
  private(set) var isOver = false
  /// Time without an event after which the run counts as over, ms; nil while it runs.
  private(set) var graceMs: UInt64?
  private var hasStarted = false
  private var model: String?
  private var thinking = AnswerText()
  private var usage = ChatUsage()
  private var tools: [String: Call] = [:]
  private var toolOrder: [String] = []
  private var failure: ChatFailure?

  private struct Call {
    var name: String
    var startNs: UInt64
    var state = ChatTool.State.running
  }

  init(runId: String) { self.runId = runId }

  /// The gateway has taken the message.
  mutating func start() -> [Told] {
    guard !hasStarted, !isOver else { return [] }
    hasStarted = true
    return [.started(run: runId)]
  }

  // MARK: chat

  /// - Parameter nowNs: monotonic, for the end of open calls.
  mutating func take(_ event: OpenClawWire.ChatEvent, nowNs: UInt64) -> [Told] {
    guard event.runId == runId, !isOver else { return [] }
    var told = start()
    graceMs = nil
    switch event.state {
    case .status(let phase): if !phase.isEmpty { told.append(.phase(phase)) }
    case .delta(let added, let replaces, let whole):
      // Where both are there and disagree, the cumulative one is right.
      if let whole {
        add(text.become(whole), to: &told)
      } else if let added {
        add(replaces ? text.become(added) : text.append(added), to: &told)
      }
    case .final(let whole, _):
      if let whole { add(text.become(whole), to: &told) }
      name(event.model, &told)
      count(event.usage, &told)
      guard !event.isYielded else {
        // It goes on when those that it waits for are ready.
        graceMs = 60_000
        return told
      }
      told += end(complete, nowNs: nowNs)
    case .aborted(let whole):
      // A partial message may be shorter than what was told already.
      if let whole, whole.utf8.count >= text.text.utf8.count { add(text.become(whole), to: &told) }
      told += end(.aborted, nowNs: nowNs)
    case .failed(let message, let kind):
      told += end(.failed(.run(message, kind: kind)), nowNs: nowNs)
    case .other: break
    }
    return told
  }

  private var complete: ChatEnd {
    if text.isEmpty { return .failed(failure ?? .noAnswer) }
    return text.isCut ? .failed(.tooLong) : .completed
  }

  // MARK: agent

  /// - Parameter nowNs: monotonic, for the durations of calls.
  mutating func take(_ event: AgentEvent, nowNs: UInt64) -> [Told] {
    guard event.runId == runId, !isOver else { return [] }
    var told = start()
    let fields = JSONFields(event.data)
    switch event.stream {
    case "tool": told += tool(event, fields, nowNs: nowNs)
    case "item": told += item(event, fields, nowNs: nowNs)
    case "thinking":
      let event =
        fields?.string("text").map { thinking.become($0) }
        ?? fields?.string("delta").map { thinking.append($0) } ?? nil
      switch event {
      case .text(let more), .replaced(let more): told.append(.thinking(more))
      default: break
      }
    case "usage": count(event.data, &told)
    case "lifecycle":
      switch event.phase {
      case "end": graceMs = 5_000
      case "error":
        failure = .run(fields?.string("error") ?? "", kind: nil)
        graceMs = 5_000
      default: graceMs = nil
      }
    default: break
    }
    return told
  }

  private mutating func tool(
    _ event: AgentEvent, _ fields: JSONFields?, nowNs: UInt64
  ) -> [Told] {
    guard let id = fields?.id("toolCallId") else { return [] }
    let isError = fields?.bool("isError") ?? false
    let state: ChatTool.State? =
      event.phase == "start"
      ? .running : event.phase == "result" ? (isError ? .failed : .done) : nil
    return call(id, name: fields?.string("name"), state, nowNs: nowNs)
  }

  private mutating func item(
    _ event: AgentEvent, _ fields: JSONFields?, nowNs: UInt64
  ) -> [Told] {
    guard let id = fields?.id("toolCallId", "itemId") else { return [] }
    let status = fields?.string("status")
    let isError = status == "failed" || status == "blocked" || fields?.string("error") != nil
    let state: ChatTool.State? =
      event.phase == "start" ? .running : event.phase == "end" ? (isError ? .failed : .done) : nil
    return call(id, name: fields?.string("name", "kind"), state, nowNs: nowNs)
  }

  /// `tool` and `item` tell of the same call: each has one beginning and one end.
  private mutating func call(
    _ id: String, name: String?, _ state: ChatTool.State?, nowNs: UInt64
  ) -> [Told] {
    guard let state else { return [] }
    if let known = tools[id] {
      guard known.state == .running, state != .running else { return [] }
      tools[id]?.state = state
      return [.tool(ended(id, known, state, nowNs: nowNs))]
    }
    guard tools.count < Self.maximumTools else { return [] }
    let new = Call(name: name ?? "tool", startNs: nowNs, state: state)
    tools[id] = new
    toolOrder.append(id)
    return [.tool(ChatTool(id: id, name: new.name, state: state))]
  }

  private func ended(
    _ id: String, _ call: Call, _ state: ChatTool.State, nowNs: UInt64
  ) -> ChatTool {
    let ns = nowNs > call.startNs ? nowNs - call.startNs : 0
    return ChatTool(id: id, name: call.name, state: state, durationMs: Int(ns / 1_000_000))
  }

  private mutating func name(_ new: String?, _ told: inout [Told]) {
    guard let new, !new.isEmpty, new != model else { return }
    model = new
    told.append(.model(new))
  }

  /// - Parameter value: of the stream `usage`, or of a message.
  private mutating func count(_ value: JSONValue?, _ told: inout [Told]) {
    guard let value, let fields = JSONFields(value) else { return }
    var new = usage
    new.inputTokens = fields.int("input", "inputTokens", "input_tokens") ?? new.inputTokens
    new.outputTokens = fields.int("output", "outputTokens", "output_tokens") ?? new.outputTokens
    new.totalTokens = fields.int("totalTokens", "total", "total_tokens") ?? new.totalTokens
    new.costUSD = value["cost"]?["total"]?.double ?? fields.double("costUsd") ?? new.costUSD
    guard new != usage else { return }
    usage = new
    told.append(.usage(new))
  }

  private func add(_ event: Told?, to told: inout [Told]) { if let event { told.append(event) } }

  // MARK: From the history

  /// The text that a gateway has of the run, which goes on.
  mutating func adopt(_ whole: String) -> [Told] {
    guard !isOver else { return [] }
    var told = start()
    add(text.become(whole), to: &told)
    return told
  }

  /// The run ended while nobody listened.
  ///
  /// - Parameters:
  ///   - whole: its text; nil if the gateway has none of it.
  ///   - isWhole: whether it is known to have ended by itself.
  mutating func close(
    _ whole: String?, isWhole: Bool, usage: JSONValue?, model: String?, nowNs: UInt64
  ) -> [Told] {
    guard !isOver else { return [] }
    var told = start()
    if let whole { add(text.become(whole), to: &told) }
    name(model, &told)
    count(usage, &told)
    let lost = ChatFailure(
      .connection,
      text.isEmpty
        ? "The run ended while the gateway was out of reach, and it has kept no answer; send the message again."
        : "The run ended while the gateway was out of reach; what it has kept of the answer is here."
    )
    return told + end(isWhole && !text.isEmpty ? complete : .failed(lost), nowNs: nowNs)
  }

  /// Nothing more came of a run that said that it was over.
  mutating func graceIsOver(nowNs: UInt64) -> [Told] {
    if let failure { return end(.failed(failure), nowNs: nowNs) }
    return end(complete, nowNs: nowNs)
  }

  mutating func end(_ end: ChatEnd, nowNs: UInt64) -> [Told] {
    guard !isOver else { return [] }
    isOver = true
    graceMs = nil
    // What became of calls without an end is not known.
    let open = toolOrder.compactMap { id in
      tools[id].flatMap { $0.state == .running ? ended(id, $0, .unknown, nowNs: nowNs) : nil }
    }
    return open.map { .tool($0) } + [.ended(end)]
  }
}

extension ChatFailure {
  static let noAnswer = ChatFailure(.agent, "The agent gave no answer; see the gateway's log.")
  static let tooLong = ChatFailure(
    .agent, "The answer is longer than 2 MiB; the rest of it was left out.")

  /// - Parameters:
  ///   - message: the gateway's words, remote text.
  ///   - kind: `refusal`, `timeout`, `rate_limit`, `context_length` or another.
  static func run(_ message: String, kind: String?) -> ChatFailure {
    let words = message.isEmpty ? "it does not say why" : String(message.prefix(400))
    switch kind {
    case "rate_limit":
      return ChatFailure(
        .rateLimit, "The model takes no more requests for now (\(words)); try again later.")
    case "context_length":
      return ChatFailure(
        .agent, "The conversation is too long for the model (\(words)); begin a new one.")
    case "timeout":
      return ChatFailure(
        .agent, "The model did not answer in time (\(words)); send the message again.")
    case "refusal":
      return ChatFailure(
        .agent, "The model declined to answer (\(words)); put the message in other words.")
    default:
      return ChatFailure(
        .agent,
        "The agent failed: \(words). See the gateway's log, then send the message again.")
    }
  }
}

/// The messages of a conversation: a fold of sent messages and of `ChatEvent`s.
package struct ChatTranscript: Hashable, Sendable {
  package enum State: String, Hashable, Sendable { case idle, thinking, streaming, speaking }

  package private(set) var entries: [ChatEntry] = []
  /// The session that messages go to now.
  package private(set) var version: Int
  /// Records of the file that could not be read.
  package var unreadable = 0
  private var nextID = 1

  package init(version: Int = 1) { self.version = version }

  /// The answer under way; a channel has one at a time.
  package var answer: ChatEntry? { entries.last { $0.isUnderWay } }

  package var state: State {
    guard let answer else { return .idle }
    return answer.text.isEmpty ? .thinking : .streaming
  }

  /// What the session in use has taken so far, as far as answers say it; nil if none does.
  package var usage: ChatUsage? {
    var sum: ChatUsage?
    for entry in current {
      guard let usage = entry.usage else { continue }
      sum = sum.map { $0 + usage } ?? usage
    }
    return sum
  }

  /// How many ended answers of the session in use say nothing of their cost.
  package var unpriced: Int {
    current.count { $0.author == .agent && $0.end == .completed && $0.usage?.costUSD == nil }
  }

  /// The entries of the session in use.
  private var current: ArraySlice<ChatEntry> {
    let start = entries.lastIndex { $0.author == .session }
    return entries[(start.map { $0 + 1 } ?? 0)...]
  }

  /// The message that may be sent again: the last one, whose answer failed or was aborted.
  package var retryable: ChatEntry? {
    guard let last = current.last, last.author == .agent, let end = last.end, end != .completed
    else {
      // Ended with the program before an answer began.
      return current.last.flatMap { $0.author == .user ? $0 : nil }
    }
    return current.last { $0.author == .user }
  }

  /// The messages of the session in use, for servers that keep none. An answer that has no text is left out.
  package var history: [ChatMessage] { Self.messages(current) }

  /// The same, of what was said before a message.
  package func history(before id: ChatEntry.ID) -> [ChatMessage] {
    Self.messages(current.prefix { $0.id != id })
  }

  private static func messages(_ entries: ArraySlice<ChatEntry>) -> [ChatMessage] {
    entries.compactMap { entry in
      guard !entry.text.isEmpty, !entry.isUnderWay else { return nil }
      let images = entry.images.map { "\n[image \($0)]" }.joined()
      return ChatMessage(entry.author == .user ? .user : .assistant, entry.text + images)
    }
  }

  /// What the user wrote, oldest first.
  package var sent: [String] { entries.filter { $0.author == .user }.map(\.text) }

  // MARK: Changes

  private mutating func makeID() -> Int {
    defer { nextID += 1 }
    return nextID
  }

  /// The user's message. The answer follows with `beginAnswer`.
  @discardableResult
  package mutating func send(
    _ text: String, images: [String] = [], idempotencyKey: String, atMs: Int64
  ) -> ChatEntry {
    var entry = ChatEntry(id: makeID(), .user, atMs: atMs, text: text)
    entry.images = images
    entry.idempotencyKey = idempotencyKey
    entries.append(entry)
    return entry
  }

  /// An answer is awaited. One that failed without text is replaced by it.
  ///
  /// - Returns: the id to pass to `apply`.
  package mutating func beginAnswer(atMs: Int64) -> ChatEntry.ID {
    if let last = entries.last, last.author == .agent, last.end != nil, last.text.isEmpty {
      entries.removeLast()
    }
    let entry = ChatEntry(id: makeID(), .agent, atMs: atMs)
    entries.append(entry)
    return entry.id
  }

  /// What happens during an answer. Events after its end are ignored.
  package mutating func apply(_ event: ChatEvent, to id: ChatEntry.ID, atMs: Int64) {
    guard let place = entries.lastIndex(where: { $0.id == id }), entries[place].isUnderWay else {
      return
    }
    switch event {
    case .started(let run): entries[place].run = run ?? entries[place].run
    case .phase(let phase): entries[place].phase = phase
    case .model(let model): entries[place].model = model
    case .text(let text): entries[place].append(text)
    case .replaced(let text): entries[place].replace(with: text)
    case .thinking(let text): entries[place].think(text)
    case .tool(let tool): entries[place].note(tool)
    case .usage(let usage): entries[place].usage = usage
    case .ended(let end):
      entries[place].end = end
      let (ms, isTooLong) = atMs.subtractingReportingOverflow(entries[place].atMs)
      entries[place].durationMs = isTooLong ? nil : Int(clamping: max(0, ms))
      for tool in entries[place].tools.indices
      where entries[place].tools[tool].state == .running {
        entries[place].tools[tool].state = .unknown
      }
    }
  }

  /// The next attempt at a message is another one for the server, which has answered this one already.
  package mutating func setKey(_ key: String, of id: ChatEntry.ID) {
    guard let place = entries.lastIndex(where: { $0.id == id }) else { return }
    entries[place].idempotencyKey = key
  }

  /// A new conversation with the same agent.
  package mutating func beginSession(_ version: Int, atMs: Int64) {
    self.version = version
    guard entries.last.map({ $0.author != .session }) ?? false else { return }
    entries.append(ChatEntry(id: makeID(), .session, atMs: atMs, text: "\(version)"))
  }

  /// An entry from a file.
  mutating func restore(_ author: ChatEntry.Author, atMs: Int64, text: String) -> Int {
    if author == .agent, let last = entries.last, last.author == .agent, last.text.isEmpty {
      entries.removeLast()
    }
    if author == .session { version = Int(text) ?? version }
    entries.append(ChatEntry(id: makeID(), author, atMs: atMs, text: text))
    return entries.count - 1
  }

  mutating func change(at place: Int, _ body: (inout ChatEntry) -> Void) { body(&entries[place]) }
}

extension ChatUsage {
  /// Both together; what one of them does not say counts as nothing.
  package static func + (left: ChatUsage, right: ChatUsage) -> ChatUsage {
    func sum(_ left: Int?, _ right: Int?) -> Int? {
      guard let left, let right else { return left ?? right }
      return left.adding(right)
    }
    let cost = (left.costUSD ?? 0) + (right.costUSD ?? 0)
    return ChatUsage(
      inputTokens: sum(left.inputTokens, right.inputTokens),
      outputTokens: sum(left.outputTokens, right.outputTokens),
      totalTokens: sum(left.total, right.total),
      costUSD: left.costUSD == nil && right.costUSD == nil ? nil : cost)
  }

  /// Input and output, where the server gives no total.
  package var total: Int? {
    if let totalTokens { return totalTokens }
    guard inputTokens != nil || outputTokens != nil else { return nil }
    return (inputTokens ?? 0).adding(outputTokens ?? 0)
  }
}

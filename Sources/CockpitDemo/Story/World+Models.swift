/// Rows about model calls, shared by every scene.
extension World {
  struct Model: Sendable {
    var provider: String
    var name: String
    /// Dollars per token.
    var input: Double
    var output: Double

    static let opus = Model(
      provider: "claude-oauth", name: "claude-opus-4-6", input: 5e-6, output: 25e-6)
    static let sonnet = Model(
      provider: "anthropic", name: "claude-sonnet-4-6", input: 3e-6, output: 15e-6)
    static let haiku = Model(
      provider: "anthropic", name: "claude-haiku-4-5", input: 1e-6, output: 5e-6)

    var label: String { "\(provider):\(name)" }
  }

  struct Usage: Sendable {
    var input: Int
    var output: Int
    var cacheWrite: Int
    var cacheRead: Int

    var json: DemoJSON {
      [
        "inputTokens": .int(input), "outputTokens": .int(output),
        "cacheWriteTokens": .int(cacheWrite), "cacheReadTokens": .int(cacheRead),
      ]
    }

    /// Cached reads cost a tenth, cache writes a quarter more than plain input.
    func cost(_ model: Model) -> Double {
      Double(input) * model.input + Double(output) * model.output
        + Double(cacheRead) * model.input * 0.1 + Double(cacheWrite) * model.input * 1.25
    }
  }

  /// Tokens for a prompt of that many characters; the system part is usually cached.
  func usage(system: Int, user: Int, reply: Int) -> Usage {
    let cached = system / 4
    let fresh = random.chance(0.15)
    return Usage(
      input: max(20, user / 4 + random.int(0...40)), output: max(8, reply / 4 + random.int(4...60)),
      cacheWrite: fresh ? cached : 0, cacheRead: fresh ? 0 : cached)
  }

  /// Writes an `llm_call` row and returns its usage.
  ///
  /// - Parameter moreInput: input tokens besides the two prompts.
  @discardableResult
  func logModelCall(
    in place: Place, user: String, model: Model, source: String, event: String?,
    message: String?, session: String?, system: String, prompt: String, reply: String,
    tools: [String], streaming: Bool = true, moreInput: Int = 0
  ) -> (usage: Usage, cost: Double) {
    var usage = usage(
      system: system.utf16.count, user: prompt.utf16.count, reply: reply.utf16.count)
    usage.input += moreInput
    let cost = usage.cost(model)
    let types: DemoJSON = tools.isEmpty ? ["text": 1] : ["text": 1, "tool_use": .int(tools.count)]
    let shape =
      tools.isEmpty
      ? "raw=array[1] items=text:1"
      : "raw=array[\(tools.count + 1)] items=text:1,tool_use:\(tools.count) tools=\(tools.count)"
    log(
      "llm_call", in: place, user: user, content: .string(model.label),
      metadata: [
        "provider": .string(model.provider), "model": .string(model.name), "usage": usage.json,
        "inputImages": 0, "toolCallCount": .int(tools.count),
        "toolNames": tools.isEmpty ? nil : .string(tools.prefix(8).joined(separator: ", ")),
        "stopReason": tools.isEmpty ? "end_turn" : "tool_use",
        "responseChars": .int(reply.utf16.count), "responseShape": .string(shape),
        "rawContentSummary": [
          "shape": "array", "length": .int(tools.count + 1), "itemTypes": types,
          "itemStatuses": ["(missing)": .int(tools.count + 1)], "messageCount": 0,
          "functionCallCount": .int(tools.count), "functionCallArgumentChars": 0,
          "functionCallArgumentPresent": false, "textChars": .int(reply.utf16.count),
        ],
        "responseDiagnostics": nil, "transcript": .string(reply), "transcriptSource": "output",
        "source": .string(source), "event": .text(event), "reason": nil,
        "messageId": .text(message), "sessionId": .text(session), "streaming": .bool(streaming),
        "systemPrompt": .string(system), "userPrompt": .string(prompt), "contextMessageCount": 0,
      ], cost: cost)
    return (usage, cost)
  }

  /// A failed model call.
  func logModelError(
    in place: Place, user: String, model: Model, status: Int, type: String, message: String
  ) {
    log(
      "llm_error", in: place, user: user,
      content: .string(
        "\(status) {\"type\":\"error\",\"error\":{\"type\":\"\(type)\",\"message\":\"\(message)\"}}"
      ),
      metadata: [
        "provider": .string(model.provider), "model": .string(model.name), "streaming": true,
        "status": .int(status), "errorType": .string(type),
        "requestId": .string("req_011C" + random.token(20)),
      ])
  }

  func logEmbedding(
    in place: Place, user: String?, chars: Int, source: String, message: String?
  ) {
    let tokens = max(1, chars / 4)
    log(
      "memory_embedding_call", in: place, user: user, content: "text-embedding-3-small",
      metadata: [
        "provider": "openai", "model": "text-embedding-3-small", "inputChars": .int(chars),
        "vectorDims": 1536, "usage": ["inputTokens": .int(tokens), "outputTokens": 0],
        "traceSource": .string(source), "traceEvent": nil, "traceReason": nil,
        "traceMessageId": .text(message),
      ], cost: Double(tokens) * 2e-8)
  }

  /// Stores a fact and writes its row (contract 4.5: bot-originated writes are logged). Returns its id when
  /// it is new.
  @discardableResult
  func rememberFact(
    about person: Person, _ text: String, type: String, evidence: String, in place: Place,
    message: String
  ) -> Int64? {
    let march = !isMay
    let fact = FactRow(
      id: 0, createdMs: now, updatedMs: now, scope: march ? "guild" : "user",
      guild: march ? place.guild : nil, channel: place.channel, user: march ? nil : person.id,
      subject: person.id, fact: text, factType: type, evidence: evidence, sourceMessage: message,
      confidence: 0.7 + Double(random.int(0...25)) / 100)
    // A fact known from an earlier round of the story is simply refreshed, as upstream does.
    let id = store.facts.add(fact)
    log(
      "memory_fact", in: place, message: message, user: person.id, content: .string(text),
      metadata: [
        "actorName": .string(person.id), "factId": .int(Int(id ?? 1)),
        "subject": .string(person.id), "fact": .string(text), "factType": .string(type),
        "confidence": .double(fact.confidence), "evidenceText": .string(evidence),
        "source": "reply_memory_write", "reason": id == nil ? "updated_existing" : "added_new",
        "scope": .string(fact.scope), "memoryScope": .string(fact.scope),
        "channelId": .text(place.channel), "sourceMessageId": .string(message),
      ])
    return id
  }
}

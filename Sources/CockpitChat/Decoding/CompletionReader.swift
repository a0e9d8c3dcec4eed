internal import LenientJSON

/// Events of `/v1/chat/completions` (OPENCLAW.md, 12.1).
struct CompletionReader: EventReader {
  var answer: AnswerState
  private var finishReason: String?

  init(isGateway: Bool) { answer = AnswerState(isGateway: isGateway) }

  mutating func take(_ event: JSONValue) {
    guard let fields = JSONFields(event) else { return }
    if let error = fields.value("error") { return answer.fail(error) }
    answer.start(id: fields.id("id"))
    answer.name(model: fields.string("model"))
    // Others than the first were not asked for.
    let choice = event["choices"]?.array?.first { ($0["index"]?.int ?? 0) == 0 }
    if let delta = choice?["delta"].flatMap({ JSONFields($0) }) {
      answer.think(delta.string("reasoning_content", "reasoning") ?? "")
      answer.append(delta.string("content") ?? "")
    }
    finishReason = choice?["finish_reason"]?.string ?? finishReason
    answer.count(fields.value("usage"))
  }

  mutating func finish(_ failure: ChatFailure?) {
    switch finishReason {
    case "length", "content_filter": answer.stopEarly(finishReason ?? "")
    case "tool_calls" where answer.text.isEmpty: answer.stopEarly("tool_calls")
    // Some servers end the stream without [DONE].
    case .some: answer.complete()
    case nil: if let failure { answer.end(.failed(failure)) } else { answer.complete() }
    }
  }

  mutating func takeWhole(_ body: JSONValue) {
    if let error = body["error"], !error.isNull { return answer.fail(error) }
    answer.start(id: body["id"]?.string)
    answer.name(model: body["model"]?.string)
    let choice = body["choices"]?.array?.first
    answer.append(choice?["message"]?["content"]?.string ?? "")
    answer.count(body["usage"])
    finishReason = choice?["finish_reason"]?.string
    finish(nil)
  }
}

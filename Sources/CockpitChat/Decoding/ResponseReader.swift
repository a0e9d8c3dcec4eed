internal import LenientJSON

/// Events of `/v1/responses` (OPENCLAW.md, 12.2).
struct ResponseReader: EventReader {
  /// What protocol 3 answers for a run that failed.
  private static let nothing = "No response from OpenClaw."

  var answer: AnswerState
  /// The text parts of the answer, in the order in which they began.
  private var parts: [(key: PartKey, text: String)] = []

  private struct PartKey: Equatable, Sendable {
    var output: Int
    var content: Int
  }

  init(isGateway: Bool) { answer = AnswerState(isGateway: isGateway) }

  mutating func take(_ event: JSONValue) {
    guard let fields = JSONFields(event), let type = fields.string("type") else { return }
    let response = event["response"]
    switch type {
    case "response.created", "response.in_progress":
      answer.start(id: response?["id"]?.string)
      answer.name(model: response?["model"]?.string)
    case "response.output_text.delta", "response.refusal.delta":
      add(fields.string("delta") ?? "", to: Self.key(fields))
    case "response.output_text.done":
      set(fields.string("text"), of: Self.key(fields))
    case "response.refusal.done": set(fields.string("refusal"), of: Self.key(fields))
    case "response.reasoning_text.delta", "response.reasoning_summary_text.delta":
      answer.think(fields.string("delta") ?? "")
    case "response.completed", "response.incomplete", "response.failed":
      end(type, response ?? .null)
    // The whole event, or a member of it, has code and message.
    case "error": answer.fail(fields.value("error") ?? event)
    default: break
    }
  }

  private static func key(_ fields: JSONFields) -> PartKey {
    PartKey(output: fields.int("output_index") ?? 0, content: fields.int("content_index") ?? 0)
  }

  private mutating func add(_ more: String, to key: PartKey) {
    guard !more.isEmpty else { return }
    guard let last = parts.last, last.key == key else {
      let place = parts.firstIndex { $0.key == key }
      set((place.map { parts[$0].text } ?? "") + more, of: key)
      return
    }
    parts[parts.count - 1].text += more
    answer.append(more)
  }

  private mutating func set(_ text: String?, of key: PartKey) {
    guard let text, !text.isEmpty else { return }
    if let place = parts.firstIndex(where: { $0.key == key }) {
      guard parts[place].text != text else { return }
      parts[place].text = text
    } else {
      parts.append((key, text))
    }
    tellWhole()
  }

  private mutating func tellWhole() {
    // It is the sign of a failure and no words of the agent.
    guard !isNothing else { return }
    answer.become(parts.map(\.text).joined(separator: "\n\n"))
  }

  private var isNothing: Bool {
    answer.isGateway && parts.count == 1 && parts[0].text == Self.nothing
  }

  private mutating func end(_ type: String, _ response: JSONValue) {
    answer.name(model: response["model"]?.string)
    for (output, item) in (response["output"]?.array ?? []).enumerated()
    where item["type"]?.string == "message" {
      for (content, part) in (item["content"]?.array ?? []).enumerated() {
        set(part["text"]?.string, of: PartKey(output: output, content: content))
      }
    }
    answer.count(response["usage"])
    switch type {
    case "response.failed": answer.fail(response["error"])
    case "response.incomplete":
      answer.stopEarly(response["incomplete_details"]?["reason"]?.string ?? "no reason given")
    default: answer.complete()
    }
  }

  mutating func finish(_ failure: ChatFailure?) {
    answer.end(.failed(failure ?? answer.unfinished))
  }

  mutating func takeWhole(_ body: JSONValue) {
    if let error = body["error"], !error.isNull { return answer.fail(error) }
    answer.start(id: body["id"]?.string)
    let status = body["status"]?.string ?? "completed"
    end("response.\(status)", body)
  }
}

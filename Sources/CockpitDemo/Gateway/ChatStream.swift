import Foundation

/// The answer of a run over HTTP, in the form of one of the two interfaces (contract 12.1, 12.2).
final class ChatStream: RunListener {
  enum Interface: String {
    case chat, responses
  }

  private let link: GatewayLink
  private let interface: Interface
  private let id: String
  private let model: String
  private let isStreaming: Bool
  private let countsUsage: Bool
  private let isV4: Bool
  private let nowMs: Int64
  /// The stream breaks off after so many more bytes of text.
  private var cut: Int?
  private var text = ""
  private var hasRole = false

  init(
    _ link: GatewayLink, _ interface: Interface, id: String, model: String, isStreaming: Bool,
    countsUsage: Bool, isV4: Bool, nowMs: Int64, cut: Int?
  ) {
    self.link = link
    self.interface = interface
    self.id = id
    self.model = model
    self.isStreaming = isStreaming
    self.countsUsage = countsUsage
    self.isV4 = isV4
    self.nowMs = nowMs
    self.cut = cut
  }

  /// What is sent before the run has said anything.
  func begin() {
    guard isStreaming else { return }
    link.send(GatewaySSE.head(DemoTime.httpDate(nowMs)))
    guard interface == .responses else {
      // Protocol 3 waits with the role for the first word.
      if isV4 { sendRole() }
      return
    }
    emit("response.created", ["response": response("in_progress", usage: usage(0, 0))])
    emit("response.in_progress", ["response": response("in_progress", usage: usage(0, 0))])
    emit("response.output_item.added", ["output_index": 0, "item": item("", "in_progress")])
    emit("response.content_part.added", place(["part": part("")]))
  }

  func said(_ words: String) {
    text += words
    guard isStreaming, !words.isEmpty else { return }
    if interface == .chat {
      if !hasRole { sendRole() }
      link.send(GatewaySSE.event(nil, chunk(["content": .string(words)], reason: nil)))
    } else {
      emit("response.output_text.delta", place(["delta": .string(words)]))
    }
    if let left = cut {
      cut = left - words.utf8.count
      if left <= words.utf8.count {
        // The head of a chunk that never comes.
        link.end(after: Data("40\r\ndata: {\"id".utf8))
      }
    }
  }

  func finished(_ run: GatewayRun, inputTokens: Int, outputTokens: Int) {
    let usage = usage(inputTokens, outputTokens)
    guard isStreaming else { return whole(usage) }
    if interface == .chat {
      link.send(GatewaySSE.event(nil, chunk([:], reason: "stop")))
      if countsUsage {
        let last = chunk([:], reason: nil).setting("choices", [])
        link.send(GatewaySSE.event(nil, last.setting("usage", usage)))
      }
    } else {
      completeText()
      emit("response.completed", ["response": response("completed", usage: usage)])
    }
    done()
  }

  func failed(_ words: String) {
    guard isStreaming else {
      guard isV4 else {
        text = words
        return whole(usage(0, 0))
      }
      return reply(
        .json(["error": ["message": .string(words), "type": "api_error"]], status: 500))
    }
    switch (interface, isV4) {
    case (.chat, true):
      let error: DemoJSON = ["error": ["message": .string(words), "type": "api_error"]]
      link.send(GatewaySSE.event(nil, error))
    case (.chat, false): link.send(GatewaySSE.event(nil, chunk([:], reason: "stop")))
    case (.responses, true):
      emit(
        "response.failed",
        [
          "response": response("failed", usage: usage(0, 0)).setting(
            "error", ["code": "api_error", "message": .string(words)])
        ])
    case (.responses, false):
      text = "No response from OpenClaw."
      completeText()
      emit("response.completed", ["response": response("completed", usage: usage(0, 0))])
    }
    done()
  }

  func breakOff() { link.cut() }

  private func done() {
    link.send(GatewaySSE.text("data: [DONE]\n\n"))
    link.end(after: GatewaySSE.end)
  }

  // MARK: Completions

  private func sendRole() {
    hasRole = true
    link.send(GatewaySSE.event(nil, chunk(["role": "assistant"], reason: nil)))
  }

  private func chunk(_ delta: DemoJSON, reason: String?) -> DemoJSON {
    [
      "id": .string(id), "object": "chat.completion.chunk", "created": .int(Int(nowMs / 1_000)),
      "model": .string(model),
      "choices": [["index": 0, "delta": delta, "finish_reason": .text(reason)]],
    ]
  }

  // MARK: Responses

  private func emit(_ type: String, _ more: DemoJSON) {
    let event: DemoJSON = ["type": .string(type)]
    link.send(GatewaySSE.event(type, event.merging(more)))
  }

  private var messageID: String { "msg_\(id.dropFirst(5))" }

  private func place(_ more: DemoJSON) -> DemoJSON {
    let place: DemoJSON = [
      "item_id": .string(messageID), "output_index": 0, "content_index": 0,
    ]
    return place.merging(more)
  }

  private func part(_ text: String) -> DemoJSON {
    ["type": "output_text", "text": .string(text), "annotations": []]
  }

  private func item(_ text: String, _ status: String) -> DemoJSON {
    [
      "type": "message", "id": .string(messageID), "role": "assistant",
      "content": [part(text)], "status": .string(status),
    ]
  }

  private func response(_ status: String, usage: DemoJSON) -> DemoJSON {
    [
      "id": .string(id), "object": "response", "created_at": .int(Int(nowMs / 1_000)),
      "status": .string(status), "model": .string(model),
      "output": status == "completed" ? [item(text, "completed")] : [], "usage": usage,
    ]
  }

  private func completeText() {
    emit("response.output_text.done", place(["text": .string(text)]))
    emit("response.content_part.done", place(["part": part(text)]))
    emit("response.output_item.done", ["output_index": 0, "item": item(text, "completed")])
  }

  // MARK: Both

  private func usage(_ input: Int, _ output: Int) -> DemoJSON {
    interface == .chat
      ? [
        "prompt_tokens": .int(input), "completion_tokens": .int(output),
        "total_tokens": .int(input + output),
      ]
      : [
        "input_tokens": .int(input), "output_tokens": .int(output),
        "total_tokens": .int(input + output),
      ]
  }

  /// The answer in one piece.
  private func whole(_ usage: DemoJSON) {
    guard interface == .chat else {
      return reply(.json(response("completed", usage: usage)))
    }
    reply(
      .json([
        "id": .string(id), "object": "chat.completion", "created": .int(Int(nowMs / 1_000)),
        "model": .string(model),
        "choices": [
          [
            "index": 0, "message": ["role": "assistant", "content": .string(text)],
            "finish_reason": "stop",
          ]
        ], "usage": usage,
      ]))
  }

  private func reply(_ reply: HTTPReply) {
    var reply = reply
    reply.headers.append(("Connection", "close"))
    link.end(after: reply.bytes(date: DemoTime.httpDate(nowMs), includeBody: true))
  }
}

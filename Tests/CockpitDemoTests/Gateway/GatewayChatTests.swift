import Foundation
import Testing

@testable import CockpitDemo

/// Chat over HTTP of the demo gateway, as the contract has it (12).
@Suite("gateway chat over HTTP", .timeLimit(.minutes(2))) struct GatewayChatTests {
  private func headers(
    _ gateway: TestGateway, _ more: [String: String] = [:]
  ) -> [String: String] {
    ["Authorization": "Bearer \(gateway.server.token)", "Content-Type": "application/json"]
      .merging(more) { $1 }
  }

  private func post(
    _ gateway: TestGateway, _ path: String, _ body: String, _ more: [String: String] = [:]
  ) async throws -> TestClient.Response {
    try await TestClient(port: gateway.server.port, token: nil).send(
      "POST", path, headers: headers(gateway, more), body: Array(body.utf8))
  }

  /// The chunks of a stream to its end, while time passes.
  private func stream(
    _ gateway: TestGateway, _ path: String, _ body: String, _ more: [String: String] = [:]
  ) async throws -> [String] {
    let client = TestClient(port: gateway.server.port, token: nil)
    let stream = TestStream(
      socket: try await client.open(
        "POST", path, headers: headers(gateway, more), body: Array(body.utf8)))
    defer { stream.close() }
    try await stream.readHead()
    #expect(stream.head.contains("Content-Type: text/event-stream; charset=utf-8"))
    await gateway.advance(30_000)
    var chunks: [String] = []
    while true {
      let chunk = try await stream.chunk()
      guard !chunk.isEmpty else { return chunks }
      chunks.append(String(decoding: chunk, as: UTF8.self))
    }
  }

  private static func message(_ text: String, model: String = "openclaw/heron") -> String {
    #"{"model":"\#(model)","messages":[{"role":"user","content":"\#(text)"}],"stream":true,"stream_options":{"include_usage":true}}"#
  }

  @Test("what is not taken is refused as its protocol does", arguments: [3, 4])
  func refusals(version: Int) async throws {
    let gateway = try await TestGateway(version: version)
    let chat = "/v1/chat/completions"
    let closed = try await TestClient(port: gateway.server.port, token: nil).send(
      "POST", chat, headers: ["Authorization": "Bearer wrong"],
      body: Array(Self.message("x").utf8))
    #expect(closed.status == 401)
    #expect(try closed.json["error"]?["type"] == "unauthorized")
    for (path, body, status) in [
      (chat, "{", 400), (chat, Self.message("x", model: "gpt-9"), 400),
      (chat, #"{"model":"openclaw","messages":[]}"#, 400),
      ("/v1/responses", #"{"model":"openclaw"}"#, 400),
      (
        chat,
        #"{"model":"openclaw","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,?"}}]}]}"#,
        400
      ),
    ] {
      let response = try await post(gateway, path, body)
      #expect(response.status == status, "\(body)")
      #expect(try response.json["error"]?["type"] == "invalid_request_error", "\(body)")
    }
    let client = TestClient(port: gateway.server.port, token: nil)
    #expect(try await client.get(chat).status == 405)
    if version == 4 {
      let unknown = try await post(gateway, chat, Self.message("x", model: "openclaw/nobody"))
      #expect(try unknown.json["error"]?["message"] == "Unknown agent 'nobody'.")
      for key in ["cron:daily", "agent:heron:subagent:1", "acp:x"] {
        let reserved = try await post(
          gateway, chat, Self.message("x"), ["x-openclaw-session-key": key])
        #expect(reserved.status == 400, "\(key)")
      }
    } else {
      _ = try await stream(gateway, chat, Self.message("x", model: "openclaw/nobody"))
      let runs = try await gateway.truth()["runs"]?.arrayValue
      #expect(runs?.last?["agent"] == "heron")
    }
    await gateway.server.stop()
  }

  @Test("completions are chunks: role, words, stop, usage, end")
  func completions() async throws {
    let gateway = try await TestGateway(version: 4)
    let chunks = try await stream(
      gateway, "/v1/chat/completions", Self.message("What is due?"),
      ["x-openclaw-session-key": "desk"])
    let run = try #require(try await gateway.truth()["runs"]?.arrayValue?.last)
    #expect(run["session"] == "agent:heron:desk" && run["status"] == "done")
    #expect(chunks.last == "data: [DONE]\n\n")
    let events = try chunks.dropLast().map { chunk in
      try DemoJSON.parse(Array(chunk.dropFirst(6).utf8))
    }
    #expect(events.allSatisfy { $0["id"] == run["id"] })
    func delta(_ event: DemoJSON) -> DemoJSON? { event["choices"]?.arrayValue?.first?["delta"] }
    #expect(events.first.flatMap(delta)?["role"] == "assistant")
    let text = events.compactMap { delta($0)?["content"]?.stringValue }.joined()
    #expect(text == run["text"]?.stringValue)
    #expect(events.dropLast().last?["choices"]?.arrayValue?.first?["finish_reason"] == "stop")
    #expect(events.last?["choices"]?.arrayValue?.isEmpty == true)
    #expect((events.last?["usage"]?["total_tokens"]?.doubleValue ?? 0) > 0)
    await gateway.server.stop()
  }

  @Test("responses are typed events to their end")
  func responses() async throws {
    let gateway = try await TestGateway(version: 4)
    let chunks = try await stream(
      gateway, "/v1/responses",
      #"{"model":"openclaw:moss","input":"What is due?","stream":true}"#)
    let run = try #require(try await gateway.truth()["runs"]?.arrayValue?.last)
    let names = chunks.compactMap { chunk in
      chunk.hasPrefix("event: ")
        ? String(chunk.dropFirst(7).prefix { $0 != "\n" }) : nil
    }
    var short = names
    short.removeAll { $0 == "response.output_text.delta" }
    #expect(
      short == [
        "response.created", "response.in_progress", "response.output_item.added",
        "response.content_part.added", "response.output_text.done", "response.content_part.done",
        "response.output_item.done", "response.completed",
      ])
    #expect(run["agent"] == "moss" && chunks.last == "data: [DONE]\n\n")
    await gateway.server.stop()
  }

  @Test("a run that fails is told in the way of its protocol", arguments: [3, 4])
  func failures(version: Int) async throws {
    let gateway = try await TestGateway(version: version)
    let chat = try await stream(
      gateway, "/v1/chat/completions", Self.message("fail at once")
    ).joined()
    #expect(chat.contains(#""error":"#) == (version == 4))
    #expect(chat.contains(#""finish_reason":"stop""#) == (version == 3))
    let responses = try await stream(
      gateway, "/v1/responses",
      #"{"model":"openclaw","input":"fail at once","stream":true}"#
    ).joined()
    #expect(responses.contains("response.failed") == (version == 4))
    #expect(responses.contains("No response from OpenClaw.") == (version == 3))
    await gateway.server.stop()
  }

  @Test("who hangs up ends the run")
  func hangUp() async throws {
    let gateway = try await TestGateway(version: 4)
    let client = TestClient(port: gateway.server.port, token: nil)
    let stream = TestStream(
      socket: try await client.open(
        "POST", "/v1/chat/completions", headers: headers(gateway),
        body: Array(Self.message("slow").utf8)))
    try await stream.readHead()
    await gateway.advance(2_000)
    _ = try await stream.chunk()
    stream.close()
    while try await gateway.truth()["runs"]?.arrayValue?.last?["status"] != "killed" {
      try await Task.sleep(for: .milliseconds(5))
    }
    await gateway.server.stop()
  }

  @Test("the history of a session has its messages, page by page", arguments: [3, 4])
  func history(version: Int) async throws {
    let gateway = try await TestGateway(version: version)
    for number in 1...3 {
      _ = try await stream(
        gateway, "/v1/chat/completions", Self.message("message \(number)"),
        ["x-openclaw-session-key": "desk"])
    }
    let client = TestClient(port: gateway.server.port, token: nil)
    let path = "/sessions/agent%3Aheron%3Adesk/history"
    #expect(try await client.get(path).status == 401)
    let plain = try await client.get(path, headers: headers(gateway))
    #expect(plain.status == (version == 4 ? 200 : 403))
    let scoped = headers(gateway, ["x-openclaw-scopes": "operator.read"])
    let all = try await client.get(path, headers: scoped).json
    #expect(all["items"]?.arrayValue?.count == 6 && all["hasMore"] == false)
    let page = try await client.get(path + "?limit=4", headers: scoped).json
    #expect(page["items"]?.arrayValue?.count == 4 && page["hasMore"] == true)
    let cursor = try #require(page["nextCursor"]?.stringValue)
    let rest = try await client.get(path + "?limit=4&cursor=\(cursor)", headers: scoped).json
    #expect(rest["items"]?.arrayValue?.count == 2 && rest["hasMore"] == false)
    let none = try await client.get("/sessions/agent%3Aheron%3Anone/history", headers: scoped)
    #expect(none.status == 404)
    #expect(try none.json["error"]?["type"] == "not_found")
    await gateway.server.stop()
  }

  @Test("a script has everything that markdown has, byte for byte")
  func markdown() async throws {
    let gateway = try await TestGateway(version: 4)
    _ = try await stream(gateway, "/v1/chat/completions", Self.message("markdown"))
    let run = try await gateway.truth()["runs"]?.arrayValue?.last
    #expect(run?["text"]?.stringValue == RunScript.markdown)
    _ = try await stream(gateway, "/v1/chat/completions", Self.message("huge"))
    let huge = try await gateway.truth()["runs"]?.arrayValue?.last?["text"]?.stringValue
    #expect((huge?.utf8.count ?? 0) >= 200_000)
    await gateway.server.stop()
  }
}

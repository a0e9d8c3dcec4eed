import LenientJSON
import Testing

@testable import AgentProtocol

/// The protocol, message by message, as its specification has them.
@Suite struct ModelContextServerTests {
  private func server() -> ModelContextServer {
    ModelContextServer(
      .init(name: "test", title: "Test", version: "1", instructions: "read"),
      tools: [
        ("one", .body([("name", .string("one"))])), ("two", .body([("name", .string("two"))])),
      ])
  }

  private func line(_ text: String) -> RPCLineSplitter.Line { .message(Array(text.utf8)) }

  private func sent(_ steps: [ModelContextServer.Step]) throws -> [JSONValue] {
    try steps.compactMap { step in
      guard case .send(let bytes) = step else { return nil }
      #expect(bytes.last == 0x0A && bytes.dropLast().allSatisfy { (0x20..<0x7F).contains($0) })
      return try JSONValue.parse(bytes)
    }
  }

  private func code(_ steps: [ModelContextServer.Step]) throws -> Int? {
    try sent(steps).first?["error"]?["code"]?.double.map { Int($0) }
  }

  private func initialize(
    _ server: inout ModelContextServer, _ version: String = "2025-06-18"
  ) throws -> JSONValue {
    let steps = server.take(
      line(
        #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(version)","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#
      ))
    return try #require(try sent(steps).first)
  }

  private func call(_ id: String, _ tool: String = "one") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":{}}}"#
  }

  @Test(
    "a known version is agreed on, an unknown one answered with the newest",
    arguments: [
      ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
      ("2099-01-01", "2025-06-18"),
    ])
  func versions(asked: String, agreed: String) throws {
    var server = server()
    let answer = try initialize(&server, asked)
    #expect(answer["result"]?["protocolVersion"]?.string == agreed)
    #expect(answer["result"]?["serverInfo"]?["name"]?.string == "test")
    #expect(answer["result"]?["capabilities"]?["tools"] != nil)
    let again = line(#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#)
    #expect(try code(server.take(again)) == -32600)
  }

  @Test("ping is answered at any time; tools not before initialize; notifications never")
  func order() throws {
    var server = server()
    let ping = try sent(server.take(line(#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#)))
    #expect(ping.first?["id"]?.string == "p" && ping.first?["result"] != nil)
    #expect(try code(server.take(line(call("1")))) == -32600)
    _ = try initialize(&server)
    for method in ["notifications/initialized", "notifications/roots/list_changed", "x"] {
      #expect(server.take(line(#"{"jsonrpc":"2.0","method":"\#(method)"}"#)).isEmpty)
    }
    #expect(server.take(line(#"{"jsonrpc":"2.0","id":9,"result":{}}"#)).isEmpty)
  }

  @Test(
    "what is no request has its code",
    arguments: [
      ("{", -32700), ("{}", -32600), ("3", -32600),
      (#"{"jsonrpc":"1.0","id":1,"method":"a"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32601),
      (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, -32602),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}}"#, -32602),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"one","arguments":3}}"#,
        -32602
      ),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#, -32602),
      ("[]", -32600), (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
    ])
  func mistakes(message: String, expected: Int) throws {
    var server = server()
    _ = try initialize(&server)
    #expect(try code(server.take(line(message))) == expected)
  }

  @Test("tools are listed once; the cursor after the last one has none")
  func list() throws {
    var server = server()
    _ = try initialize(&server)
    let all = try sent(server.take(line(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)))
    #expect(all.first?["result"]?["tools"]?.array?.count == 2)
    #expect(all.first?["result"]?["nextCursor"] == nil)
    let rest = try sent(
      server.take(line(#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}}"#)))
    #expect(rest.first?["result"]?["tools"]?.array?.isEmpty == true)
  }

  @Test("one call runs, the next one waits for it, and too many are refused")
  func queue() throws {
    var server = server()
    _ = try initialize(&server)
    guard case .start(let first) = server.take(line(call("1"))).first else {
      Issue.record("the call was not started")
      return
    }
    #expect(server.take(line(call("2", "two"))).isEmpty)
    #expect(try code(server.take(line(call("2")))) == -32600)
    for id in 3...17 { #expect(server.take(line(call("\(id)"))).isEmpty) }
    #expect(try code(server.take(line(call("18")))) == -32000)
    let steps = server.finish(first.number, .body([("ok", .bool(true))]))
    #expect(try sent(steps).first?["id"]?.double == 1)
    guard case .start(let second) = steps.last else {
      Issue.record("the next call was not started")
      return
    }
    #expect(second.tool == "two")
    #expect(server.finish(first.number, .null).isEmpty)
  }

  @Test("a cancelled call has no answer, running or waiting")
  func cancellation() throws {
    var server = server()
    _ = try initialize(&server)
    func cancel(_ id: String) -> String {
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#
    }
    _ = server.take(line(call("1")))
    _ = server.take(line(call("2")))
    _ = server.take(line(call("3", "two")))
    #expect(server.take(line(cancel("2"))).isEmpty)
    #expect(server.take(line(cancel("99"))).isEmpty)
    let steps = server.take(line(cancel("1")))
    #expect(steps.first == .cancel(number: 1))
    guard case .start(let call) = steps.last else {
      Issue.record("the next call was not started")
      return
    }
    #expect(call.tool == "two")
    #expect(server.finish(1, .null).isEmpty)
    #expect(try sent(server.finish(call.number, .null)).count == 1)
    #expect(!server.isBusy)
  }

  @Test("a batch is answered as one array when all of it is done")
  func batch() throws {
    var server = server()
    _ = try initialize(&server, "2025-03-26")
    let ping = #"{"jsonrpc":"2.0","id":"p","method":"ping"}"#
    let cancel =
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}"#
    let steps = server.take(line("[\(ping),\(call("7")),\(call("8")),\(cancel),{}]"))
    #expect(try sent(steps).isEmpty)
    guard case .start(let first) = steps.first else {
      Issue.record("the call was not started")
      return
    }
    let answers = try sent(server.finish(first.number, .object(JSONObject())))
    let ids = (answers.first?.array ?? []).map { $0["id"] }
    #expect(ids == [.string("p"), .null, .integer(7)])
    // Nothing is sent for notifications alone.
    #expect(server.take(line("[\(cancel)]")).isEmpty)
  }

  @Test("lines come in any chunking; one that is too long costs itself")
  func lines() {
    let bytes = Array("{\"a\":1}\r\n\n \n0123456789012\n{}\nrest".utf8)
    for size in [1, 2, 7, 100] {
      var splitter = RPCLineSplitter(limit: 12)
      var lines: [RPCLineSplitter.Line] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        lines += splitter.take(bytes[start..<min(bytes.count, start + size)])
      }
      #expect(
        lines == [.message(Array("{\"a\":1}\r".utf8)), .tooLong, .message(Array("{}".utf8))])
    }
  }
}

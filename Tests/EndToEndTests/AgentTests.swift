import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `mcp`: a scripted client asks what an owner asks.
  @Suite("agents") struct AgentTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func verb(_ words: [String], _ demo: DemoBackend) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, words + ["--url", demo.url, "--token-file", demo.tokenFile],
        environment: Tool.environment(home: home))
      process.wait()
      return process
    }

    private func client(
      _ demo: DemoBackend, _ more: [String] = [], version: String = "2025-06-18"
    ) throws -> AgentClient {
      try AgentClient(
        ["--url", demo.url, "--token-file", demo.tokenFile] + more, home: home, version: version)
    }

    @Test("each answer of an owner comes in one call, in the words of the verb")
    func answers() throws {
      let demo = try DemoBackend(["--scenario", "night", "--seed", "5"], home: home)
      let client = try client(demo)
      let questions: [(tool: String, arguments: [String: Any], verb: [String])] = [
        ("status", [:], ["status"]), ("why", ["subject": "silent"], ["why", "silent"]),
        ("why", ["subject": "last"], ["why", "last"]),
        ("digest", ["since": "10h"], ["digest", "--since", "10h"]),
        ("incidents", ["since": "12h"], ["incidents", "--since", "12h"]),
        ("compare", ["a": "2h", "b": "1h"], ["compare", "2h", "1h"]), ("changes", [:], ["changes"]),
        (
          "cost", ["by": "model"],
          ["actions", "--since", "24h", "--filter", "cost>0 | sum cost by model"]
        ),
        ("errors", [:], ["actions", "--since", "24h", "--filter", "is:error", "-n", "50"]),
        ("rows", ["limit": 5], ["actions", "-n", "5"]),
        ("facts", ["limit": 5], ["facts", "list", "--limit", "5"]),
        ("sessions", [:], ["sessions", "-n", "20"]),
        ("explain", ["name": "reply_skipped"], []),
      ]
      for question in questions {
        let before = question.verb.isEmpty ? nil : try verb(question.verb, demo)
        let result = try client.call(question.tool, question.arguments)
        #expect(!result.isError, "\(question.tool): \(result.texts)")
        #expect(!result.lines.isEmpty, "\(question.tool)")
        #expect(result.coverage["asked_at"] is String && result.coverage["source"] is String)
        guard let before else { continue }
        // Something may have happened in between, and ages are told in seconds.
        let first = words(before.lines.first.map(String.init) ?? "")
        var told = [first]
        if words(result.lines[0]) != first {
          told.append(words(try verb(question.verb, demo).lines.first.map(String.init) ?? ""))
        }
        #expect(told.contains(words(result.lines[0])), "\(question.tool): \(result.lines[0])")
        let sentence = words(result.sentence ?? "")
        #expect(
          sentence.hasPrefix(words(result.lines[0])) || result.lines[0].hasPrefix(sentence),
          "\(question.tool)")
      }
      for tool in ["status", "why", "digest", "incidents", "errors", "rows"] {
        let arguments: [String: Any] = tool == "why" ? ["subject": "last"] : [:]
        let result = try client.call(tool, arguments)
        #expect(!result.rows.isEmpty, "\(tool)")
        #expect(result.coverage["from"] is String && result.coverage["to"] is String, "\(tool)")
      }
      #expect(client.end() == .exited(0))
      #expect(!client.process.text.contains(demo.token))
      #expect(!client.process.errorText.contains(demo.token))
    }

    private func words(_ text: String) -> String {
      // Ages and times of the answer move on.
      text.replacing(/[0-9]{2}:[0-9]{2}:[0-9]{2}/, with: "T").split { $0.isWhitespace }
        .joined(separator: " ")
    }

    @Test("one row leads to its answer, its cost and its facts in three calls")
    func threeCalls() throws {
      let demo = try DemoBackend(["--scenario", "night", "--seed", "5"], home: home)
      let client = try client(demo)
      let rows = try client.call("rows", ["filter": "kind:sent_reply", "limit": 1])
      let row = try #require(rows.rows.first)
      let why = try client.call("why", ["subject": "\(row)"])
      #expect(why.rows.contains(row))
      let answer = (why.untrusted["answer"] as? [[String: Any]])?.first
      let exchange = try #require(answer?["exchange"] as? [String: Any])
      #expect(exchange["cost_usd"] is Double)
      #expect(!(exchange["steps_ms"] as? [String: Any] ?? [:]).isEmpty)
      let none = try client.call("why", ["subject": "99999999"])
      #expect(!none.isError && none.structured["state"] as? String == "unknown")
      _ = client.end()
    }

    /// All texts of a value.
    private func texts(_ value: Any, _ found: inout Set<String>) {
      switch value {
      case let text as String: found.insert(text)
      case let list as [Any]: for element in list { texts(element, &found) }
      case let object as [String: Any]:
        for (key, element) in object {
          if key.contains(where: { !$0.isASCII || $0.asciiValue.map { $0 < 0x20 } ?? false }) {
            found.insert(key)
          }
          texts(element, &found)
        }
      default: break
      }
    }

    @Test("no text of a hostile bot stands outside of a fence, whatever the version")
    func hostile() throws {
      let demo = try DemoBackend(["--scenario", "hostile", "--seed", "3"], home: home)
      for version in ["2024-11-05", "2025-03-26", "2025-06-18"] {
        let client = try client(demo, version: version)
        var results: [AgentResult] = []
        let calls: [(String, [String: Any])] = [
          ("status", [:]), ("why", ["subject": "last"]), ("why", ["subject": "silent"]),
          ("digest", ["since": "12h"]), ("incidents", [:]), ("rows", ["limit": 200]),
          ("errors", [:]), ("cost", ["by": "user"]), ("cost", ["by": "channel"]),
          ("facts", [:]), ("facts_search", ["text": "tea"]), ("sessions", [:]),
          ("voice_state", [:]), ("changes", [:]), ("compare", [:]),
        ]
        for (tool, arguments) in calls { results.append(try client.call(tool, arguments)) }
        var seeds: Set<String> = []
        let paths = [
          "/api/actions?limit=1000", "/api/voice/state", "/api/stats", "/api/guilds",
          "/api/memory/facts?limit=500",
        ]
        for path in paths {
          let body = Data(try demo.request("GET", path).body)
          // Half of a surrogate pair is not JSON for Foundation.
          let text = String(decoding: body, as: UTF8.self)
            .replacing(/\\u[dD][89a-fA-F][0-9a-fA-F]{2}/, with: "?")
          let value = try? JSONSerialization.jsonObject(with: Data(text.utf8))
          if let value { texts(value, &seeds) }
        }
        // Words of the protocol, such as kinds, have no blank and are no text of a stranger.
        let telling = seeds.filter { seed in
          seed.count >= 4
            && (seed.contains(" ") || !seed.allSatisfy(\.isASCII) || seed.count > 40
              || seed.allSatisfy(\.isNumber) && seed.count > 12)
        }
        #expect(telling.count > 30, "\(telling.count)")
        for result in results {
          let outside = result.outside
          let isPlain = outside.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.value >= 0x20 || $0 == "\n")
          }
          #expect(isPlain)
          for seed in telling { #expect(!outside.contains(seed), "\(seed)") }
        }
        // Inside it is clean as well.
        let frames = client.process.output
        #expect(frames.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        let text = client.process.text
        for code in ["\\u001b", "\\u009b", "\\u202e", "\\u2066", "\\u0000"] {
          #expect(!text.contains(code), "\(code)")
        }
        #expect(!text.contains(demo.token))
        _ = client.end()
      }
    }

    @Test("a backend that is down is said in one sentence; one that is slow ends at the limit")
    func down() throws {
      let slow = try StubServer { _ in .stream([.stayMute]) }
      defer { slow.stop() }
      let gone = try StubServer { _ in .json("{}") }
      gone.stop()
      let first = try AgentClient(
        ["--url", gone.url], home: home, token: "token-4711-lantern")
      let refused = try first.call("why", ["subject": "last"])
      #expect(refused.isError && refused.structured["exit_code"] as? Int == 3)
      #expect(refused.texts.first?.hasPrefix("There is no connection to the bot.") == true)
      _ = first.end()
      let second = try AgentClient(
        ["--url", slow.url, "--timeout", "1"], home: home, token: "token-4711-lantern")
      let late = try second.call("why", ["subject": "last"])
      #expect(late.isError)
      #expect(late.texts.first?.hasPrefix("There was no answer within 1 s") == true)
      // It goes on after that.
      let own = try second.call("explain", ["name": "reply_skipped"])
      #expect(!own.isError)
      #expect(second.end() == .exited(0))
      #expect(!second.process.text.contains("token-4711-lantern"))
    }

    @Test("a call can be cancelled; the one that waits for it runs then; signals end the program")
    func cancellation() throws {
      let slow = try StubServer { _ in .stream([.stayMute]) }
      defer { slow.stop() }
      let client = try AgentClient(
        ["--url", slow.url], home: home, token: "token-4711-lantern")
      let first = client.begin("tools/call", ["name": "why", "arguments": ["subject": "last"]])
      let second = client.begin(
        "tools/call", ["name": "explain", "arguments": ["name": "reply_skipped"]])
      client.send([
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": first],
      ])
      let frame = try client.frame()
      #expect(frame["id"] as? Int == second && frame["result"] != nil)
      client.process.write("nonsense\n")
      let error = try client.frame()["error"] as? [String: Any]
      #expect(error?["code"] as? Int == -32700)
      let unknown = try client.ask("resources/list", [:])["error"] as? [String: Any]
      #expect(unknown?["code"] as? Int == -32601)
      client.begin("tools/call", ["name": "why", "arguments": ["subject": "last"]])
      client.process.signal(SIGTERM)
      #expect(client.process.wait() == .exited(143))
    }

    @Test("calls share a connection, and a long answer comes in parts of a bounded size")
    func parts() throws {
      let rows = (1...700).map { number in
        let time = RowServer.time(Double(number - 3000))
        return
          #"{"id":\#(number),"created_at":"\#(time)","kind":"sent_reply","content":"\#(String(repeating: "word ", count: 40))","metadata":{}}"#
      }
      let body = "[\(rows.reversed().joined(separator: ","))]"
      let server = try StubServer { request in
        request.path == "/api/actions" ? .json(body) : .json("[]")
      }
      defer { server.stop() }
      let client = try AgentClient(
        ["--url", server.url], home: home, token: "token-4711-lantern")
      var result = try client.call("rows", ["limit": 500])
      var ids: [Int] = []
      var lines = 0
      var calls = 1
      while true {
        let answer = result.untrusted["answer"] as? [[String: Any]] ?? []
        ids += answer.compactMap { $0["id"] as? Int }
        lines += result.lines.count
        guard let cursor = result.structured["next_cursor"] as? String else { break }
        #expect(result.structured["truncated"] as? Bool == true)
        result = try client.call("rows", ["cursor": cursor])
        calls += 1
      }
      #expect(ids == Array(201...700))
      #expect(lines == 500 && calls > 2)
      for line in client.process.lines { #expect(line.utf8.count <= 64 << 10) }
      #expect(try client.call("rows", ["cursor": "99.0.0"]).isError)
      #expect(server.connections <= 4, "\(server.connections)")
      // The end waits for what was asked.
      client.begin("tools/call", ["name": "rows", "arguments": ["limit": 1]])
      client.process.closeInput()
      #expect(try client.frame()["result"] != nil)
      #expect(client.process.wait() == .exited(0))
    }

    @Test("arguments never become options, and gateways are named only where there is one")
    func arguments() throws {
      let other = try StubServer { _ in .json("[]") }
      defer { other.stop() }
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let client = try client(demo)
      for arguments in [
        ["a": "--url=\(other.url)", "b": "1h"], ["since": "--url=\(other.url)"],
      ] {
        let result = try client.call("compare", arguments)
        #expect(result.isError)
      }
      for subject in ["--url=\(other.url)", "-h", "--demo", "--spec"] {
        _ = try client.call("why", ["subject": subject])
        _ = try client.call("rows", ["filter": subject])
        _ = try client.call("facts", ["subject": subject])
      }
      #expect(other.connections == 0)
      let list = try client.ask("tools/list", [:])
      let data = try JSONSerialization.data(withJSONObject: list)
      let text = String(decoding: data, as: UTF8.self).lowercased()
      #expect(!text.contains("gateway"))
      #expect(!text.contains("approv"))
      _ = client.end()
    }
  }
}

import Foundation
import Testing

@testable import CockpitDemo

/// Files, memory tools, nodes and logs of the demo gateway, as the contract has them.
@Suite("gateway lookups", .timeLimit(.minutes(2))) struct GatewayLookupTests {
  /// A POST of its own, without the client of the program.
  private func invoke(
    _ gateway: TestGateway, _ body: String, token: String? = nil
  ) async throws -> (status: Int, json: DemoJSON) {
    let client = TestClient(port: gateway.server.port, token: nil)
    let response = try await client.send(
      "POST", "/tools/invoke",
      headers: ["Authorization": "Bearer \(token ?? gateway.server.token)"], body: Array(body.utf8))
    return (response.status, try response.json)
  }

  @Test(
    "files are listed with those that are missing, read by name, and closed", arguments: [3, 4])
  func files(version: Int) async throws {
    let gateway = try await TestGateway(version: version)
    let desk = try await gateway.client()
    let list = try await desk.call("agents.files.list", ["agentId": "heron"])["payload"]
    let files = list?["files"]?.arrayValue ?? []
    #expect(files.count == 4 && files.count { $0["missing"] == true } == 1)
    for file in files {
      #expect((file["size"] == nil) == (file["missing"] == true) && file["content"] == nil)
    }
    let memory = try await desk.call(
      "agents.files.get", ["agentId": "heron", "name": "MEMORY.md"])["payload"]?["file"]
    let text = try #require(memory?["content"]?.stringValue)
    #expect(text.contains("walnuts") && memory?["size"] == .int(text.utf8.count))
    for parameters: DemoJSON in [
      [:], ["agentId": "heron"], ["agentId": "heron", "name": "MEMORY.md", "bogus": 1],
      ["agentId": "nobody", "name": "MEMORY.md"], ["agentId": "heron", "name": "../secret"],
    ] {
      #expect(try await desk.call("agents.files.get", parameters)["ok"] == false)
    }
    let poor = try await gateway.client(
      TestDevice(9, name: "Hall"), scopes: ["operator.approvals"])
    let refused = try await poor.call("agents.files.list", ["agentId": "heron"])["error"]
    #expect(refused?["message"] == "missing scope: operator.read")
    await gateway.server.stop()
  }

  @Test("a workspace is listed folder by folder in pages, and closed; protocol 3 has none")
  func workspace() async throws {
    let gateway = try await TestGateway(version: 4)
    let desk = try await gateway.client()
    let root = try await desk.call("agents.workspace.list", ["agentId": "heron"])["payload"]
    let names = (root?["entries"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
    #expect(names == ["drafts", "memory", "AGENTS.md", "MEMORY.md", "HEARTBEAT.md"])
    #expect(root?["totalEntries"] == 5 && root?["parentPath"] == nil)
    let page = try await desk.call(
      "agents.workspace.list", ["agentId": "heron", "offset": 4, "limit": 3])["payload"]
    #expect(page?["entries"]?.arrayValue?.count == 1 && page?["offset"] == 4)
    let picture = try await desk.call(
      "agents.workspace.get", ["agentId": "heron", "path": "drafts/attic.png"])["payload"]?["file"]
    #expect(picture?["encoding"] == "base64" && picture?["mimeType"] == "image/png")
    for parameters: DemoJSON in [
      [:], ["agentId": "heron", "path": "../secret"], ["agentId": "heron", "bogus": 1],
    ] {
      #expect(try await desk.call("agents.workspace.list", parameters)["ok"] == false)
    }
    await gateway.server.stop()
    let old = try await TestGateway(version: 3)
    let refused = try await old.client().call("agents.workspace.list", ["agentId": "heron"])
    #expect(refused["error"]?["message"] == "unknown method: agents.workspace.list")
    await old.server.stop()
  }

  @Test("memory tools need the token, an agent and closed bodies; unknown tools are not found")
  func tools() async throws {
    let gateway = try await TestGateway(version: 4)
    let found = try await invoke(
      gateway, #"{"tool":"memory_search","agentId":"heron","args":{"query":"walnuts"}}"#)
    let hits = found.json["result"]?["details"]?["results"]?.arrayValue ?? []
    #expect(found.status == 200 && hits.count == 2)
    #expect(hits.first?["path"] == "MEMORY.md" && hits.first?["startLine"] == 2)
    let passage = try await invoke(
      gateway, #"{"tool":"memory_get","agentId":"heron","args":{"path":"nothing.md"}}"#)
    #expect(passage.json["result"]?["details"]?["text"] == "")
    let cases: [(String, Int)] = [
      (#"{"tool":"memory_search","args":{"query":"x"}}"#, 400),
      (#"{"tool":"memory_search","agentId":"heron","bogus":1}"#, 400),
      (#"{"tool":"exec","agentId":"heron","args":{}}"#, 404), ("no json", 400),
    ]
    for (body, status) in cases {
      #expect(try await invoke(gateway, body).status == status, "\(body)")
    }
    #expect(try await invoke(gateway, "{}", token: "wrong").status == 401)
    let truth = try await gateway.truth()["entries"]?.arrayValue ?? []
    let asked = truth.filter { $0["what"] == "tool invoked" }
    #expect(asked.first?["tool"] == "memory_search" && asked.first?["agent"] == "heron")
    await gateway.server.stop()
  }
}

@Suite("gateway activity", .timeLimit(.minutes(2))) struct GatewayActivityTests {
  @Test("the list has each run and tool of the truth, the newest first, in pages that do not move")
  func list() async throws {
    let gateway = try await TestGateway(scenario: .story)
    let desk = try await gateway.client()
    await gateway.advance(120_000)
    var entries: [DemoJSON] = []
    var cursor: String?
    repeat {
      var parameters: DemoJSON = ["limit": 5]
      if let cursor { parameters = parameters.setting("cursor", .string(cursor)) }
      let page = try #require(try await desk.call("audit.activity.list", parameters)["payload"])
      entries += page["events"]?.arrayValue ?? []
      cursor = page["nextCursor"]?.stringValue
    } while cursor != nil
    let numbers = entries.compactMap { $0["sequence"]?.doubleValue }
    #expect(numbers == numbers.sorted(by: >) && Set(numbers).count == numbers.count)
    let runs = try await gateway.truth()["runs"]?.arrayValue ?? []
    let ended = runs.filter { $0["status"] != "running" }
    try #require(!ended.isEmpty)
    for run in ended {
      let own = entries.filter { $0["runId"] == run["id"] && $0["kind"] == "agent_run" }
      #expect(own.last?["status"] == "started" && own.last?["occurredAt"] == run["started"])
      #expect(own.count == 2 && own.first?["occurredAt"] == run["ended"])
      for tool in run["tools"]?.arrayValue ?? [] {
        let call = entries.filter { $0["toolCallId"] == tool["call"] }
        #expect(call.count == 2 && call.allSatisfy { $0["toolName"] == tool["name"] })
      }
    }
    #expect(!entries.contains { $0["content"] != nil || $0["text"] != nil })
    #expect(try await desk.call("audit.activity.list", ["kind": "run"])["ok"] == false)
    #expect(try await desk.call("audit.activity.list", ["limit": 501])["ok"] == false)
    await gateway.server.stop()
  }
}

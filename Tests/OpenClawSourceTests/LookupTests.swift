import CockpitDomain
import Foundation
import LenientJSON
import Networking
import Testing

@testable import OpenClawSource

/// What is read because a screen shows it.
@MainActor
@Suite struct LookupTests {
  @Test("files, one file, nodes and the log are asked with closed objects, and answered once")
  func asks() throws {
    let desk = try Desk()
    desk.connect()
    desk.source.look(up: .files(agent: "wren"))
    #expect(desk.methods().last == "agents.files.list")
    #expect(desk.socket.sent.last?["params"] == .body([("agentId", .string("wren"))]))
    desk.answer(
      #"{"agentId":"wren","workspace":"/w","files":[{"name":"MEMORY.md","path":"/w/MEMORY.md","missing":false,"size":12,"updatedAtMs":1790000000000},{"name":"USER.md","path":"/w/USER.md","missing":true},7]}"#
    )
    let files = desk.found.last?.document?["files"]?.array
    #expect(files?.count == 2 && files?[0]["size"]?.int == 12)
    #expect(files?[1]["missing"]?.bool == true && files?[1]["size"] == nil)
    desk.source.look(up: .file(agent: "wren", name: "MEMORY.md"))
    #expect(desk.methods().last == "agents.files.get")
    desk.answer(#"{"file":{"name":"MEMORY.md","missing":false,"content":"walnuts\n"}}"#)
    #expect(desk.found.last?.document?["text"]?.string == "walnuts\n")
    desk.source.look(up: .nodes)
    desk.answer(
      #"{"ts":1,"nodes":[{"nodeId":"n1","displayName":"Pi","connected":true,"paired":true,"caps":["camera"]}]}"#
    )
    #expect(desk.found.last?.document?["nodes"]?.array?.first?["connected"]?.bool == true)
    #expect(desk.found.count == 3 && desk.found.allSatisfy { $0.sentence == nil })
  }

  @Test("a folder of the workspace and a file in it; an image has no text; protocol 3 has none")
  func workspace() throws {
    let desk = try Desk()
    desk.connect()
    desk.source.look(up: .folder(agent: "wren", path: "memory"))
    #expect(desk.methods().last == "agents.workspace.list")
    #expect(desk.socket.sent.last?["params"]?["path"]?.string == "memory")
    desk.answer(
      #"{"agentId":"wren","path":"memory","parentPath":"","entries":[{"path":"memory/old","name":"old","kind":"directory"},{"path":"memory/a.md","name":"a.md","kind":"file","size":7,"updatedAtMs":1790000000000},{"name":"no path"}],"totalEntries":900,"offset":0}"#
    )
    let folder = try #require(desk.found.last?.document)
    #expect(folder["total"]?.int == 900 && folder["entries"]?.array?.count == 2)
    #expect(folder["entries"]?.array?[0]["folder"]?.bool == true)
    #expect(folder["entries"]?.array?[1]["size"]?.int == 7)
    desk.source.look(up: .workspaceFile(agent: "wren", path: "memory/a.md"))
    #expect(desk.methods().last == "agents.workspace.get")
    desk.answer(
      #"{"agentId":"wren","file":{"path":"a.png","name":"a.png","size":4,"mimeType":"image/png","encoding":"base64","content":"AAAA"}}"#
    )
    let image = try #require(desk.found.last?.document)
    #expect(image["text"] == nil && image["type"]?.string == "image/png")
    let old = try Desk()
    old.connect(protocolVersion: 3)
    let count = old.socket.sent.count
    old.source.look(up: .folder(agent: "wren", path: ""))
    #expect(old.socket.sent.count == count)
    #expect(
      old.found.last?.sentence
        == "This gateway speaks protocol 3, which has no agents.workspace.list; a newer gateway has."
    )
  }

  @Test("the log is read on from where it was left; one of another name begins anew")
  func log() throws {
    let desk = try Desk()
    desk.connect()
    func read(_ file: String, _ cursor: Int) -> JSONValue? {
      desk.source.look(up: .logs)
      let asked = desk.socket.sent.last?["params"]?["cursor"]
      desk.answer(#"{"file":"\#(file)","cursor":\#(cursor),"size":\#(cursor),"lines":["x"]}"#)
      return asked
    }
    #expect(read("a.log", 10) == nil)
    #expect(desk.found.last?.document?["reset"]?.bool == true)
    #expect(read("a.log", 12)?.int == 10)
    #expect(desk.found.last?.document?["reset"] == nil)
    #expect(read("b.log", 5)?.int == 12)
    #expect(desk.found.last?.document?["reset"]?.bool == true)
  }

  @Test("a missing scope, a refusal, an old gateway and a lost connection are a sentence")
  func failures() throws {
    let poor = try Desk(scopes: ["operator.approvals"])
    poor.connect(scopes: #""operator.approvals""#)
    let count = poor.socket.sent.count
    poor.source.look(up: .nodes)
    #expect(poor.socket.sent.count == count)
    #expect(poor.found.last?.sentence?.contains("the scope operator.read") == true)
    let desk = try Desk()
    desk.connect()
    desk.source.look(up: .files(agent: "wren"))
    desk.refuse(#"{"code":"INVALID_REQUEST","message":"unknown method: agents.files.list"}"#)
    #expect(desk.found.last?.sentence == "This gateway is too old for that; update it.")
    desk.source.look(up: .nodes)
    desk.answer("[]")
    #expect(desk.found.last?.sentence?.contains("could not be read") == true)
    desk.source.look(up: .nodes)
    desk.wires.delegate?.socket(desk.socket, ended: .closed(code: 1006, reason: ""))
    #expect(desk.found.last?.sentence?.contains("The connection ended") == true)
    #expect(desk.found.count == 3)
  }

  @Test("a search goes over HTTP with the shared secret, and to no one without it")
  func search() throws {
    let desk = try Desk()
    desk.connect()
    desk.source.look(up: .search(agent: "wren", words: "walnuts"))
    let request = try #require(desk.web.requests.last)
    #expect(request.target.encoded == "/tools/invoke" && request.method == .post)
    #expect(request.headers == [HTTPHeader("Authorization", "Bearer t")] && request.token == nil)
    #expect(
      desk.web.body
        == .body([
          ("tool", .string("memory_search")), ("agentId", .string("wren")),
          ("args", .body([("query", .string("walnuts"))])),
        ]))
    desk.web.answer(
      200,
      #"{"ok":true,"result":{"content":[],"details":{"results":[{"path":"MEMORY.md","startLine":2,"endLine":4,"score":0.5,"snippet":"walnuts"}],"provider":"none"}}}"#
    )
    let hit = desk.found.last?.document?["hits"]?.array?.first
    #expect(hit?["path"]?.string == "MEMORY.md" && hit?["start"]?.int == 2)
    #expect(hit?["score"]?.double == 0.5)
    let stranger = try Desk(token: nil)
    stranger.connect()
    stranger.source.look(up: .search(agent: "wren", words: "walnuts"))
    #expect(stranger.web.requests.isEmpty)
    #expect(stranger.found.last?.sentence?.contains("HTTP") == true)
  }

  @Test("each way that a tool can fail has a sentence of its own")
  func toolFailures() {
    let cases: [(Int, String, ToolFailure)] = [
      (401, "{}", .unauthorized), (429, "", .rateLimited),
      (404, #"{"ok":false,"error":{"type":"not_found","message":"Tool not available"}}"#, .noTool),
      (404, "Not Found", .switchedOff), (200, "no json", .unreadable),
      (
        500, #"{"error":{"type":"tool_error","message":"broken"}}"#, .refused(status: 500, "broken")
      ),
    ]
    for (status, body, failure) in cases {
      #expect(ToolFailure.read(status: status, Array(body.utf8)) == .failure(failure))
    }
    #expect(Set(cases.map { "\($0.2)" }).count == cases.count)
  }

  // MARK: Recordings

  private nonisolated static let recordings = URL(
    filePath: "/work/shared/wire/openclaw/captures")
  private nonisolated static let hasRecordings = FileManager.default.fileExists(
    atPath: recordings.path)

  /// The payload of the first answer to a method.
  private func payload(_ method: String, in name: String) throws -> JSONValue {
    let text = try String(
      contentsOf: Self.recordings.appending(path: name), encoding: .utf8)
    var id: String?
    for line in text.split(separator: "\n") {
      guard let frame = try JSONValue.parse(Array(line.utf8))["frame"]?.string,
        let json = try? JSONValue.parse(Array(frame.utf8))
      else { continue }
      if json["method"]?.string == method { id = json["id"]?.string }
      if let id, json["type"]?.string == "res", json["id"]?.string == id {
        return try #require(json["payload"])
      }
    }
    throw CocoaError(.fileReadUnknown)
  }

  @Test(
    "the logs of recorded gateways have time, level, part and words in every line",
    .enabled(if: hasRecordings, "the contract's recordings are not on this machine"),
    arguments: ["v3-operator-desk.jsonl", "v4-operator-desk.jsonl"])
  func recordedLog(name: String) throws {
    let document = try #require(LookupDocument.log(payload("logs.tail", in: name)))
    let lines = try #require(document["lines"]?.array)
    #expect(lines.count == 5)
    for line in lines {
      #expect(line["time"]?.string?.hasPrefix("2026-11-25T00:1") == true)
      #expect(["INFO", "WARN"].contains(line["level"]?.string ?? ""))
      #expect(line["part"]?.string?.isEmpty == false)
      let text = line["text"]?.string ?? ""
      #expect(!text.isEmpty && !text.contains("_logMeta") && !text.contains("subsystem"), "\(text)")
    }
    let nodes = try LookupDocument.nodes(payload("node.list", in: name))
    #expect(nodes?["nodes"]?.array?.isEmpty == true)
  }

  @Test(
    "recorded answers of the memory tools",
    .enabled(if: hasRecordings, "the contract's recordings are not on this machine"))
  func recordedTools() throws {
    func read(_ name: String) throws -> Result<JSONValue, ToolFailure> {
      let text = try String(
        contentsOf: Self.recordings.appending(path: name), encoding: .utf8)
      let status = try #require(Int(text.split(separator: " ")[1]))
      let body = try #require(text.firstRange(of: "\r\n\r\n") ?? text.firstRange(of: "\n\n"))
      return ToolFailure.read(status: status, Array(text[body.upperBound...].utf8))
    }
    let search = try LookupDocument.search(
      read("v4-http/tool-toolmemory_searchagentdmaina.txt").get())
    #expect(search?["hits"]?.array?.isEmpty == true && search?["problem"] == nil)
    #expect(search?["degraded"]?.string == "keyword-only")
    let passage = try LookupDocument.passage(
      read("v4-http/tool-toolmemory_getagentdmainargs.txt").get())
    #expect(passage?["text"]?.string == "" && passage?["path"]?.string == "MEMORY.md")
    #expect(try read("v3-http/tool-toolmemory_searchargsqueryro.txt") == .failure(.noTool))
    guard
      case .failure(.refused(400, let words)) =
        try read("v4-http/tool-toolmemory_searchargsqueryro.txt")
    else {
      Issue.record("an answer without an agent is refused")
      return
    }
    #expect(words.hasPrefix("Multiple agents are configured"))
  }
}

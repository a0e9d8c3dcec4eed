import ElevenLabsWire
import Foundation
import LenientJSON
import Testing

/// The recordings of the contract, which are not in this repository.
private let recordings = URL(filePath: "/work/shared/wire/elevenlabs")

@Suite(
  .enabled(
    if: FileManager.default.fileExists(atPath: recordings.path),
    "the contract's recordings are not on this machine"))
struct RecordingTests {
  struct Line {
    var direction: String
    var frame: String?
    var code: Int?
    var reason: String?
    var status: Int?
    var body: [UInt8]
  }

  static func lines() throws -> [Line] {
    let files = try FileManager.default.contentsOfDirectory(
      at: recordings, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "jsonl" }.sorted { $0.path < $1.path }
    return try files.flatMap { file in
      try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
        let value = try JSONValue.parse(Array(line.utf8))
        return Line(
          direction: value["dir"]?.string ?? "", frame: value["frame"]?.string,
          code: value["code"]?.int, reason: value["reason"]?.string,
          status: value["status"]?.int,
          body: Array((value["body"] ?? .null).serialized().utf8))
      }
    }
  }

  @Test func everyFrameOfTheServerIsUnderstood() throws {
    var counts: [String: Int] = [:]
    var unknown: [String] = []
    for line in try Self.lines() where line.direction == "server" {
      guard let text = line.frame, let frame = ServerFrame(Array(text.utf8)) else {
        Issue.record("\(line)")
        continue
      }
      if case .unknown(let type) = frame { unknown.append(type) }
      let name = "\(frame)".prefix { $0 != "(" }
      counts[String(name), default: 0] += 1
    }
    // One type is made up, to see that it is counted.
    #expect(unknown == ["moon_landed"])
    for name in [
      "metadata", "ping", "part", "reasoning", "response", "correction", "transcript",
      "tentativeTranscript", "interruption", "audio", "clientTool", "agentTool", "mcpTool",
      "mcpStatus", "contextUsage", "voiceActivity", "typing", "notice", "error",
    ] {
      #expect(counts[name, default: 0] > 0, "\(name)")
    }
  }

  @Test func everyFrameOfTheClientCanBeWritten() throws {
    for line in try Self.lines() where line.direction == "client" {
      let recorded = try JSONValue.parse(Array((line.frame ?? "").utf8))
      guard let ours = Self.frame(recorded) else {
        Issue.record("\(recorded.serialized())")
        continue
      }
      #expect(ours.json == recorded)
    }
  }

  /// The same frame made by our encoder.
  private static func frame(_ value: JSONValue) -> ClientFrame? {
    let text = value["text"]?.string ?? ""
    let call = value["tool_call_id"]?.string ?? ""
    let id = value["event_id"].flatMap { EventID($0) } ?? EventID(0)
    switch value["type"]?.string {
    case "conversation_initiation_client_data":
      var variables: [String: String] = [:]
      for member in value["dynamic_variables"]?.object?.members ?? [] {
        variables[member.key] = member.value.string
      }
      return .initiation(
        Initiation(
          overrides: value["conversation_config_override"] == nil ? nil : .init(),
          variables: variables, userID: value["user_id"]?.string,
          version: value["source_info"]?["version"]?.string ?? ""))
    case "pong": return .pong(id)
    case "user_message": return .message(text)
    case "user_activity": return .activity
    case "contextual_update":
      return .contextualUpdate(text, id: value["context_id"]?.string)
    case "feedback":
      return .feedback(id, value["score"]?.string.flatMap(ClientFrame.Score.init))
    case "client_tool_result":
      return .toolResult(
        call: call, result: value["result"]?.string ?? "",
        isError: value["is_error"]?.bool ?? false)
    case "mcp_tool_approval_result":
      return .approval(call: call, isApproved: value["is_approved"]?.bool ?? false)
    default: return nil
    }
  }

  @Test func everyCloseAndRefusalHasItsOutcome() throws {
    var error: ConversationError?
    var ends: [ConversationEnd] = []
    for line in try Self.lines() {
      switch line.direction {
      case "open": error = nil
      case "server":
        if case .error(let found)? = ServerFrame(Array((line.frame ?? "").utf8)) { error = found }
      case "close":
        ends.append(
          ConversationEnd(code: line.code ?? 0, reason: line.reason ?? "", error: error))
      case "http" where line.status != 200:
        let refusal = ServiceRefusal(status: line.status ?? 0, body: line.body)
        #expect(!refusal.message.isEmpty && refusal.sentence.hasSuffix("."))
      default: break
      }
    }
    let names = ends.map { String("\($0)".prefix { $0 != "(" }) }
    #expect(
      names == [
        "ended", "ended", "overridesRefused", "idle", "blocked", "blocked", "blocked", "failed",
        "failed", "crashed", "ended", "failed",
      ])
  }
}

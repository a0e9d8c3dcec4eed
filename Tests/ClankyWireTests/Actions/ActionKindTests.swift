import JSONTestKit
import LenientJSON
import Testing

@testable import ClankyWire

@Suite struct ActionKindTests {
  @Test(.enabled(if: Shared.exists)) func theTableIsTheFile() throws {
    let file = try JSONValue.parse(Shared.bytes("wire/action-kinds.json"))
    let entries = try #require(file.array)
    #expect(entries.count == 111)
    #expect(ActionKind.known.count == 111)
    for entry in entries {
      let kind = ActionKind(rawValue: try #require(entry["kind"]?.string))
      #expect(kind.isKnown)
      #expect(kind.domain.rawValue == entry["domain"]?.string?.lowercased(), "\(kind.rawValue)")
      let content = entry["content"]?.string ?? ""
      if content.hasPrefix("event name"), kind.rawValue != "swarm_server_status" {
        #expect(kind.isContainer, "\(kind.rawValue)")
      }
    }
  }

  @Test(arguments: [
    ("voice_new_thing", Domain.voice), ("llm_x", .llm), ("gif_x", .media), ("weird_error", .error),
    ("llm_weird_error", .llm), ("something", .system), ("", .system), ("_", .system),
    ("minecraft_x", .game), ("tool_x", .tool), ("VOICE_X", .system),
  ])
  func unknownKindsGoByPrefix(kind: String, domain: Domain) {
    #expect(ActionKind(rawValue: kind).domain == domain)
    #expect(!ActionKind(rawValue: kind).isKnown)
  }

  @Test(arguments: [
    ("voice_runtime", "realtime_tool_call_started", "realtime_tool_call_started"),
    ("bot_error", "gateway_reconnect_failed: socket hang up", "gateway_reconnect_failed"),
    ("bot_error", "socket hang up", nil), ("llm_call", "claude:opus", nil), ("runtime", "", nil),
    ("stream_discovery", "stream_discovery_go_live: key=1", "stream_discovery_go_live"),
    ("voice_error", ": x", nil), ("new_runtime", "an_event", "an_event"),
  ])
  func containersNameTheirEvent(kind: String, content: String, event: String?) {
    #expect(ActionLabel(kind: kind, content: content).event == event)
  }

  @Test func noChipIsEmptyOrMisses() {
    func chips(_ kind: String, _ event: String? = nil) -> ChipSet {
      ActionLabel(kind: kind, event: event).chips
    }
    #expect(chips("llm_tool_call").contains(.tool) && chips("llm_tool_call").contains(.llm))
    #expect(chips("voice_runtime", "voice_brain_tool_call").contains(.tool))
    #expect(chips("voice_error", "realtime_tool_call_failed").contains(.tool))
    #expect(chips("browser_tool_step").contains(.tool) && chips("search_call").contains(.tool))
    #expect(!chips("llm_call").contains(.tool))
    for kind in [
      "browser_browse_failed", "swarm_server_spawn_failed", "voice_error", "llm_error", "bot_error",
      "swarm_spawn_request_response_error", "unknown_error",
    ] { #expect(chips(kind).contains(.error), "\(kind)") }
    #expect(!chips("bot_warning").contains(.error))
    #expect(!chips("voice_error", "dave_epoch_transition_retry").contains(.error))
    #expect(chips("asr_call").contains(.voice) && chips("tts_call").contains(.voice))
    let all = ActionKind.known.keys.reduce(into: ChipSet()) { $0.formUnion(chips($1)) }
    for chip in ChipGroup.allCases { #expect(all.contains(chip), "\(chip.title)") }
  }

  @Test func severityIsNotTheKind() {
    #expect(
      ActionLabel(kind: "voice_error", event: "dave_epoch_transition_retry").severity == .warning)
    #expect(ActionLabel(kind: "voice_error", event: "response_silent_fallback").severity == .error)
    #expect(ActionLabel(kind: "voice_error").severity == .error)
    #expect(ActionLabel(kind: "bot_warning").severity == .warning)
    #expect(
      ActionLabel(kind: "sub_agent_session_lifecycle", event: "turn_failed").severity == .error)
    #expect(
      ActionLabel(kind: "voice_runtime", event: "voice_generation_watchdog_timeout").severity
        == .warning)
    #expect(ActionLabel(kind: "llm_call").severity == .info)
  }

  private func reports(_ text: String) -> Bool {
    Array(text.utf8).withUnsafeBytes(ActionLabel.reportsFailure)
  }

  @Test func metadataMayReportAFailure() {
    #expect(reports(#"{"isError":true}"#) && reports(#"{ "runStatus" : "error" }"#))
    #expect(reports(#"{"a":{"b":[1]},"status":"failed","c":null}"#))
    #expect(!reports(#"{"isError":false}"#) && !reports(#"{"text":"\"isError\":true"}"#))
    #expect(!reports(#"{"isError":true,"isError":false}"#) && !reports(#"{"a":{"isError":true}}"#))
    #expect(reports(#"{"is\u0045rror":true}"#) && reports(#"{"status":"\u0065rror"}"#))
    #expect(!reports(#"{"isError":true"#) && !reports(#"{"isError":true} x"#) && !reports("{}"))
    #expect(reports(#"{"isError":null,"error":"boom"}"#) && reports(#"{"errorMessage":"boom"}"#))
    #expect(!reports(#"{"isError":false,"error":"boom"}"#) && !reports(#"{"error":""}"#))
    #expect(!reports(#"{"error":{"message":"boom"}}"#) && !reports(#"{"error":null}"#))
    #expect(!reports("[]") && !reports(#"{"status":["error"]}"#) && !reports(""))
  }

  @Test("stepping over the members finds what the tree says", arguments: 0..<4)
  func failuresAsInTheTree(seed: UInt64) {
    var random = RandomJSON(seed + 40)
    let keys = [
      "isError", "status", "runStatus", "text", "is\\u0045rror", "statu", "error", "errorMessage",
    ]
    let values = [
      "true", "false", "null", "\"error\"", "\"failed\"", "\"ok\"", "\"\\u0065rror\"", "1.5e3",
      "tru", "{\"isError\":true}", "[\"error\",{}]", "\"", "\"fail\\x\"", "\"\"",
    ]
    let ends = ["}", "}", "}", "} ", "}x", ",}", "", "]"]
    for _ in 0..<3_000 {
      let members = (0..<Int.random(in: 0...4, using: &random.random)).map { _ in
        "\"\(random.pick(keys))\":\(random.pick(values))"
      }
      let text = Array(("{" + members.joined(separator: ",") + random.pick(ends)).utf8)
      text.withUnsafeBytes {
        #expect(
          ActionLabel.reportsFailure($0) == ActionLabel.parsedFailure($0),
          "\(String(decoding: text, as: UTF8.self))")
      }
    }
  }
}

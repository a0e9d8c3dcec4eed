import TerminalUI
import CockpitText
import ClankyWire
import LenientJSON
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// The one line that a row has in the feed.
@MainActor
@Suite struct SummaryTests {
  private static let task =
    "add a --json flag to the inventory exporter, cover it with a test, and tell me what is slow"

  private func summary(
    _ kind: String, _ content: String?, _ metadata: String = "null"
  ) throws -> ActionSummary {
    let content = content.map { JSONValue.string($0).serialized() } ?? "null"
    let json = """
      {"id":9,"created_at":"2026-03-01T14:32:01.000Z","kind":"\(kind)","content":\(content),\
      "metadata":\(metadata),"usd_cost":0}
      """
    let action = try Action(json: Array(json.utf8))
    var fixture = Fixture()
    return ActionSummary(of: action, metadata: action.metadata(), names: fixture.facts().names)
  }

  private func line(
    _ kind: String, _ content: String?, _ metadata: String = "null"
  ) throws -> String {
    try summary(kind, content, metadata).text.description
  }

  // MARK: Errors

  @Test("what an error says stands in its row once")
  func errorsOnce() throws {
    #expect(
      try line("image_error", "400 It was rejected.", #"{"provider":"openai","source":"reply"}"#)
        == "400 It was rejected. provider=openai source=reply")
    #expect(
      try line("automation_error", "automation #7: no channel", #"{"automationId":7}"#)
        == "automation #7: no channel automationId=7")
    #expect(
      try line("voice_error", "subprocess_error: opus failed", #"{"error":"opus failed"}"#)
        == "opus failed")
    #expect(
      try line("swarm_activity_bridge_error", "poll_failure", #"{"error":"locked","taskId":"t"}"#)
        == "locked taskId=t")
    #expect(
      try line("dashboard", "settings_save_failed", #"{"error":"conflict","source":"api"}"#)
        == "conflict source=api")
    #expect(
      try line(
        "video_context_error", "youtube:abc: no words", #"{"key":"youtube:abc","kind":"youtube"}"#)
        == "youtube:abc: no words kind=youtube")
    #expect(
      try line(
        "stream_discovery", "stream_discovered: streamKey=guild:1:2 rtcServerId=9",
        #"{"streamKey":"guild:1:2","rtcServerId":"9"}"#) == "streamKey=guild:1:2 rtcServerId=9")
    #expect(try line("bot_error", "getaddrinfo ENOTFOUND: host") == "getaddrinfo ENOTFOUND: host")
  }

  @Test("texts are the same whatever their white space, and when one is the other cut off")
  func cutErrors() throws {
    let whole = #"{"error":"the disk is full and nothing more can be written"}"#
    let text = "the disk is full and nothing more can be written"
    for content in [
      text, "the disk is full\n  and nothing more can be written", "the disk is full and noth",
      "the disk is full and noth…", "the disk is full and noth...",
    ] {
      let line = try line("odd_error", content, whole)
      #expect(line.split { " ⏎".contains($0) }.joined(separator: " ") == text, "\(content)")
    }
    #expect(
      try line("odd_error", text, #"{"message":"the disk is full and noth..."}"#) == text)
    #expect(
      try line("odd_error", "it is full", #"{"stage":"it"}"#) == "it is full stage=it")
  }

  @Test("where the content is the task, the cause comes first")
  func causeFirst() throws {
    let metadata =
      #"{"source":"reply","role":"implementation","errorMessage":"spawn codex ENOENT"}"#
    #expect(
      try line("code_agent_error", Self.task, metadata).hasPrefix(
        "spawn codex ENOENT \(Self.task) source=reply"))
    #expect(
      try line("browser_browse_failed", Self.task, #"{"errorMessage":"timed out","steps":3}"#)
        == "failed timed out \(Self.task) 3 steps")
    #expect(
      try line("swarm_server_spawn_failed", nil, #"{"harness":"codex","reason":"ENOENT"}"#)
        == "ENOENT harness=codex")
  }

  @Test("the status that a message begins with is not told twice")
  func modelErrors() throws {
    #expect(
      try line(
        "llm_error", "529 Overloaded", #"{"model":"opus","status":529,"errorType":"overloaded"}"#)
        == "529 overloaded opus Overloaded")
  }

  @Test("the errors beside the feed name the cause, not their event twice")
  func lastErrors() throws {
    var fixture = Fixture()
    try fixture.live(
      """
      {"createdAt":"2026-03-01T14:32:06.000Z","kind":"voice_error",\
      "content":"subprocess_error: no opus","metadata":{"error":"no opus"}}
      """)
    let size = Size(width: 200, height: 60)
    let frame = CockpitShell(size: size).render(fixture.facts(), size: size)
    #expect(frame.canvas.text.contains("subprocess_error no opus"))
  }

  // MARK: Model calls

  @Test(
    "the number of called tools is the exact one, and not there when it is not known",
    arguments: [
      (#"{"toolNames":null,"toolCallCount":2}"#, "opus 2 tools"),
      (#"{"toolNames":null,"toolCallCount":1}"#, "opus 1 tool"),
      (#"{"toolNames":null,"toolCallCount":0}"#, "opus 0 tools"),
      (#"{"toolNames":"a, b, c","toolCallCount":9}"#, "opus a b +7"),
      (#"{"toolNames":["a","b","c"]}"#, "opus a b +1"), ("{}", "opus"), ("null", "opus"),
      (#"{"toolNames":null,"toolCallCount":null}"#, "opus"),
    ])
  func calledTools(_ metadata: String, _ expected: String) throws {
    #expect(try line("llm_call", "anthropic:opus", metadata) == expected)
  }

  @Test("lists of words are shown")
  func lists() throws {
    #expect(
      try line(
        "llm_lifecycle", "provider_readiness_summary",
        #"{"available":["openai","xai"],"unavailable":["anthropic"]}"#)
        == "available openai, xai unavailable anthropic")
    #expect(
      try line(
        "llm_lifecycle", "provider_readiness_summary", #"{"available":[],"unavailable":["xai"]}"#)
        == "available none unavailable xai")
    #expect(
      try line(
        "llm_lifecycle", "embedding_provider_chain_ready",
        #"{"providers":["openai","ollama"],"readyProviders":["openai"],"ollamaHealthy":false}"#)
        == "providers=openai,ollama readyProviders=openai ollamaHealthy=no")
    #expect(
      try line("odd", "x", #"{"a":[1,2,3,4,5,6,7,8],"b":[{}],"c":[]}"#) == "x a=1,2,3,4,5,6 +2")
    #expect(
      try line("odd", "x", #"{"root":"/srv/clanky","scope":"/srv/clanky"}"#)
        == "x root=/srv/clanky scope=/srv/clanky")
  }

  // MARK: How it went

  @Test(
    "how it went is told only where the row tells it",
    arguments: [
      (#"{"toolName":"x"}"#, "x()", nil), (#"{"toolName":"x","isError":null}"#, "x()", nil),
      (#"{"toolName":"x","isError":null,"error":"boom"}"#, "x() failed boom", .failed),
      (#"{"toolName":"x","error":"boom"}"#, "x() failed boom", .failed),
      (#"{"toolName":"x","isError":true}"#, "x() failed", .failed),
      (#"{"toolName":"x","isError":false}"#, "x() ok", .ok),
    ] as [(String, String, ActionSummary.Outcome?)])
  func outcomes(_ metadata: String, _ line: String, _ outcome: ActionSummary.Outcome?) throws {
    let brain = try summary("voice_runtime", "voice_brain_tool_call", metadata)
    #expect(brain.text.description == line)
    #expect(brain.outcome == outcome)
    let browser = try summary(
      "browser_tool_result", "page", metadata.replacing("toolName", with: "tool"))
    #expect(browser.outcome == outcome)
  }

  @Test("a fact has a sign and a type only when the row says so")
  func facts() throws {
    func line(_ more: String) throws -> String {
      try self.line("memory_fact", "f", #"{"subject":"who","confidence":0.5\#(more)}"#)
    }
    #expect(try line("") == #"who .50 "f""#)
    #expect(try line(#","reason":"added_new","factType":"project""#) == #"+ who/project .50 "f""#)
    #expect(try line(#","reason":"updated_existing""#) == #"~ who .50 "f""#)
    #expect(try line(#","reason":"merged_superseded""#) == #"~ who .50 "f""#)
  }

  @Test("the stages of a latency row have the names of the TURN panel")
  func stages() throws {
    let metadata = #"""
      {"stage":"audio_started","finalizedToAsrStartMs":45,"asrToGenerationStartMs":120,\#
      "generationToReplyRequestMs":890,"replyRequestToAudioStartMs":80}
      """#
    #expect(
      try line("voice_runtime", "voice_latency_stage", metadata)
        == "audio_started fin>asr 45ms asr>gen 120ms gen>reply 890ms reply>audio 80ms")
  }
}

import ElevenLabsSource
import ElevenLabsWire
import Foundation
import LenientJSON
import Testing

/// The recordings of the contract, which are not in this repository.
private let recordings = URL(filePath: "/work/shared/wire/elevenlabs")

/// The reducer answers the recorded server as the recorded client did.
@Suite(
  .enabled(
    if: FileManager.default.fileExists(atPath: recordings.path),
    "the contract's recordings are not on this machine"))
struct ConversationRecordingTests {
  @Test(
    "it answers as the recorded client",
    arguments: ["01-text-conversation", "02-tools-and-interruption", "03-errors-and-closes"])
  func recording(name: String) throws {
    let text = try String(
      contentsOf: recordings.appending(path: name + ".jsonl"), encoding: .utf8)
    var script = Script(
      .init(
        variables: ["user_name": "Mira"], userID: "mira-halloran", version: "0.9.0",
        tools: ["lamp"]))
    var expected: [JSONValue] = []
    var ends: [String] = []
    for line in text.split(separator: "\n") {
      let value = try JSONValue.parse(Array(line.utf8))
      script.nowMs = 100_000 + UInt64(value["ms"]?.int ?? 0)
      script.take(.woke)
      switch value["dir"]?.string {
      case "open":
        script.take(.start(owner: "a", agent: "agent", replaces: true))
        script.take(.addressed)
        script.take(.opened)
      case "server": script.hear(value["frame"]?.string ?? "")
      case "client":
        let frame = try JSONValue.parse(Array((value["frame"]?.string ?? "").utf8))
        expected.append(frame)
        say(frame, &script)
      case "close":
        if value["by"]?.string == "client" {
          script.take(.end)
        } else {
          script.take(
            .closed(code: value["code"]?.int ?? 0, reason: value["reason"]?.string ?? ""))
        }
        ends.append(script.conversation.phase.word)
        // The crash is tried again in 5 s, unlike in the recording.
        if ends.last == "connecting", name.hasPrefix("03"), script.closes.isEmpty,
          case .retrying = script.conversation.phase
        {
          script.take(.end)
        }
      default: break
      }
    }
    // A tool's answer takes its time in the recording: the order of frames may differ.
    let sent = script.sent.map { $0.json.serialized() }.sorted()
    #expect(sent == expected.map { $0.serialized() }.sorted())
    switch name.prefix(2) {
    case "01":
      #expect(
        script.texts == [
          "agent: Good evening, this is the workshop desk.", "user: When does the kiln cool down?",
          "agent: It reaches sixty degrees around nine.", "user: And yesterday?",
          "agent: Yesterday it took until eleven o'clock.",
        ])
      #expect(script.conversation.context?.tokens == 812 && script.conversation.latencyMs == 41)
    case "02":
      #expect(script.texts.suffix(2) == ["agent: Friday is booked", "user: Stop."])
      #expect(script.settled == ["approved", "denied"])
      #expect(script.conversation.integrations.count == 2)
      #expect(script.conversation.unknownFrames == 1)
    default:
      #expect(
        ends == [
          "connecting", "ended", "error", "error", "error", "error", "error", "connecting",
          "ended", "error",
        ])
    }
  }

  /// What the owner did, as far as the frame is no answer of the machine's own.
  private func say(_ frame: JSONValue, _ script: inout Script) {
    let text = frame["text"]?.string ?? ""
    let call = frame["tool_call_id"]?.string ?? ""
    switch frame["type"]?.string {
    case "user_message": script.take(.say(text))
    case "user_activity": script.take(.typing)
    case "contextual_update":
      script.take(.contextualUpdate(text, id: frame["context_id"]?.string))
    case "feedback":
      guard let id = frame["event_id"].flatMap({ EventID($0) }) else { return }
      script.take(.feedback(id, frame["score"]?.string.flatMap(ClientFrame.Score.init)))
    case "client_tool_result" where frame["is_error"]?.bool == false:
      script.take(
        .toolResult(call: call, result: frame["result"]?.string ?? "", isError: false))
    case "mcp_tool_approval_result":
      script.take(.decide(call: call, isApproved: frame["is_approved"]?.bool ?? false))
    default: break
    }
  }
}

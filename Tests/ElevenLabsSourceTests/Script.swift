import ElevenLabsSource
import ElevenLabsWire

/// A conversation that is driven by hand, with everything that it asked for.
struct Script {
  var conversation: Conversation
  var nowMs: UInt64 = 1_000
  private(set) var sent: [ClientFrame] = []
  private(set) var notices: [ConversationNotice] = []
  private(set) var fetches: [String] = []
  private(set) var closes: [Int] = []
  private(set) var runs: [ClientToolCall] = []

  init(_ setup: Conversation.Setup = .init(version: "1")) { conversation = Conversation(setup) }

  /// An active conversation whose agent has no greeting.
  static func active(_ setup: Conversation.Setup = .init(version: "1")) -> Script {
    var script = Script(setup)
    script.begin()
    script.nowMs += 2_000
    script.take(.woke)
    script.forget()
    return script
  }

  mutating func begin(owner: String = "a", agent: String = "agent", replaces: Bool = false) {
    take(.start(owner: owner, agent: agent, replaces: replaces))
    connect()
  }

  mutating func connect() {
    take(.addressed)
    take(.opened)
    hear(
      """
      {"type":"conversation_initiation_metadata","conversation_initiation_metadata_event":
      {"conversation_id":"conv_1","agent_output_audio_format":"pcm_16000",
      "user_input_audio_format":"pcm_16000"}}
      """)
  }

  mutating func forget() { (sent, notices, fetches, closes) = ([], [], [], []) }

  mutating func take(_ input: ConversationInput) {
    for command in conversation.take(input, nowNs: nowMs * 1_000_000) {
      switch command {
      case .send(let frame): sent.append(frame)
      case .tell(let notice): notices.append(notice)
      case .fetchAddress(let agent): fetches.append(agent)
      case .close(let code, _): closes.append(code)
      case .run(let call): runs.append(call)
      case .connect: break
      }
    }
  }

  mutating func hear(_ text: String) {
    take(ServerFrame(Array(text.utf8)).map { .frame($0) } ?? .unreadable)
  }

  mutating func hear(part text: String, _ kind: String = "delta", id: Int) {
    hear(
      #"{"type":"agent_chat_response_part","text_response_part":{"text":"\#(text)","type":"\#(kind)","event_id":\#(id)}}"#
    )
  }

  mutating func hear(response text: String, id: Int) {
    hear(
      #"{"type":"agent_response","agent_response_event":{"agent_response":"\#(text)","event_id":\#(id)}}"#
    )
  }

  mutating func hear(correction text: String, id: Int) {
    hear(
      """
      {"type":"agent_response_correction","agent_response_correction_event":
      {"corrected_agent_response":"\(text)","event_id":\(id)}}
      """)
  }

  mutating func hear(transcript text: String, id: Int) {
    hear(
      #"{"type":"user_transcript","user_transcription_event":{"user_transcript":"\#(text)","event_id":\#(id)}}"#
    )
  }

  mutating func hear(mcp id: String, _ state: String, timeout: Int = 30) {
    hear(
      """
      {"type":"mcp_tool_call","mcp_tool_call":{"service_id":"s","tool_call_id":"\(id)",
      "tool_name":"create","parameters":{"day":"Friday"},"state":"\(state)",
      "approval_timeout_secs":\(timeout)}}
      """)
  }

  mutating func hear(error code: Int, _ type: String, _ message: String = "words") {
    hear(
      #"{"type":"error","error_event":{"code":\#(code),"error_type":"\#(type)","message":"\#(message)"}}"#
    )
    take(.closed(code: code, reason: message))
  }

  var texts: [String] { conversation.lines.map { "\($0.speaker.rawValue): \($0.text)" } }

  var remarks: [String] {
    notices.compactMap { if case .remark(let words) = $0 { words } else { nil } }
  }

  var settled: [String] {
    notices.compactMap { if case .settled(_, let words) = $0 { words } else { nil } }
  }
}

/// One conversation on one socket.
final class ElevenLabsTalk {
  let id: Int
  let conversationID: String
  let agent: Cast.ElevenLabs.Agent
  let link: GatewayLink
  let startMs: Int64
  var hasInitiation = false
  var isActive = false
  var isOver = false
  /// The client wants speech too.
  var hasAudio = false
  /// The events that the client asked for; nil is the default ones.
  var events: Set<String>?
  var lastEvent = 0
  /// Pings without an answer.
  var openPings: [Int] = []
  var lastInputMs: Int64
  /// The answer that is being said: its event, its text, and how much of it was sent.
  var speaking: (event: Int, text: String, sent: String)?
  /// Counts what the agent does: a step that was planned for an earlier one is dropped.
  var turn = 0
  /// Client tools that wait for a result, and what follows.
  var calls: [String: (Bool, String) -> Void] = [:]
  /// MCP tools that wait for an approval.
  var approvals: [String: (Bool) -> Void] = [:]
  var turns: [(role: String, text: String, at: Int)] = []
  var tools: [String] = []
  var heardAudio = 0

  init(
    id: Int, conversationID: String, agent: Cast.ElevenLabs.Agent, link: GatewayLink, startMs: Int64
  ) {
    self.id = id
    self.conversationID = conversationID
    self.agent = agent
    self.link = link
    self.startMs = startMs
    lastInputMs = startMs
  }

  /// Sends an event, if the client has asked for its kind.
  func send(_ type: String, _ body: String? = nil, _ value: DemoJSON = [:]) {
    guard !isOver else { return }
    let always: Set<String> = [
      "conversation_initiation_metadata", "error", "ping",
      // No client asks for these by name.
      "agent_reasoning_response_part",
    ]
    let usual: Set<String> = [
      "audio", "interruption", "agent_response", "user_transcript", "tentative_user_transcript",
      // Not among the documented defaults. A call without a result ends the turn, so the demo sends these too.
      "client_tool_call", "mcp_tool_call", "agent_response_correction",
    ]
    guard always.contains(type) || (events ?? usual).contains(type) else { return }
    if type == "audio", !hasAudio { return }
    var frame: DemoJSON = ["type": .string(type)]
    if let body { frame = frame.setting(body, value) }
    link.send(ServerFrame.text(frame.serialized()))
  }

  func nextEvent() -> Int {
    lastEvent += 1
    return lastEvent
  }
}

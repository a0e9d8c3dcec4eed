import Foundation

/// Conversations: what a client says, and when they end.
extension ElevenLabsWorld {
  func open(_ link: GatewayLink, _ admission: Admission) -> ElevenLabsTalk {
    var (agent, refusal) = (Cast.ElevenLabs.linden, String?.none)
    switch admission {
    case .agent(let found): agent = found
    case .refused(let words): refusal = words
    }
    let talk = ElevenLabsTalk(
      id: (talks.map(\.id).max() ?? 0) + 1, conversationID: nextConversation(), agent: agent,
      link: link, startMs: now)
    talks.append(talk)
    if let refusal { fail(talk, 1_008, "value_error", refusal) }
    watch(talk)
    return talk
  }

  /// The idle time, by the world's clock.
  private func watch(_ talk: ElevenLabsTalk) {
    let due = talk.lastInputMs + Int64(options.idleMs)
    after(Int(max(1, due - now))) { [weak talk] world in
      guard let talk, !talk.isOver else { return }
      if world.now - talk.lastInputMs >= Int64(world.options.idleMs) {
        world.end(talk, code: 1_002, reason: "transport_receive_timeout", why: "idle")
      } else {
        world.watch(talk)
      }
    }
  }

  private func ping(_ talk: ElevenLabsTalk) {
    guard !talk.isOver else { return }
    guard talk.openPings.count < 2 else {
      return end(talk, code: 1_002, reason: "http_exception", why: "no pong")
    }
    let event = talk.nextEvent()
    talk.openPings.append(event)
    let isFirst = event < 4
    talk.send(
      "ping", "ping_event",
      isFirst
        ? ["event_id": .int(event)] : ["event_id": .int(event), "ping_ms": .int(31 + event % 20)])
    after(options.pingMs) { [weak talk] world in if let talk { world.ping(talk) } }
  }

  // MARK: Frames

  func receive(_ talk: ElevenLabsTalk, _ bytes: [UInt8], isText: Bool) {
    guard isText, let frame = try? DemoJSON.parse(bytes) else {
      return fail(talk, 1_008, "invalid_message", "The message is not JSON.")
    }
    if let problem = ElevenLabsShape.problem(frame) {
      note("invalid", ["problem": .string(problem), "frame": .string(frame.text)])
      return fail(talk, 1_008, "invalid_message", problem)
    }
    if let chunk = frame["user_audio_chunk"]?.stringValue { return hear(talk, chunk) }
    let type = frame["type"]?.stringValue ?? ""
    guard talk.hasInitiation || type == "conversation_initiation_client_data" else {
      return fail(
        talk, 1_008, "invalid_message", "conversation_initiation_client_data comes first.")
    }
    if type != "pong" {
      note("frame", ["conversation": .string(talk.conversationID), "frame": frame])
    }
    switch type {
    case "conversation_initiation_client_data": initiate(talk, frame)
    case "pong":
      if case .int(let event)? = frame["event_id"] { talk.openPings.removeAll { $0 == event } }
      return
    case "user_message":
      if let text = frame["text"]?.stringValue { say(talk, text) }
    case "client_tool_result":
      guard let id = frame["tool_call_id"]?.stringValue, let next = talk.calls[id] else {
        return fail(talk, 1_008, "invalid_message", "No such tool call.")
      }
      talk.calls[id] = nil
      next(frame["is_error"]?.boolValue ?? true, frame["result"]?.stringValue ?? "")
    case "mcp_tool_approval_result":
      guard let id = frame["tool_call_id"]?.stringValue, let next = talk.approvals[id] else {
        return
      }
      talk.approvals[id] = nil
      next(frame["is_approved"]?.boolValue ?? false)
    default: break
    }
    talk.lastInputMs = now
  }

  private func initiate(_ talk: ElevenLabsTalk, _ frame: DemoJSON) {
    guard !talk.hasInitiation else {
      return fail(talk, 1_008, "invalid_message", "The conversation has begun.")
    }
    talk.hasInitiation = true
    let override = frame["conversation_config_override"]
    var hasOverride = false
    if case .object(let object)? = override { hasOverride = !object.members.isEmpty }
    if hasOverride, talk.agent.isStrict || !options.allowsOverrides {
      return fail(
        talk, 1_008, "override_error", "Override for field 'text_only' is not allowed by config.")
    }
    let missing = talk.agent.variables.filter { frame["dynamic_variables"]?[$0] == nil }
    guard missing.isEmpty else {
      let names = missing.map { "'\($0)'" }.joined(separator: ", ")
      return fail(
        talk, 1_008, "missing_dynamic_variable", "Missing required dynamic variables: {\(names)}")
    }
    if let failure = talk.agent.failure, failure.isAtOnce {
      return fail(talk, failure.code, failure.type, failure.message)
    }
    let conversation = override?["conversation"]
    let isTextOnly = (conversation?["text_only"] ?? override?["text_only"])?.boolValue ?? false
    talk.hasAudio = !isTextOnly
    talk.events = conversation?["client_events"]?.arrayValue.map {
      Set($0.compactMap(\.stringValue))
    }
    talk.isActive = true
    talk.send(
      "conversation_initiation_metadata", "conversation_initiation_metadata_event",
      [
        "conversation_id": .string(talk.conversationID),
        "agent_output_audio_format": "pcm_16000", "user_input_audio_format": "pcm_16000",
      ])
    note(
      "started",
      ["conversation": .string(talk.conversationID), "agent": .string(talk.agent.id)])
    talk.send(
      "mcp_connection_status", "mcp_connection_status",
      [
        "integrations": [
          [
            "integration_id": "mcp_calendar", "integration_type": "mcp_server",
            "is_connected": true, "tool_count": 4,
          ],
          [
            "integration_id": "mcp_stock", "integration_type": "mcp_integration",
            "is_connected": false, "tool_count": 0,
          ],
        ]
      ])
    let greeting = override?["agent"]?["first_message"]?.stringValue ?? Cast.ElevenLabs.greeting
    speak(talk, greeting)
    after(options.pingMs) { [weak talk] world in if let talk { world.ping(talk) } }
    if let failure = talk.agent.failure {
      paced(1_500) { [weak talk] world in
        if let talk { world.fail(talk, failure.code, failure.type, failure.message) }
      }
    }
  }

  /// Speech of the client: after a second of sound a silence ends what was said.
  private func hear(_ talk: ElevenLabsTalk, _ chunk: String) {
    guard talk.isActive, let level = ElevenLabsTone.level(base64: chunk) else {
      return fail(talk, 1_008, "invalid_message", "Audio is not expected.")
    }
    talk.send("vad_score", "vad_score_event", ["vad_score": .double((level * 100).rounded() / 100)])
    if level > 0.02 {
      if talk.heardAudio == 0 { interrupt(talk) }
      talk.heardAudio += chunk.utf8.count * 3 / 4
      talk.lastInputMs = now
    } else if talk.heardAudio > ElevenLabsTone.samplesPerSecond / 2 {
      talk.heardAudio = 0
      note("heard", ["conversation": .string(talk.conversationID)])
      let event = talk.nextEvent()
      talk.send(
        "user_transcript", "user_transcription_event",
        ["user_transcript": "When do you open?", "event_id": .int(event)])
      say(talk, "When do you open?", isSpoken: true)
    }
  }

  // MARK: Ends

  func fail(_ talk: ElevenLabsTalk, _ code: UInt16, _ type: String, _ message: String) {
    talk.send(
      "error", "error_event",
      ["code": .int(Int(code)), "message": .string(message), "error_type": .string(type)])
    end(talk, code: code, reason: message, why: type)
  }

  func end(_ talk: ElevenLabsTalk, code: UInt16, reason: String, why: String) {
    guard !talk.isOver else { return }
    talk.link.close(code, reason)
    over(talk, why)
  }

  /// The client has closed, or the connection broke.
  func gone(_ talk: ElevenLabsTalk) {
    if !talk.isOver { over(talk, "Client ended the conversation") }
    talks.removeAll { $0 === talk }
  }

  private func over(_ talk: ElevenLabsTalk, _ why: String) {
    talk.isOver = true
    talk.turn += 1
    note("ended", ["conversation": .string(talk.conversationID), "why": .string(why)])
    guard talk.isActive else { return }
    let isGood = why == "Client ended the conversation" || why == "idle"
    past.insert(
      Past(
        id: talk.conversationID, agent: talk.agent, startMs: talk.startMs,
        seconds: Int((now - talk.startMs) / 1_000), status: isGood ? "done" : "failed",
        isGood: isGood, ending: why, turns: talk.turns, tools: talk.tools), at: 0)
  }
}

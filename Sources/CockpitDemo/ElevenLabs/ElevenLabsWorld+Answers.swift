import Foundation

/// What the agents say and do. A few words of the user decide it, so that everything can be tried by hand.
extension ElevenLabsWorld {
  func say(_ talk: ElevenLabsTalk, _ text: String, isSpoken: Bool = false) {
    interrupt(talk)
    talk.turn += 1
    talk.turns.append(("user", text, Int((now - talk.startMs) / 1_000)))
    note(
      "said", ["conversation": .string(talk.conversationID), "text": .string(text)])
    if !isSpoken {
      talk.send(
        "user_transcript", "user_transcription_event",
        ["user_transcript": .string(text), "event_id": .int(talk.nextEvent())])
    }
    talk.send("agent_typing", "agent_typing_event", ["is_typing": true, "duration_ms": nil])
    let words = text.lowercased()
    func next(_ ms: Int, _ run: @escaping (ElevenLabsWorld, ElevenLabsTalk) -> Void) {
      let turn = talk.turn
      paced(ms) { [weak talk] world in
        guard let talk, !talk.isOver, talk.turn == turn else { return }
        run(world, talk)
      }
    }
    if words.contains("goodbye") {
      speak(talk, "Goodbye.")
      next(900) { $0.end($1, code: 1_000, reason: "Agent ended conversation", why: "agent ended") }
    } else if words.contains("break") {
      next(200) { $0.fail($1, 1_002, "llm_timeout", "LLM timed out") }
    } else if words.contains("drop") {
      next(200) { world, talk in
        world.over(dropped: talk)
      }
    } else if words.contains("lamp") {
      next(200) { $0.callLamp($1) }
    } else if words.contains("book") {
      next(200) { $0.book($1) }
    } else if words.contains("think") {
      talk.send(
        "agent_reasoning_response_part", "reasoning_response_part",
        [
          "text": "Friday is free.", "type": "delta",
          "event_id": .string("r-\(talk.lastEvent + 1)"),
        ])
      next(300) { $0.speak($1, "Friday is free in the afternoon.") }
    } else if words.contains("story") {
      next(200) {
        $0.speak(
          $1,
          (1...12).map { "Sentence \($0) of a long story about a kiln." }.joined(separator: " "))
      }
    } else {
      next(300) { $0.speak($1, "You said: \(text)") }
    }
  }

  func over(dropped talk: ElevenLabsTalk) {
    note("dropped", ["conversation": .string(talk.conversationID)])
    talk.link.cut()
  }

  /// What was being said ends where it is, and the client hears how much of it counts.
  func interrupt(_ talk: ElevenLabsTalk) {
    guard let speaking = talk.speaking else { return }
    talk.speaking = nil
    talk.turn += 1
    talk.send("interruption", "interruption_event", ["event_id": .int(speaking.event)])
    talk.send(
      "agent_response", "agent_response_event",
      ["agent_response": .string(speaking.text), "event_id": .int(speaking.event)])
    let cut = speaking.sent.trimmingCharacters(in: .whitespaces)
    talk.send(
      "agent_response_correction", "agent_response_correction_event",
      [
        "original_agent_response": .string(speaking.text),
        "corrected_agent_response": .string(cut), "event_id": .int(speaking.event),
      ])
    note("interrupted", ["event": .int(speaking.event), "kept": .string(cut)])
  }

  /// Says a text in parts, with a tone for each sentence, and at last in full.
  func speak(_ talk: ElevenLabsTalk, _ text: String) {
    let event = talk.nextEvent()
    talk.turn += 1
    talk.speaking = (event, text, "")
    usedCharacters += text.count
    func part(_ text: String, _ kind: String) {
      talk.send(
        "agent_chat_response_part", "text_response_part",
        ["text": .string(text), "type": .string(kind), "event_id": .int(event)])
    }
    part("", "start")
    let pieces = Self.pieces(text)
    let turn = talk.turn
    for (index, piece) in pieces.enumerated() {
      paced(60 * (index + 1)) { [weak talk] world in
        guard let talk, !talk.isOver, talk.turn == turn else { return }
        talk.speaking?.sent += piece
        talk.send(
          "agent_chat_response_part", "text_response_part",
          ["text": .string(piece), "type": "delta", "event_id": .int(event)])
        guard piece.contains(where: { ".!?".contains($0) }) || index == pieces.count - 1 else {
          return
        }
        let sound = ElevenLabsTone.samples(words: 6, hertz: 330 + Double(event % 8) * 40)
        for start in stride(from: 0, to: sound.count, by: 6_400) {
          let chunk = Data(sound[start..<min(start + 6_400, sound.count)])
          talk.send(
            "audio", "audio_event",
            ["audio_base_64": .string(chunk.base64EncodedString()), "event_id": .int(event)])
        }
        guard index == pieces.count - 1 else { return }
        world.spoken(talk, event, text)
      }
    }
  }

  private func spoken(_ talk: ElevenLabsTalk, _ event: Int, _ text: String) {
    talk.speaking = nil
    talk.send(
      "agent_chat_response_part", "text_response_part",
      ["text": "", "type": "stop", "event_id": .int(event)])
    talk.send(
      "agent_response", "agent_response_event",
      ["agent_response": .string(text), "event_id": .int(event)])
    talk.send(
      "context_usage", "context_usage_event",
      [
        "event_id": .int(event), "model": "larch-2-mini",
        "context_tokens": .int(640 + talk.turns.count * 86), "context_limit_tokens": 32_000,
      ])
    talk.turns.append(("agent", text, Int((now - talk.startMs) / 1_000)))
    note(
      "answered",
      [
        "conversation": .string(talk.conversationID), "event": .int(event), "text": .string(text),
      ])
  }

  /// Two words at a time, their spaces with them.
  private static func pieces(_ text: String) -> [String] {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return stride(from: 0, to: words.count, by: 2).map { start in
      let group = words[start..<min(start + 2, words.count)].joined(separator: " ")
      return start + 2 < words.count ? group + " " : group
    }
  }

  // MARK: Tools

  private func callClient(
    _ talk: ElevenLabsTalk, _ name: String, _ parameters: DemoJSON,
    then: @escaping (Bool, String) -> Void
  ) {
    let event = talk.nextEvent()
    let id = "ct_\(talk.id)_\(event)"
    talk.calls[id] = then
    talk.tools.append(name)
    note("client_tool", ["id": .string(id), "name": .string(name)])
    talk.send(
      "client_tool_call", "client_tool_call",
      [
        "tool_name": .string(name), "tool_call_id": .string(id), "parameters": parameters,
        "event_id": .int(event),
      ])
  }

  /// A tool that the client may know, then one that it cannot know.
  private func callLamp(_ talk: ElevenLabsTalk) {
    callClient(talk, "lamp", ["which": "wheel", "on": true]) {
      [unowned self, weak talk] isError, result in
      guard let talk else { return }
      note("tool_result", ["name": "lamp", "is_error": .bool(isError), "result": .string(result)])
      callClient(talk, "unlock_door", [:]) { [unowned self, weak talk] isDoorError, words in
        guard let talk else { return }
        note(
          "tool_result",
          ["name": "unlock_door", "is_error": .bool(isDoorError), "result": .string(words)])
        let lamp = isError ? "I cannot switch on the lamp" : "The lamp is on"
        speak(talk, lamp + (isDoorError ? ", and I cannot open the door." : "."))
      }
    }
  }

  /// A tool of the server's, then one that waits for an approval.
  private func book(_ talk: ElevenLabsTalk) {
    let event = talk.nextEvent()
    let tool: DemoJSON = [
      "tool_name": "find_slot", "tool_call_id": .string("st_\(talk.id)_\(event)"),
      "tool_type": "webhook",
    ]
    talk.tools.append("find_slot")
    talk.send(
      "agent_tool_request", "agent_tool_request", tool.merging(["event_id": .int(event)]))
    paced(500) { [weak talk] world in
      guard let talk, !talk.isOver else { return }
      talk.send(
        "agent_tool_response", "agent_tool_response",
        tool.merging(["is_error": false, "is_called": true, "event_id": .int(event)]))
      world.ask(talk, "mc_\(talk.id)_\(event)")
    }
  }

  private func ask(_ talk: ElevenLabsTalk, _ id: String) {
    func tell(_ state: String, _ more: DemoJSON = [:]) {
      let body: DemoJSON = [
        "service_id": "mcp_calendar", "tool_call_id": .string(id), "tool_name": "create_event",
        "tool_description": "Creates a calendar event",
        "parameters": ["title": "Kiln", "day": "Friday"], "timestamp": .time(now),
        "state": .string(state),
      ]
      talk.send("mcp_tool_call", "mcp_tool_call", body.merging(more))
    }
    talk.tools.append("create_event")
    note("approval", ["id": .string(id)])
    talk.approvals[id] = { [unowned self, weak talk] isApproved in
      guard let talk else { return }
      note("decided", ["id": .string(id), "approved": .bool(isApproved)])
      guard isApproved else {
        tell("failure", ["error_message": "rejected by user"])
        return speak(talk, "I have not booked it.")
      }
      tell("loading")
      paced(400) { world in
        guard !talk.isOver else { return }
        tell("success", ["result": [["type": "text", "text": "created"]]])
        world.speak(talk, "Friday is booked.")
      }
    }
    tell("awaiting_approval", ["approval_timeout_secs": .int(options.approvalSeconds)])
    after(options.approvalSeconds * 1_000) { [weak talk] world in
      guard let talk, !talk.isOver, talk.approvals[id] != nil else { return }
      talk.approvals[id] = nil
      world.note("approval_expired", ["id": .string(id)])
      tell("failure", ["error_message": "approval timed out"])
      world.speak(talk, "Nobody approved it, so I have not booked it.")
    }
  }
}

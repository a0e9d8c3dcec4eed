extension Hostile {
  /// `depth` objects in one another.
  static func deep(_ depth: Int) -> DemoJSON {
    var json: DemoJSON = "bottom"
    for level in 0..<depth { json = level % 2 == 0 ? ["d": json] : [json] }
    return json
  }

  /// One row for every place of an envelope, and for shapes no row should have.
  static let oddRows: [TourStop] = {
    let place = Tour.talk
    let prompt: DemoJSON = .string(
      String(repeating: "Sixty thousand. \u{1B}[5m\u{202E}", count: 2900))
    let lone: DemoJSON = .units([0xDC00] + Array("middle".utf16) + [0xD800])
    let bundle: DemoJSON = [
      "hiddenByDefault": "no", "systemPrompt": prompt, "initialUserPrompt": nil,
      "followupUserPrompts": [prompt, 7, nil], "followupSteps": -3,
      "tools": [["name": lone, "description": prompt, "parameters": deep(40)], "tool", nil],
      "promptTiers": ["not": "a list"], "later": ["key": true],
    ]
    func odd(
      _ kind: String, _ content: DemoJSON?, _ metadata: DemoJSON?, cost: Double? = nil,
      extra: DemoJSON = [:]
    ) -> TourStop {
      TourStop(
        kind: kind, place: place, user: Cast.nadia, content: content, metadata: metadata,
        cost: cost, extra: extra)
    }
    let strange = Person(id: "\u{1B}[2J\u{202E}999", name: "x")
    return [
      TourStop(
        kind: "sent_reply",
        place: Place(guild: "\u{202E}guild\u{1B}[H", channel: "#\u{7}channel\n\nname"),
        user: strange, content: "envelope ids are text too", metadata: [:]),
      odd(
        "sent_reply", "everything a list", ["replyPrompts": [bundle], "llm": [], "memory": [[]]]),
      odd("sent_reply", lone, ["replyPrompts": bundle, "webSearch": ["results": [lone, [:]]]]),
      odd("llm_call", "model", ["usage": ["inputTokens": 1e308, "outputTokens": -5], "model": 1]),
      odd("llm_call", nil, ["usage": ["inputTokens": "NaN", "outputTokens": "Infinity"]]),
      odd("llm_call", "cost", nil, cost: 1e308), odd("llm_call", "cost", nil, cost: -4.2),
      odd("llm_tool_call", "x", ["toolCalls": ["click", ["name": nil, "input": deep(60)]]]),
      odd("memory_fact", prompt, ["subject": lone, "confidence": "high", "factId": "x"]),
      odd("browser_tool_result", prompt, ["isError": "maybe", "fullLength": 1e300, "step": nil]),
      odd("browser_browse_failed", lone, ["errorMessage": prompt, "durationMs": -1]),
      odd("automation_run", "automation #\u{1B}[31m", ["automationId": "seven", "nextRunAt": 0]),
      odd("voice_runtime", "voice_latency_stage", ["stage": "audio_started", "requestId": "one"]),
      odd("voice_runtime", "realtime_tool_call_started", ["callId": nil, "arguments": deep(80)]),
      odd("voice_runtime", "voice_turn_addressing", ["allow": 1, "heard": lone, "talkingTo": []]),
      odd("voice_turn_in", nil, nil), odd("voice_session_end", nil, ["durationSeconds": -9]),
      odd("voice_session_start", "voice_joined:", ["sessionId": ["a"], "voiceChannelId": nil]),
      odd("swarm_worker_exit", nil, ["tail": "\u{1B}[2K\r\u{1B}[999B\u{1B}P$q\"p\u{1B}\\"]),
      odd("stream_discovery", "stream: {\"a\":{\"b\":\"\\ud83d\"}", nil),
      odd("bot_error", "deeper", deep(500)), odd("bot_error", "list", [1, "two", nil]),
      odd("bot_error", "text", "metadata is a text"),
      odd("", "no kind", nil), odd("🤖\u{202E}kind", "emoji kind", [:]),
      odd(String(repeating: "k", count: 4000), "a long kind", [:]),
      odd(
        "sent_message", "shadow", [:],
        extra: ["created_at": 12, "user_id": ["x"], "usd_cost": "free", "metadata_": deep(3)]),
    ]
  }()
}

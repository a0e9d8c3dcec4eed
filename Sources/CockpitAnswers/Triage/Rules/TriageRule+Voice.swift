internal import ClankyWire
internal import CockpitStores
internal import LenientJSON

/// Live voice sessions: the provider, tool servers, turns that wait.
extension TriageRule {
  static let voiceProvider = TriageRule(
    "voice_provider", .critical, word: "voice down",
    condition: "A live session has lost its realtime provider, or its socket closed abnormally.",
    rows: Rows(
      ["voice_runtime", "voice_error", "voice_session_start", "voice_session_end"], threshold: 1,
      quietMs: 5 * 60_000
    ) { row in
      if row.kind.hasPrefix("voice_session_") { return .success() }
      guard let event = row.label.event, event.hasSuffix("_socket_closed"),
        !event.contains("_asr_")
      else { return nil }
      let metadata = row.metadata()
      let code = metadata["code"]?.int
      guard let code, code != 1000, code != 1001 else { return nil }
      return .failure(reason: metadata["reason"]?.string ?? "closed with code \(code)")
    },
    state: State(lastsMs: 5_000) { input in
      guard let voice = input.voice else { return nil }
      return (providerSigns(voice.value, input.names), voice.atMs)
    },
    recovery: "Voice has its provider again, or the session has ended.",
    next: { _ in
      Answer.NextStep(
        "Let it leave the channel and join again.",
        target: .filter("kind:voice_error|voice_session_*"))
    },
    sentence: { TriageRule.sentence("Voice has lost its provider", because: $0.reason) })

  /// A connection that is being made has neither error nor close code (contract 5.2.13).
  private static func providerSigns(
    _ state: VoiceState, _ names: any NameDirectory
  ) -> [Sign] {
    for session in state.sessions {
      guard let realtime = session.realtime?.state, realtime.connected == false else { continue }
      let reason = [realtime.lastError, realtime.lastCloseReason].compactMap(\.self)
        .first { !$0.isEmpty }
      guard reason != nil || realtime.lastCloseCode != nil else { continue }
      let code = realtime.lastCloseCode.map { "closed with code \($0)" }
      let channel = session.voiceChannelID.flatMap(names.channelName).map { " in #" + $0 } ?? ""
      return [Sign(reason: (reason ?? code ?? "") + channel)]
    }
    return []
  }

  static let mcp = TriageRule(
    "mcp", .warning, word: "tools down",
    condition:
      "Calls of a tool server failed twice within a minute, or 3 of one tool in a row in voice.",
    rows: Rows(["voice_runtime", "voice_error"], quietMs: 10 * 60_000) { row in
      switch row.label.event {
      case "voice_brain_tool_call":
        let metadata = row.metadata()
        guard let tool = metadata["toolName"]?.string else { return nil }
        guard metadata["isError"]?.bool == true else { return .success(subject: tool) }
        return .failure(subject: tool, reason: metadata["error"]?.string ?? "")
      case "realtime_tool_call_completed", "realtime_tool_call_failed":
        let metadata = row.metadata()
        guard let tool = metadata["toolName"]?.string else { return nil }
        guard row.label.event == "realtime_tool_call_failed" else {
          return .success(subject: tool)
        }
        return .failure(subject: tool, reason: metadata["error"]?.string ?? "")
      default: return nil
      }
    },
    state: State(marks: 2, mayBeOlder: false) { input in
      guard let voice = input.voice else { return nil }
      let signs = voice.value.sessions.flatMap(\.mcpStatus).compactMap { server -> Sign? in
        guard server.connected == false, let name = server.serverName else { return nil }
        return Sign(
          subject: "server " + name, reason: server.lastError ?? "",
          mark: server.lastCallAt?.milliseconds)
      }
      return (signs, voice.atMs)
    },
    recovery: "The tools answer again, or the session has ended.",
    next: { event in
      Answer.NextStep(
        "See whether its tool server runs.",
        target: .filter("event:voice_brain_tool_call is:error"))
    },
    sentence: { event in
      let name = event.subject.map { " " + String($0.prefix(24)) } ?? ""
      return TriageRule.sentence("Tool\(name) fails in voice", because: event.reason)
    })

  /// Turns of people wait for one another; more than these are never caught up with.
  private static let waitingTurns = 2

  static let turnsWaiting = TriageRule(
    "turns_waiting", .warning, word: "voice waits",
    condition: "More than 2 turns of a live session have waited for an answer for 5 s.",
    state: State(lastsMs: 5_000, mayBeOlder: false) { input in
      guard let voice = input.voice else { return nil }
      let counts = voice.value.sessions.map {
        ($0.realtime?.pendingTurns ?? 0) + ($0.batchAsr?.pendingTurns ?? 0)
      }
      guard let most = counts.max(), most > waitingTurns else { return ([], voice.atMs) }
      return ([Sign(reason: "\(most)")], voice.atMs)
    },
    recovery: "No turns wait in voice any more.",
    next: { _ in
      Answer.NextStep(
        "See VOICE; leave and join if it lasts.", target: .line("tab voice"))
    },
    sentence: { "\($0.reason) turns wait for an answer in voice." })
}

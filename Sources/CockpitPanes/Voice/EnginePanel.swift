import CockpitText
import ClankyWire
import LenientJSON
import TerminalCore

/// The components of a session: recognisers, realtime provider, tool servers, soundboard, joins and
/// leaves.
@MainActor
struct EnginePanel {
  let facts: ViewContext
  var session: VoiceSession
  var isFull: Bool
  var width: Int

  private var figures: VoiceFigures { VoiceFigures(facts: facts) }

  /// At least the first `limit` lines, if there are that many.
  func lines(limit: Int) -> [VoiceLine] {
    var lines: [VoiceLine] = []
    for asr in session.asrSessions {
      lines += recogniser(asr, name: nil)
      if lines.count >= limit { return lines }
    }
    if let shared = session.sharedAsrSession {
      lines += recogniser(shared.session, name: "room")
      lines.append(
        VoiceLine(
          "  commits",
          Figures.count(shared.pendingCommitResolvers) + " waiting, "
            + Figures.count(shared.pendingCommitRequests) + " asked, items "
            + Figures.count(shared.transcriptByItemIDs) + " text "
            + Figures.count(shared.speakerByItemIDs) + " speaker", .number))
    }
    if let batch = session.batchAsr {
      lines.append(
        VoiceLine(
          "batch asr",
          Figures.count(batch.pendingTurns) + " pending, " + Figures.count(batch.contextMessages)
            + " context messages", .number))
    }
    if lines.isEmpty { lines.append(.note("no recogniser session")) }
    lines += realtime
    lines += servers
    lines += room
    if isFull { lines += identity }
    return lines
  }

  // MARK: Recognisers

  private func recogniser(_ asr: AsrSession, name: PlainText?) -> [VoiceLine] {
    let who =
      name ?? asr.displayName.map { PlainText($0, limit: 24) } ?? figures.user(asr.userID)
    let bytes = Figures.short(asr.pendingAudioBytes.map(Double.init))
    let idle: PlainText =
      asr.hasIdleTimer == true
      ? seconds(asr.idleMs) + "/" + seconds(asr.idleTtlMs) : seconds(asr.idleMs)
    var lines = [
      VoiceLine(
        [
          .label("asr"), .light(asr.connected), .init(text: who.cut(to: 14), role: .voice),
          .label(figures.text(asr.phase?.description, limit: 12)), .label("buf"),
          .init(text: Figures.count(asr.pendingAudioChunks) + "/" + bytes, role: .number),
        ], trailing: [.label("idle"), .init(text: idle, role: .number)])
    ]
    guard isFull else { return lines }
    lines.append(
      VoiceLine(
        "  model",
        figures.text(asr.model, limit: 60) + "  provider session "
          + figures.text(asr.sessionID, limit: 60)))
    lines.append(
      VoiceLine(
        "  times",
        "up " + figures.age(asr.connectedAt) + "  audio " + figures.age(asr.lastAudioAt)
          + "  words " + figures.age(asr.lastTranscriptAt) + "  idle timer "
          + figures.yesNo(asr.hasIdleTimer), .number))
    if let utterance = asr.utterance {
      lines.append(
        VoiceLine(
          "  hears",
          Figures.count(utterance.finalSegments) + " final, " + Figures.bytes(utterance.bytesSent)
            + " sent  " + figures.text(utterance.partialText), .asr))
    }
    return lines
  }

  private func seconds(_ ms: Int?) -> PlainText {
    Figures.age(ms: ms.map(Int64.init))
  }

  // MARK: Realtime provider

  private var realtime: [VoiceLine] {
    guard let realtime = session.realtime else { return [.note("no realtime provider")] }
    let state = realtime.state
    func kilo(_ rate: Int?) -> PlainText { Figures.short(rate.map(Double.init)) }
    var lines = [
      VoiceLine(
        [
          .label("rt "), .light(state?.connected, off: .negative),
          .init(text: figures.text(realtime.provider, limit: 16), role: .llm),
          .init(
            text: kilo(realtime.inputSampleRateHz) + "/" + kilo(realtime.outputSampleRateHz),
            role: .number),
        ])
    ]
    if realtime.drainActive == true || isFull {
      lines[0].spans += [.label("draining"), .init(text: figures.yesNo(realtime.drainActive))]
    }
    if (realtime.replySuperseded ?? 0) > 0 || isFull {
      lines[0].spans += [
        .label("superseded"), .init(text: Figures.count(realtime.replySuperseded), role: .number),
      ]
    }
    if let error = state?.lastError {
      lines.append(
        VoiceLine([.label("   "), .init(text: PlainText(error, limit: 300), role: .negative)]))
    }
    if state?.lastCloseCode != nil || state?.lastCloseReason != nil {
      lines.append(
        VoiceLine(
          "  closed",
          Figures.count(state?.lastCloseCode) + " " + figures.text(state?.lastCloseReason), .warning
        ))
    }
    guard isFull else { return lines }
    lines.append(
      VoiceLine(
        "  turns",
        Figures.count(realtime.recentVoiceTurns) + " recent, "
          + Figures.count(realtime.pendingTurns)
          + " pending, coalescing " + figures.yesNo(realtime.coalesceActive), .number))
    guard let state else { return lines }
    lines.append(
      VoiceLine(
        "  link",
        "up " + figures.age(state.connectedAt) + "  heard " + figures.age(state.lastEventAt)
          + "  session " + figures.text(state.sessionID, limit: 60), .number))
    if state.activeResponseID != nil || state.activeResponseStatus != nil {
      lines.append(
        VoiceLine(
          "  response",
          figures.text(state.activeResponseID, limit: 60) + "  "
            + figures.text(state.activeResponseStatus, limit: 30)))
    }
    if state.setupComplete != nil || state.pendingResponseActive != nil {
      lines.append(
        VoiceLine(
          "  setup",
          figures.yesNo(state.setupComplete) + ", response pending "
            + figures.yesNo(state.pendingResponseActive)))
    }
    if state.utteranceCount != nil || state.model != nil {
      lines.append(
        VoiceLine(
          "  model",
          figures.text(state.model, limit: 60) + ", " + Figures.count(state.utteranceCount)
            + " utterances"))
    }
    lines.append(
      VoiceLine(
        "  sent last",
        figures.text(state.lastOutboundEventType ?? state.lastOutboundEvent?.type, limit: 60) + "  "
          + figures.age(state.lastOutboundEventAt ?? state.lastOutboundEvent?.at)))
    for event in state.recentOutboundEvents {
      let payload = event.payload.map { $0.serialized() } ?? ""
      lines.append(
        VoiceLine(
          [
            .label("  sent"), .init(text: figures.text(event.type, limit: 60)),
            .label(PlainText(payload, limit: max(20, width))),
          ], trailing: [.label(figures.age(event.at))]))
    }
    return lines
  }

  // MARK: Tool servers

  private var servers: [VoiceLine] {
    var lines: [VoiceLine] = []
    for server in session.mcpStatus {
      var spans: [VoiceLine.Span] = [
        .label("mcp"), .light(server.connected, off: .negative),
        .init(text: figures.text(server.serverName, limit: 24), role: .tool),
        .init(text: PlainText("\(server.tools.count)"), role: .number),
        .label(server.tools.count == 1 ? "tool" : "tools"),
      ]
      if let error = server.lastError {
        spans.append(.init(text: PlainText(error, limit: 200), role: .negative))
      }
      lines.append(VoiceLine(spans, trailing: [.label(figures.age(server.lastCallAt))]))
      guard isFull else { continue }
      lines.append(
        VoiceLine(
          "  times",
          "connected " + figures.age(server.lastConnectedAt) + "  called "
            + figures.age(server.lastCallAt) + "  (up until a call fails)"))
      for tool in server.tools {
        lines.append(
          VoiceLine([
            .label("  tool"), .init(text: figures.text(tool.name, limit: 60)),
            .label(figures.text(tool.description, limit: 300)),
          ]))
      }
    }
    if isFull, let tools = session.brainTools {
      lines.append(
        VoiceLine(
          "provider", PlainText("\(tools.count) tools, run by the realtime provider"), .tool))
      for tool in tools {
        lines.append(
          VoiceLine([
            .label("  tool"), .init(text: figures.text(tool.name, limit: 60)),
            .label(figures.text(tool.toolType?.description, limit: 12)),
            .label(figures.text(tool.serverName, limit: 24)),
            .label(figures.text(tool.description, limit: 300)),
          ]))
      }
    }
    return lines
  }

  // MARK: The room

  private var room: [VoiceLine] {
    var lines = [
      VoiceLine([
        .label("snd"), .init(text: Figures.count(session.soundboard.playCount), role: .number),
        .label("played"), .label("last"),
        .init(text: figures.age(session.soundboard.lastPlayedAt), role: .number),
      ])
    ]
    for event in session.membershipEvents.reversed() {
      let isJoin = event.eventType == .join
      lines.append(
        VoiceLine(
          [
            .init(text: isJoin ? "+" : "-", role: isJoin ? .positive : .negative),
            .init(
              text: event.displayName.map { PlainText($0, limit: 40) }
                ?? figures.user(event.userID),
              role: .voice),
            .label(figures.text(event.eventType?.description, limit: 12)),
          ],
          trailing: [
            .label(
              event.at == nil
                ? Figures.age(ms: event.ageMs.map(Int64.init)) : figures.age(event.at))
          ]))
    }
    return lines
  }

  private var identity: [VoiceLine] {
    let output = session.assistantOutput
    var lines = [
      VoiceLine(
        "output",
        figures.text(output.phase?.description, limit: 40) + "  because "
          + figures.text(output.reason?.description, limit: 40) + "  since "
          + figures.age(output.phaseEnteredAt) + "  trigger " + figures.text(output.lastTrigger),
        .tts),
      VoiceLine(
        "  tts",
        figures.text(output.ttsPlaybackState?.description, limit: 20) + "  "
          + Figures.short(output.ttsBufferedSamples) + " samples buffered  request "
          + (output.requestID == 0 ? "none" : Figures.count(output.requestID)), .number),
      VoiceLine(
        "playback",
        "armed " + figures.yesNo(session.playbackArm.armed) + "  "
          + figures.text(session.playbackArm.reason, limit: 60) + "  "
          + figures.age(session.playbackArm.armedAt)),
      VoiceLine(
        "bot turn",
        figures.yesNo(session.botTurnOpen) + "  tools run by "
          + figures.text(session.realtimeToolOwnership?.description, limit: 40)),
      VoiceLine(
        "session",
        figures.text(session.sessionID, limit: 60) + "  active "
          + figures.age(session.lastActivityAt)
          + " ago", .muted),
      VoiceLine(
        "guild",
        session.guildID.map { PlainText(facts.names.guild($0), limit: 60) } ?? "-", .muted),
      VoiceLine(
        "text in",
        session.textChannelID.map { "#" + PlainText(facts.names.channel($0), limit: 60) } ?? "-",
        .muted),
    ]
    for note in session.durableContext {
      lines += VoiceLine.wrapped(
        "note",
        figures.text(note.category?.description, limit: 16) + ": " + figures.text(note.text)
          + "  " + figures.age(note.at), .memory, width: width, limit: 3)
    }
    return lines
  }
}

import TerminalUI
import CockpitText
import Networking
import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore

extension VoicePane {
  /// The item under the cursor of the focused panel, its JSON, and the session on screen.
  @MainActor package func copyItems(_ facts: ViewContext) -> [CopyItem] {
    guard let scene = scene(facts) else { return [] }
    var items: [CopyItem] = []
    if let line = copiedLine(scene) { items.append(CopyItem(.row, line)) }
    if let json = copiedJSON(scene, facts) { items.append(CopyItem(.json, json)) }
    guard !scene.id.isEmpty else { return items }
    items.append(CopyItem(.id, scene.id))
    let start = scene.record?.events.first { $0.channelID != nil }
    if let url = DiscordLink.to(
      guild: scene.session?.guildID ?? scene.past?.guildID ?? start?.guildID,
      channel: scene.session?.textChannelID ?? start?.channelID)
    {
      items.append(CopyItem(.url, url))
    }
    let target =
      scene.isLive
      ? RequestTarget.voiceState
      : RequestTarget(["api", "voice", "history", "sessions", scene.id, "events"])
    items.append(CopyItem(.curl, ShellLine.curl(facts.connection.address, target)))
    items.append(CopyItem(.query, "session:" + RowCopy.queryWord(scene.id)))
    items.append(CopyItem(.permalink, facts.permalink(["session"], scene.id)))
    return items
  }

  /// The item under the cursor of the focused panel; nil while it follows the live end.
  private var chosenItem: VoiceItem? {
    guard let cursor = cursors[focus], !cursor.isResting else { return nil }
    return cursor.id
  }

  /// The text of the line; for a turn both speech and reply.
  @MainActor private func copiedLine(_ scene: VoiceScene) -> String? {
    switch chosenItem {
    case .spoken(let atMs, let speaker, let beginning):
      let utterance = scene.utterances().last {
        $0.atMs ?? 0 == atMs && $0.speaker == speaker && $0.text.hasPrefix(beginning)
      }
      return "\(time(atMs))\(speaker): \(utterance?.text ?? beginning)"
    case .tool(let id):
      guard let tool = scene.tools.first(where: { $0.id == id }) else { return nil }
      var parts = [tool.name ?? id]
      if let arguments = tool.arguments { parts.append(arguments.serialized()) }
      if let error = tool.error { parts.append(error) }
      if let result = tool.result { parts.append("-> " + result.serialized()) }
      return parts.joined(separator: " ")
    case .step(let index):
      guard let turn = shownTurn(scene),
        let verdict = scene.record?.verdict(turn.id, nowMs: scene.nowMs),
        verdict.items.indices.contains(index), let id = verdict.items[index].event,
        let event = scene.record?.event(id)
      else { break }
      return [time(event.timeMs) + event.name, event.content].compactMap { $0 }
        .joined(separator: " ")
    case .event(let id):
      guard let event = scene.record?.event(id) else { break }
      return [time(event.timeMs) + event.name, event.content].compactMap { $0 }
        .joined(separator: " ")
    case .past(let id): return id
    case .turn, .anomaly, .figure, nil: break
    }
    return shownTurn(scene).map { words(of: $0, scene) }
  }

  @MainActor private func words(of turn: VoiceTurnRecord, _ scene: VoiceScene) -> String {
    var lines: [String] = []
    if !turn.words.isEmpty {
      lines.append("\(time(turn.startedAt))\(scene.speaker(of: turn)): \(turn.words)")
    }
    if let reply = turn.reply, !reply.isEmpty {
      lines.append("\(time(turn.audioStarted?.timeMs ?? turn.startedAt))bot: \(reply)")
    }
    if lines.isEmpty { lines.append("\(time(turn.startedAt))\(scene.speaker(of: turn))") }
    if let reason = turn.skippedReason { lines.append("(\(turn.outcome.rawValue): \(reason))") }
    return lines.joined(separator: "\n")
  }

  private func time(_ ms: Int64) -> String {
    ms == 0 ? "" : WireTime(milliseconds: ms).iso + " "
  }

  /// The rows of the turn, or what `J` would show: original bytes if they are still stored.
  @MainActor private func copiedJSON(_ scene: VoiceScene, _ facts: ViewContext) -> String? {
    if case .step = chosenItem { return rawSource(focus, facts)?.text }
    guard chosenItem != nil || view != .live || isWhyOpen, let turn = shownTurn(scene),
      let record = scene.record
    else { return rawSource(focus, facts)?.text }
    let rows = turn.events.compactMap { id -> String? in
      guard let event = record.event(id) else { return nil }
      if let row = event.rowID.flatMap({ facts.activity.log.row($0) }), !row.isGap {
        return row.withRaw { String(decoding: $0, as: UTF8.self) }
      }
      return event.metadata.serialized()
    }
    return "[" + rows.joined(separator: ",\n") + "]"
  }

  /// The whole transcript, oldest first; in TURNS and SKIPS the turns with their outcomes.
  @MainActor package func plainText(_ facts: ViewContext) -> String? {
    if isRawOpen {
      return raw.map { $0.spans.map(\.text.description).joined() }.joined(separator: "\n")
    }
    guard let scene = scene(facts) else { return nil }
    if isWhyOpen || view == .turns || view == .skips {
      let turns = isWhyOpen ? shownTurn(scene).map { [$0] } ?? [] : scene.turns
      let shown = view == .skips ? turns.filter(TurnLines.isSkip) : turns
      return shown.suffix(1000).map { words(of: $0, scene) }.joined(separator: "\n")
    }
    if view == .history {
      return facts.pastSessions.prefix(1000).map { past in
        [
          past.startedAt?.iso ?? "-", past.sessionID,
          past.durationSeconds.map { "\($0) s" } ?? "-",
          past.endReason
            ?? (facts.voice.cutOff.contains(past.sessionID)
              ? VoiceFigures(facts: facts).cutOff(past.sessionID).description : "-"),
        ].joined(separator: "  ")
      }.joined(separator: "\n")
    }
    return scene.utterances(limit: 2000).map { said in
      "\(time(said.atMs ?? 0))\(said.speaker): \(said.text)".replacing("\n", with: " ")
    }.joined(separator: "\n")
  }
}

internal import ElevenLabsWire
internal import Networking

/// What the server says.
extension Conversation {
  mutating func hear(_ frame: ServerFrame, _ nowNs: UInt64) -> [ConversationCommand] {
    switch frame {
    case .metadata(let metadata):
      guard phase == .connecting else { return [] }
      phase = .active
      activeNs = nowNs
      self.metadata = metadata
      return [.tell(.phase)]
    case .ping(let id, let latency):
      if let latency { latencyMs = latency }
      return (id.map { [.send(.pong($0))] } ?? []) + (latency == nil ? [] : [.tell(.figures)])
    case .part(let part): return take(part, nowNs)
    case .reasoning(let part):
      if part.id != reasoningID { reasoning = "" }
      reasoningID = part.id
      if reasoning.utf8.count < Self.maximumReasoning { reasoning += part.text }
      return [.tell(.reasoning)]
    case .response(let text, let id): return respond(text, id, nowNs)
    case .correction(_, let corrected, let id):
      return edit(id, nowNs) { line in
        line.text = corrected
        (line.isWhole, line.isInterrupted, line.isCorrected) = (true, true, true)
      }
    case .transcript(let text, let id): return transcribe(text, id, nowNs)
    case .tentativeTranscript(let text, _):
      tentative = text
      return [.tell(.figures)]
    case .interruption(let id): return interrupt(id)
    case .audio(let piece): return play(piece, nowNs)
    case .clientTool(let call): return use(call, nowNs)
    case .agentTool(let use): return take(use, nowNs)
    case .mcpTool(let call): return take(call, nowNs)
    case .mcpStatus(let list):
      integrations = Array(list.prefix(100))
      return [.tell(.figures)]
    case .contextUsage(let usage):
      context = usage
      return [.tell(.figures)]
    case .voiceActivity(let score):
      voiceActivity = score
      return [.tell(.figures)]
    case .typing(let isTyping):
      self.isTyping = isTyping
      return [.tell(.figures)]
    case .richContent(let component, _):
      return [.tell(.remark("The agent shows an element that a terminal cannot: \(component)."))]
    case .notice(let notice): return [.tell(.remark(notice.sentence))]
    case .error(let error):
      self.error = error
      return []
    case .silent: return []
    case .unknown:
      unknownFrames += 1
      return []
    }
  }

  // MARK: Lines

  func place(of id: EventID?, _ speaker: ConversationLine.Speaker) -> Int? {
    guard let id else { return lines.lastIndex { $0.speaker == speaker && !$0.isWhole } }
    return lines.lastIndex { $0.speaker == speaker && $0.eventID == id }
  }

  mutating func newLine(
    _ speaker: ConversationLine.Speaker, _ text: String, _ id: EventID?, _ nowNs: UInt64
  ) -> ConversationLine {
    lineCount += 1
    return ConversationLine(
      id: lineCount, speaker: speaker, text: text, eventID: id, atNs: nowNs, isWhole: false)
  }

  mutating func append(_ line: ConversationLine) {
    lines.append(line)
    if lines.count > Self.maximumLines { lines.removeFirst(lines.count - Self.maximumLines) }
  }

  /// Changes the agent's line with this id, or begins it.
  private mutating func edit(
    _ id: EventID?, _ nowNs: UInt64, _ change: (inout ConversationLine) -> Void
  ) -> [ConversationCommand] {
    let place: Int
    if let known = self.place(of: id, .agent) {
      place = known
    } else {
      append(newLine(.agent, "", id, nowNs))
      place = lines.count - 1
    }
    let before = lines[place]
    change(&lines[place])
    return lines[place] == before && !before.text.isEmpty ? [] : [.tell(.line(lines[place]))]
  }

  private mutating func take(_ part: ResponsePart, _ nowNs: UInt64) -> [ConversationCommand] {
    if part.kind == .stop, part.text.isEmpty, place(of: part.id, .agent) == nil { return [] }
    return edit(part.id, nowNs) { line in
      guard !line.isWhole else { return }
      line.text += part.text
    }
  }

  private mutating func respond(
    _ text: String, _ id: EventID?, _ nowNs: UInt64
  ) -> [ConversationCommand] {
    isTyping = false
    return edit(id, nowNs) { line in
      guard !line.isCorrected else { return }
      line.text = text
      line.isWhole = true
    }
  }

  /// An own line that comes back is that line; what was spoken is a new one.
  private mutating func transcribe(
    _ text: String, _ id: EventID?, _ nowNs: UInt64
  ) -> [ConversationCommand] {
    tentative = nil
    if let id, let known = place(of: id, .user) {
      guard lines[known].text != text else { return [] }
      // A typed line stays as it was typed.
      guard Self.folded(lines[known].text) != Self.folded(text) else { return [] }
      lines[known].text = text
      return [.tell(.line(lines[known]))]
    }
    let wanted = Self.folded(text)
    if let own = lines.lastIndex(where: {
      $0.speaker == .user && $0.eventID == nil && !$0.isQueued && Self.folded($0.text) == wanted
        && nowNs.since($0.atNs) <= Self.echoNs
    }) {
      lines[own].eventID = id
      return []
    }
    guard !wanted.isEmpty else { return [] }
    hasSaid = true
    var line = newLine(.user, text, id, nowNs)
    line.isWhole = true
    append(line)
    return [.tell(.line(line))]
  }

  private static func folded(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
  }

  // MARK: Speech

  private mutating func interrupt(_ id: EventID?) -> [ConversationCommand] {
    if let number = id?.number {
      droppedThrough = max(droppedThrough ?? number, number)
    }
    speechUntilNs = 0
    var commands: [ConversationCommand] = [.tell(.interrupted(id))]
    for index in lines.indices
    where lines[index].speaker == .agent && !lines[index].isWhole
      && (id == nil || lines[index].eventID == id)
    {
      lines[index].isInterrupted = true
      commands.append(.tell(.line(lines[index])))
    }
    return commands
  }

  private mutating func play(_ piece: AudioPiece, _ nowNs: UInt64) -> [ConversationCommand] {
    guard setup.wantsAudio, !isMuted else { return [] }
    if let number = piece.id?.number, let dropped = droppedThrough, number <= dropped { return [] }
    guard let bytes = piece.bytes, !bytes.isEmpty else { return [] }
    let rate = UInt64(metadata?.samplesPerSecond ?? 16_000)
    speechUntilNs = max(speechUntilNs, nowNs) + UInt64(bytes.count / 2) * 1_000_000_000 / rate
    return [.tell(.audio(bytes, piece.id)), .tell(.figures)]
  }
}

extension ConversationMetadata {
  /// Of the agent's speech; nil for a format other than PCM.
  package var samplesPerSecond: Int? { Self.rate(outputFormat) }

  /// Of the microphone; nil for a format other than PCM.
  package var inputSamplesPerSecond: Int? { Self.rate(inputFormat) }

  private static func rate(_ format: String?) -> Int? {
    guard let format, format.hasPrefix("pcm_"), let rate = Int(format.dropFirst(4)),
      (8_000...192_000).contains(rate)
    else { return nil }
    return rate
  }
}

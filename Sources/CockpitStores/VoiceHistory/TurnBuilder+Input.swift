internal import LenientJSON
internal import ClankyWire

/// User speech: capture, recogniser, decision.
extension TurnBuilder {
  mutating func capture(_ event: VoiceEvent) -> Int? {
    if event.kind == "voice_session_end" {
      for index in active { self[index].isClosed = true }
      active = []
      return nil
    }
    if event.name == "voice_activity_started" || event.kind == "voice_turn_in" {
      return activity(event)
    }
    if event.name == "voice_turn_finalized" {
      let length = event.int("durationMs").flatMap { $0 >= 0 && $0 < 3_600_000 ? $0 : nil }
      let index =
        own(event).flatMap { self[$0].finalized == nil && self[$0].decisions.isEmpty ? $0 : nil }
        ?? begin(event, at: event.timeMs - Int64(length ?? 0), isKnown: false)
      self[index].finalized = mark(event)
      self[index].captureMs = length
      self[index].captureReason = event.string("reason") ?? self[index].captureReason
      return index
    }
    guard let reason = Self.dropReason(event) else {
      // Held, revised or coalesced: the turn continues.
      return event.name.hasPrefix("voice_session") ? nil : own(event)
    }
    var index = own(event).flatMap { self[$0].outcome == .pending ? $0 : nil }
    if index == nil, reason == "superseded" { return own(event) }
    if index == nil { index = begin(event, isKnown: false) }
    guard let index else { return nil }
    if self[index].replyRequested == nil {
      self[index].dropped = mark(event)
      self[index].reason = reason
      if self[index].words.isEmpty { self[index].words = event.string("transcript") ?? "" }
      close(index)
    }
    return index
  }

  private mutating func activity(_ event: VoiceEvent) -> Int {
    if let index = own(event) {
      let turn = self[index]
      let isSame =
        turn.promoted.map { event.timeMs - $0.timeMs < Self.togetherMs } ?? false
        && turn.finalized == nil
      let isExpected =
        turn.promoted == nil && turn.outcome == .pending && turn.decisions.isEmpty
        && turn.finalized == nil && event.timeMs - turn.lastAt < 3000
      if isSame || isExpected {
        promote(index, event)
        return index
      }
      // The speaker starts again: an undecided turn will stay undecided, unless a later decision
      // covers both.
      if turn.decision?.allow != true { close(index) }
    }
    let index = begin(event)
    promote(index, event)
    return index
  }

  private mutating func promote(_ index: Int, _ event: VoiceEvent) {
    guard self[index].promoted == nil else { return }
    self[index].promoted = mark(event)
    self[index].promotionReason = event.string("promotionReason")
    self[index].promotionDelayMs = event.int("promotionDelayMs")
  }

  /// Why a turn is dropped, in the wire's words; nil if the row drops none.
  private static func dropReason(_ event: VoiceEvent) -> String? {
    for prefix in [
      "voice_turn_dropped", "voice_turn_skipped", "realtime_turn_skipped",
      "file_asr_turn_skipped",
    ] where event.name.hasPrefix(prefix) {
      let rest = event.name.dropFirst(prefix.count).drop { $0 == "_" }
      return rest.isEmpty ? event.string("reason") ?? "dropped" : String(rest)
    }
    if event.name.hasPrefix("realtime_turn_superseded")
      || event.name.hasPrefix("file_asr_turn_superseded")
    {
      return "superseded"
    }
    return nil
  }

  // MARK: recogniser

  mutating func recognition(_ event: VoiceEvent) -> Int? {
    if event.name == "voice_realtime_transcription_empty" {
      guard let index = own(event), self[index].outcome == .pending else { return own(event) }
      self[index].dropped = mark(event)
      self[index].reason = "empty_transcript"
      close(index)
      return index
    }
    let isFinal =
      event.name == "openai_realtime_asr_final_segment" || event.name == "file_asr_transcript"
    guard isFinal || event.name == "openai_realtime_asr_partial_segment" else {
      return own(event).flatMap { self[$0].decisions.isEmpty ? $0 : nil }
    }
    let item = event.string("itemId")
    let index: Int
    if let known = item.flatMap({ byItem[$0] }) {
      index = known
    } else if let mine = own(event), self[mine].decisions.isEmpty || isNearDecision(mine, event),
      self[mine].dropped == nil
    {
      index = mine
    } else {
      index = begin(event, isKnown: false)
    }
    if let item, byItem[item] == nil {
      byItem[item] = index
      self[index].itemIDs.append(item)
    }
    self[index].speaker = self[index].speaker ?? event.string("speakerName")
    guard let words = event.string("transcript") else { return index }
    if isFinal {
      let before = self[index].asrFinal == nil ? "" : self[index].words
      let isKnown = !before.isEmpty && before.hasSuffix(words)
      self[index].words = isKnown ? before : before.isEmpty ? words : before + " " + words
      self[index].isPartial = false
      self[index].asrFinal = mark(event)
    } else if self[index].asrFinal == nil, self[index].decisions.isEmpty {
      self[index].words = words
      self[index].isPartial = true
      if self[index].firstPartial == nil { self[index].firstPartial = mark(event) }
    }
    return index
  }

  private func isNearDecision(_ index: Int, _ event: VoiceEvent) -> Bool {
    guard let decision = self[index].decisions.last else { return true }
    return self[index].asrFinal == nil && event.timeMs - decision.mark.timeMs < 1500
  }

  // MARK: decision

  mutating func decision(_ event: VoiceEvent) -> Int? {
    switch event.name {
    case "voice_turn_addressing", "voice_reply_classifier_debug", "voice_runtime_event_decision":
      break
    case "voice_membership_changed": return nil
    default: return own(event).flatMap { self[$0].outcome == .pending ? $0 : nil }
    }
    if event.name == "voice_runtime_event_decision", isRoomEvent(event) {
      let index = begin(event, origin: .roomEvent)
      self[index].aboutID = event.userID
      self[index].words = event.string("transcript") ?? ""
      decide(index, event)
      return index
    }
    let heard = event.string("heard") ?? event.string("transcript") ?? ""
    let index = target(of: event, heard: heard)
    decide(index, event)
    if self[index].words.isEmpty || self[index].isPartial, !heard.isEmpty {
      self[index].words = heard
      self[index].isPartial = false
    }
    if event.name == "voice_turn_addressing" { gather(event, heard: heard, into: index) }
    if self[index].decision?.allow == false { active.removeAll { $0 == index } }
    return index
  }

  private func isRoomEvent(_ event: VoiceEvent) -> Bool {
    if let kind = event.string("inputKind") { return kind == "event" }
    return event.string("transcript")?.hasPrefix("[") ?? true
  }

  private mutating func target(of event: VoiceEvent, heard: String) -> Int {
    let length = event.int("clipDurationMs").flatMap { $0 >= 0 && $0 < 3_600_000 ? $0 : nil } ?? 0
    guard let mine = own(event) else {
      return begin(event, at: event.timeMs - Int64(length), isKnown: false)
    }
    let turn = self[mine]
    if turn.decisions.isEmpty || !turn.decisions.contains(where: { $0.row == event.name }) {
      if turn.outcome == .pending || turn.outcome == .denied || turn.outcome == .dropped {
        return mine
      }
    }
    // A second decision: of the same words, or because the first was put off.
    if turn.outcome == .pending || turn.outcome == .denied, turn.replyRequested == nil,
      heard.isEmpty || turn.words.isEmpty || heard.holds(turn.words) || turn.words.holds(heard)
    {
      return mine
    }
    return begin(event, at: event.timeMs - Int64(length), isKnown: false)
  }

  private mutating func decide(_ index: Int, _ event: VoiceEvent) {
    let decision = Self.reading(event, mark(event))
    self[index].decisions.append(decision)
    self[index].source = decision.source ?? self[index].source
    self[index].captureReason = event.string("captureReason") ?? self[index].captureReason
    if decision.reason == "native_realtime" { self[index].path = .native }
    if decision.allow == false {
      self[index].reason = decision.outputLockReason ?? decision.reason
    } else if decision.allow == true {
      // A postponed turn is resumed.
      if self[index].dropped != nil || self[index].reason != nil {
        self[index].dropped = nil
        self[index].reason = nil
      }
      self[index].isClosed = false
      if !active.contains(index) {
        active.append(index)
        active.sort()
      }
    }
  }

  static func reading(
    _ event: VoiceEvent, _ mark: VoiceTurnRecord.Mark
  ) -> VoiceTurnRecord.Decision {
    VoiceTurnRecord.Decision(
      mark: mark, allow: event.bool("allow"), reason: event.string("reason"),
      directAddressed: event.bool("directAddressed"),
      confidence: event.double("directedConfidence").flatMap { $0 > 0 ? $0 : nil },
      talkingTo: event.string("talkingTo"), addressingSource: event.string("addressingSource"),
      source: base(event.string("source")), outputLockReason: event.string("outputLockReason"),
      participantCount: event.int("participantCount"), queueWaitMs: event.int("queueWaitMs"),
      row: event.name)
  }

  /// Several speakers, or several starts of one, that are answered together.
  private mutating func gather(_ event: VoiceEvent, heard: String, into index: Int) {
    let id = self[index].id
    var others: [Int] = []
    for part in event.metadata["heardPerSpeaker"]?.array ?? [] {
      guard let user = part["userId"]?.string, let words = part["transcript"]?.string else {
        continue
      }
      if user == self[index].speakerID {
        if self[index].asrFinal == nil { self[index].words = words }
      } else if let other = open[user], self[other].decisions.isEmpty {
        if self[other].words.isEmpty || self[other].isPartial { self[other].words = words }
        others.append(other)
      }
    }
    for other in turns.indices.suffix(24) where other != index && !others.contains(other) {
      let turn = self[other]
      guard turn.origin == .speech, turn.decisions.isEmpty, turn.speakerID == self[index].speakerID,
        turn.dropped == nil, !turn.words.isEmpty, heard.holds(turn.words),
        event.timeMs - turn.lastAt < VoiceTurnRecord.capMs
      else { continue }
      others.append(other)
    }
    for other in others where self[other].mergedInto == nil {
      self[other].mergedInto = id
      close(other)
    }
  }
}

extension String {
  /// Whether it contains another text, byte for byte. `contains` compares characters, and takes a hundred times as
  /// long for texts of a turn.
  fileprivate func holds(_ other: String) -> Bool {
    let found = utf8.withContiguousStorageIfAvailable { text in
      other.utf8.withContiguousStorageIfAvailable { part -> Bool in
        guard let first = part.first, part.count <= text.count else { return part.isEmpty }
        return (0...text.count - part.count).contains { start in
          text[start] == first && text[start..<start + part.count].elementsEqual(part)
        }
      }
    }
    return (found ?? nil) ?? contains(other)
  }
}

internal import ClankyWire

/// The bot's output: reply, delays, audio.
extension TurnBuilder {
  mutating func output(_ event: VoiceEvent) -> Int? {
    switch event.name {
    case "voice_latency_stage": return latency(event)
    case "realtime_reply_requested": return replyRequested(event)
    case "bot_audio_started": return audioStarted(event)
    case "bot_utterance_completed": return completed(event)
    case "realtime_reply_skipped":
      let index = requested(event) ?? answering(event, where: { $0.audioStarted == nil })
      guard let index else { return nil }
      self[index].skipped = mark(event)
      self[index].reason = event.string("skipCause") ?? "reply_skipped"
      self[index].reply = self[index].reply ?? event.string("replyTextPreview")
      close(index)
      return index
    case "realtime_reply_superseded_newer_input":
      let index = requested(event) ?? answering(event, where: { $0.audioStarted == nil })
      guard let index else { return nil }
      self[index].dropped = mark(event)
      self[index].reason = "superseded"
      close(index)
      return index
    default: return otherOutput(event)
    }
  }

  private mutating func otherOutput(_ event: VoiceEvent) -> Int? {
    if event.name.hasSuffix("text_turn_forwarded") {
      guard let index = answering(event, where: { $0.audioStarted == nil }) else { return nil }
      self[index].path = .bridge
      self[index].generation = mark(event)
      return index
    }
    if event.name.hasSuffix("_transcript") { return outputTranscript(event) }
    if event.name.hasSuffix("_response_done") { return responseDone(event) }
    guard Self.replyRows.contains(where: { event.name.hasPrefix($0) }) else { return nil }
    let isSilent =
      event.name == "response_silent_fallback" || event.name == "response_silent_hard_recovery"
      || event.name == "realtime_audio_write_failed"
    let index =
      requested(event)
      ?? answering(event, where: { $0.audioStarted == nil && $0.generation != nil })
    guard let index else { return nil }
    if isSilent {
      if self[index].audioStarted == nil {
        self[index].failed = mark(event)
        self[index].reason = event.name
      }
      self[index].anomalies.append(.silentResponse)
    }
    return index
  }

  /// Families of rows that are about one reply; other errors may be about anything.
  private static let replyRows = [
    "voice_output_lease", "realtime_assistant_utterance", "realtime_reply_", "voice_reply_",
    "response_", "realtime_audio_write", "active_response_cleared_stale",
  ]

  private mutating func replyRequested(_ event: VoiceEvent) -> Int? {
    let known = requested(event).flatMap { self[$0].audioCompleted == nil ? $0 : nil }
    // A turn that has failed is meant only where no other one waits.
    let index =
      known ?? answering(event, where: { $0.replyRequested == nil && $0.failed == nil })
      ?? answering(event, where: { $0.replyRequested == nil })
    guard let index else { return nil }
    noteRequest(event, index)
    if self[index].replyRequested.map(\.isInferred) ?? true {
      self[index].replyRequested = mark(event)
    }
    if let text = event.string("replyText") {
      self[index].reply = self[index].reply.map { Self.joined($0, text) } ?? text
    }
    self[index].replyTo = event.string("talkingTo") ?? self[index].replyTo
    self[index].skipped = nil
    if self[index].path == .unknown { self[index].path = .brain }
    return index
  }

  /// Joins two parts of a reply. If one contains the other, ignoring case and punctuation, it is returned alone:
  /// a thought is logged both when it is made and when it is spoken.
  private static func joined(_ before: String, _ text: String) -> String {
    func letters(_ text: String) -> String {
      String(text.lowercased().filter { $0.isLetter || $0.isNumber })
    }
    let (old, new) = (letters(before), letters(text))
    if new.contains(old) { return text }
    return old.contains(new) ? before : before + " " + text
  }

  private mutating func latency(_ event: VoiceEvent) -> Int? {
    let isAudio = event.string("stage") == "audio_started"
    let index =
      requested(event).flatMap { self[$0].latency?.isComplete == true ? nil : $0 }
      ?? active.last { index in
        // The sound itself may have been logged a moment before.
        guard isAudio, let audio = self[index].audioStarted else { return false }
        return event.timeMs - audio.timeMs <= Self.togetherMs
          && self[index].latency?.isComplete != true
      }
      ?? answering(
        event, where: { isAudio ? $0.audioStarted == nil : $0.replyRequested == nil })
    guard let index else { return nil }
    noteRequest(event, index)
    self[index].latency = VoiceTurnRecord.Latency(
      finalizedToAsrStartMs: event.stage("finalizedToAsrStartMs"),
      asrToGenerationStartMs: event.stage("asrToGenerationStartMs"),
      generationToReplyRequestMs: event.stage("generationToReplyRequestMs"),
      replyRequestToAudioStartMs: event.stage("replyRequestToAudioStartMs"),
      queueWaitMs: event.stage("queueWaitMs"), pendingQueueDepth: event.int("pendingQueueDepth"),
      mark: mark(event), isComplete: isAudio)
    if isAudio {
      if self[index].audioStarted == nil {
        self[index].audioStarted = mark(event, isInferred: true)
        speaking = index
      }
      if self[index].replyRequested == nil,
        let ms = self[index].latency?.replyRequestToAudioStartMs
      {
        self[index].replyRequested = VoiceTurnRecord.Mark(
          timeMs: event.timeMs - Int64(ms), event: event.id, isInferred: true)
      }
    } else if self[index].replyRequested == nil {
      self[index].replyRequested = mark(event, isInferred: true)
    }
    return index
  }

  private mutating func audioStarted(_ event: VoiceEvent) -> Int? {
    let index: Int
    if let last = speaking, let audio = self[last].audioStarted, audio.isInferred,
      event.timeMs - audio.timeMs <= Self.togetherMs
    {
      index = last
    } else if let requested = answering(
      event,
      where: {
        $0.audioStarted == nil && $0.replyRequested != nil && $0.skipped == nil && $0.failed == nil
      })
      ?? answering(
        event, where: { $0.audioStarted == nil && $0.replyRequested != nil && $0.skipped == nil })
      ?? answering(event, where: { $0.audioStarted == nil && $0.generation != nil })
      ?? answering(event, where: { $0.audioStarted == nil })
    {
      index = requested
    } else {
      return nil
    }
    self[index].audioStarted = mark(event)
    speaking = index
    return index
  }

  private mutating func outputTranscript(_ event: VoiceEvent) -> Int? {
    guard event.string("transcriptSource") == "output" else { return own(event) }
    guard let index = heard(event) else { return nil }
    if self[index].reply == nil { self[index].reply = event.string("transcript") }
    return index
  }

  private mutating func responseDone(_ event: VoiceEvent) -> Int? {
    guard let index = responding(event) else { return nil }
    if event.bool("hadAudio") == false, self[index].audioStarted == nil,
      self[index].replyRequested != nil || self[index].generation != nil,
      // A response that only requested a tool has no audio either.
      !self[index].tools.contains(where: \.isRunning)
    {
      if self[index].replyRequested != nil {
        self[index].failed = mark(event)
        self[index].reason = "never_played"
      }
    }
    // With its own brain the bot uses only the provider's voice.
    if self[index].path != .brain, let model = event.string("responseModel"),
      !self[index].models.contains(model)
    {
      self[index].models.append(model)
    }
    return index
  }

  /// The row names no source: of two turns with one number it is the one that is heard.
  private func responding(_ event: VoiceEvent) -> Int? {
    if let last = speaking, let id = event.int("requestId"), self[last].requestID == id,
      event.timeMs - self[last].lastAt < Self.silenceMs
    {
      return last
    }
    return requested(event) ?? heard(event)
  }

  private mutating func completed(_ event: VoiceEvent) -> Int? {
    guard let index = requested(event) ?? heard(event) else { return nil }
    self[index].audioCompleted = mark(event)
    if let ms = event.int("estimatedPlaybackMs"), ms > 0, ms < 3_600_000 {
      self[index].playbackMs = (self[index].playbackMs ?? 0) + ms
    }
    if self[index].reply == nil { self[index].reply = event.string("utteranceTextPreview") }
    if event.bool("hadAudio") == false, self[index].audioStarted == nil {
      self[index].failed = mark(event)
      self[index].reason = "never_played"
    } else if event.bool("hadBargeSuppression") == true, self[index].interrupted == nil {
      self[index].interrupted = mark(event)
    }
    return index
  }

  /// The turn being played, for provider rows that say nothing else.
  func heard(_ event: VoiceEvent) -> Int? {
    if let last = speaking, let audio = self[last].audioStarted {
      let end = audio.timeMs + Int64(self[last].playbackMs ?? 0)
      if event.timeMs - max(end, self[last].lastAt) < Self.silenceMs { return last }
    }
    return answering(event, where: { $0.replyRequested != nil && $0.audioCompleted == nil })
  }
}

extension VoiceEvent {
  /// A delay in ms; nil if it is missing, negative or implausible.
  fileprivate func stage(_ key: String) -> Int? {
    int(key).flatMap { $0 >= 0 && $0 < 3_600_000 ? $0 : nil }
  }
}

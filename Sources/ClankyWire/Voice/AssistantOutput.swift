import LenientJSON

/// The state of the bot's next reply (contract 5.2.2).
package struct AssistantOutput: WireReadable {
  /// The phase.
  package var phase: OutputPhase?
  /// Why it is in this phase.
  package var reason: OutputReason?
  /// The trigger of the last change.
  package var lastTrigger: String?
  /// When the phase began.
  package var phaseEnteredAt: WireTime?
  /// Number of the reply request; 0 means none.
  package var requestID: Int?
  /// Whether speech is buffered.
  package var ttsPlaybackState: TtsPlaybackState?
  /// Buffered PCM samples at the output rate.
  package var ttsBufferedSamples: Double?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    phase: OutputPhase? = nil, reason: OutputReason? = nil, lastTrigger: String? = nil,
    phaseEnteredAt: WireTime? = nil, requestID: Int? = nil,
    ttsPlaybackState: TtsPlaybackState? = nil, ttsBufferedSamples: Double? = nil
  ) {
    self.phase = phase
    self.reason = reason
    self.lastTrigger = lastTrigger
    self.phaseEnteredAt = phaseEnteredAt
    self.requestID = requestID
    self.ttsPlaybackState = ttsPlaybackState
    self.ttsBufferedSamples = ttsBufferedSamples
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    phase = fields.word("phase")
    reason = fields.word("reason")
    lastTrigger = fields.string("lastTrigger")
    phaseEnteredAt = fields.time("phaseEnteredAt")
    requestID = fields.int("requestId")
    ttsPlaybackState = fields.word("ttsPlaybackState")
    ttsBufferedSamples = fields.double("ttsBufferedSamples")
  }
}

extension AssistantOutput {
  /// Whether the bot can be heard.
  package var isSpeaking: Bool { phase == .speakingLive || phase == .speakingBuffered }
}

/// Whether playback is ready (contract 5.2.1).
package struct PlaybackArm: WireReadable {
  /// Whether audio would be heard.
  package var armed: Bool?
  /// Why it was armed or disarmed.
  package var reason: String?
  /// When it was armed.
  package var armedAt: WireTime?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    armed: Bool? = nil, reason: String? = nil, armedAt: WireTime? = nil
  ) {
    self.armed = armed
    self.reason = reason
    self.armedAt = armedAt
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    armed = fields.bool("armed")
    reason = fields.string("reason")
    armedAt = fields.time("armedAt")
  }
}

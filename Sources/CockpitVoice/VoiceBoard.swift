/// What the screen shows of the voice pipeline.
package struct VoiceBoard: Hashable, Sendable {
  package var phase = VoicePhase.idle
  package var isConversation = false
  /// Whether a conversation goes to the source as sound, without transcriber and synthesiser.
  package var isLinked = false
  package var isMuted = false
  /// Whether speech can be turned into text, and text into speech.
  package var canHear = false
  package var canSpeak = false
  /// Whether recordings, and texts of answers, may leave this machine.
  package var hearsRemotely = false
  package var speaksRemotely = false
  package var isEchoCancelled = false
  /// Whether the microphone is open.
  package var isRecording = false
  /// Levels of the newest 20 ms frames, the oldest first.
  package var levels: [AudioLevel] = []
  package var recordedMs = 0
  package var waterfall = VoiceWaterfall()

  package init() {}
}

/// A request of the screen to the voice pipeline.
package enum VoiceRequest: Hashable, Sendable {
  /// Starts to record, or ends it and sends what was said.
  case talk
  /// The key was let go.
  case released
  case conversation
  case mute
  /// Silences what is being said.
  case interrupt
  /// Leaves everything.
  case cancel
}

/// What the voice pipeline does at the moment, as shown.
package enum VoicePhase: String, CaseIterable, Hashable, Sendable {
  case idle, recording, transcribing, thinking, streaming, speaking
}

/// What happens to the pipeline.
package enum VoiceEvent: Hashable, Sendable {
  /// The key to talk: starts a recording, or ends it and sends what was said.
  case talk
  /// The key to talk was let go, where it was held.
  case released
  case conversation
  case mute
  /// Any other key while something is said.
  case interrupt
  /// Leaves every stage; what was said so far is dropped.
  case cancel
  /// The detector: speech began, while something may be played.
  case speechBegan
  /// The detector: speech is over, or the longest recording is reached.
  case speechEnded
  /// The recorder exited on its own. `hasSpeech`: whether the recording contains speech.
  case recorderEnded(hasSpeech: Bool)
  case transcribed(String)
  case notTranscribed
  case answerBegan
  case answerText
  case answerEnded
  /// The message could not be sent; its text is in the input.
  case notSent
  /// A sentence waits to be said.
  case speechQueued
  /// The first audio of an answer goes to the player.
  case speakingBegan
  /// All that was to be said has been.
  case speakingEnded
}

/// What the pipeline is asked to do.
package enum VoiceEffect: Hashable, Sendable {
  case startRecorder
  /// Ends the recorder and transcribes what it gave.
  case transcribe
  /// Ends the recorder and drops what it gave.
  case dropRecording
  case stopTranscribing
  case send(String)
  /// The text goes to the input: an answer is under way.
  case draft(String)
  /// Kills player, synthesis and queue.
  case stopSpeaking
  /// Nothing more of this answer is said.
  case silenceAnswer
}

/// The states of the voice pipeline and what follows from each event; a pure reducer.
package struct VoiceMachine: Hashable, Sendable {
  package enum Answer: Hashable, Sendable { case none, thinking, streaming }

  package private(set) var isRecording = false
  package private(set) var isTranscribing = false
  package private(set) var answer = Answer.none
  package private(set) var isSpeaking = false
  /// Whether sentences wait that will be said.
  package private(set) var isPreparing = false
  package private(set) var isConversation = false
  package private(set) var isMuted: Bool
  /// Whether the microphone hears while something is played; else it is closed meanwhile.
  package let isEchoCancelled: Bool

  package init(isMuted: Bool = false, isEchoCancelled: Bool = false) {
    self.isMuted = isMuted
    self.isEchoCancelled = isEchoCancelled
  }

  package var phase: VoicePhase {
    if isTranscribing { return .transcribing }
    // With echo cancellation the microphone stays open during an answer.
    if isSpeaking { return .speaking }
    switch answer {
    case .thinking: return isRecording && !isConversation ? .recording : .thinking
    case .streaming: return isRecording && !isConversation ? .recording : .streaming
    case .none: return isRecording ? .recording : isPreparing ? .speaking : .idle
    }
  }

  package mutating func take(_ event: VoiceEvent) -> [VoiceEffect] {
    switch event {
    case .talk: return talk()
    case .released: return isRecording ? endRecording() : []
    case .conversation: return toggleConversation()
    case .mute:
      isMuted.toggle()
      return isMuted ? silence() : []
    case .interrupt: return isSpeaking || isPreparing ? silence() + listenAgain() : []
    case .cancel: return cancel()
    case .speechBegan: return isSpeaking ? silence() : []
    case .speechEnded: return isRecording ? endRecording() : []
    case .recorderEnded(let hasSpeech):
      guard isRecording else { return [] }
      isConversation = false
      if hasSpeech { return endRecording() }
      isRecording = false
      return [.dropRecording]
    case .transcribed(let text): return transcribed(text)
    case .notTranscribed:
      guard isTranscribing else { return [] }
      isTranscribing = false
      isConversation = false
      return []
    case .answerBegan:
      answer = .thinking
      return []
    case .answerText:
      if answer == .thinking { answer = .streaming }
      return []
    case .answerEnded:
      answer = .none
      return listenAgain()
    case .notSent:
      answer = .none
      isConversation = false
      return []
    case .speechQueued:
      isPreparing = true
      return []
    case .speakingBegan:
      (isSpeaking, isPreparing) = (true, true)
      // Half duplex: the microphone would hear the loudspeaker.
      guard isRecording, !isEchoCancelled else { return [] }
      isRecording = false
      return [.dropRecording]
    case .speakingEnded:
      (isSpeaking, isPreparing) = (false, false)
      return listenAgain()
    }
  }

  private mutating func talk() -> [VoiceEffect] {
    if isRecording { return endRecording() }
    guard !isTranscribing else { return [] }
    isRecording = true
    return silence() + [.startRecorder]
  }

  private mutating func endRecording() -> [VoiceEffect] {
    isRecording = false
    guard !isTranscribing else { return [.dropRecording] }
    isTranscribing = true
    return [.transcribe]
  }

  private mutating func transcribed(_ text: String) -> [VoiceEffect] {
    guard isTranscribing else { return [] }
    isTranscribing = false
    guard !text.isEmpty else { return listenAgain() }
    guard answer == .none else { return [.draft(text)] }
    answer = .thinking
    return [.send(text)] + (isEchoCancelled ? listenAgain() : [])
  }

  private mutating func toggleConversation() -> [VoiceEffect] {
    isConversation.toggle()
    if isConversation { return listenAgain() }
    guard isRecording else { return [] }
    isRecording = false
    return [.dropRecording]
  }

  /// Conversation mode: starts the recorder when nothing is playing, or at once with echo cancellation.
  private mutating func listenAgain() -> [VoiceEffect] {
    guard isConversation, !isRecording, !isTranscribing else { return [] }
    guard isEchoCancelled || (answer == .none && !isPreparing) else { return [] }
    isRecording = true
    return [.startRecorder]
  }

  private mutating func silence() -> [VoiceEffect] {
    let wasSpeaking = isSpeaking || isPreparing
    (isSpeaking, isPreparing) = (false, false)
    return (wasSpeaking ? [.stopSpeaking] : []) + (answer == .none ? [] : [.silenceAnswer])
  }

  private mutating func cancel() -> [VoiceEffect] {
    var effects = silence()
    if isTranscribing { effects.append(.stopTranscribing) }
    if isRecording { effects.append(.dropRecording) }
    (isRecording, isTranscribing, isConversation) = (false, false, false)
    return effects
  }
}

import CockpitChat
import CockpitVoice
import TerminalCore

extension ChatTranscript.State {
  /// The word in the border and in the title.
  package var word: StaticString {
    switch self {
    case .idle: "idle"
    case .thinking: "thinking"
    case .streaming: "streaming"
    case .speaking: "speaking"
    }
  }

  package var role: Role {
    switch self {
    case .idle: .muted
    case .thinking: .info
    case .streaming: .positive
    case .speaking: .voice
    }
  }
}

extension VoicePhase {
  /// The word in the border and in the title.
  package var word: StaticString {
    switch self {
    case .idle: "idle"
    case .recording: "recording"
    case .transcribing: "transcribing"
    case .thinking: "thinking"
    case .streaming: "streaming"
    case .speaking: "speaking"
    }
  }

  package var role: Role {
    switch self {
    case .idle: .muted
    case .recording: .negative
    case .transcribing, .thinking: .info
    case .streaming: .positive
    case .speaking: .voice
    }
  }
}

extension ChatBoard {
  /// What the pipeline does where it does something, else what the answer of the shown channel does.
  package var stateWord: StaticString {
    if let phase = voice?.phase, phase != .idle { return phase.word }
    return transcript.state.word
  }

  package var stateRole: Role {
    if let phase = voice?.phase, phase != .idle { return phase.role }
    return transcript.state.role
  }

  package var isIdle: Bool { transcript.state == .idle && voice?.phase ?? .idle == .idle }
}

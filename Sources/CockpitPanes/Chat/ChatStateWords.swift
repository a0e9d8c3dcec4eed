import CockpitChat
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

/// What answers at the address of a source. The raw value is the `kind` of a profile.
package enum SourceKind: String, Hashable, Sendable, CaseIterable {
  /// A Clanky bot.
  case clanky
  /// An OpenClaw gateway.
  case openclaw
  /// A server of OpenAI's interfaces: it can only be talked to.
  case openai
  /// An agent of ElevenLabs.
  case elevenlabs
  /// A companion gateway.
  case companion

  /// Whether agents answer there, and not a Clanky bot.
  package var isOfAgents: Bool { self != .clanky }
  /// Whether it has no rows, and nothing waits there.
  package var isOnlyTalkedTo: Bool { self == .openai }
  /// Whether its source states what its tabs show, line by line (`ServiceBoard`).
  package var statesItsTabs: Bool { self == .elevenlabs || self == .companion }

  /// What the screen calls it in a sentence.
  package var noun: String {
    switch self {
    case .clanky: "a Clanky bot"
    case .openclaw: "an OpenClaw gateway"
    case .openai: "a chat server"
    case .elevenlabs: "an agent of ElevenLabs"
    case .companion: "a companion gateway"
    }
  }
}

extension Configuration {
  /// How speech is heard and made, from `[voice]`.
  package struct Voice: Hashable, Sendable {
    /// A transcriber or synthesiser, from `[voice.services.NAME]`.
    package struct Service: Hashable, Sendable {
      /// `command`, `openai`, `elevenlabs`; nil for what follows from the other keys.
      package var kind: String?
      package var command: String?
      package var url: String?
      package var model: String?
      package var voice: String?
      package var language: String?
      /// Samples a second of audio that has no header.
      package var rate: Int?
      /// Whether what it gets stays on this machine.
      package var local: Bool?
      package var tokenFile: String?
      package var tokenCommand: String?

      package init() {}
    }

    package var recorder: String?
    package var player: String?
    /// Names of services in the order in which they are tried; nil chooses what is installed.
    package var stt: [String]?
    package var tts: [String]?
    package var requireLocal: Bool?
    package var echoCancelled: Bool?
    /// `spoken`, `always` or `off`.
    package var speak: String?
    /// Whether the key to talk is held, where the terminal says when it is let go.
    package var hold: Bool?
    package var services: [String: Service] = [:]

    package init() {}

    /// Services that need no table.
    package static let builtIn = ["espeak-ng", "flite", "gateway", "say"]
  }
}

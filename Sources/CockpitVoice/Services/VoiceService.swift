package import Networking

/// Something that turns speech into text or text into speech.
package struct VoiceService: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A command line for the shell. As a transcriber it gets WAV on standard input, or the path of a file in place of
    /// `{file}`, and prints the text; as a synthesiser it gets the text and writes WAV.
    case command(String)
    /// A server with OpenAI's interfaces, below this address.
    case openAI(BackendURL)
    case elevenLabs(BackendURL)
    /// The OpenClaw gateway that is talked to.
    case gateway
  }

  package var name: String
  package var kind: Kind
  package var model: String?
  package var voice: String?
  package var language: String?
  /// Samples a second of audio without a header; nil expects WAV of a command, and is 24,000 of a server.
  package var rate: Int?
  /// What the owner says about where a command sends its input; nil for what follows from the kind.
  package var saysLocal: Bool?

  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// Whether what it gets stays on this machine. A gateway's own services are not known here.
  package var isLocal: Bool {
    if let saysLocal { return saysLocal }
    switch kind {
    case .command: return true
    case .openAI(let url), .elevenLabs(let url): return url.isLoopback
    case .gateway: return false
    }
  }

  package var rawRate: Int? {
    if case .command = kind { return rate }
    return rate ?? 24_000
  }
}

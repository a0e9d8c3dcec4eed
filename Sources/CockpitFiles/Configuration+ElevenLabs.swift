extension Configuration {
  /// What a profile with `kind = "elevenlabs"` sets beside what all profiles have.
  package struct ElevenLabs: Hashable, Sendable {
    /// The id of the agent that conversations are held with.
    package var agent: String?
    /// What the agent says first, in place of its own words.
    package var firstMessage: String?
    /// Such as `en`.
    package var language: String?
    /// The id of a voice.
    package var voice: String?
    /// Values for the placeholders of the agent's prompt, by name.
    package var variables: [String: String] = [:]
    /// Commands that serve the agent's client tools, by the tool's name.
    package var tools: [String: String] = [:]

    package init() {}
  }
}

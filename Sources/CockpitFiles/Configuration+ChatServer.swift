extension Configuration {
  /// What a profile with `kind = "openai"` sets beside what all profiles have: a server that speaks OpenAI's interfaces.
  package struct ChatServer: Hashable, Sendable {
    /// The model that answers where none is named; nil is the first that the server has.
    package var model: String?
    /// `chat` or `responses`; nil is `chat`.
    package var interface: String?

    package init() {}
  }
}

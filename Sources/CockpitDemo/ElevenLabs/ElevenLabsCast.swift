extension Cast {
  /// The invented pottery whose agents the demo of ElevenLabs has.
  enum ElevenLabs {
    struct Agent: Sendable {
      var id: String
      var name: String
      /// Needs a signed address.
      var isPrivate = false
      /// Ends every conversation with this error after its greeting.
      var failure: Failure?
      /// Refuses what a client overrides.
      var isStrict = false
      /// Placeholders of its prompt without a default.
      var variables: [String] = []
    }

    struct Failure: Sendable {
      var code: UInt16
      var type: String
      var message: String
      /// Comes in the place of the metadata.
      var isAtOnce = false
    }

    static let juniper = Agent(id: "agent_juniper", name: "Juniper, workshop desk", isPrivate: true)
    static let linden = Agent(id: "agent_linden", name: "Linden, opening hours")

    static let agents = [
      juniper, linden, Agent(id: "agent_strict", name: "Slate, no overrides", isStrict: true),
      Agent(
        id: "agent_slow", name: "Moss, slow model",
        failure: Failure(code: 1_002, type: "llm_timeout", message: "LLM timed out")),
      Agent(
        id: "agent_broken", name: "Flint, broken",
        failure: Failure(code: 1_011, type: "unknown", message: "Internal error")),
      Agent(
        id: "agent_long", name: "Reed, short of time",
        failure: Failure(
          code: 1_000, type: "max_duration_exceeded", message: "Maximum duration exceeded")),
      Agent(
        id: "agent_quota", name: "Ash, out of quota",
        failure: Failure(
          code: 1_008, type: "value_error", message: "This request exceeds your quota limit.",
          isAtOnce: true)),
      Agent(id: "agent_vars", name: "Birch, needs an order", variables: ["order_id"]),
    ]

    static func agent(_ id: String) -> Agent? { agents.first { $0.id == id } }

    static let greeting = "Good evening, this is the workshop desk."
    static let voices = [("voice_fern", "Fern"), ("voice_quartz", "Quartz")]

    /// Conversations of others: what was said, and with which tool.
    static let past: [(user: String, agent: String, tool: String?, isGood: Bool)] = [
      ("Is the glaze course full?", "Two places are left on Thursday.", "find_slot", true),
      ("Where is my order?", "It left the kiln this morning.", "order_state", true),
      ("Can I bring my dog?", "Yes, but not into the kiln room.", nil, true),
      ("I want my money back.", "I could not find your order.", "order_state", false),
      ("When do you open?", "At nine, except on Mondays.", nil, true),
    ]
  }
}

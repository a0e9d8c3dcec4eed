import LenientJSON

/// The model's context for the last reply (contract 5.2.8). The provider bridge sends a reduced
/// form, in which most of this is missing.
package struct GenerationContext: WireReadable {
  /// Capture time.
  package var capturedAt: WireTime?
  /// The transcript.
  package var incomingTranscript: String?
  /// The speaker.
  package var speakerName: String?
  /// Whether the bot was addressed.
  package var directAddressed: Bool?
  /// Whether the bot spoke up unasked.
  package var isEagerTurn: Bool?
  /// The conversation so far.
  package var contextMessages: [ContextMessage]
  /// Attention at that moment; nil on the bridge path.
  package var conversationContext: ConversationContext?
  /// The event that caused the turn, if one did.
  package var runtimeEventContext: RuntimeEventContext?
  /// Up to 12 names.
  package var participantRoster: [String]
  /// Recent joins and leaves, without user and time.
  package var membershipEvents: [MembershipEvent]
  /// Recent voice effects.
  package var effectEvents: [EffectEvent]
  /// Facts given along; nil on the bridge path.
  package var memoryFacts: MemoryFacts?
  /// Facts about the speaker; bridge path only.
  package var userFacts: [Fact]
  /// Other facts; bridge path only.
  package var relevantFacts: [Fact]
  /// Earlier conversations that were recalled.
  package var recentConversationHistory: [ConversationWindow]
  /// Notes kept for the session.
  package var durableContext: [DurableNote]
  /// Users sharing their screen; no documented shape, May only.
  package var nativeDiscordSharers: [JSONValue]
  /// Lines about tool calls, only from May on.
  package var recentToolOutcomes: [String]
  /// Deadlines of the session.
  package var sessionTiming: SessionTiming?
  /// Which tools were offered; nil on the bridge path.
  package var tools: GenerationTools?
  /// Sounds offered.
  package var soundboardCandidateCount: Int?
  /// Setting: how readily the bot reacts to events.
  package var activityReactivity: Double?
  /// Setting: how readily it plays sounds.
  package var soundboardEagerness: Double?
  /// The model used; nil on the bridge path.
  package var llmConfig: LlmConfig?
  /// The code path.
  package var source: String?
  /// The session mode, not ACTIVE or AMBIENT.
  package var mode: SessionMode?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    capturedAt: WireTime? = nil, incomingTranscript: String? = nil, speakerName: String? = nil,
    directAddressed: Bool? = nil, isEagerTurn: Bool? = nil,
    contextMessages: [ContextMessage] = [], conversationContext: ConversationContext? = nil,
    runtimeEventContext: RuntimeEventContext? = nil, participantRoster: [String] = [],
    membershipEvents: [MembershipEvent] = [], effectEvents: [EffectEvent] = [],
    memoryFacts: MemoryFacts? = nil, userFacts: [Fact] = [], relevantFacts: [Fact] = [],
    recentConversationHistory: [ConversationWindow] = [], durableContext: [DurableNote] = [],
    nativeDiscordSharers: [JSONValue] = [], recentToolOutcomes: [String] = [],
    sessionTiming: SessionTiming? = nil, tools: GenerationTools? = nil,
    soundboardCandidateCount: Int? = nil, activityReactivity: Double? = nil,
    soundboardEagerness: Double? = nil, llmConfig: LlmConfig? = nil, source: String? = nil,
    mode: SessionMode? = nil
  ) {
    self.capturedAt = capturedAt
    self.incomingTranscript = incomingTranscript
    self.speakerName = speakerName
    self.directAddressed = directAddressed
    self.isEagerTurn = isEagerTurn
    self.contextMessages = contextMessages
    self.conversationContext = conversationContext
    self.runtimeEventContext = runtimeEventContext
    self.participantRoster = participantRoster
    self.membershipEvents = membershipEvents
    self.effectEvents = effectEvents
    self.memoryFacts = memoryFacts
    self.userFacts = userFacts
    self.relevantFacts = relevantFacts
    self.recentConversationHistory = recentConversationHistory
    self.durableContext = durableContext
    self.nativeDiscordSharers = nativeDiscordSharers
    self.recentToolOutcomes = recentToolOutcomes
    self.sessionTiming = sessionTiming
    self.tools = tools
    self.soundboardCandidateCount = soundboardCandidateCount
    self.activityReactivity = activityReactivity
    self.soundboardEagerness = soundboardEagerness
    self.llmConfig = llmConfig
    self.source = source
    self.mode = mode
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    capturedAt = fields.time("capturedAt")
    incomingTranscript = fields.string("incomingTranscript")
    speakerName = fields.string("speakerName")
    directAddressed = fields.bool("directAddressed")
    isEagerTurn = fields.bool("isEagerTurn")
    contextMessages = fields.list("contextMessages", of: ContextMessage.init) ?? []
    conversationContext = fields.object("conversationContext")
    runtimeEventContext = fields.object("runtimeEventContext")
    participantRoster = fields.strings("participantRoster") ?? []
    membershipEvents = fields.list("membershipEvents", of: MembershipEvent.init) ?? []
    effectEvents = fields.list("effectEvents", of: EffectEvent.init) ?? []
    memoryFacts = fields.object("memoryFacts")
    userFacts = fields.list("userFacts", of: Fact.init) ?? []
    relevantFacts = fields.list("relevantFacts", of: Fact.init) ?? []
    recentConversationHistory =
      fields.list("recentConversationHistory", of: ConversationWindow.init) ?? []
    durableContext = fields.list("durableContext", of: DurableNote.init) ?? []
    nativeDiscordSharers = fields.value("nativeDiscordSharers")?.array ?? []
    recentToolOutcomes = fields.strings("recentToolOutcomes") ?? []
    sessionTiming = fields.object("sessionTiming")
    tools = fields.object("tools")
    soundboardCandidateCount = fields.int("soundboardCandidateCount")
    activityReactivity = fields.double("activityReactivity")
    soundboardEagerness = fields.double("soundboardEagerness")
    llmConfig = fields.object("llmConfig")
    source = fields.string("source")
    mode = fields.word("mode")
  }
}

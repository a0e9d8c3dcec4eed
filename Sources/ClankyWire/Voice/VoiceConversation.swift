import LenientJSON

/// Attention, thoughts, addressing and context budget (contract 5.2.3).
package struct VoiceConversation: WireReadable {
  /// When the bot last replied.
  package var lastAssistantReplyAt: WireTime?
  /// When a user last addressed the bot.
  package var lastDirectAddressAt: WireTime?
  /// The user who did.
  package var lastDirectAddressUserID: String?
  /// While in the future, speech during music is treated as addressed.
  package var musicWakeLatchedUntil: WireTime?
  /// The user who latched it.
  package var musicWakeLatchedByUserID: String?
  /// Attention.
  package var wake: VoiceWake
  /// Unprompted thoughts.
  package var thoughtEngine: ThoughtEngine
  /// Who is addressing whom; nil before the first speech.
  package var addressing: VoiceAddressing?
  /// How much of the conversation the model receives.
  package var modelContext: ModelContext

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    lastAssistantReplyAt: WireTime? = nil, lastDirectAddressAt: WireTime? = nil,
    lastDirectAddressUserID: String? = nil, musicWakeLatchedUntil: WireTime? = nil,
    musicWakeLatchedByUserID: String? = nil, wake: VoiceWake = VoiceWake(),
    thoughtEngine: ThoughtEngine = ThoughtEngine(), addressing: VoiceAddressing? = nil,
    modelContext: ModelContext = ModelContext()
  ) {
    self.lastAssistantReplyAt = lastAssistantReplyAt
    self.lastDirectAddressAt = lastDirectAddressAt
    self.lastDirectAddressUserID = lastDirectAddressUserID
    self.musicWakeLatchedUntil = musicWakeLatchedUntil
    self.musicWakeLatchedByUserID = musicWakeLatchedByUserID
    self.wake = wake
    self.thoughtEngine = thoughtEngine
    self.addressing = addressing
    self.modelContext = modelContext
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    lastAssistantReplyAt = fields.time("lastAssistantReplyAt")
    lastDirectAddressAt = fields.time("lastDirectAddressAt")
    lastDirectAddressUserID = fields.id("lastDirectAddressUserId")
    musicWakeLatchedUntil = fields.time("musicWakeLatchedUntil")
    musicWakeLatchedByUserID = fields.id("musicWakeLatchedByUserId")
    wake = fields.object("wake") ?? VoiceWake()
    thoughtEngine = fields.object("thoughtEngine") ?? ThoughtEngine()
    addressing = fields.object("addressing")
    modelContext = fields.object("modelContext") ?? ModelContext()
  }
}

/// Whether the bot follows the conversation (contract 5.2.3).
package struct VoiceWake: WireReadable {
  /// ACTIVE or AMBIENT.
  package var attentionMode: AttentionMode?
  /// Whether the mode is ACTIVE.
  package var active: Bool?
  /// Whether the present speaker holds the bot's attention.
  package var currentSpeakerActive: Bool?
  /// Whether a reply lies within the window.
  package var recentAssistantReply: Bool?
  /// Whether an address lies within the window.
  package var recentDirectAddress: Bool?
  /// Milliseconds since the last reply.
  package var msSinceAssistantReply: Int?
  /// Milliseconds since the last address.
  package var msSinceDirectAddress: Int?
  /// Length of the window, in milliseconds.
  package var windowMs: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    attentionMode: AttentionMode? = nil, active: Bool? = nil, currentSpeakerActive: Bool? = nil,
    recentAssistantReply: Bool? = nil, recentDirectAddress: Bool? = nil,
    msSinceAssistantReply: Int? = nil, msSinceDirectAddress: Int? = nil, windowMs: Int? = nil
  ) {
    self.attentionMode = attentionMode
    self.active = active
    self.currentSpeakerActive = currentSpeakerActive
    self.recentAssistantReply = recentAssistantReply
    self.recentDirectAddress = recentDirectAddress
    self.msSinceAssistantReply = msSinceAssistantReply
    self.msSinceDirectAddress = msSinceDirectAddress
    self.windowMs = windowMs
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    attentionMode = fields.word("attentionMode")
    active = fields.bool("active")
    currentSpeakerActive = fields.bool("currentSpeakerActive")
    recentAssistantReply = fields.bool("recentAssistantReply")
    recentDirectAddress = fields.bool("recentDirectAddress")
    msSinceAssistantReply = fields.int("msSinceAssistantReply")
    msSinceDirectAddress = fields.int("msSinceDirectAddress")
    windowMs = fields.int("windowMs")
  }
}

/// How much of the conversation the model receives (contract 5.2.6).
package struct ModelContext: WireReadable {
  /// The last generation; nil on the provider bridge path.
  package var generation: GenerationBudget?
  /// Never filled in by any backend seen so far; kept as it comes.
  package var decider: JSONValue?
  /// Turns tracked for decisions.
  package var trackedTurns: Int?
  /// Most turns tracked.
  package var trackedTurnLimit: Int?
  /// Turns tracked in the transcript.
  package var trackedTranscriptTurns: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    generation: GenerationBudget? = nil, decider: JSONValue? = nil, trackedTurns: Int? = nil,
    trackedTurnLimit: Int? = nil, trackedTranscriptTurns: Int? = nil
  ) {
    self.generation = generation
    self.decider = decider
    self.trackedTurns = trackedTurns
    self.trackedTurnLimit = trackedTurnLimit
    self.trackedTranscriptTurns = trackedTranscriptTurns
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    generation = fields.object("generation")
    decider = fields.value("decider")
    trackedTurns = fields.int("trackedTurns")
    trackedTurnLimit = fields.int("trackedTurnLimit")
    trackedTranscriptTurns = fields.int("trackedTranscriptTurns")
  }
}

/// The share of the conversation that went into the last generation (contract 5.2.6).
package struct GenerationBudget: WireReadable {
  /// The code path.
  package var source: String?
  /// Capture time.
  package var capturedAt: WireTime?
  /// Turns there were.
  package var availableTurns: Int?
  /// Turns sent.
  package var sentTurns: Int?
  /// Most turns that can be sent.
  package var maxTurns: Int?
  /// Characters of context.
  package var contextChars: Int?
  /// Characters of the transcript.
  package var transcriptChars: Int?
  /// Whether the bot was addressed.
  package var directAddressed: Bool?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    source: String? = nil, capturedAt: WireTime? = nil, availableTurns: Int? = nil,
    sentTurns: Int? = nil, maxTurns: Int? = nil, contextChars: Int? = nil,
    transcriptChars: Int? = nil, directAddressed: Bool? = nil
  ) {
    self.source = source
    self.capturedAt = capturedAt
    self.availableTurns = availableTurns
    self.sentTurns = sentTurns
    self.maxTurns = maxTurns
    self.contextChars = contextChars
    self.transcriptChars = transcriptChars
    self.directAddressed = directAddressed
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    source = fields.string("source")
    capturedAt = fields.time("capturedAt")
    availableTurns = fields.int("availableTurns")
    sentTurns = fields.int("sentTurns")
    maxTurns = fields.int("maxTurns")
    contextChars = fields.int("contextChars")
    transcriptChars = fields.int("transcriptChars")
    directAddressed = fields.bool("directAddressed")
  }
}

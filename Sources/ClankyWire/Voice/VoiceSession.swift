import LenientJSON

/// One live voice session with its full state (contract 5.2.1).
package struct VoiceSession: WireReadable {
  /// Identity of the session, a UUID; empty when it was not readable.
  package var sessionID: String
  /// The guild; names must be looked up.
  package var guildID: String?
  /// Where the bot sits.
  package var voiceChannelID: String?
  /// Where it writes.
  package var textChannelID: String?
  /// When the bot joined.
  package var startedAt: WireTime?
  /// When anything last happened.
  package var lastActivityAt: WireTime?
  /// The hard deadline; nil if there is none.
  package var maxEndsAt: WireTime?
  /// The idle deadline; nil if there is none.
  package var inactivityEndsAt: WireTime?
  /// Users that are being captured now.
  package var activeInputStreams: Int?
  /// Open audio, not necessarily promoted to speech.
  package var activeCaptures: [VoiceCapture]
  /// Sounds played.
  package var soundboard: VoiceSoundboard
  /// The realtime transport; not ACTIVE or AMBIENT, see `conversation.wake`.
  package var mode: SessionMode?
  /// Which side runs tools.
  package var realtimeToolOwnership: ToolOwnership?
  /// Whether bot audio is being sent.
  package var botTurnOpen: Bool?
  /// The state of the bot's next reply.
  package var assistantOutput: AssistantOutput
  /// Whether playback is ready.
  package var playbackArm: PlaybackArm
  /// Attention, thoughts, addressing and context budget.
  package var conversation: VoiceConversation
  /// Members of the channel without this bot, other bots included.
  package var participants: [VoiceParticipant]
  /// Length of the list as the backend counts it.
  package var participantCount: Int?
  /// Facts loaded into the session.
  package var memory: VoiceMemory
  /// The last 6 joins and leaves, oldest first.
  package var membershipEvents: [MembershipEvent]
  /// User turns parked while the bot was busy.
  package var pendingDeferredTurns: Int?
  /// At most 220 turns, oldest first.
  package var recentTurns: [VoiceTurn]
  /// At most 50 notes kept for this session, oldest first.
  package var durableContext: [DurableNote]
  /// The model's last context; nil before the first reply.
  package var lastGenerationContext: GenerationContext?
  /// The prompts in use; tens of kilobytes each.
  package var promptState: VoicePromptState
  /// The bot watching a shared screen.
  package var streamWatch: StreamWatch
  /// Recognisers per speaker; empty when there are none.
  package var asrSessions: [AsrSession]
  /// The recogniser of the whole room, if there is one.
  package var sharedAsrSession: SharedAsrSession?
  /// Tools of the realtime provider; nil unless it owns the tools.
  package var brainTools: [BrainTool]?
  /// Completed tool calls, at most 180, oldest first; never a running one.
  package var toolCalls: [ToolCall]
  /// MCP servers; empty when none is configured.
  package var mcpStatus: [McpServer]
  /// The music player.
  package var music: VoiceMusic
  /// Turns waiting for a joint transcription; nil if none are.
  package var batchAsr: BatchAsr?
  /// The connection to the realtime provider.
  package var realtime: VoiceRealtime?
  /// Reply delays; nil before the first spoken reply.
  package var latency: VoiceLatency?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    sessionID: String = "", guildID: String? = nil, voiceChannelID: String? = nil,
    textChannelID: String? = nil, startedAt: WireTime? = nil, lastActivityAt: WireTime? = nil,
    maxEndsAt: WireTime? = nil, inactivityEndsAt: WireTime? = nil,
    activeInputStreams: Int? = nil, activeCaptures: [VoiceCapture] = [],
    soundboard: VoiceSoundboard = VoiceSoundboard(), mode: SessionMode? = nil,
    realtimeToolOwnership: ToolOwnership? = nil, botTurnOpen: Bool? = nil,
    assistantOutput: AssistantOutput = AssistantOutput(),
    playbackArm: PlaybackArm = PlaybackArm(),
    conversation: VoiceConversation = VoiceConversation(), participants: [VoiceParticipant] = [],
    participantCount: Int? = nil, memory: VoiceMemory = VoiceMemory(),
    membershipEvents: [MembershipEvent] = [], pendingDeferredTurns: Int? = nil,
    recentTurns: [VoiceTurn] = [], durableContext: [DurableNote] = [],
    lastGenerationContext: GenerationContext? = nil,
    promptState: VoicePromptState = VoicePromptState(), streamWatch: StreamWatch = StreamWatch(),
    asrSessions: [AsrSession] = [], sharedAsrSession: SharedAsrSession? = nil,
    brainTools: [BrainTool]? = nil, toolCalls: [ToolCall] = [], mcpStatus: [McpServer] = [],
    music: VoiceMusic = VoiceMusic(), batchAsr: BatchAsr? = nil, realtime: VoiceRealtime? = nil,
    latency: VoiceLatency? = nil
  ) {
    self.sessionID = sessionID
    self.guildID = guildID
    self.voiceChannelID = voiceChannelID
    self.textChannelID = textChannelID
    self.startedAt = startedAt
    self.lastActivityAt = lastActivityAt
    self.maxEndsAt = maxEndsAt
    self.inactivityEndsAt = inactivityEndsAt
    self.activeInputStreams = activeInputStreams
    self.activeCaptures = activeCaptures
    self.soundboard = soundboard
    self.mode = mode
    self.realtimeToolOwnership = realtimeToolOwnership
    self.botTurnOpen = botTurnOpen
    self.assistantOutput = assistantOutput
    self.playbackArm = playbackArm
    self.conversation = conversation
    self.participants = participants
    self.participantCount = participantCount
    self.memory = memory
    self.membershipEvents = membershipEvents
    self.pendingDeferredTurns = pendingDeferredTurns
    self.recentTurns = recentTurns
    self.durableContext = durableContext
    self.lastGenerationContext = lastGenerationContext
    self.promptState = promptState
    self.streamWatch = streamWatch
    self.asrSessions = asrSessions
    self.sharedAsrSession = sharedAsrSession
    self.brainTools = brainTools
    self.toolCalls = toolCalls
    self.mcpStatus = mcpStatus
    self.music = music
    self.batchAsr = batchAsr
    self.realtime = realtime
    self.latency = latency
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    sessionID = fields.id("sessionId") ?? ""
    guildID = fields.id("guildId")
    voiceChannelID = fields.id("voiceChannelId")
    textChannelID = fields.id("textChannelId")
    startedAt = fields.time("startedAt")
    lastActivityAt = fields.time("lastActivityAt")
    maxEndsAt = fields.time("maxEndsAt")
    inactivityEndsAt = fields.time("inactivityEndsAt")
    activeInputStreams = fields.int("activeInputStreams")
    activeCaptures = fields.list("activeCaptures", of: VoiceCapture.init) ?? []
    soundboard = fields.object("soundboard") ?? VoiceSoundboard()
    mode = fields.word("mode")
    realtimeToolOwnership = fields.word("realtimeToolOwnership")
    botTurnOpen = fields.bool("botTurnOpen")
    assistantOutput = fields.object("assistantOutput") ?? AssistantOutput()
    playbackArm = fields.object("playbackArm") ?? PlaybackArm()
    conversation = fields.object("conversation") ?? VoiceConversation()
    participants = fields.list("participants", of: VoiceParticipant.init) ?? []
    participantCount = fields.int("participantCount")
    memory = fields.object("memory") ?? VoiceMemory()
    membershipEvents = fields.list("membershipEvents", of: MembershipEvent.init) ?? []
    pendingDeferredTurns = fields.int("pendingDeferredTurns")
    recentTurns = fields.list("recentTurns", of: VoiceTurn.init) ?? []
    durableContext = fields.list("durableContext", of: DurableNote.init) ?? []
    lastGenerationContext = fields.object("lastGenerationContext")
    promptState = fields.object("promptState") ?? VoicePromptState()
    streamWatch = fields.object("streamWatch") ?? StreamWatch()
    asrSessions = fields.list("asrSessions", of: AsrSession.init) ?? []
    sharedAsrSession = fields.object("sharedAsrSession")
    brainTools = fields.list("brainTools", of: BrainTool.init)
    toolCalls = fields.list("toolCalls", of: ToolCall.init) ?? []
    mcpStatus = fields.list("mcpStatus", of: McpServer.init) ?? []
    music = fields.object("music") ?? VoiceMusic()
    batchAsr = fields.object("batchAsr")
    realtime = fields.object("realtime")
    latency = fields.object("latency")
  }
}

/// A live voice session. `VoiceSession+JSON.swift` turns it into the shape of contract 5.2.
final class VoiceSession {
  struct Capture {
    var person: Person
    var startedMs: Int64
  }

  struct Turn {
    var kind: String
    var role: String
    var speaker: String
    var text: String
    var ms: Int64
    var addressing: DemoJSON
  }

  struct Guess {
    var speaker: String
    var talkingTo: String?
    var confidence: Double
    var ms: Int64
  }

  struct Recogniser {
    var person: Person
    var connected = true
    var phase = "ready"
    var connectedMs: Int64
    var lastAudioMs: Int64
    var lastTranscriptMs: Int64?
    var partial = ""
    var finals = 0
    var bytesSent = 0
    var providerSession: String
  }

  struct Latency {
    var ms: Int64
    /// Contract 7.2, in stage order; nil if unknown.
    var stages: [Int?]
    var queueWait: Int
    var depth: Int

    var total: Int { stages.reduce(0) { $0 + ($1 ?? 0) } }
  }

  struct ToolCall {
    var id: String
    var name: String
    var type = "function"
    var arguments: DemoJSON
    var startedMs: Int64
    var completedMs: Int64?
    var runtimeMs: Int?
    var success: Bool
    var output: DemoJSON
    var error: String?
  }

  struct Note {
    var text: String
    var category: String
    var ms: Int64
  }

  struct Membership {
    var person: Person
    var joined: Bool
    var ms: Int64
  }

  struct Prompt {
    var ms: Int64
    var source: String
    /// The prompt bundle (contract 4.5).
    var bundle: DemoJSON
  }

  struct Thought {
    var id: String
    var text: String
    var createdMs: Int64
    var updatedMs: Int64
    var revision: Int
    var reason: String?
    var action: String?
    /// `reconsider` once a user has commented on it.
    var status = "queued"
    var invalidatedMs: Int64?
    var invalidatedBy: String?
    var invalidation: String?
  }

  let id: String
  let guild: Guild
  let voiceChannel: Channel
  let textChannel: Channel
  let startedMs: Int64
  let mode: String
  /// `transport_only` (own brain) or `provider_native`.
  let ownership: String
  let dialect: DemoDialect
  let requester: Person
  let providerSession: String

  var lastActivityMs: Int64
  var maxMinutes = 60
  let inactivitySeconds = 300
  var captures: [Capture] = []
  var participants: [Person]
  var soundboardCount = 0
  var soundboardMs: Int64?
  var botTurnOpen = false
  var outputPhase = "idle"
  var outputReason = "idle"
  var outputTrigger: String? = "runtime_state"
  var outputMs: Int64
  var requestID = 0
  var activeRequest = 0
  var bufferedSamples = 0
  var lastReplyMs: Int64?
  var lastAddressMs: Int64?
  var lastAddressUser: String?
  var musicWakeMs: Int64?
  var musicWakeUser: String?
  var thought: Thought?
  var nextThoughtMs: Int64?
  var lastThoughtMs: Int64?
  var lastSpokenThoughtMs: Int64?
  var thoughtBusy = false
  /// The reply that was cut short last, until the next one.
  var interrupted: String?
  var guesses: [Guess] = []
  var membership: [Membership] = []
  var deferredTurns = 0
  var turns: [Turn] = []
  var notes: [Note] = []
  var generationContext: DemoJSON = nil
  var modelContext: DemoJSON = nil
  var instructions: Prompt?
  var classifier: Prompt?
  var generation: Prompt?
  var bridge: Prompt?
  var watch = ScreenWatch()
  var recognisers: [Recogniser] = []
  var toolCalls: [ToolCall] = []
  var servers: [MCPServer] = []
  var brainTools: DemoJSON = nil
  var music = Music()
  var batchPending: (turns: Int, messages: Int)?
  var pendingTurns = 0
  var superseded = 0
  var lastEventMs: Int64
  var outbound: [(type: String, ms: Int64, payload: DemoJSON)] = []
  var responseStatus: String?
  var activeResponse: String?
  var realtimeConnected = true
  var lastError: String?
  var closeCode: Int?
  var latencies: [Latency] = []
  /// (facts about people, facts about the bot, lore), loaded when the session starts.
  var peopleFacts: [(person: Person, facts: [FactRow])] = []
  var selfFacts: [FactRow] = []
  var loreFacts: [FactRow] = []
  /// A session with almost nothing known about it: no people, no prompts, no provider client, no
  /// deadlines, as upstream serves one that is being set up or torn down.
  var isBare = false
  /// Set once the session has ended, so that planned events about it do nothing.
  var ended = false

  init(
    id: String, guild: Guild, voice: Channel, text: Channel, mode: String, ownership: String,
    dialect: DemoDialect, requester: Person, participants: [Person], now: Int64,
    providerSession: String
  ) {
    self.id = id
    self.guild = guild
    voiceChannel = voice
    textChannel = text
    startedMs = now
    self.mode = mode
    self.ownership = ownership
    self.dialect = dialect
    self.requester = requester
    self.participants = participants
    self.providerSession = providerSession
    lastActivityMs = now
    outputMs = now
    lastEventMs = now
  }

  var place: Place { Place(guild: guild.id, channel: textChannel.id) }
  var humans: Int { participants.count { !$0.isBot } }
  var isNative: Bool { ownership == "provider_native" }

  func setOutput(_ phase: String, reason: String, trigger: String, request: Int, now: Int64) {
    outputPhase = phase
    outputReason = reason
    outputTrigger = trigger
    activeRequest = request
    outputMs = now
  }

  func addTurn(
    _ kind: String = "speech", role: String, speaker: String, text: String, now: Int64,
    addressing: DemoJSON = nil
  ) {
    turns.append(
      Turn(
        kind: kind, role: role, speaker: speaker, text: String(text.prefix(700)), ms: now,
        addressing: addressing))
    if turns.count > 220 { turns.removeFirst(turns.count - 220) }
  }

  func addOutbound(_ type: String, _ payload: DemoJSON, now: Int64) {
    outbound.append((type, now, payload))
    if outbound.count > 4 { outbound.removeFirst() }
  }

  func recogniser(for person: Person) -> Int? {
    recognisers.firstIndex { $0.person == person }
  }
}

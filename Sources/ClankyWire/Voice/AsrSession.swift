import LenientJSON

/// The recogniser of one speaker (contract 5.2.10). A user who never spoke has none.
package struct AsrSession: WireReadable {
  /// Discord user.
  package var userID: String?
  /// Name in the guild.
  package var displayName: String?
  /// False for one that was opened and dropped.
  package var connected: Bool?
  /// Its life.
  package var phase: AsrPhase?
  /// When it was connected.
  package var connectedAt: WireTime?
  /// When audio was last sent to it.
  package var lastAudioAt: WireTime?
  /// When it last answered.
  package var lastTranscriptAt: WireTime?
  /// Milliseconds without audio.
  package var idleMs: Int?
  /// Milliseconds without audio after which it is dropped.
  package var idleTtlMs: Int?
  /// Whether that timer runs.
  package var hasIdleTimer: Bool?
  /// Audio not sent yet, in bytes.
  package var pendingAudioBytes: Int?
  /// Audio not sent yet, in chunks.
  package var pendingAudioChunks: Int?
  /// The current utterance.
  package var utterance: AsrUtterance?
  /// The recogniser model.
  package var model: String?
  /// Session at the provider; not the voice session.
  package var sessionID: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    userID: String? = nil, displayName: String? = nil, connected: Bool? = nil,
    phase: AsrPhase? = nil, connectedAt: WireTime? = nil, lastAudioAt: WireTime? = nil,
    lastTranscriptAt: WireTime? = nil, idleMs: Int? = nil, idleTtlMs: Int? = nil,
    hasIdleTimer: Bool? = nil, pendingAudioBytes: Int? = nil, pendingAudioChunks: Int? = nil,
    utterance: AsrUtterance? = nil, model: String? = nil, sessionID: String? = nil
  ) {
    self.userID = userID
    self.displayName = displayName
    self.connected = connected
    self.phase = phase
    self.connectedAt = connectedAt
    self.lastAudioAt = lastAudioAt
    self.lastTranscriptAt = lastTranscriptAt
    self.idleMs = idleMs
    self.idleTtlMs = idleTtlMs
    self.hasIdleTimer = hasIdleTimer
    self.pendingAudioBytes = pendingAudioBytes
    self.pendingAudioChunks = pendingAudioChunks
    self.utterance = utterance
    self.model = model
    self.sessionID = sessionID
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    userID = fields.id("userId")
    displayName = fields.string("displayName")
    connected = fields.bool("connected")
    phase = fields.word("phase")
    connectedAt = fields.time("connectedAt")
    lastAudioAt = fields.time("lastAudioAt")
    lastTranscriptAt = fields.time("lastTranscriptAt")
    idleMs = fields.int("idleMs")
    idleTtlMs = fields.int("idleTtlMs")
    hasIdleTimer = fields.bool("hasIdleTimer")
    pendingAudioBytes = fields.int("pendingAudioBytes")
    pendingAudioChunks = fields.int("pendingAudioChunks")
    utterance = fields.object("utterance")
    model = fields.string("model")
    sessionID = fields.string("sessionId")
  }
}

/// The current utterance (contract 5.2.10).
package struct AsrUtterance: WireReadable {
  /// Up to 200 characters heard so far.
  package var partialText: String?
  /// A count, not the segments.
  package var finalSegments: Int?
  /// Audio sent, in bytes.
  package var bytesSent: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    partialText: String? = nil, finalSegments: Int? = nil, bytesSent: Int? = nil
  ) {
    self.partialText = partialText
    self.finalSegments = finalSegments
    self.bytesSent = bytesSent
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    partialText = fields.string("partialText")
    finalSegments = fields.int("finalSegments")
    bytesSent = fields.int("bytesSent")
  }
}

/// The one recogniser of the whole room (contract 5.2.10): a session and the state of its queue.
package struct SharedAsrSession: WireReadable {
  /// The recogniser; its user is the present speaker.
  package var session: AsrSession
  /// Waiters for a transcript.
  package var pendingCommitResolvers: Int?
  /// Number of requested transcripts.
  package var pendingCommitRequests: Int?
  /// Transcripts held, a count.
  package var transcriptByItemIDs: Int?
  /// Speakers held, a count.
  package var speakerByItemIDs: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    session: AsrSession = AsrSession(), pendingCommitResolvers: Int? = nil,
    pendingCommitRequests: Int? = nil, transcriptByItemIDs: Int? = nil,
    speakerByItemIDs: Int? = nil
  ) {
    self.session = session
    self.pendingCommitResolvers = pendingCommitResolvers
    self.pendingCommitRequests = pendingCommitRequests
    self.transcriptByItemIDs = transcriptByItemIDs
    self.speakerByItemIDs = speakerByItemIDs
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    session = AsrSession(json) ?? AsrSession()
    pendingCommitResolvers = fields.int("pendingCommitResolvers")
    pendingCommitRequests = fields.int("pendingCommitRequests")
    transcriptByItemIDs = fields.int("transcriptByItemIds")
    speakerByItemIDs = fields.int("speakerByItemIds")
  }
}

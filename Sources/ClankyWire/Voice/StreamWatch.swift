import LenientJSON

/// The bot watching a shared screen (contract 5.2.9).
///
/// What May calls notes March called brain context; both end up in the note members.
package struct StreamWatch: WireReadable {
  /// Whether a screen is watched.
  package var active: Bool?
  /// The user whose screen it is.
  package var targetUserID: String?
  /// The requesting user.
  package var requestedByUserID: String?
  /// When a frame last came in.
  package var lastFrameAt: WireTime?
  /// When the frame in memory came in.
  package var latestFrameAt: WireTime?
  /// Its type; the image itself is not served.
  package var latestFrameMimeType: String?
  /// Its size in bytes; 0 for none.
  package var latestFrameApproxBytes: Int?
  /// Frames accepted within the rate-limit window.
  package var acceptedFrameCountInWindow: Int?
  /// When that window began.
  package var frameWindowStartedAt: WireTime?
  /// Frames in all.
  package var ingestedFrameCount: Int?
  /// When the bot last commented.
  package var lastCommentaryAt: WireTime?
  /// The text of the comment.
  package var lastCommentaryNote: String?
  /// When it last summed up for memory.
  package var lastMemoryRecapAt: WireTime?
  /// The summary.
  package var lastMemoryRecapText: String?
  /// Whether it was saved as a fact.
  package var lastMemoryRecapDurableSaved: Bool?
  /// Why it was made.
  package var lastMemoryRecapReason: String?
  /// Time of the last note.
  package var lastNoteAt: WireTime?
  /// The provider that took it.
  package var lastNoteProvider: String?
  /// With which model.
  package var lastNoteModel: String?
  /// Number of notes.
  package var noteCount: Int?
  /// The notes as given to the model.
  package var notePayload: StreamNotes?
  /// The observations to show.
  package var visualFeed: [StreamObservation]
  /// Screens shared in Discord itself.
  package var nativeDiscord: NativeDiscordShare
  /// The backend's dialect; nil if this value does not reveal it (contract 9.8).
  package var dialect: BackendDialect?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    active: Bool? = nil, targetUserID: String? = nil, requestedByUserID: String? = nil,
    lastFrameAt: WireTime? = nil, latestFrameAt: WireTime? = nil,
    latestFrameMimeType: String? = nil, latestFrameApproxBytes: Int? = nil,
    acceptedFrameCountInWindow: Int? = nil, frameWindowStartedAt: WireTime? = nil,
    ingestedFrameCount: Int? = nil, lastCommentaryAt: WireTime? = nil,
    lastCommentaryNote: String? = nil, lastMemoryRecapAt: WireTime? = nil,
    lastMemoryRecapText: String? = nil, lastMemoryRecapDurableSaved: Bool? = nil,
    lastMemoryRecapReason: String? = nil, lastNoteAt: WireTime? = nil,
    lastNoteProvider: String? = nil, lastNoteModel: String? = nil, noteCount: Int? = nil,
    notePayload: StreamNotes? = nil, visualFeed: [StreamObservation] = [],
    nativeDiscord: NativeDiscordShare = NativeDiscordShare(), dialect: BackendDialect? = nil
  ) {
    self.active = active
    self.targetUserID = targetUserID
    self.requestedByUserID = requestedByUserID
    self.lastFrameAt = lastFrameAt
    self.latestFrameAt = latestFrameAt
    self.latestFrameMimeType = latestFrameMimeType
    self.latestFrameApproxBytes = latestFrameApproxBytes
    self.acceptedFrameCountInWindow = acceptedFrameCountInWindow
    self.frameWindowStartedAt = frameWindowStartedAt
    self.ingestedFrameCount = ingestedFrameCount
    self.lastCommentaryAt = lastCommentaryAt
    self.lastCommentaryNote = lastCommentaryNote
    self.lastMemoryRecapAt = lastMemoryRecapAt
    self.lastMemoryRecapText = lastMemoryRecapText
    self.lastMemoryRecapDurableSaved = lastMemoryRecapDurableSaved
    self.lastMemoryRecapReason = lastMemoryRecapReason
    self.lastNoteAt = lastNoteAt
    self.lastNoteProvider = lastNoteProvider
    self.lastNoteModel = lastNoteModel
    self.noteCount = noteCount
    self.notePayload = notePayload
    self.visualFeed = visualFeed
    self.nativeDiscord = nativeDiscord
    self.dialect = dialect
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    active = fields.bool("active")
    targetUserID = fields.id("targetUserId")
    requestedByUserID = fields.id("requestedByUserId")
    lastFrameAt = fields.time("lastFrameAt")
    latestFrameAt = fields.time("latestFrameAt")
    latestFrameMimeType = fields.string("latestFrameMimeType")
    latestFrameApproxBytes = fields.int("latestFrameApproxBytes")
    acceptedFrameCountInWindow = fields.int("acceptedFrameCountInWindow")
    frameWindowStartedAt = fields.time("frameWindowStartedAt")
    ingestedFrameCount = fields.int("ingestedFrameCount")
    lastCommentaryAt = fields.time("lastCommentaryAt")
    lastCommentaryNote = fields.string("lastCommentaryNote")
    lastMemoryRecapAt = fields.time("lastMemoryRecapAt")
    lastMemoryRecapText = fields.string("lastMemoryRecapText")
    lastMemoryRecapDurableSaved = fields.bool("lastMemoryRecapDurableSaved")
    lastMemoryRecapReason = fields.string("lastMemoryRecapReason")
    lastNoteAt = fields.time("lastNoteAt", "lastBrainContextAt")
    lastNoteProvider = fields.string("lastNoteProvider", "lastBrainContextProvider")
    lastNoteModel = fields.string("lastNoteModel", "lastBrainContextModel")
    noteCount = fields.int("noteCount", "brainContextCount")
    notePayload = fields.object("notePayload", "brainContextPayload")
    visualFeed = fields.list("visualFeed", of: StreamObservation.init) ?? []
    nativeDiscord = fields.object("nativeDiscord") ?? NativeDiscordShare()
    dialect = BackendDialect.ofStreamWatch(json)
  }
}

/// Notes about a watched screen as given to a model (contract 5.2.9).
package struct StreamNotes: WireReadable {
  /// The prompt for taking notes.
  package var prompt: String?
  /// At most 24 prompt lines, each possibly with an age such as `(12s ago)`.
  package var notes: [String]
  /// Time of the last note: text in the session, milliseconds in the generation context.
  package var lastAt: WireTime?
  /// The provider that took it.
  package var provider: String?
  /// With which model.
  package var model: String?
  /// Whether a screen is watched; only in the generation context.
  package var active: Bool?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    prompt: String? = nil, notes: [String] = [], lastAt: WireTime? = nil,
    provider: String? = nil, model: String? = nil, active: Bool? = nil
  ) {
    self.prompt = prompt
    self.notes = notes
    self.lastAt = lastAt
    self.provider = provider
    self.model = model
    self.active = active
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    prompt = fields.string("prompt")
    notes = fields.strings("notes") ?? []
    lastAt = fields.moment("lastAt")
    provider = fields.string("provider")
    model = fields.string("model")
    active = fields.bool("active")
  }
}

/// An observation on a watched screen (contract 5.2.9).
package struct StreamObservation: WireReadable {
  /// Up to 220 characters.
  package var text: String?
  /// When.
  package var at: WireTime?
  /// The provider.
  package var provider: String?
  /// With which model.
  package var model: String?
  /// The user whose screen it was.
  package var speakerName: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    text: String? = nil, at: WireTime? = nil, provider: String? = nil, model: String? = nil,
    speakerName: String? = nil
  ) {
    self.text = text
    self.at = at
    self.provider = provider
    self.model = model
    self.speakerName = speakerName
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    text = fields.string("text")
    at = fields.time("at")
    provider = fields.string("provider")
    model = fields.string("model")
    speakerName = fields.string("speakerName")
  }
}

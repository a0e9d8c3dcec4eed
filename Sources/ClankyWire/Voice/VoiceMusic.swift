import LenientJSON

/// The music player (contract 5.2.12). Neither the position nor the length of the playing track is
/// served.
package struct VoiceMusic: WireReadable {
  /// Its current activity.
  package var phase: MusicPhase?
  /// Whether it loads, plays or pauses.
  package var active: Bool?
  /// Why it pauses.
  package var pauseReason: MusicPauseReason?
  /// How music is handled while the bot speaks.
  package var replyHandoffMode: MusicHandoff?
  /// The user who requested it.
  package var replyHandoffRequestedByUserID: String?
  /// The source of the request.
  package var replyHandoffSource: String?
  /// When.
  package var replyHandoffAt: WireTime?
  /// The music provider.
  package var provider: String?
  /// Where the request came from.
  package var source: String?
  /// When the track began.
  package var startedAt: WireTime?
  /// When it ended.
  package var stoppedAt: WireTime?
  /// Identity of the track at the provider.
  package var lastTrackID: String?
  /// Its title.
  package var lastTrackTitle: String?
  /// Its artists.
  package var lastTrackArtists: [String]
  /// Its page.
  package var lastTrackURL: String?
  /// Its media address; may be signed, not to be shown by default.
  package var lastPlaybackURL: String?
  /// Whether that address was resolved.
  package var lastPlaybackResolvedDirectURL: Bool?
  /// The last search text.
  package var lastQuery: String?
  /// The requesting user.
  package var lastRequestedByUserID: String?
  /// In which words.
  package var lastRequestText: String?
  /// When the last command came.
  package var lastCommandAt: WireTime?
  /// Which one it was.
  package var lastCommandReason: String?
  /// A search that waits for a choice.
  package var pendingQuery: String?
  /// Where it was searched.
  package var pendingPlatform: MusicPlatform?
  /// The user who searched.
  package var pendingRequestedByUserID: String?
  /// When.
  package var pendingRequestedAt: WireTime?
  /// The results to choose from.
  package var pendingResults: [MusicResult]
  /// Whether a choice is waited for.
  package var disambiguationActive: Bool?
  /// The queue.
  package var queueState: MusicQueue

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    phase: MusicPhase? = nil, active: Bool? = nil, pauseReason: MusicPauseReason? = nil,
    replyHandoffMode: MusicHandoff? = nil, replyHandoffRequestedByUserID: String? = nil,
    replyHandoffSource: String? = nil, replyHandoffAt: WireTime? = nil, provider: String? = nil,
    source: String? = nil, startedAt: WireTime? = nil, stoppedAt: WireTime? = nil,
    lastTrackID: String? = nil, lastTrackTitle: String? = nil, lastTrackArtists: [String] = [],
    lastTrackURL: String? = nil, lastPlaybackURL: String? = nil,
    lastPlaybackResolvedDirectURL: Bool? = nil, lastQuery: String? = nil,
    lastRequestedByUserID: String? = nil, lastRequestText: String? = nil,
    lastCommandAt: WireTime? = nil, lastCommandReason: String? = nil,
    pendingQuery: String? = nil, pendingPlatform: MusicPlatform? = nil,
    pendingRequestedByUserID: String? = nil, pendingRequestedAt: WireTime? = nil,
    pendingResults: [MusicResult] = [], disambiguationActive: Bool? = nil,
    queueState: MusicQueue = MusicQueue()
  ) {
    self.phase = phase
    self.active = active
    self.pauseReason = pauseReason
    self.replyHandoffMode = replyHandoffMode
    self.replyHandoffRequestedByUserID = replyHandoffRequestedByUserID
    self.replyHandoffSource = replyHandoffSource
    self.replyHandoffAt = replyHandoffAt
    self.provider = provider
    self.source = source
    self.startedAt = startedAt
    self.stoppedAt = stoppedAt
    self.lastTrackID = lastTrackID
    self.lastTrackTitle = lastTrackTitle
    self.lastTrackArtists = lastTrackArtists
    self.lastTrackURL = lastTrackURL
    self.lastPlaybackURL = lastPlaybackURL
    self.lastPlaybackResolvedDirectURL = lastPlaybackResolvedDirectURL
    self.lastQuery = lastQuery
    self.lastRequestedByUserID = lastRequestedByUserID
    self.lastRequestText = lastRequestText
    self.lastCommandAt = lastCommandAt
    self.lastCommandReason = lastCommandReason
    self.pendingQuery = pendingQuery
    self.pendingPlatform = pendingPlatform
    self.pendingRequestedByUserID = pendingRequestedByUserID
    self.pendingRequestedAt = pendingRequestedAt
    self.pendingResults = pendingResults
    self.disambiguationActive = disambiguationActive
    self.queueState = queueState
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    phase = fields.word("phase")
    active = fields.bool("active")
    pauseReason = fields.word("pauseReason")
    replyHandoffMode = fields.word("replyHandoffMode")
    replyHandoffRequestedByUserID = fields.id("replyHandoffRequestedByUserId")
    replyHandoffSource = fields.string("replyHandoffSource")
    replyHandoffAt = fields.time("replyHandoffAt")
    provider = fields.string("provider")
    source = fields.string("source")
    startedAt = fields.time("startedAt")
    stoppedAt = fields.time("stoppedAt")
    lastTrackID = fields.string("lastTrackId")
    lastTrackTitle = fields.string("lastTrackTitle")
    lastTrackArtists = fields.strings("lastTrackArtists") ?? []
    lastTrackURL = fields.string("lastTrackUrl")
    lastPlaybackURL = fields.string("lastPlaybackUrl")
    lastPlaybackResolvedDirectURL = fields.bool("lastPlaybackResolvedDirectUrl")
    lastQuery = fields.string("lastQuery")
    lastRequestedByUserID = fields.id("lastRequestedByUserId")
    lastRequestText = fields.string("lastRequestText")
    lastCommandAt = fields.time("lastCommandAt")
    lastCommandReason = fields.string("lastCommandReason")
    pendingQuery = fields.string("pendingQuery")
    pendingPlatform = fields.word("pendingPlatform")
    pendingRequestedByUserID = fields.id("pendingRequestedByUserId")
    pendingRequestedAt = fields.time("pendingRequestedAt")
    pendingResults = fields.list("pendingResults", of: MusicResult.init) ?? []
    disambiguationActive = fields.bool("disambiguationActive")
    queueState = fields.object("queueState") ?? MusicQueue()
  }
}

import LenientJSON

/// Screens shared in Discord itself (contract 5.2.9).
package struct NativeDiscordShare: WireReadable {
  /// People sharing.
  package var activeSharerCount: Int?
  /// The user whose screen the bot receives.
  package var subscribedTargetUserID: String?
  /// Whether a frame is being decoded.
  package var decodeInFlight: Bool?
  /// When a frame was last decoded.
  package var lastDecodeAttemptAt: WireTime?
  /// When decoding last worked.
  package var lastDecodeSuccessAt: WireTime?
  /// When it last failed.
  package var lastDecodeFailureAt: WireTime?
  /// Why.
  package var lastDecodeFailureReason: String?
  /// Whether the decoder is installed; nil if not known yet.
  package var ffmpegAvailable: Bool?
  /// The people sharing.
  package var activeSharers: [NativeSharer]

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    activeSharerCount: Int? = nil, subscribedTargetUserID: String? = nil,
    decodeInFlight: Bool? = nil, lastDecodeAttemptAt: WireTime? = nil,
    lastDecodeSuccessAt: WireTime? = nil, lastDecodeFailureAt: WireTime? = nil,
    lastDecodeFailureReason: String? = nil, ffmpegAvailable: Bool? = nil,
    activeSharers: [NativeSharer] = []
  ) {
    self.activeSharerCount = activeSharerCount
    self.subscribedTargetUserID = subscribedTargetUserID
    self.decodeInFlight = decodeInFlight
    self.lastDecodeAttemptAt = lastDecodeAttemptAt
    self.lastDecodeSuccessAt = lastDecodeSuccessAt
    self.lastDecodeFailureAt = lastDecodeFailureAt
    self.lastDecodeFailureReason = lastDecodeFailureReason
    self.ffmpegAvailable = ffmpegAvailable
    self.activeSharers = activeSharers
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    activeSharerCount = fields.int("activeSharerCount")
    subscribedTargetUserID = fields.id("subscribedTargetUserId")
    decodeInFlight = fields.bool("decodeInFlight")
    lastDecodeAttemptAt = fields.time("lastDecodeAttemptAt")
    lastDecodeSuccessAt = fields.time("lastDecodeSuccessAt")
    lastDecodeFailureAt = fields.time("lastDecodeFailureAt")
    lastDecodeFailureReason = fields.string("lastDecodeFailureReason")
    ffmpegAvailable = fields.bool("ffmpegAvailable")
    activeSharers = fields.list("activeSharers", of: NativeSharer.init) ?? []
  }
}

/// A user sharing a screen in Discord (contract 5.2.9).
package struct NativeSharer: WireReadable {
  /// Discord user.
  package var userID: String?
  /// Name in the guild.
  package var displayName: String?
  /// Video codec.
  package var codec: String?
  /// Streams of this person.
  package var streamCount: Int?
  /// When a frame last came in.
  package var lastFrameAt: WireTime?
  /// When this was last changed.
  package var updatedAt: WireTime?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    userID: String? = nil, displayName: String? = nil, codec: String? = nil,
    streamCount: Int? = nil, lastFrameAt: WireTime? = nil, updatedAt: WireTime? = nil
  ) {
    self.userID = userID
    self.displayName = displayName
    self.codec = codec
    self.streamCount = streamCount
    self.lastFrameAt = lastFrameAt
    self.updatedAt = updatedAt
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    userID = fields.id("userId")
    displayName = fields.string("displayName")
    codec = fields.string("codec")
    streamCount = fields.int("streamCount")
    lastFrameAt = fields.time("lastFrameAt")
    updatedAt = fields.time("updatedAt")
  }
}

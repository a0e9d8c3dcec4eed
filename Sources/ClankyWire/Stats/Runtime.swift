import LenientJSON

/// The state of the bot process (contract 5.1). There is no uptime, version, memory or CPU figure.
package struct Runtime: WireReadable {
  /// Whether the Discord client is ready.
  package var isReady: Bool?
  /// The bot account, such as `clanky#0001`.
  package var userTag: String?
  /// Number of guilds the bot is in.
  package var guildCount: Int?
  /// When the bot last wrote a message.
  package var lastBotMessageAt: WireTime?
  /// Messages that wait for a reply.
  package var replyQueue: ReplyQueue
  /// Health of the Discord gateway.
  package var gateway: Gateway
  /// All live voice sessions, prompts included.
  package var voice: VoiceState?
  /// The tunnel; nil if there is no tunnel manager.
  package var publicHttps: PublicHttps?
  /// Link-based screen shares; nil if there is no manager.
  package var screenShare: ScreenShare?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    isReady: Bool? = nil, userTag: String? = nil, guildCount: Int? = nil,
    lastBotMessageAt: WireTime? = nil, replyQueue: ReplyQueue = ReplyQueue(),
    gateway: Gateway = Gateway(), voice: VoiceState? = nil, publicHttps: PublicHttps? = nil,
    screenShare: ScreenShare? = nil
  ) {
    self.isReady = isReady
    self.userTag = userTag
    self.guildCount = guildCount
    self.lastBotMessageAt = lastBotMessageAt
    self.replyQueue = replyQueue
    self.gateway = gateway
    self.voice = voice
    self.publicHttps = publicHttps
    self.screenShare = screenShare
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    isReady = fields.bool("isReady")
    userTag = fields.string("userTag")
    guildCount = fields.int("guildCount")
    lastBotMessageAt = fields.time("lastBotMessageAt")
    replyQueue = fields.object("replyQueue") ?? ReplyQueue()
    gateway = fields.object("gateway") ?? Gateway()
    voice = fields.object("voice")
    publicHttps = fields.object("publicHttps")
    screenShare = fields.object("screenShare")
  }
}

/// Messages that wait for a reply (contract 5.1).
package struct ReplyQueue: WireReadable {
  /// Channels with a queue.
  package var channels: Int?
  /// Messages in all queues.
  package var pending: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    channels: Int? = nil, pending: Int? = nil
  ) {
    self.channels = channels
    self.pending = pending
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    channels = fields.int("channels")
    pending = fields.int("pending")
  }
}

/// Health of the Discord gateway (contract 5.1).
package struct Gateway: WireReadable {
  /// Whether it was ever connected since the process started.
  package var hasConnectedAtLeastOnce: Bool?
  /// Whether a reconnection is under way.
  package var reconnectInFlight: Bool?
  /// Attempts of the current reconnection.
  package var reconnectAttempts: Int?
  /// When Discord last sent anything.
  package var lastGatewayEventAt: WireTime?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    hasConnectedAtLeastOnce: Bool? = nil, reconnectInFlight: Bool? = nil,
    reconnectAttempts: Int? = nil, lastGatewayEventAt: WireTime? = nil
  ) {
    self.hasConnectedAtLeastOnce = hasConnectedAtLeastOnce
    self.reconnectInFlight = reconnectInFlight
    self.reconnectAttempts = reconnectAttempts
    self.lastGatewayEventAt = lastGatewayEventAt
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    hasConnectedAtLeastOnce = fields.bool("hasConnectedAtLeastOnce")
    reconnectInFlight = fields.bool("reconnectInFlight")
    reconnectAttempts = fields.int("reconnectAttempts")
    lastGatewayEventAt = fields.time("lastGatewayEventAt")
  }
}

/// Link-based screen share sessions (contract 5.1).
package struct ScreenShare: WireReadable {
  /// Sessions that are open.
  package var activeCount: Int?
  /// When the newest of them ends.
  package var newestExpiresAt: WireTime?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    activeCount: Int? = nil, newestExpiresAt: WireTime? = nil
  ) {
    self.activeCount = activeCount
    self.newestExpiresAt = newestExpiresAt
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    activeCount = fields.int("activeCount")
    newestExpiresAt = fields.time("newestExpiresAt")
  }
}

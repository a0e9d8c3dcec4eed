package import ClankyWire

/// What rules ask of a live voice session.
package struct VoiceSample: Hashable, Sendable {
  package var sessionID: String
  package var guildID: String?
  package var phase: OutputPhase?
  /// Ms since 1970.
  package var phaseEnteredMs: Int64?
  /// nil for none.
  package var requestID: Int?
  package var activeResponseID: String?
  /// When the provider was last heard, ms since 1970.
  package var lastEventMs: Int64?
  package var isRealtimeConnected: Bool?
  package var ownership: ToolOwnership?
  /// Turns that wait: recognised in batches, and at the provider.
  package var pendingTurns: Int
  package var deferredTurns: Int?
  /// By user: when the open capture began, ms since 1970.
  package var captures: [String: Int64]
  /// By user: whether the recogniser is connected.
  package var recognisers: [String: Bool]
  package var isMusicPlaying: Bool
  package var musicTitle: String?
  /// Tool servers that failed: by name, what they said.
  package var failedServers: [String: String]

  package init(
    sessionID: String, guildID: String? = nil, phase: OutputPhase? = nil,
    phaseEnteredMs: Int64? = nil, requestID: Int? = nil, activeResponseID: String? = nil,
    lastEventMs: Int64? = nil, isRealtimeConnected: Bool? = nil, ownership: ToolOwnership? = nil,
    pendingTurns: Int = 0, deferredTurns: Int? = nil, captures: [String: Int64] = [:],
    recognisers: [String: Bool] = [:], isMusicPlaying: Bool = false, musicTitle: String? = nil,
    failedServers: [String: String] = [:]
  ) {
    self.sessionID = sessionID
    self.guildID = guildID
    self.phase = phase
    self.phaseEnteredMs = phaseEnteredMs
    self.requestID = requestID
    self.activeResponseID = activeResponseID
    self.lastEventMs = lastEventMs
    self.isRealtimeConnected = isRealtimeConnected
    self.ownership = ownership
    self.pendingTurns = pendingTurns
    self.deferredTurns = deferredTurns
    self.captures = captures
    self.recognisers = recognisers
    self.isMusicPlaying = isMusicPlaying
    self.musicTitle = musicTitle
    self.failedServers = failedServers
  }
}

/// What rules ask of the bot's stats.
package struct HealthSample: Hashable, Sendable {
  package var isReady: Bool?
  package var isReconnecting: Bool?
  package var reconnectAttempts: Int?
  package var isTunnelEnabled: Bool
  /// The wire's word, such as `ready`; nil if the backend does not say.
  package var tunnelStatus: String?
  package var queuedReplies: Int?
  /// Dollars by UTC day (`YYYY-MM-DD`).
  package var costByDay: [String: Double]

  package init(
    isReady: Bool? = nil, isReconnecting: Bool? = nil, reconnectAttempts: Int? = nil,
    isTunnelEnabled: Bool = false, tunnelStatus: String? = nil, queuedReplies: Int? = nil,
    costByDay: [String: Double] = [:]
  ) {
    self.isReady = isReady
    self.isReconnecting = isReconnecting
    self.reconnectAttempts = reconnectAttempts
    self.isTunnelEnabled = isTunnelEnabled
    self.tunnelStatus = tunnelStatus
    self.queuedReplies = queuedReplies
    self.costByDay = costByDay
  }
}

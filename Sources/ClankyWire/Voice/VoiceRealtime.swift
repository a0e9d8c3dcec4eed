import LenientJSON

/// The work of the realtime provider (contract 5.2.13).
package struct VoiceRealtime: WireReadable {
  /// Which one.
  package var provider: String?
  /// Rate of the audio sent, in Hz.
  package var inputSampleRateHz: Int?
  /// Rate of the audio received, in Hz.
  package var outputSampleRateHz: Int?
  /// Turns kept.
  package var recentVoiceTurns: Int?
  /// Replies overtaken by a newer one.
  package var replySuperseded: Int?
  /// Turns waiting.
  package var pendingTurns: Int?
  /// Whether the queue is being worked off.
  package var drainActive: Bool?
  /// Whether turns are being joined.
  package var coalesceActive: Bool?
  /// The connection; nil if there is no client.
  package var state: RealtimeState?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    provider: String? = nil, inputSampleRateHz: Int? = nil, outputSampleRateHz: Int? = nil,
    recentVoiceTurns: Int? = nil, replySuperseded: Int? = nil, pendingTurns: Int? = nil,
    drainActive: Bool? = nil, coalesceActive: Bool? = nil, state: RealtimeState? = nil
  ) {
    self.provider = provider
    self.inputSampleRateHz = inputSampleRateHz
    self.outputSampleRateHz = outputSampleRateHz
    self.recentVoiceTurns = recentVoiceTurns
    self.replySuperseded = replySuperseded
    self.pendingTurns = pendingTurns
    self.drainActive = drainActive
    self.coalesceActive = coalesceActive
    self.state = state
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    provider = fields.string("provider")
    inputSampleRateHz = fields.int("inputSampleRateHz")
    outputSampleRateHz = fields.int("outputSampleRateHz")
    recentVoiceTurns = fields.int("recentVoiceTurns")
    replySuperseded = fields.int("replySuperseded")
    pendingTurns = fields.int("pendingTurns")
    drainActive = fields.bool("drainActive")
    coalesceActive = fields.bool("coalesceActive")
    state = fields.object("state")
  }
}

/// The connection to the realtime provider (contract 5.2.13). The type of the last inbound event is
/// not served.
package struct RealtimeState: WireReadable {
  /// Whether it is up.
  package var connected: Bool?
  /// Since when.
  package var connectedAt: WireTime?
  /// When anything last came in.
  package var lastEventAt: WireTime?
  /// Session at the provider.
  package var sessionID: String?
  /// The last error.
  package var lastError: String?
  /// WebSocket code of the last close.
  package var lastCloseCode: Int?
  /// And its reason.
  package var lastCloseReason: String?
  /// The last event sent.
  package var lastOutboundEventType: String?
  /// When it was sent.
  package var lastOutboundEventAt: WireTime?
  /// The last event sent, with its content.
  package var lastOutboundEvent: RealtimeEvent?
  /// Up to 4 of them.
  package var recentOutboundEvents: [RealtimeEvent]
  /// The response under way; OpenAI and xAI.
  package var activeResponseID: String?
  /// Its state; OpenAI and xAI.
  package var activeResponseStatus: String?
  /// Whether the session is set up; Gemini.
  package var setupComplete: Bool?
  /// Whether a response is under way; Gemini.
  package var pendingResponseActive: Bool?
  /// Utterances so far; ElevenLabs.
  package var utteranceCount: Int?
  /// The model; ElevenLabs.
  package var model: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    connected: Bool? = nil, connectedAt: WireTime? = nil, lastEventAt: WireTime? = nil,
    sessionID: String? = nil, lastError: String? = nil, lastCloseCode: Int? = nil,
    lastCloseReason: String? = nil, lastOutboundEventType: String? = nil,
    lastOutboundEventAt: WireTime? = nil, lastOutboundEvent: RealtimeEvent? = nil,
    recentOutboundEvents: [RealtimeEvent] = [], activeResponseID: String? = nil,
    activeResponseStatus: String? = nil, setupComplete: Bool? = nil,
    pendingResponseActive: Bool? = nil, utteranceCount: Int? = nil, model: String? = nil
  ) {
    self.connected = connected
    self.connectedAt = connectedAt
    self.lastEventAt = lastEventAt
    self.sessionID = sessionID
    self.lastError = lastError
    self.lastCloseCode = lastCloseCode
    self.lastCloseReason = lastCloseReason
    self.lastOutboundEventType = lastOutboundEventType
    self.lastOutboundEventAt = lastOutboundEventAt
    self.lastOutboundEvent = lastOutboundEvent
    self.recentOutboundEvents = recentOutboundEvents
    self.activeResponseID = activeResponseID
    self.activeResponseStatus = activeResponseStatus
    self.setupComplete = setupComplete
    self.pendingResponseActive = pendingResponseActive
    self.utteranceCount = utteranceCount
    self.model = model
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    connected = fields.bool("connected")
    connectedAt = fields.time("connectedAt")
    lastEventAt = fields.time("lastEventAt")
    sessionID = fields.string("sessionId")
    lastError = fields.string("lastError")
    lastCloseCode = fields.int("lastCloseCode")
    lastCloseReason = fields.string("lastCloseReason")
    lastOutboundEventType = fields.string("lastOutboundEventType")
    lastOutboundEventAt = fields.time("lastOutboundEventAt")
    lastOutboundEvent = fields.object("lastOutboundEvent")
    recentOutboundEvents = fields.list("recentOutboundEvents", of: RealtimeEvent.init) ?? []
    activeResponseID = fields.string("activeResponseId")
    activeResponseStatus = fields.string("activeResponseStatus")
    setupComplete = fields.bool("setupComplete")
    pendingResponseActive = fields.bool("pendingResponseActive")
    utteranceCount = fields.int("utteranceCount")
    model = fields.string("model")
  }
}

/// An event sent to the realtime provider (contract 5.2.13).
package struct RealtimeEvent: WireReadable {
  /// Such as `session.update`.
  package var type: String?
  /// When it was sent.
  package var at: WireTime?
  /// The protocol message; may hold whole instruction texts.
  package var payload: JSONValue?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    type: String? = nil, at: WireTime? = nil, payload: JSONValue? = nil
  ) {
    self.type = type
    self.at = at
    self.payload = payload
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    type = fields.string("type")
    at = fields.time("at")
    payload = fields.value("payload")
  }
}

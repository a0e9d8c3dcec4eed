import LenientJSON

/// Latencies of spoken replies (contract 5.2.14).
package struct VoiceLatency: WireReadable {
  /// At most 8, newest first.
  package var recentTurns: [LatencyTurn]
  /// Over the turns kept.
  package var averages: LatencyAverages
  /// Turns kept, at most 12; not the total of the session.
  package var turnCount: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    recentTurns: [LatencyTurn] = [], averages: LatencyAverages = LatencyAverages(),
    turnCount: Int? = nil
  ) {
    self.recentTurns = recentTurns
    self.averages = averages
    self.turnCount = turnCount
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    recentTurns = fields.list("recentTurns", of: LatencyTurn.init) ?? []
    averages = fields.object("averages") ?? LatencyAverages()
    turnCount = fields.int("turnCount")
  }
}

/// The delays of one spoken reply, in milliseconds (contract 5.2.14). The time of the recogniser
/// itself is in none of them.
package struct LatencyTurn: WireReadable {
  /// When it was measured.
  package var at: WireTime?
  /// From the end of the capture to the start of the recogniser.
  package var finalizedToAsrStartMs: Int?
  /// From the transcript to the start of the model.
  package var asrToGenerationStartMs: Int?
  /// From there to the request for speech.
  package var generationToReplyRequestMs: Int?
  /// From there to the first sound.
  package var replyRequestToAudioStartMs: Int?
  /// Sum of the four, nil counted as 0.
  package var totalMs: Int?
  /// Time in the queue, not part of the total.
  package var queueWaitMs: Int?
  /// Turns that waited.
  package var pendingQueueDepth: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    at: WireTime? = nil, finalizedToAsrStartMs: Int? = nil, asrToGenerationStartMs: Int? = nil,
    generationToReplyRequestMs: Int? = nil, replyRequestToAudioStartMs: Int? = nil,
    totalMs: Int? = nil, queueWaitMs: Int? = nil, pendingQueueDepth: Int? = nil
  ) {
    self.at = at
    self.finalizedToAsrStartMs = finalizedToAsrStartMs
    self.asrToGenerationStartMs = asrToGenerationStartMs
    self.generationToReplyRequestMs = generationToReplyRequestMs
    self.replyRequestToAudioStartMs = replyRequestToAudioStartMs
    self.totalMs = totalMs
    self.queueWaitMs = queueWaitMs
    self.pendingQueueDepth = pendingQueueDepth
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    at = fields.time("at")
    finalizedToAsrStartMs = fields.int("finalizedToAsrStartMs")
    asrToGenerationStartMs = fields.int("asrToGenerationStartMs")
    generationToReplyRequestMs = fields.int("generationToReplyRequestMs")
    replyRequestToAudioStartMs = fields.int("replyRequestToAudioStartMs")
    totalMs = fields.int("totalMs")
    queueWaitMs = fields.int("queueWaitMs")
    pendingQueueDepth = fields.int("pendingQueueDepth")
  }
}

/// Mean delays in milliseconds, each over the turns that have it (contract 5.2.14).
package struct LatencyAverages: WireReadable {
  /// From the end of the capture to the start of the recogniser.
  package var finalizedToAsrStartMs: Int?
  /// From the transcript to the start of the model.
  package var asrToGenerationStartMs: Int?
  /// From there to the request for speech.
  package var generationToReplyRequestMs: Int?
  /// From there to the first sound.
  package var replyRequestToAudioStartMs: Int?
  /// Mean of the totals.
  package var totalMs: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    finalizedToAsrStartMs: Int? = nil, asrToGenerationStartMs: Int? = nil,
    generationToReplyRequestMs: Int? = nil, replyRequestToAudioStartMs: Int? = nil,
    totalMs: Int? = nil
  ) {
    self.finalizedToAsrStartMs = finalizedToAsrStartMs
    self.asrToGenerationStartMs = asrToGenerationStartMs
    self.generationToReplyRequestMs = generationToReplyRequestMs
    self.replyRequestToAudioStartMs = replyRequestToAudioStartMs
    self.totalMs = totalMs
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    finalizedToAsrStartMs = fields.int("finalizedToAsrStartMs")
    asrToGenerationStartMs = fields.int("asrToGenerationStartMs")
    generationToReplyRequestMs = fields.int("generationToReplyRequestMs")
    replyRequestToAudioStartMs = fields.int("replyRequestToAudioStartMs")
    totalMs = fields.int("totalMs")
  }
}

import LenientJSON

/// Who is addressing whom (contract 5.2.3).
package struct VoiceAddressing: WireReadable {
  /// Practically always nil in snapshots.
  package var currentSpeakerTarget: String?
  /// Practically always 0 in snapshots.
  package var currentSpeakerDirectedConfidence: Double?
  /// When the bot was last addressed.
  package var lastDirectedToMe: AddressingGuess?
  /// Up to 6 guesses.
  package var recentAddressingGuesses: [AddressingGuess]

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    currentSpeakerTarget: String? = nil, currentSpeakerDirectedConfidence: Double? = nil,
    lastDirectedToMe: AddressingGuess? = nil, recentAddressingGuesses: [AddressingGuess] = []
  ) {
    self.currentSpeakerTarget = currentSpeakerTarget
    self.currentSpeakerDirectedConfidence = currentSpeakerDirectedConfidence
    self.lastDirectedToMe = lastDirectedToMe
    self.recentAddressingGuesses = recentAddressingGuesses
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    currentSpeakerTarget = fields.string("currentSpeakerTarget")
    currentSpeakerDirectedConfidence = fields.double("currentSpeakerDirectedConfidence")
    lastDirectedToMe = fields.object("lastDirectedToMe")
    recentAddressingGuesses = fields.list("recentAddressingGuesses", of: AddressingGuess.init) ?? []
  }
}

/// A guess of whom a user is addressing (contract 5.2.3).
package struct AddressingGuess: WireReadable {
  /// The speaker.
  package var speakerName: String?
  /// `ME` for the bot, `ALL` for the room, else a name the model produced.
  package var talkingTo: String?
  /// 0 to 1.
  package var directedConfidence: Double?
  /// Milliseconds since then.
  package var ageMs: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    speakerName: String? = nil, talkingTo: String? = nil, directedConfidence: Double? = nil,
    ageMs: Int? = nil
  ) {
    self.speakerName = speakerName
    self.talkingTo = talkingTo
    self.directedConfidence = directedConfidence
    self.ageMs = ageMs
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    speakerName = fields.string("speakerName")
    talkingTo = fields.string("talkingTo")
    directedConfidence = fields.double("directedConfidence")
    ageMs = fields.int("ageMs")
  }
}

/// The addressee of a turn (contract 5.2.4).
package struct TurnAddressing: WireReadable {
  /// `ME` for the bot, `ALL` for the room, else a name the model produced.
  package var talkingTo: String?
  /// 0 to 1.
  package var directedConfidence: Double?
  /// The source of the decision.
  package var source: String?
  /// Why.
  package var reason: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    talkingTo: String? = nil, directedConfidence: Double? = nil, source: String? = nil,
    reason: String? = nil
  ) {
    self.talkingTo = talkingTo
    self.directedConfidence = directedConfidence
    self.source = source
    self.reason = reason
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    talkingTo = fields.string("talkingTo")
    directedConfidence = fields.double("directedConfidence")
    source = fields.string("source")
    reason = fields.string("reason")
  }
}

import LenientJSON

/// One turn of the conversation (contract 5.2.4). It has no id, no user id and no partial text;
/// time, role, speaker and text identify it.
package struct VoiceTurn: WireReadable {
  /// The kind of turn.
  package var kind: TurnKind?
  /// The role of the speaker.
  package var role: TurnRole?
  /// The bot's name for its speech, `YOU` for its thoughts; may be empty.
  package var speakerName: String?
  /// Up to 700 characters; interrupted speech may begin with a marker in brackets.
  package var text: String?
  /// When it was said.
  package var at: WireTime?
  /// The addressee.
  package var addressing: TurnAddressing?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    kind: TurnKind? = nil, role: TurnRole? = nil, speakerName: String? = nil,
    text: String? = nil, at: WireTime? = nil, addressing: TurnAddressing? = nil
  ) {
    self.kind = kind
    self.role = role
    self.speakerName = speakerName
    self.text = text
    self.at = at
    self.addressing = addressing
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    kind = fields.word("kind")
    role = fields.word("role")
    speakerName = fields.string("speakerName")
    text = fields.string("text")
    at = fields.time("at")
    addressing = fields.object("addressing")
  }
}

/// A note kept for the session (contract 5.2.1 and 5.2.8).
package struct DurableNote: WireReadable {
  /// Up to 240 characters.
  package var text: String?
  /// The category.
  package var category: NoteCategory?
  /// Time of the note: text in the session, milliseconds in the generation context.
  package var at: WireTime?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    text: String? = nil, category: NoteCategory? = nil, at: WireTime? = nil
  ) {
    self.text = text
    self.category = category
    self.at = at
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    text = fields.string("text")
    category = fields.word("category")
    at = fields.moment("at")
  }
}

import LenientJSON

/// The bot's next unprompted thought (contract 5.2.3).
package struct ThoughtEngine: WireReadable {
  /// Whether it is thinking now.
  package var busy: Bool?
  /// When it will try next.
  package var nextAttemptAt: WireTime?
  /// When it last tried.
  package var lastAttemptAt: WireTime?
  /// When it last spoke unprompted.
  package var lastSpokenAt: WireTime?
  /// A thought that waits for its moment.
  package var pendingThought: PendingThought?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    busy: Bool? = nil, nextAttemptAt: WireTime? = nil, lastAttemptAt: WireTime? = nil,
    lastSpokenAt: WireTime? = nil, pendingThought: PendingThought? = nil
  ) {
    self.busy = busy
    self.nextAttemptAt = nextAttemptAt
    self.lastAttemptAt = lastAttemptAt
    self.lastSpokenAt = lastSpokenAt
    self.pendingThought = pendingThought
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    busy = fields.bool("busy")
    nextAttemptAt = fields.time("nextAttemptAt")
    lastAttemptAt = fields.time("lastAttemptAt")
    lastSpokenAt = fields.time("lastSpokenAt")
    pendingThought = fields.object("pendingThought")
  }
}

/// A thought that waits for its moment (contract 5.2.3).
package struct PendingThought: WireReadable {
  /// Identity of the thought.
  package var id: String?
  /// Queued or to be reconsidered.
  package var status: ThoughtStatus?
  /// The text.
  package var text: String?
  /// The first draft.
  package var draftText: String?
  /// The trigger.
  package var trigger: String?
  /// When it was first had.
  package var createdAt: WireTime?
  /// When it was last changed.
  package var updatedAt: WireTime?
  /// The moment of the conversation it rests on.
  package var basisAt: WireTime?
  /// The earliest moment to say it.
  package var notBeforeAt: WireTime?
  /// When it is dropped.
  package var expiresAt: WireTime?
  /// Its age when the state was sent, in milliseconds.
  package var ageMs: Int?
  /// Counts from 1.
  package var revision: Int?
  /// Why it was last held, spoken or dropped.
  package var lastDecisionReason: String?
  /// The last decision.
  package var lastDecisionAction: ThoughtAction?
  /// Facts it was given.
  package var memoryFactCount: Int?
  /// Whether facts went into it.
  package var usedMemory: Bool?
  /// When something made it outdated.
  package var invalidatedAt: WireTime?
  /// The user who did.
  package var invalidatedByUserID: String?
  /// Why it is outdated.
  package var invalidationReason: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    id: String? = nil, status: ThoughtStatus? = nil, text: String? = nil,
    draftText: String? = nil, trigger: String? = nil, createdAt: WireTime? = nil,
    updatedAt: WireTime? = nil, basisAt: WireTime? = nil, notBeforeAt: WireTime? = nil,
    expiresAt: WireTime? = nil, ageMs: Int? = nil, revision: Int? = nil,
    lastDecisionReason: String? = nil, lastDecisionAction: ThoughtAction? = nil,
    memoryFactCount: Int? = nil, usedMemory: Bool? = nil, invalidatedAt: WireTime? = nil,
    invalidatedByUserID: String? = nil, invalidationReason: String? = nil
  ) {
    self.id = id
    self.status = status
    self.text = text
    self.draftText = draftText
    self.trigger = trigger
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.basisAt = basisAt
    self.notBeforeAt = notBeforeAt
    self.expiresAt = expiresAt
    self.ageMs = ageMs
    self.revision = revision
    self.lastDecisionReason = lastDecisionReason
    self.lastDecisionAction = lastDecisionAction
    self.memoryFactCount = memoryFactCount
    self.usedMemory = usedMemory
    self.invalidatedAt = invalidatedAt
    self.invalidatedByUserID = invalidatedByUserID
    self.invalidationReason = invalidationReason
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    id = fields.id("id")
    status = fields.word("status")
    text = fields.string("text")
    draftText = fields.string("draftText")
    trigger = fields.string("trigger")
    createdAt = fields.time("createdAt")
    updatedAt = fields.time("updatedAt")
    basisAt = fields.time("basisAt")
    notBeforeAt = fields.time("notBeforeAt")
    expiresAt = fields.time("expiresAt")
    ageMs = fields.int("ageMs")
    revision = fields.int("revision")
    lastDecisionReason = fields.string("lastDecisionReason")
    lastDecisionAction = fields.word("lastDecisionAction")
    memoryFactCount = fields.int("memoryFactCount")
    usedMemory = fields.bool("usedMemory")
    invalidatedAt = fields.time("invalidatedAt")
    invalidatedByUserID = fields.id("invalidatedByUserId")
    invalidationReason = fields.string("invalidationReason")
  }
}

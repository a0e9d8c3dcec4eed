import LenientJSON

/// The body of `/api/automations/runs` (contract 3.2).
package struct AutomationRunPage: WireReadable {
  /// The requested guild.
  package var guildID: String?
  /// The requested automation.
  package var automationID: Int?
  /// The requested row limit, after clamping.
  package var limit: Int?
  /// The runs, newest first.
  package var rows: [AutomationRun]
  /// Number of unreadable list elements, which are left out.
  package var omitted: Int

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    guildID: String? = nil, automationID: Int? = nil, limit: Int? = nil,
    rows: [AutomationRun] = [], omitted: Int = 0
  ) {
    self.guildID = guildID
    self.automationID = automationID
    self.limit = limit
    self.rows = rows
    self.omitted = omitted
  }

  /// nil if the value is no object with that list.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json), let list = fields.page("rows", of: AutomationRun.init)
    else {
      return nil
    }
    guildID = fields.id("guildId")
    automationID = fields.int("automationId")
    limit = fields.int("limit")
    rows = list.rows
    omitted = list.omitted
  }
}

/// One run of an automation (contract 7.4). A run with an error pauses its automation.
package struct AutomationRun: WireReadable {
  /// Identity.
  package var id: Int?
  /// The automation.
  package var automationID: Int?
  /// When the row was made.
  package var createdAt: WireTime?
  /// When it began.
  package var startedAt: WireTime?
  /// When it ended.
  package var finishedAt: WireTime?
  /// The outcome.
  package var status: RunStatus?
  /// The result, in words.
  package var summary: String?
  /// The error.
  package var error: String?
  /// The message it posted.
  package var messageID: String?
  /// The consequences.
  package var metadata: RunMetadata?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    id: Int? = nil, automationID: Int? = nil, createdAt: WireTime? = nil,
    startedAt: WireTime? = nil, finishedAt: WireTime? = nil, status: RunStatus? = nil,
    summary: String? = nil, error: String? = nil, messageID: String? = nil,
    metadata: RunMetadata? = nil
  ) {
    self.id = id
    self.automationID = automationID
    self.createdAt = createdAt
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.status = status
    self.summary = summary
    self.error = error
    self.messageID = messageID
    self.metadata = metadata
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    id = fields.int("id")
    automationID = fields.int("automation_id")
    createdAt = fields.time("created_at")
    startedAt = fields.time("started_at")
    finishedAt = fields.time("finished_at")
    status = fields.word("status")
    summary = fields.string("summary")
    error = fields.string("error")
    messageID = fields.id("message_id")
    metadata = fields.object("metadata")
  }
}

/// The consequences of a run (contract 7.4).
package struct RunMetadata: WireReadable {
  /// When the automation runs next.
  package var nextRunAt: WireTime?
  /// Whether it stayed active.
  package var statusAfterRun: AutomationStatus?
  /// The trigger.
  package var source: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    nextRunAt: WireTime? = nil, statusAfterRun: AutomationStatus? = nil, source: String? = nil
  ) {
    self.nextRunAt = nextRunAt
    self.statusAfterRun = statusAfterRun
    self.source = source
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    nextRunAt = fields.time("nextRunAt")
    statusAfterRun = fields.word("statusAfterRun")
    source = fields.string("source")
  }
}

/// The status of a run (contract 7.4).
package struct RunStatus: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// It worked.
  package static let ok = RunStatus(rawValue: "ok")
  /// It failed.
  package static let error = RunStatus(rawValue: "error")
  /// It had nothing to do.
  package static let skipped = RunStatus(rawValue: "skipped")
}

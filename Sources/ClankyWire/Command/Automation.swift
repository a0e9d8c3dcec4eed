import LenientJSON

/// The body of `/api/automations` (contract 3.2).
package struct AutomationPage: WireReadable {
  /// The requested guild.
  package var guildID: String?
  /// The requested channel.
  package var channelID: String?
  /// The requested states.
  package var statuses: [AutomationStatus]
  /// The requested text.
  package var query: String?
  /// The requested row limit, after clamping.
  package var limit: Int?
  /// The automations, last changed first.
  package var rows: [Automation]
  /// Number of unreadable list elements, which are left out.
  package var omitted: Int

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    guildID: String? = nil, channelID: String? = nil, statuses: [AutomationStatus] = [],
    query: String? = nil, limit: Int? = nil, rows: [Automation] = [], omitted: Int = 0
  ) {
    self.guildID = guildID
    self.channelID = channelID
    self.statuses = statuses
    self.query = query
    self.limit = limit
    self.rows = rows
    self.omitted = omitted
  }

  /// nil if the value is no object with that list.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json), let list = fields.page("rows", of: Automation.init) else {
      return nil
    }
    guildID = fields.id("guildId")
    channelID = fields.id("channelId")
    statuses = (fields.strings("statuses") ?? []).map(AutomationStatus.init(rawValue:))
    query = fields.string("query")
    limit = fields.int("limit")
    rows = list.rows
    omitted = list.omitted
  }
}

/// Something the bot does on a schedule (contract 7.4). Automations can only be read.
package struct Automation: WireReadable {
  /// Identity.
  package var id: Int?
  /// When it was made.
  package var createdAt: WireTime?
  /// When it was last changed.
  package var updatedAt: WireTime?
  /// Its guild.
  package var guildID: String?
  /// Where it posts.
  package var channelID: String?
  /// The creator.
  package var createdByUserID: String?
  /// Name of that person.
  package var createdByName: String?
  /// Up to 90 characters.
  package var title: String?
  /// Up to 360 characters.
  package var instruction: String?
  /// When it runs.
  package var schedule: AutomationSchedule?
  /// When it runs next.
  package var nextRunAt: WireTime?
  /// Whether it is active.
  package var status: AutomationStatus?
  /// Whether it runs now.
  package var isRunning: Bool?
  /// Since when.
  package var runningStartedAt: WireTime?
  /// When it last ran.
  package var lastRunAt: WireTime?
  /// The last error.
  package var lastError: String?
  /// The last result.
  package var lastResult: String?
  /// The text searches look at.
  package var matchText: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    id: Int? = nil, createdAt: WireTime? = nil, updatedAt: WireTime? = nil,
    guildID: String? = nil, channelID: String? = nil, createdByUserID: String? = nil,
    createdByName: String? = nil, title: String? = nil, instruction: String? = nil,
    schedule: AutomationSchedule? = nil, nextRunAt: WireTime? = nil,
    status: AutomationStatus? = nil, isRunning: Bool? = nil, runningStartedAt: WireTime? = nil,
    lastRunAt: WireTime? = nil, lastError: String? = nil, lastResult: String? = nil,
    matchText: String? = nil
  ) {
    self.id = id
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.guildID = guildID
    self.channelID = channelID
    self.createdByUserID = createdByUserID
    self.createdByName = createdByName
    self.title = title
    self.instruction = instruction
    self.schedule = schedule
    self.nextRunAt = nextRunAt
    self.status = status
    self.isRunning = isRunning
    self.runningStartedAt = runningStartedAt
    self.lastRunAt = lastRunAt
    self.lastError = lastError
    self.lastResult = lastResult
    self.matchText = matchText
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    id = fields.int("id")
    createdAt = fields.time("created_at")
    updatedAt = fields.time("updated_at")
    guildID = fields.id("guild_id")
    channelID = fields.id("channel_id")
    createdByUserID = fields.id("created_by_user_id")
    createdByName = fields.string("created_by_name")
    title = fields.string("title")
    instruction = fields.string("instruction")
    schedule = fields.object("schedule")
    nextRunAt = fields.time("next_run_at")
    status = fields.word("status")
    isRunning = fields.flag("is_running")
    runningStartedAt = fields.time("running_started_at")
    lastRunAt = fields.time("last_run_at")
    lastError = fields.string("last_error")
    lastResult = fields.string("last_result")
    matchText = fields.string("match_text")
  }
}

/// Whether an automation is active (contract 7.4).
package struct AutomationStatus: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// It runs on schedule.
  package static let active = AutomationStatus(rawValue: "active")
  /// It does not run.
  package static let paused = AutomationStatus(rawValue: "paused")
  /// It is gone and only still listed.
  package static let deleted = AutomationStatus(rawValue: "deleted")
}

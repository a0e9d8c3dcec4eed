import LenientJSON

/// The body of `/api/agents/browser-sessions` (contract 7.3).
package struct BrowserSessionPage: WireReadable {
  /// The requested guild.
  package var guildID: String?
  /// The runs, newest activity first.
  package var sessions: [BrowserSession]
  /// Number of unreadable list elements, which are left out.
  package var omitted: Int

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    guildID: String? = nil, sessions: [BrowserSession] = [], omitted: Int = 0
  ) {
    self.guildID = guildID
    self.sessions = sessions
    self.omitted = omitted
  }

  /// nil if the value is no object with that list.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json), let list = fields.page("sessions", of: BrowserSession.init)
    else {
      return nil
    }
    guildID = fields.id("guildId")
    sessions = list.rows
    omitted = list.omitted
  }
}

/// A run of the browser agent (contract 7.3). Steps and cost of runs with several turns are counted
/// more than once by the backend.
package struct BrowserSession: WireReadable {
  /// Identity; empty when it was not readable.
  package var sessionID: String
  /// When it began.
  package var startedAt: WireTime?
  /// When it last did something.
  package var lastActiveAt: WireTime?
  /// The source of the request.
  package var source: String?
  /// Its guild.
  package var guildID: String?
  /// Its channel.
  package var channelID: String?
  /// The requesting user.
  package var userID: String?
  /// The instruction.
  package var instruction: String?
  /// US dollars.
  package var totalCostUsd: Double?
  /// Number of steps.
  package var totalSteps: Int?
  /// Whether it was stopped by the step limit.
  package var hitStepLimit: Bool?
  /// Working time, in milliseconds.
  package var durationMs: Int?
  /// The browser runtime.
  package var runtime: String?
  /// The model's provider.
  package var provider: String?
  /// The model.
  package var model: String?
  /// The page it is on.
  package var currentURL: String?
  /// Whether it failed.
  package var failed: Bool?
  /// Class of the error.
  package var errorName: String?
  /// The error.
  package var errorMessage: String?
  /// The steps it took.
  package var toolSteps: [BrowserStep]

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    sessionID: String = "", startedAt: WireTime? = nil, lastActiveAt: WireTime? = nil,
    source: String? = nil, guildID: String? = nil, channelID: String? = nil,
    userID: String? = nil, instruction: String? = nil, totalCostUsd: Double? = nil,
    totalSteps: Int? = nil, hitStepLimit: Bool? = nil, durationMs: Int? = nil,
    runtime: String? = nil, provider: String? = nil, model: String? = nil,
    currentURL: String? = nil, failed: Bool? = nil, errorName: String? = nil,
    errorMessage: String? = nil, toolSteps: [BrowserStep] = []
  ) {
    self.sessionID = sessionID
    self.startedAt = startedAt
    self.lastActiveAt = lastActiveAt
    self.source = source
    self.guildID = guildID
    self.channelID = channelID
    self.userID = userID
    self.instruction = instruction
    self.totalCostUsd = totalCostUsd
    self.totalSteps = totalSteps
    self.hitStepLimit = hitStepLimit
    self.durationMs = durationMs
    self.runtime = runtime
    self.provider = provider
    self.model = model
    self.currentURL = currentURL
    self.failed = failed
    self.errorName = errorName
    self.errorMessage = errorMessage
    self.toolSteps = toolSteps
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    sessionID = fields.id("sessionId") ?? ""
    startedAt = fields.time("startedAt")
    lastActiveAt = fields.time("lastActiveAt")
    source = fields.string("source")
    guildID = fields.id("guildId")
    channelID = fields.id("channelId")
    userID = fields.id("userId")
    instruction = fields.string("instruction")
    totalCostUsd = fields.double("totalCostUsd")
    totalSteps = fields.int("totalSteps")
    hitStepLimit = fields.bool("hitStepLimit")
    durationMs = fields.int("durationMs")
    runtime = fields.string("runtime")
    provider = fields.string("provider")
    model = fields.string("model")
    currentURL = fields.string("currentUrl")
    failed = fields.bool("failed")
    errorName = fields.string("errorName")
    errorMessage = fields.string("errorMessage")
    toolSteps = fields.list("toolSteps", of: BrowserStep.init) ?? []
  }
}

/// One step of a browser run (contract 7.3).
package struct BrowserStep: WireReadable {
  /// The tool.
  package var tool: String?
  /// Number of the step; several tools may share one.
  package var step: Int?
  /// When.
  package var timestamp: WireTime?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    tool: String? = nil, step: Int? = nil, timestamp: WireTime? = nil
  ) {
    self.tool = tool
    self.step = step
    self.timestamp = timestamp
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    tool = fields.string("tool")
    step = fields.int("step")
    timestamp = fields.time("timestamp")
  }
}

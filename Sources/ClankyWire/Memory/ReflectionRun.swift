import LenientJSON

/// The body of `/api/memory/reflections` (contract 6.5). A May backend writes no runs any more.
package struct ReflectionPage: WireReadable {
  /// The requested guild.
  package var guildID: String?
  /// The runs, newest first.
  package var runs: [ReflectionRun]
  /// Number of unreadable list elements, which are left out.
  package var omitted: Int

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    guildID: String? = nil, runs: [ReflectionRun] = [], omitted: Int = 0
  ) {
    self.guildID = guildID
    self.runs = runs
    self.omitted = omitted
  }

  /// nil if the value is no object with that list.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json), let list = fields.page("runs", of: ReflectionRun.init)
    else {
      return nil
    }
    guildID = fields.id("guildId")
    runs = list.rows
    omitted = list.omitted
  }
}

/// One run in which the bot went through a day and stored facts (contract 6.5).
package struct ReflectionRun: WireReadable {
  /// Identity of the run.
  package var runID: String?
  /// The day, `YYYY-MM-DD`.
  package var dateKey: String?
  /// Its guild.
  package var guildID: String?
  /// Its channel.
  package var channelID: String?
  /// The status; a run stuck in `running` was interrupted.
  package var status: ReflectionStatus?
  /// When it began.
  package var startedAt: WireTime?
  /// When it was completed.
  package var completedAt: WireTime?
  /// When it failed.
  package var erroredAt: WireTime?
  /// Duration in milliseconds.
  package var durationMs: Int?
  /// The strategy for choosing facts.
  package var strategy: String?
  /// The model's provider.
  package var provider: String?
  /// The model.
  package var model: String?
  /// The extractor model's provider.
  package var extractorProvider: String?
  /// The extracting model.
  package var extractorModel: String?
  /// The adjudicator model's provider.
  package var adjudicatorProvider: String?
  /// The deciding model.
  package var adjudicatorModel: String?
  /// US dollars.
  package var usdCost: Double?
  /// Most facts to store.
  package var maxFacts: Int?
  /// Number of messages processed.
  package var journalEntryCount: Int?
  /// Authors of those.
  package var authorCount: Int?
  /// Facts found.
  package var factsExtracted: Int?
  /// Facts chosen.
  package var factsSelected: Int?
  /// Facts that were new.
  package var factsAdded: Int?
  /// Facts stored.
  package var factsSaved: Int?
  /// Facts not stored.
  package var factsSkipped: Int?
  /// Facts found.
  package var extractedFacts: [ReflectionFact]
  /// Facts chosen.
  package var selectedFacts: [ReflectionFact]
  /// Facts stored.
  package var savedFacts: [ReflectionFact]
  /// Facts not stored.
  package var skippedFacts: [ReflectionFact]
  /// The answer of the model.
  package var rawResponseText: String?
  /// Tokens.
  package var usage: ReflectionUsage?
  /// The model calls.
  package var reflectionPasses: [ReflectionPass]
  /// The text of the start row.
  package var startContent: String?
  /// The text of the completion row.
  package var completionContent: String?
  /// The text of the error row.
  package var errorContent: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    runID: String? = nil, dateKey: String? = nil, guildID: String? = nil,
    channelID: String? = nil, status: ReflectionStatus? = nil, startedAt: WireTime? = nil,
    completedAt: WireTime? = nil, erroredAt: WireTime? = nil, durationMs: Int? = nil,
    strategy: String? = nil, provider: String? = nil, model: String? = nil,
    extractorProvider: String? = nil, extractorModel: String? = nil,
    adjudicatorProvider: String? = nil, adjudicatorModel: String? = nil, usdCost: Double? = nil,
    maxFacts: Int? = nil, journalEntryCount: Int? = nil, authorCount: Int? = nil,
    factsExtracted: Int? = nil, factsSelected: Int? = nil, factsAdded: Int? = nil,
    factsSaved: Int? = nil, factsSkipped: Int? = nil, extractedFacts: [ReflectionFact] = [],
    selectedFacts: [ReflectionFact] = [], savedFacts: [ReflectionFact] = [],
    skippedFacts: [ReflectionFact] = [], rawResponseText: String? = nil,
    usage: ReflectionUsage? = nil, reflectionPasses: [ReflectionPass] = [],
    startContent: String? = nil, completionContent: String? = nil, errorContent: String? = nil
  ) {
    self.runID = runID
    self.dateKey = dateKey
    self.guildID = guildID
    self.channelID = channelID
    self.status = status
    self.startedAt = startedAt
    self.completedAt = completedAt
    self.erroredAt = erroredAt
    self.durationMs = durationMs
    self.strategy = strategy
    self.provider = provider
    self.model = model
    self.extractorProvider = extractorProvider
    self.extractorModel = extractorModel
    self.adjudicatorProvider = adjudicatorProvider
    self.adjudicatorModel = adjudicatorModel
    self.usdCost = usdCost
    self.maxFacts = maxFacts
    self.journalEntryCount = journalEntryCount
    self.authorCount = authorCount
    self.factsExtracted = factsExtracted
    self.factsSelected = factsSelected
    self.factsAdded = factsAdded
    self.factsSaved = factsSaved
    self.factsSkipped = factsSkipped
    self.extractedFacts = extractedFacts
    self.selectedFacts = selectedFacts
    self.savedFacts = savedFacts
    self.skippedFacts = skippedFacts
    self.rawResponseText = rawResponseText
    self.usage = usage
    self.reflectionPasses = reflectionPasses
    self.startContent = startContent
    self.completionContent = completionContent
    self.errorContent = errorContent
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    runID = fields.string("runId")
    dateKey = fields.string("dateKey")
    guildID = fields.id("guildId")
    channelID = fields.id("channelId")
    status = fields.word("status")
    startedAt = fields.time("startedAt")
    completedAt = fields.time("completedAt")
    erroredAt = fields.time("erroredAt")
    durationMs = fields.int("durationMs")
    strategy = fields.string("strategy")
    provider = fields.string("provider")
    model = fields.string("model")
    extractorProvider = fields.string("extractorProvider")
    extractorModel = fields.string("extractorModel")
    adjudicatorProvider = fields.string("adjudicatorProvider")
    adjudicatorModel = fields.string("adjudicatorModel")
    usdCost = fields.double("usdCost")
    maxFacts = fields.int("maxFacts")
    journalEntryCount = fields.int("journalEntryCount")
    authorCount = fields.int("authorCount")
    factsExtracted = fields.int("factsExtracted")
    factsSelected = fields.int("factsSelected")
    factsAdded = fields.int("factsAdded")
    factsSaved = fields.int("factsSaved")
    factsSkipped = fields.int("factsSkipped")
    extractedFacts = fields.list("extractedFacts", of: ReflectionFact.init) ?? []
    selectedFacts = fields.list("selectedFacts", of: ReflectionFact.init) ?? []
    savedFacts = fields.list("savedFacts", of: ReflectionFact.init) ?? []
    skippedFacts = fields.list("skippedFacts", of: ReflectionFact.init) ?? []
    rawResponseText = fields.string("rawResponseText")
    usage = fields.object("usage")
    reflectionPasses = fields.list("reflectionPasses", of: ReflectionPass.init) ?? []
    startContent = fields.string("startContent")
    completionContent = fields.string("completionContent")
    errorContent = fields.string("errorContent")
  }
}

/// The status of a reflection (contract 6.5).
package struct ReflectionStatus: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Under way, or its end is lost.
  package static let running = ReflectionStatus(rawValue: "running")
  /// Done.
  package static let completed = ReflectionStatus(rawValue: "completed")
  /// Failed.
  package static let error = ReflectionStatus(rawValue: "error")
}

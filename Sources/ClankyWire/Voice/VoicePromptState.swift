import LenientJSON

/// The prompts of a voice session (contract 5.2.5). They hold system prompts: not for log files
/// (contract 9.6).
package struct VoicePromptState: WireReadable {
  /// Standing instructions of the realtime provider.
  package var instructions: PromptSnapshot?
  /// Deciding whether to reply.
  package var classifier: PromptSnapshot?
  /// Writing the reply.
  package var generation: PromptSnapshot?
  /// Handing text to the provider.
  package var bridge: PromptSnapshot?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    instructions: PromptSnapshot? = nil, classifier: PromptSnapshot? = nil,
    generation: PromptSnapshot? = nil, bridge: PromptSnapshot? = nil
  ) {
    self.instructions = instructions
    self.classifier = classifier
    self.generation = generation
    self.bridge = bridge
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    instructions = fields.object("instructions")
    classifier = fields.object("classifier")
    generation = fields.object("generation")
    bridge = fields.object("bridge")
  }
}

/// One prompt and when it was made (contract 5.2.5).
package struct PromptSnapshot: WireReadable {
  /// When it was made.
  package var updatedAt: WireTime?
  /// Why it was made.
  package var source: String?
  /// The prompt itself.
  package var replyPrompts: PromptBundle?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    updatedAt: WireTime? = nil, source: String? = nil, replyPrompts: PromptBundle? = nil
  ) {
    self.updatedAt = updatedAt
    self.source = source
    self.replyPrompts = replyPrompts
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    updatedAt = fields.time("updatedAt")
    source = fields.string("source")
    replyPrompts = fields.object("replyPrompts")
  }
}

/// Everything one model call was given (contract 4.5, reply bundle).
package struct PromptBundle: WireReadable {
  /// Whether the dashboard folds it.
  package var hiddenByDefault: Bool?
  /// The system prompt.
  package var systemPrompt: String?
  /// The first user prompt; empty for instructions.
  package var initialUserPrompt: String?
  /// Prompts after tool calls.
  package var followupUserPrompts: [String]
  /// Number of follow-up steps.
  package var followupSteps: Int?
  /// Tools offered.
  package var tools: [PromptTool]
  /// The layers the prompt is built of; nil before May.
  package var promptTiers: [PromptTier]?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    hiddenByDefault: Bool? = nil, systemPrompt: String? = nil, initialUserPrompt: String? = nil,
    followupUserPrompts: [String] = [], followupSteps: Int? = nil, tools: [PromptTool] = [],
    promptTiers: [PromptTier]? = nil
  ) {
    self.hiddenByDefault = hiddenByDefault
    self.systemPrompt = systemPrompt
    self.initialUserPrompt = initialUserPrompt
    self.followupUserPrompts = followupUserPrompts
    self.followupSteps = followupSteps
    self.tools = tools
    self.promptTiers = promptTiers
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    hiddenByDefault = fields.bool("hiddenByDefault")
    systemPrompt = fields.string("systemPrompt")
    initialUserPrompt = fields.string("initialUserPrompt")
    followupUserPrompts = fields.strings("followupUserPrompts") ?? []
    followupSteps = fields.int("followupSteps")
    tools = fields.list("tools", of: PromptTool.init) ?? []
    promptTiers = fields.list("promptTiers", of: PromptTier.init)
  }
}

/// A tool offered to a model (contract 4.5).
package struct PromptTool: WireReadable {
  /// Its name.
  package var name: String?
  /// The description given to the model.
  package var description: String?
  /// JSON schema of its arguments.
  package var parameters: JSONValue?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    name: String? = nil, description: String? = nil, parameters: JSONValue? = nil
  ) {
    self.name = name
    self.description = description
    self.parameters = parameters
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    name = fields.string("name")
    description = fields.string("description")
    parameters = fields.value("parameters")
  }
}

/// A layer of a prompt (contract 4.5).
package struct PromptTier: WireReadable {
  /// Such as `identity` or `structured_facts`.
  package var key: String?
  /// Its title.
  package var label: String?
  /// Whether the prompt includes it.
  package var present: Bool?
  /// Where its text comes from.
  package var sources: [String]
  /// Sizes and counts, different per tier.
  package var details: JSONValue?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    key: String? = nil, label: String? = nil, present: Bool? = nil, sources: [String] = [],
    details: JSONValue? = nil
  ) {
    self.key = key
    self.label = label
    self.present = present
    self.sources = sources
    self.details = details
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    key = fields.string("key")
    label = fields.string("label")
    present = fields.bool("present")
    sources = fields.strings("sources") ?? []
    details = fields.value("details")
  }
}

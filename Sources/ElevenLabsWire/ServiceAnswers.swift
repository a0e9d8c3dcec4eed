package import LenientJSON

/// One page of past conversations, the newest first.
package struct ConversationPage: Sendable, Equatable {
  package var conversations: [ConversationRow]
  package var hasMore: Bool
  package var nextCursor: String?

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value),
      let rows = fields.list("conversations", of: ConversationRow.init)
    else { return nil }
    conversations = rows
    hasMore = fields.bool("has_more") ?? false
    nextCursor = fields.string("next_cursor")
  }
}

/// A past or running conversation of an agent.
package struct ConversationRow: Sendable, Hashable {
  package var id: String
  package var agentID: String?
  package var agentName: String?
  /// Seconds since 1970.
  package var startSeconds: Int?
  package var durationSeconds: Int?
  package var messageCount: Int?
  /// `initiated in-progress processing done failed`, or another as sent.
  package var status: String?
  /// `success failure unknown`, or another as sent.
  package var success: String?
  package var summary: String?
  package var terminationReason: String?
  package var tools: [String]

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let id = fields.id("conversation_id") else { return nil }
    self.id = id
    agentID = fields.id("agent_id")
    agentName = fields.string("agent_name")
    startSeconds = fields.int("start_time_unix_secs")
    durationSeconds = fields.int("call_duration_secs")
    messageCount = fields.int("message_count")
    status = fields.string("status")
    success = fields.string("call_successful")
    summary = fields.string("transcript_summary")
    terminationReason = fields.string("termination_reason")
    tools = fields.strings("tool_names") ?? []
  }
}

/// What one conversation consisted of.
package struct ConversationDetails: Sendable, Equatable {
  package struct Turn: Sendable, Hashable {
    /// `user` or `agent`.
    package var role: String
    package var message: String
    /// Seconds from the start.
    package var atSeconds: Int?
    package var tools: [String]
    /// Seconds to the first sentence, where the server measured it.
    package var latency: Double?
  }

  package var id: String
  package var status: String?
  package var agentID: String?
  package var startSeconds: Int?
  package var durationSeconds: Int?
  /// Credits.
  package var cost: Int?
  package var terminationReason: String?
  package var success: String?
  package var summary: String?
  package var turns: [Turn]

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let id = fields.id("conversation_id") else { return nil }
    self.id = id
    status = fields.string("status")
    agentID = fields.id("agent_id")
    let metadata = fields.nested("metadata", as: JSONFields.init)
    startSeconds = metadata?.int("start_time_unix_secs")
    durationSeconds = metadata?.int("call_duration_secs")
    cost = metadata?.int("cost")
    terminationReason = metadata?.string("termination_reason")
    let analysis = fields.nested("analysis", as: JSONFields.init)
    success = analysis?.string("call_successful")
    summary = analysis?.string("transcript_summary")
    turns = fields.list("transcript", of: Turn.init) ?? []
  }
}

extension ConversationDetails.Turn {
  init?(_ value: JSONValue) {
    guard let fields = JSONFields(value) else { return nil }
    role = fields.string("role") ?? ""
    message = fields.string("message") ?? ""
    atSeconds = fields.int("time_in_call_secs")
    tools = (fields.list("tool_calls", of: { $0["tool_name"]?.string }) ?? [])
    let metrics = fields.value("conversation_turn_metrics")?["metrics"]
    latency = metrics?.object?.members.first { $0.key.hasSuffix("ttf_sentence") }
      .flatMap { $0.value["elapsed_time"]?.double }.flatMap { $0.isFinite ? $0 : nil }
  }
}

/// An agent of the account.
package struct ServiceAgent: Sendable, Hashable {
  package var id: String
  package var name: String?

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let id = fields.id("agent_id") else { return nil }
    self.id = id
    name = fields.string("name")
  }

  /// The agents of a list answer.
  package static func list(_ value: JSONValue) -> [ServiceAgent]? {
    JSONFields(value)?.list("agents", of: ServiceAgent.init)
  }
}

/// What the account may use and has used, in characters.
package struct Subscription: Sendable, Hashable {
  package var used: Int?
  package var limit: Int?
  /// Seconds since 1970.
  package var resetSeconds: Int?
  package var tier: String?

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value) else { return nil }
    used = fields.int("character_count")
    limit = fields.int("character_limit")
    resetSeconds = fields.int("next_character_count_reset_unix")
    tier = fields.string("tier")
  }

  /// nil if the answer had no limit or no count.
  package var left: Int? {
    guard let used, let limit else { return nil }
    return max(0, limit - used)
  }
}

/// A voice that an agent can speak with.
package struct ServiceVoice: Sendable, Hashable {
  package var id: String
  package var name: String?

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let id = fields.id("voice_id") else { return nil }
    self.id = id
    name = fields.string("name")
  }

  /// The voices of a list answer.
  package static func list(_ value: JSONValue) -> [ServiceVoice]? {
    JSONFields(value)?.list("voices", of: ServiceVoice.init)
  }
}

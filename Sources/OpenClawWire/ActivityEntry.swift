package import LenientJSON

/// An entry of the gateway's own list of activity. It has names, times and outcomes, and never words.
package struct ActivityEntry: Sendable, Equatable {
  package enum Subject: Sendable, Equatable {
    case run
    /// `call`: absent where the gateway knows none.
    case tool(call: String?, name: String?)
    /// Something that is not shown: messages carry no id that one of ours could be compared with.
    case other
  }

  package var id: String
  package var subject: Subject
  /// ms since 1970, the gateway's clock.
  package var atMs: Int64
  package var sequence: Int
  /// `started succeeded failed cancelled timed_out blocked unknown`, or another as sent.
  package var status: String
  package var errorCode: String?
  package var agent: String?
  package var session: String?
  package var runId: String?

  /// nil without an id, a time and a status.
  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let id = fields.id("eventId", "id"),
      let at = fields.int("occurredAt", "ts"), let status = fields.string("status")
    else { return nil }
    self.id = id
    self.status = status
    atMs = Int64(at)
    sequence = fields.int("sequence") ?? 0
    errorCode = fields.string("errorCode")
    agent = fields.string("agentId")
    session = fields.string("sessionKey")
    runId = fields.id("runId")
    switch fields.string("kind", "eventType") {
    case "agent_run": subject = .run
    case "tool_action":
      subject = .tool(call: fields.id("toolCallId"), name: fields.string("toolName"))
    default: subject = .other
    }
  }
}

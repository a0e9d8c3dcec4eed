import LenientJSON

/// A completed tool call (contract 5.2.11).
package struct ToolCall: WireReadable {
  /// Identity of the call.
  package var callID: String?
  /// Which tool.
  package var toolName: String?
  /// Function or MCP.
  package var toolType: ToolType?
  /// The arguments.
  package var arguments: JSONValue?
  /// When it began.
  package var startedAt: WireTime?
  /// When it ended.
  package var completedAt: WireTime?
  /// Duration in milliseconds; 0 may mean unknown.
  package var runtimeMs: Int?
  /// Whether it worked.
  package var success: Bool?
  /// Text in March; an object, text or nothing in May.
  package var outputSummary: JSONValue?
  /// The error.
  package var error: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    callID: String? = nil, toolName: String? = nil, toolType: ToolType? = nil,
    arguments: JSONValue? = nil, startedAt: WireTime? = nil, completedAt: WireTime? = nil,
    runtimeMs: Int? = nil, success: Bool? = nil, outputSummary: JSONValue? = nil,
    error: String? = nil
  ) {
    self.callID = callID
    self.toolName = toolName
    self.toolType = toolType
    self.arguments = arguments
    self.startedAt = startedAt
    self.completedAt = completedAt
    self.runtimeMs = runtimeMs
    self.success = success
    self.outputSummary = outputSummary
    self.error = error
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    callID = fields.id("callId")
    toolName = fields.string("toolName")
    toolType = fields.word("toolType")
    arguments = fields.value("arguments")
    startedAt = fields.time("startedAt")
    completedAt = fields.time("completedAt")
    runtimeMs = fields.int("runtimeMs")
    success = fields.bool("success")
    outputSummary = fields.value("outputSummary")
    error = fields.string("error")
  }
}

import LenientJSON

/// The body of `/api/voice/tool-events` (contract 3.3.2).
package struct ToolEventList: WireReadable {
  /// The calls, oldest first within a session.
  package var events: [ToolEventRow]
  /// Number of unreadable list elements, which are left out.
  package var omitted: Int

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    events: [ToolEventRow] = [], omitted: Int = 0
  ) {
    self.events = events
    self.omitted = omitted
  }

  /// nil if the value is no object with that list.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json), let list = fields.page("events", of: ToolEventRow.init)
    else {
      return nil
    }
    events = list.rows
    omitted = list.omitted
  }
}

/// A completed tool call and its voice session (contract 3.3.2). From May on its summary may be the
/// useless text `[object Object]`; the voice state has the real one.
package struct ToolEventRow: WireReadable {
  /// The voice session; empty when it was not readable.
  package var sessionID: String
  /// The call.
  package var call: ToolCall

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    sessionID: String = "", call: ToolCall = ToolCall()
  ) {
    self.sessionID = sessionID
    self.call = call
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    sessionID = fields.id("sessionId") ?? ""
    call = ToolCall(json) ?? ToolCall()
  }
}

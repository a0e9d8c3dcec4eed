/// The label of a row: its kind, for a container kind the event named in its content, and
/// everything derived from the two. Rows share labels, so this is computed once.
package struct ActionLabel: Hashable, Sendable {
  /// As the wire spells it.
  package let kind: String
  /// The event a container row names; nil for other kinds and for free text.
  package let event: String?
  package let domain: Domain
  package let severity: Severity
  package let chips: ChipSet
  /// Whether the metadata may turn the row into a failure (`isError`, `runStatus`).
  package let mayFail: Bool

  /// The longest event name that is believed; longer ones are text.
  package static let maxEventLength = 96
  private static let maxTellingLength = 400

  package init(kind: String, event: String? = nil) {
    let action = ActionKind(rawValue: kind)
    self.kind = kind
    self.event = event
    domain = action.domain
    // No kind that says something by how it ends is that long; see `ActionKind.domain`.
    let kind = kind.utf8.count <= Self.maxTellingLength ? kind : ""
    severity = Self.severity(kind: kind, event: event)
    mayFail =
      Self.reportingKinds.contains(kind) || (event.map(Self.isToolEvent) ?? false)
      || Self.isTool(kind: kind, event: event)
    var chips = ChipSet(.all)
    if let chip = domain.chip { chips.insert(chip) }
    if Self.isTool(kind: kind, event: event) { chips.insert(.tool) }
    // Not every `*_error`: `voice_error` also carries warnings (contract 4.5).
    if severity == .error { chips.insert(.error) }
    self.chips = chips
  }

  /// The label of a row with this content.
  package init(kind: String, content: String?) {
    var event: String?
    if ActionKind(rawValue: kind).isContainer, var content {
      event = content.withUTF8 { bytes in
        Self.eventLength(UnsafeRawBufferPointer(bytes)).map {
          String(decoding: bytes[..<$0], as: UTF8.self)
        }
      }
    }
    self.init(kind: kind, event: event)
  }

  /// The most telling name: the event, else the kind.
  package var title: String { event ?? kind }

  /// The length of the event name at the start of a container's content: letters, digits, `_`,
  /// `-`, `.` and `/` up to a colon or the end. nil if the content is a sentence instead.
  package static func eventLength(_ content: UnsafeRawBufferPointer) -> Int? {
    guard let base = content.baseAddress else { return nil }
    var length = 0
    while length < content.count {
      let byte = base.load(fromByteOffset: length, as: UInt8.self)
      // One bit for each of 64 bytes: `-` to `9`, and `A` to `Z`, `_` and `a` to `z`.
      let set: UInt64 = byte < 0x40 ? 0x03FF_E000_0000_0000 : 0x07FF_FFFE_87FF_FFFE
      guard byte < 0x80, set &>> UInt64(byte & 0x3F) & 1 != 0 else {
        return byte == UInt8(ascii: ":") && length > 0 ? length : nil
      }
      length &+= 1
      if length > maxEventLength { return nil }
    }
    return length > 0 ? length : nil
  }

  // MARK: rules

  /// Kinds whose metadata may report a failure.
  private static let reportingKinds: Set<String> = [
    "automation_run", "swarm_task_result", "code_agent_call", "browser_tool_result",
  ]

  /// Failures whose kind does not end in `_error` (contract 9.3).
  private static func isFailure(_ name: String) -> Bool {
    name.hasSuffix("_error") || name.hasSuffix("_failed") || name.hasSuffix("_failure")
  }

  private static func isWarning(_ name: String) -> Bool {
    [
      "_warn", "_warning", "_timeout", "_fallback", "_unavailable", "_rate_limited", "_declined",
      "_unhealthy", "_degraded", "_not_found", "_hard_recovery",
    ].contains { name.hasSuffix($0) }
  }

  /// Events of error kinds that only say that something is tried again or was let go.
  private static func isMild(_ event: String) -> Bool {
    ["_retry", "_retrying", "_reconnect", "_skipped", "_ignored", "_deferred", "_cancelled"]
      .contains { event.hasSuffix($0) } || event.contains("warning")
  }

  private static func severity(kind: String, event: String?) -> Severity {
    if kind.hasSuffix("_error") {
      // `voice_error` also carries warnings; unknown events count as errors.
      if let event, isMild(event) { return .warning }
      return .error
    }
    if kind == "minecraft_mcp_init_error" { return .error }
    if isFailure(kind) { return .error }
    if let event, isFailure(event) { return .error }
    if isWarning(kind) { return .warning }
    if let event, isWarning(event) { return .warning }
    return .info
  }

  private static func isToolEvent(_ event: String) -> Bool {
    event == "voice_brain_tool_call" || event.hasPrefix("realtime_tool_call_")
  }

  /// Tool executions: nothing upstream has a tool domain (contract 8.1), so they are gathered from
  /// the voice events and the service kinds (contract 4.5 and 8.8).
  private static func isTool(kind: String, event: String?) -> Bool {
    if let event, isToolEvent(event) { return true }
    return toolKinds.contains(kind) || kind.hasPrefix("browser_tool_") || kind.hasPrefix("tool_")
  }

  private static let toolKinds: Set<String> = [
    "llm_tool_call", "search_call", "search_error", "browser_browse_call",
    "browser_browse_failed", "image_call", "image_error", "gif_call", "gif_error", "video_call",
    "video_error", "video_context_call", "video_context_error", "code_agent_call",
    "code_agent_error", "minecraft_runtime_call", "minecraft_runtime_tool_error",
  ]
}

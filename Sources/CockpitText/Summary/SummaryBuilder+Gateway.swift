import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore

/// Rows of an OpenClaw gateway: which agent, and what.
extension SummaryBuilder {
  /// Whether the row was made from an event of a gateway.
  var isOfGateway: Bool { RowOrigin.isGateway(metadata) }

  package mutating func gateway() {
    add(action.guildID.map { names.directory.guildName($0) ?? $0 }, .textDomain)
    if metadata["filledIn"]?.bool == true { add("filled in", .muted) }
    switch action.kind {
    case "llm_call":
      llm()
      return
    case "text_message":
      add(string("displayName"), .muted)
      quote(action.content)
    case "sent_reply", "llm_run_thinking": quote(action.content)
    case "tool_finished":
      outcome = .ok
      add(action.content)
    case "tool_failed", "tool_unknown":
      outcome = action.kind == "tool_failed" ? .failed : nil
      add(action.content, isFailure ? .negative : .warning)
      pair("exit", "exitCode")
    case "approval_requested", "question_requested", "pairing_requested":
      add(action.content, .warning)
    default:
      add(
        action.content,
        kind.severity == .error ? .negative : kind.severity == .warning ? .warning : .text)
    }
  }
}

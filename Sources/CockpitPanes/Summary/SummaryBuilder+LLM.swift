import ClankyWire
import TerminalCore

extension SummaryBuilder {
  /// `llm_call`, `llm_tool_call`, `llm_error`, `llm_lifecycle` (contract 4.5, LLM).
  mutating func llm() {
    switch action.kind {
    case "llm_call":
      model()
      add(string("source"), .muted)
      let called = toolNames
      if called.isEmpty {
        add("0 tools", .faint)
      } else {
        add(called.prefix(2).joined(separator: " "), .tool)
        let more = (metadata["toolCallCount"]?.int ?? called.count) - min(2, called.count)
        if more > 0 { add(PlainText("+\(more)"), .tool) }
      }
      usage()
      if let stop = string("stopReason"), stop != "end_turn", stop != "stop" { add(stop, .muted) }
    case "llm_tool_call":
      model()
      for call in (metadata["toolCalls"]?.array ?? []).prefix(3) {
        add("\(call["name"]?.string ?? "?")(\((call["input"] ?? .null).arguments))", .tool)
      }
      add(string("source"), .muted)
      usage()
    case "llm_error":
      outcome = .failed
      if let status = metadata["status"]?.int { add(PlainText("\(status)"), .negative) }
      add(string("errorType"), .negative)
      model()
      add(action.content)
    default:
      fallback()
    }
  }

  /// The model without its vendor's prefix: the row is narrow, the detail has it whole.
  mutating func model() {
    guard let model = string("model") ?? action.content?.split(separator: ":").last.map(String.init)
    else { return }
    add(model.trimmingPrefix("claude-").description, .heading)
  }

  /// The tools that were called: one joined string on the wire, a list is accepted too.
  var toolNames: [String] {
    switch metadata["toolNames"] {
    case .string(let joined):
      joined.split(separator: ",").map { $0.trimmingPrefix(" ").description }
    case .array(let list): list.compactMap(\.string)
    default: []
    }
  }

  /// `1.2k in 340 out 71% cached`
  mutating func usage() {
    guard let usage = metadata["usage"], usage.object != nil else { return }
    let input = usage["inputTokens"]?.double
    let read = usage["cacheReadTokens"]?.double
    add(
      Figures.short(input) + ">" + Figures.short(usage["outputTokens"]?.double) + " tok", .muted)
    if let read, read > 0 { add(Figures.short(read) + " cached", .faint) }
  }
}

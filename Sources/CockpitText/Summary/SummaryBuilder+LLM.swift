import ClankyWire
import LenientJSON
import TerminalCore

extension SummaryBuilder {
  /// `llm_call`, `llm_tool_call`, `llm_error`, `llm_lifecycle` (contract 4.5, LLM).
  package mutating func llm() {
    switch action.kind {
    case "llm_call":
      model()
      if !isOfGateway { add(string("source"), .muted) }
      calledTools()
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
      var message = action.content ?? ""
      if let status = metadata["status"]?.int {
        add(PlainText("\(status)"), .negative)
        // Messages begin with it, too.
        message = message.without(prefix: "\(status) ").description
      }
      add(string("errorType"), .negative)
      // Whose message it was: many of these rows are equal but for that.
      if let channel { add(PlainText(channel, limit: 40), .muted) }
      if let speaker { add(PlainText(speaker, limit: 30), .muted) }
      model()
      addOnce(message, .text)
    case "llm_lifecycle" where event == "provider_readiness_summary":
      providers("available", .positive, none: .warning)
      providers("unavailable", .warning, none: .muted)
    default:
      other()
    }
  }

  /// The tools that a model called: the count is exact, names are limited to eight (contract 4.5).
  /// Nothing if both are unknown.
  private mutating func calledTools() {
    let names = toolNames
    let count = metadata["toolCallCount"]?.int.flatMap { $0 >= 0 ? $0 : nil }
    guard !names.isEmpty else {
      guard let count else { return }
      add(PlainText(count == 1 ? "1 tool" : "\(count) tools"), count == 0 ? .faint : .tool)
      return
    }
    add(names.prefix(2).joined(separator: " "), .tool)
    let more = (count ?? names.count) - min(2, names.count)
    if more > 0 { add(PlainText("+\(more)"), .tool) }
  }

  private mutating func providers(_ key: String, _ role: Role, none: Role) {
    guard let list = metadata[key]?.array else { return }
    add(PlainText(key), .muted)
    if list.isEmpty {
      add("none", none)
    } else {
      add(JSONValue.joined(list, separator: ", "), role)
    }
  }

  /// The model without its vendor prefix: the row is narrow, the detail shows it in full.
  package mutating func model() {
    guard let model = string("model") ?? action.content?.split(separator: ":").last.map(String.init)
    else { return }
    add(model.without(prefix: "claude-").description, .heading)
  }

  /// The tools that were called: one joined string on the wire, a list is accepted too.
  package var toolNames: [String] {
    switch metadata["toolNames"] {
    case .string(let joined):
      joined.split(separator: ",").map { $0.without(prefix: " ").description }
    case .array(let list): list.compactMap(\.string)
    default: []
    }
  }

  /// `1.2k in 340 out 71% cached`
  package mutating func usage() {
    guard let usage = metadata["usage"], usage.object != nil else { return }
    let input = usage["inputTokens"]?.double
    let read = usage["cacheReadTokens"]?.double
    add(
      Figures.short(input) + ">" + Figures.short(usage["outputTokens"]?.double) + " tok", .muted)
    if let read, read > 0 { add(Figures.short(read) + " cached", .faint) }
  }
}

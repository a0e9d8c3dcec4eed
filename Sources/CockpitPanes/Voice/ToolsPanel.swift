import CockpitText
import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore

/// One tool call, whichever way it became known: from the list of finished calls or from the rows
/// that say it started and ended (contract 4.5, 5.2.11).
struct ToolRow: Hashable {
  enum State: Hashable {
    case running, succeeded, failed
    /// It ended, and nothing tells how.
    case ended
    /// Its end is not on record.
    case unfinished
  }

  var id: String
  var name: String?
  var type: ToolType?
  var state: State
  var startedAt: WireTime?
  var endedAt: WireTime?
  /// The duration; nil if missing or 0.
  var durationMs: Int?
  var arguments: JSONValue?
  var result: JSONValue?
  var error: String?
  /// Whether the realtime provider runs it, instead of the bot's own brain; nil if unknown.
  var isProviderNative: Bool?

  init(
    id: String, name: String?, type: ToolType? = nil, state: State, startedAt: WireTime? = nil,
    endedAt: WireTime? = nil, durationMs: Int? = nil, arguments: JSONValue? = nil,
    result: JSONValue? = nil, error: String? = nil, isProviderNative: Bool? = nil
  ) {
    self.id = id
    self.name = name
    self.type = type
    self.state = state
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.durationMs = durationMs.flatMap { $0 > 0 ? $0 : nil }
    self.arguments = arguments
    self.result = result
    self.error = error
    self.isProviderNative = isProviderNative
  }

  /// - Parameter place: the index in the list, for calls without an id.
  init(_ call: ToolCall, place: Int, ownership: ToolOwnership?) {
    self.init(
      id: call.callID ?? "\(call.startedAt?.milliseconds ?? 0)-\(place)", name: call.toolName,
      type: call.toolType, state: State(call),
      startedAt: call.startedAt, endedAt: call.completedAt, durationMs: call.runtimeMs,
      arguments: call.arguments, result: call.outputSummary, error: call.error,
      isProviderNative: ownership.map { $0 == .providerNative })
  }
}

extension ToolRow.State {
  /// Only `success` reports the outcome; if it is missing, an error text decides (contract 4.1). A
  /// call that neither ended nor failed has not succeeded yet.
  init(_ call: ToolCall) {
    let hasError = call.error?.isEmpty == false
    let isOver = call.completedAt != nil || hasError || (call.runtimeMs ?? 0) > 0
    switch call.success {
    case true?: self = .succeeded
    case false?: self = isOver ? .failed : .running
    case nil: self = hasError ? .failed : .ended
    }
  }

  init(_ tool: VoiceTurnRecord.Tool, isLive: Bool) {
    switch tool.isSuccess {
    case true?: self = .succeeded
    case false?: self = .failed
    case nil: self = !tool.isRunning ? .ended : isLive ? .running : .unfinished
    }
  }
}

/// Tool calls, newest first: outcome, arguments and result.
@MainActor
struct ToolsPanel {
  let facts: ViewContext
  var tools: [ToolRow]
  var open: Set<String>
  /// Everything is open, for a panel that has the screen.
  var isFull: Bool
  var width: Int

  private var figures: VoiceFigures { VoiceFigures(facts: facts) }

  var title: PlainText { "tool calls " + Figures.count(tools.count) }

  var trailing: PlainText {
    let running = tools.count { $0.state == .running }
    let failed = tools.count { $0.state == .failed }
    var parts: [PlainText] = []
    if running > 0 { parts.append(PlainText("\(running) running")) }
    if failed > 0 { parts.append(PlainText("\(failed) failed")) }
    return parts.joined(separator: "  ")
  }

  /// At least the first `limit` lines, if there are that many.
  func lines(limit: Int) -> [VoiceLine] {
    var lines: [VoiceLine] = []
    for tool in tools {
      guard lines.count < limit else { break }
      lines.append(head(tool))
      if open.contains(tool.id) || isFull { lines += body(tool) }
    }
    return lines
  }

  private func head(_ tool: ToolRow) -> VoiceLine {
    let nameWidth = min(18, max(8, width / 3))
    var spans = [mark(tool)]
    spans.append(
      .init(
        text: figures.text(tool.name, limit: 60).cut(to: nameWidth).padded(to: nameWidth),
        role: .tool))
    if width >= 34 {
      if let error = tool.error {
        spans.append(.init(text: PlainText(error, limit: 200), role: .negative))
      } else {
        let arguments = tool.arguments.flatMap { $0.isNull ? nil : $0.serialized() } ?? ""
        spans.append(.label(PlainText(arguments, limit: max(20, width))))
      }
    }
    return VoiceLine(spans, trailing: [took(tool)], item: .tool(tool.id))
  }

  private func mark(_ tool: ToolRow) -> VoiceLine.Span {
    switch tool.state {
    // The second of the frame turns it: a spinner without a timer.
    case .running:
      .init(
        text: facts.nowMs / 1000 % 2 == 0 ? ".." : "::", role: .warning, attributes: .bold)
    case .succeeded: .init(text: "ok", role: .positive)
    case .unfinished: .init(text: "??", role: .muted)
    case .ended: .init(text: "- ", role: .muted)
    case .failed: .init(text: "xx", role: .negative, attributes: .bold)
    }
  }

  private func took(_ tool: ToolRow) -> VoiceLine.Span {
    if tool.state == .running {
      let since = tool.startedAt.map { Double(max(0, facts.nowMs - $0.milliseconds)) }
      return .init(text: Figures.duration(ms: since), role: .warning)
    }
    // A tool beyond 3 s is slow (contract 8.3).
    let isSlow = (tool.durationMs ?? 0) > 3000
    return .init(text: figures.ms(tool.durationMs), role: isSlow ? .warning : .number)
  }

  private func body(_ tool: ToolRow) -> [VoiceLine] {
    var lines: [VoiceLine] = []
    func add(_ label: PlainText, _ text: PlainText, _ role: Role = .text) {
      for var line in VoiceLine.wrapped(
        "  " + label, text, role, width: width, limit: 12, labelWidth: 9)
      {
        line.item = .tool(tool.id)
        lines.append(line)
      }
    }
    let path: PlainText =
      switch tool.isProviderNative {
      case true?: "by the realtime provider"
      case false?: "by the bot's own brain"
      case nil: ""
      }
    add(
      "when",
      figures.time(tool.startedAt) + " to " + figures.time(tool.endedAt) + "  "
        + figures.text(tool.type?.description, limit: 12) + "  " + path, .muted)
    if let arguments = tool.arguments, !arguments.isNull {
      add("args", PlainText(arguments.serialized(), limit: 2000))
    }
    switch tool.result {
    case .string(let text)?: add("result", PlainText(text, limit: 2000))
    case .null?, nil:
      add("result", tool.state == .running ? "running" : "none on record", .muted)
    case let result?: add("result", PlainText(result.serialized(), limit: 2000))
    }
    if let error = tool.error { add("error", PlainText(error, limit: 1000), .negative) }
    add("call", figures.text(tool.id, limit: 80), .faint)
    return lines
  }
}

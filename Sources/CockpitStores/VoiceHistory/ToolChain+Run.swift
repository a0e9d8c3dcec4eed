internal import ClankyWire
package import LenientJSON

/// Rows that end a tool call of a gateway's run.
package enum RunTool {
  /// Their kinds.
  package static let ends: Set<String> = ["tool_finished", "tool_failed", "tool_unknown"]

  /// The name of the tool; untrusted text.
  package static func name(_ metadata: JSONValue) -> String? { metadata["toolName"]?.string }
}

/// The chain of a run. Rows of tools name the run and have durations; the time between tools counts as the model's.
extension ToolChain {
  /// - Parameters:
  ///   - calls: the rows of model calls, by time; not empty. A gateway sends each after the tools of its call.
  ///   - tools: the rows of ended tools, by time.
  static func run(calls: [TextRow], tools: [TextRow], end: TextRow?) -> ToolChain {
    var columns: [[Node]] = []
    var sinceMs: Int64?
    for (place, call) in calls.enumerated() {
      let isLast = place == calls.count - 1
      let own = tools.filter { tool in
        (isLast || tool.timeMs <= call.timeMs) && tool.timeMs > (sinceMs ?? .min)
      }
      let steps = sideBySide(own.map(Node.init(tool:)))
      var node = Node(text: call)
      let beginMs =
        sinceMs ?? milliseconds(call.metadata["durationMs"]).map { call.timeMs - Int64($0) }
      node.run(fromMs: beginMs, toMs: steps.first?.compactMap(\.startMs).min() ?? call.timeMs)
      columns.append([node])
      columns += steps
      sinceMs = call.timeMs
    }
    if let end {
      var reply = Node(closing: end)
      // After tools the model writes the answer.
      if let last = columns.last, last.contains(where: { $0.kind == .tool }) {
        reply.run(fromMs: last.compactMap(\.endMs).max(), toMs: end.timeMs)
      }
      columns.append([reply])
    }
    return ToolChain(path: .text, columns: columns)
  }

  /// Groups tools that overlap in time into one column.
  private static func sideBySide(_ tools: [Node]) -> [[Node]] {
    var columns: [[Node]] = []
    var endMs = Int64.min
    for tool in tools.sorted(by: { ($0.startMs ?? $0.endMs ?? 0) < ($1.startMs ?? $1.endMs ?? 0) })
    {
      if let start = tool.startMs ?? tool.endMs, start >= endMs || columns.isEmpty {
        columns.append([tool])
      } else {
        columns[max(0, columns.count - 1)].append(tool)
      }
      endMs = max(endMs, tool.endMs ?? endMs)
    }
    return columns
  }
}

extension ToolChain.Node {
  fileprivate init(tool row: ToolChain.TextRow) {
    self.init(.tool, RunTool.name(row.metadata) ?? row.kind)
    fill(from: row)
    if row.kind == "tool_unknown" { isSuccess = nil }
  }

  /// Sets an approximate duration: the time between two rows may include more than this step.
  fileprivate mutating func run(fromMs: Int64?, toMs: Int64) {
    guard let fromMs, toMs > fromMs, toMs - fromMs < 86_400_000 else { return }
    (startMs, endMs) = (fromMs, toMs)
    durationMs = Int(toMs - fromMs)
    isApproximate = true
  }
}

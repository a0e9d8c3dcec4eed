internal import ClankyWire
package import LenientJSON

/// A tool call of a gateway's run, as the row of its end tells it.
package enum RunTool {
  /// The kinds of these rows.
  package static let ends: Set<String> = ["tool_finished", "tool_failed", "tool_unknown"]

  /// The name of the tool; untrusted text.
  package static func name(_ metadata: JSONValue) -> String? { metadata["toolName"]?.string }
}

/// The chain of a run: its tools name it and state how long they took; the time between them is the model's.
extension ToolChain {
  /// - Parameters:
  ///   - calls: the rows of model calls, by time; not empty. Each comes at the end of what it is about.
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

  /// Tools that ran at the same time stand in one column.
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

  /// The time between two moments, which may hold more than the step itself.
  fileprivate mutating func run(fromMs: Int64?, toMs: Int64) {
    guard let fromMs, toMs > fromMs, toMs - fromMs < 86_400_000 else { return }
    (startMs, endMs) = (fromMs, toMs)
    durationMs = Int(toMs - fromMs)
    isApproximate = true
  }
}

package import LenientJSON
internal import ClankyWire

/// How an answer was made: models, tools, the reply and its audio, as a graph (contract 8.8).
/// Durations are given only if the wire has them.
package struct ToolChain: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case llm
    case tool
    case reply
    /// Speech: from the request to the first sound.
    case audio
    /// The bot chose not to answer.
    case skipped
  }

  package struct Node: Hashable, Sendable, Identifiable {
    /// Its place in `nodes`.
    package var id: Int
    package var kind: Kind
    /// The model, the tool, or `reply`; untrusted text.
    package var name: String
    /// Milliseconds since 1970; nil if unknown.
    package var startMs: Int64?
    package var endMs: Int64?
    /// nil if unknown; never invented.
    package var durationMs: Int?
    /// Whether the duration holds more than the node itself, such as the preparation of a model
    /// call (contract 4.5).
    package var isApproximate = false
    /// nil if it is unfinished, or unknown.
    package var isSuccess: Bool?
    package var isRunning = false
    package var tokensIn: Int?
    package var tokensOut: Int?
    package var cacheRead: Int?
    package var costUSD: Double?
    /// The text of a reply, the error of a tool.
    package var detail: String?
    package var arguments: JSONValue?
    package var events: [VoiceEvent.ID] = []
    package var rowID: RowID?
    /// Whether it is on the critical path.
    package var isCritical = false

    init(_ kind: Kind, _ name: String) {
      id = 0
      self.kind = kind
      self.name = name
    }
  }

  package struct Edge: Hashable, Sendable {
    package var from: Int
    package var to: Int
  }

  package enum Path: Hashable, Sendable {
    case brain
    case provider
    case text
  }

  package var path: Path
  /// In the order of the flow.
  package var nodes: [Node]
  /// Columns of the drawing, left to right: nodes of one group ran side by side.
  package var groups: [[Int]]
  package var edges: [Edge]
  /// The known time on the critical path, in ms; nil if nothing on it has a duration. Overlapping
  /// time counts once, so it never exceeds the whole.
  package var criticalMs: Int?
  /// From the first to the last known moment, in ms since 1970.
  package var span: ClosedRange<Int64>?
  /// Its length in ms.
  package var spanMs: Int? { span.map { Int($0.upperBound - $0.lowerBound) } }
  package var costUSD: Double?
  package var tokensIn: Int?
  package var tokensOut: Int?
  /// Number of nodes without a known duration; they add no time to the critical path.
  package var unknownDurations: Int { nodes.count { $0.durationMs == nil } }

  /// Puts columns of nodes together: every node of one leads to every node of the next.
  init(path: Path, columns: [[Node]]) {
    self.path = path
    nodes = []
    groups = []
    edges = []
    for column in columns where !column.isEmpty {
      let before = groups.last ?? []
      var group: [Int] = []
      for node in column {
        var node = node
        node.id = nodes.count
        nodes.append(node)
        group.append(node.id)
        for from in before { edges.append(Edge(from: from, to: node.id)) }
      }
      groups.append(group)
    }
    markCriticalPath()
    for moment in nodes.flatMap({ [$0.startMs, $0.endMs] }) { cover(moment) }
    costUSD = Self.sum(nodes.compactMap(\.costUSD))
    tokensIn = Self.sum(nodes.compactMap(\.tokensIn))
    tokensOut = Self.sum(nodes.compactMap(\.tokensOut))
  }

  private static func sum<Number: AdditiveArithmetic>(_ numbers: [Number]) -> Number? {
    numbers.isEmpty ? nil : numbers.reduce(.zero, +)
  }

  /// The whole holds this moment as well.
  mutating func cover(_ moment: Int64?) {
    guard let moment else { return }
    span = min(span?.lowerBound ?? moment, moment)...max(span?.upperBound ?? moment, moment)
  }

  /// A year: an upper bound on a step's duration, whatever a row claims.
  private static let longestMs = 31_536_000_000

  /// Of parallel nodes the slowest counts; without known times, the one that ended last.
  private mutating func markCriticalPath() {
    var sum: Int?
    var coveredToMs = Int64.min
    for group in groups {
      let slowest = group.max { left, right in
        let (a, b) = (nodes[left], nodes[right])
        return (a.durationMs ?? -1, a.endMs ?? 0, b.id) < (b.durationMs ?? -1, b.endMs ?? 0, a.id)
      }
      guard let slowest else { continue }
      nodes[slowest].isCritical = true
      guard let ms = nodes[slowest].durationMs.map({ min(max(0, $0), Self.longestMs) }) else {
        continue
      }
      guard let start = nodes[slowest].startMs else {
        sum = (sum ?? 0) + ms
        continue
      }
      let end = start + Int64(ms)
      sum = (sum ?? 0) + Int(max(0, end - max(start, coveredToMs)))
      coveredToMs = max(coveredToMs, end)
    }
    criticalMs = sum
  }
}

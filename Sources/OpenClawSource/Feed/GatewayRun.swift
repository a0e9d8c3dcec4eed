internal import LenientJSON
internal import OpenClawWire

/// A run of an agent, as far as its events have told it.
struct GatewayRun {
  /// A tool that the run called.
  struct Tool {
    var name: String
    var startMs: Int64
    var isOver = false
    var exitCode: Int?
    var durationMs: Int?
  }

  let id: String
  var agent: String?
  var session: String?
  /// The parent's session of a child run.
  var spawnedBy: String?
  /// The sender of the message that triggered the run; nil for heartbeats and jobs.
  var asker: String?
  /// The words of that message.
  var askedFor: String?
  var startMs: Int64
  var firstTextMs: Int64?
  /// What it is doing, in the gateway's words.
  var phase: String?
  var text = RunText()
  var thinking = ""
  var plan: JSONValue?
  var tools: [String: Tool] = [:]
  /// In the order of their starts.
  var toolNames: [String] = []
  var outputTokens: Int?
  var hasStartRow = false
  var hasFailureRow = false
  /// Its end was filled in from the gateway's list.
  var hasFilledEnd = false
  /// Only the gateway's list has told of it: whether it still runs is not known from there.
  var isOnlyFilled = false
  var isThinkingTold = false
  /// The last answer that has a row: a second `final` repeats it or goes on.
  var toldText: String?
  var isOver = false
  /// Rows of streams without a meaning of their own.
  var notes = 0

  init(id: String, startMs: Int64) {
    self.id = id
    self.startMs = startMs
  }

  /// The tool that runs now.
  var runningTool: String? {
    tools.values.filter { !$0.isOver }.max { $0.startMs < $1.startMs }?.name
  }
}

/// The runs of a gateway, a bounded number of them.
struct GatewayRuns {
  static let maximum = 400
  private(set) var byID: [String: GatewayRun] = [:]
  /// The oldest first.
  private var order: [String] = []

  var live: [GatewayRun] { order.compactMap { byID[$0] }.filter { !$0.isOver } }

  subscript(id: String) -> GatewayRun? { byID[id] }

  /// Changes a run; one that is not known begins now.
  mutating func change<Result>(
    _ id: String, atMs: Int64, _ body: (inout GatewayRun) -> Result
  ) -> Result {
    var run = byID[id] ?? add(id, atMs: atMs)
    defer { byID[id] = run }
    return body(&run)
  }

  /// Ends the live runs of which something says that they have ended.
  ///
  /// - Returns: those.
  mutating func end(where hasEnded: (GatewayRun) -> Bool) -> [GatewayRun] {
    live.filter(hasEnded).map { run in
      byID[run.id]?.isOver = true
      return run
    }
  }

  private mutating func add(_ id: String, atMs: Int64) -> GatewayRun {
    let run = GatewayRun(id: id, startMs: atMs)
    byID[id] = run
    order.append(id)
    if order.count > Self.maximum {
      let place = order.firstIndex { byID[$0]?.isOver ?? true } ?? 0
      byID[order.remove(at: place)] = nil
    }
    return run
  }
}

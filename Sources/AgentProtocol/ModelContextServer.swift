package import LenientJSON

/// A tools-only Model Context Protocol server as a pure state machine: lines in, steps out. Calls run one at a
/// time; a bounded number is queued.
package struct ModelContextServer: Sendable {
  /// Protocol versions, oldest first.
  package enum Version: String, CaseIterable, Sendable {
    case first = "2024-11-05"
    /// It has batches.
    case second = "2025-03-26"
    /// Structured results; no batches.
    case third = "2025-06-18"

    package var hasStructuredResults: Bool { self == .third }
    var takesBatches: Bool { self != .third }
  }

  /// What the server says of itself.
  package struct About: Sendable {
    package var name: String
    package var title: String
    package var version: String
    /// Advice for the model that reads the answers.
    package var instructions: String

    package init(name: String, title: String, version: String, instructions: String) {
      (self.name, self.title, self.version) = (name, title, version)
      self.instructions = instructions
    }
  }

  /// A call of a tool that is to be carried out.
  package struct Call: Equatable, Sendable {
    /// Ours, counted from 1; ids of clients may repeat.
    package var number: Int
    package var tool: String
    package var arguments: JSONObject
  }

  package enum Step: Equatable, Sendable {
    /// One line for the client.
    case send([UInt8])
    /// To be answered by `finish`.
    case start(Call)
    /// The running call is not wanted any more; nothing is expected of it.
    case cancel(number: Int)
  }

  /// A call that runs or waits.
  private struct Pending: Sendable {
    var call: Call
    var id: JSONValue
    var batch: Int?
  }

  /// Answers that go out together.
  private struct Batch: Sendable {
    var missing: Int
    var answers: [JSONValue] = []
  }

  private let about: About
  /// As `tools/list` gives them.
  private let tools: [(name: String, description: JSONValue)]
  /// The version that was agreed on; nil before `initialize`.
  package private(set) var version: Version?
  private var running: Pending?
  private var waiting: [Pending] = []
  private var batches: [Int: Batch] = [:]
  private var lastNumber = 0
  private var lastBatch = 0

  /// Calls that may wait beside the running one.
  package static let mostWaiting = 16
  /// Messages of one batch.
  package static let largestBatch = 32
  private static let pageSize = 100

  /// - Parameter tools: name and description (`name`, `description`, `inputSchema` …), in their order.
  package init(_ about: About, tools: [(name: String, description: JSONValue)]) {
    self.about = about
    self.tools = tools
  }

  package mutating func take(_ line: RPCLineSplitter.Line) -> [Step] {
    guard case .message(let bytes) = line else {
      return [send(RPCAnswer.error(.null, .parse("a message has at most 1 MiB")))]
    }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(bytes)
    } catch {
      return [send(RPCAnswer.error(.null, .parse(error.description)))]
    }
    if case .array(let elements) = value { return take(batch: elements) }
    var steps: [Step] = []
    if case .answer(let answer) = take(RPCMessage(value), batch: nil, &steps) {
      steps.append(send(answer))
    }
    return steps
  }

  private mutating func take(batch elements: [JSONValue]) -> [Step] {
    guard !elements.isEmpty, elements.count <= Self.largestBatch, let version,
      version.takesBatches
    else {
      let why =
        version.map { !$0.takesBatches } ?? false
        ? "this protocol version has no batches"
        : "a batch has 1 to \(Self.largestBatch) messages and comes after initialize"
      return [send(RPCAnswer.error(.null, .invalidRequest(why)))]
    }
    lastBatch += 1
    let number = lastBatch
    batches[number] = Batch(missing: 1)
    var steps: [Step] = []
    for element in elements {
      let message = RPCMessage(element)
      batches[number]?.missing += 1
      switch message {
      case .request(let id, "initialize", _):
        batches[number]?.answers.append(
          RPCAnswer.error(id, .invalidRequest("initialize is not part of a batch")))
        batches[number]?.missing -= 1
      default:
        switch take(message, batch: number, &steps) {
        case .later: break
        case .nothing: batches[number]?.missing -= 1
        case .answer(let answer):
          batches[number]?.answers.append(answer)
          batches[number]?.missing -= 1
        }
      }
    }
    return steps + settle(batch: number)
  }

  /// One message of a batch has its answer, or gets none.
  private mutating func settle(batch number: Int) -> [Step] {
    batches[number]?.missing -= 1
    guard let batch = batches[number], batch.missing <= 0 else { return [] }
    batches[number] = nil
    return batch.answers.isEmpty ? [] : [send(.array(batch.answers))]
  }

  /// What becomes of one message.
  private enum Outcome {
    case answer(JSONValue)
    /// A call, which `finish` or a cancellation ends.
    case later
    case nothing
  }

  private mutating func take(
    _ message: RPCMessage, batch: Int?, _ steps: inout [Step]
  ) -> Outcome {
    switch message {
    case .response: return .nothing
    case .invalid(let id, let error): return .answer(RPCAnswer.error(id, error))
    case .notification("notifications/cancelled", let params):
      if let id = params["requestId"] { steps += cancel(id) }
      return .nothing
    case .notification: return .nothing
    case .request(let id, let method, let params):
      switch method {
      case "initialize": return .answer(initialize(id, params))
      case "ping": return .answer(RPCAnswer.result(id, .object(JSONObject())))
      case "tools/list", "tools/call":
        guard version != nil else {
          return .answer(RPCAnswer.error(id, .invalidRequest("initialize comes first")))
        }
        guard method == "tools/call" else { return .answer(list(id, params)) }
        return call(id, params, batch: batch, &steps).map { .answer($0) } ?? .later
      default: return .answer(RPCAnswer.error(id, .methodNotFound()))
      }
    }
  }

  private mutating func initialize(_ id: JSONValue, _ params: JSONObject) -> JSONValue {
    guard version == nil else {
      return RPCAnswer.error(id, .invalidRequest("this connection is initialized"))
    }
    guard let wanted = params["protocolVersion"]?.string else {
      return RPCAnswer.error(id, .invalidParams("\"protocolVersion\" is missing"))
    }
    // A version that is not known is answered with the newest one that is; the client decides.
    let agreed = Version(rawValue: wanted) ?? .third
    version = agreed
    var info: [(String, JSONValue?)] = [("name", .string(about.name))]
    if agreed.hasStructuredResults { info.append(("title", .string(about.title))) }
    info.append(("version", .string(about.version)))
    return RPCAnswer.result(
      id,
      .body([
        ("protocolVersion", .string(agreed.rawValue)),
        ("capabilities", .body([("tools", .body([("listChanged", .bool(false))]))])),
        ("serverInfo", .body(info)), ("instructions", .string(about.instructions)),
      ]))
  }

  private func list(_ id: JSONValue, _ params: JSONObject) -> JSONValue {
    var start = 0
    if let cursor = params["cursor"]?.string, !cursor.isEmpty {
      guard let given = Int(cursor), given >= 0 else {
        return RPCAnswer.error(id, .invalidParams("the cursor is not one of this server"))
      }
      start = min(given, tools.count)
    }
    let page = tools[start...].prefix(Self.pageSize)
    var members: [(String, JSONValue?)] = [("tools", .array(page.map(\.description)))]
    if page.endIndex < tools.count {
      members.append(("nextCursor", .string(String(page.endIndex))))
    }
    return RPCAnswer.result(id, .body(members))
  }

  /// - Returns: why it is not carried out; nil if it is.
  private mutating func call(
    _ id: JSONValue, _ params: JSONObject, batch: Int?, _ steps: inout [Step]
  ) -> JSONValue? {
    guard let name = params["name"]?.string, tools.contains(where: { $0.name == name }) else {
      return RPCAnswer.error(id, .invalidParams("there is no such tool; see tools/list"))
    }
    let arguments: JSONObject
    switch params["arguments"] {
    case nil, .null: arguments = JSONObject()
    case .object(let given): arguments = given
    default: return RPCAnswer.error(id, .invalidParams("\"arguments\" is not an object"))
    }
    guard waiting.count < Self.mostWaiting else {
      return RPCAnswer.error(
        id, .overloaded("\(Self.mostWaiting) calls wait already; one runs at a time"))
    }
    let isUsed = ([running].compactMap { $0 } + waiting).contains { $0.id == id }
    guard !isUsed else {
      return RPCAnswer.error(id, .invalidRequest("the id is that of a call that has no answer yet"))
    }
    lastNumber += 1
    let pending = Pending(
      call: Call(number: lastNumber, tool: name, arguments: arguments), id: id, batch: batch)
    if running == nil {
      running = pending
      steps.append(.start(pending.call))
    } else {
      waiting.append(pending)
    }
    return nil
  }

  /// The result of the running call.
  ///
  /// - Parameters:
  ///   - number: that of the call; of one that was cancelled nothing is sent.
  ///   - result: `content`, `isError` and so on.
  package mutating func finish(_ number: Int, _ result: JSONValue) -> [Step] {
    guard let pending = running, pending.call.number == number else { return [] }
    running = nil
    let answer = RPCAnswer.result(pending.id, result)
    var steps: [Step] = []
    if let batch = pending.batch {
      batches[batch]?.answers.append(answer)
      steps += settle(batch: batch)
    } else {
      steps.append(send(answer))
    }
    return steps + startNext()
  }

  private mutating func cancel(_ id: JSONValue) -> [Step] {
    if let index = waiting.firstIndex(where: { $0.id == id }) {
      let pending = waiting.remove(at: index)
      return pending.batch.map { settle(batch: $0) } ?? []
    }
    guard let pending = running, pending.id == id else { return [] }
    running = nil
    return [.cancel(number: pending.call.number)]
      + (pending.batch.map { settle(batch: $0) } ?? []) + startNext()
  }

  private mutating func startNext() -> [Step] {
    guard running == nil, !waiting.isEmpty else { return [] }
    let next = waiting.removeFirst()
    running = next
    return [.start(next.call)]
  }

  private func send(_ value: JSONValue) -> Step { .send(RPCAnswer.frame(value)) }

  /// Whether a call runs or waits.
  package var isBusy: Bool { running != nil || !waiting.isEmpty }
}

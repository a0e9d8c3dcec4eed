package import LenientJSON

/// A piece of a run's answer.
package struct ChatEvent: Sendable, Equatable {
  package enum State: Sendable, Equatable {
    /// How far the preparation has come; as sent.
    case status(String)
    /// `delta` is added, or `text` is all there is so far; a gateway may send both.
    case delta(added: String?, replaces: Bool, whole: String?)
    /// `text` is nil when the deltas already told it.
    case final(text: String?, stopReason: String?)
    case aborted(text: String?)
    case failed(message: String, kind: String?)
    /// As sent.
    case other(String)
  }

  package var runId: String
  package var sessionKey: String?
  package var agentId: String?
  package var sequence: Int?
  package var state: State
  /// Of a `final`: the run waits for others and goes on later.
  package var isYielded: Bool
  /// Of a `final`, as sent: what the run took.
  package var usage: JSONValue?
  /// The model that wrote the message, where it says so.
  package var model: String?

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let runId = fields.id("runId"),
      let name = fields.string("state")
    else { return nil }
    self.runId = runId
    sessionKey = fields.string("sessionKey")
    agentId = fields.string("agentId")
    sequence = fields.int("seq")
    isYielded = fields.bool("yielded") ?? false
    usage = fields.value("usage") ?? value["message"]?["usage"]
    model = value["message"]?["model"]?.string
    let whole = value["message"].flatMap(MessageText.init)?.text
    state =
      switch name {
      case "status": .status(fields.string("phase") ?? "")
      case "delta":
        .delta(
          added: fields.string("deltaText"), replaces: fields.bool("replace") ?? false, whole: whole
        )
      case "final": .final(text: whole, stopReason: fields.string("stopReason"))
      case "aborted": .aborted(text: whole)
      case "error":
        .failed(message: fields.string("errorMessage") ?? "", kind: fields.string("errorKind"))
      default: .other(name)
      }
  }
}

/// The text of one run, put together from its events in order.
package struct RunText: Sendable, Equatable {
  package private(set) var text = ""
  /// `final`, `aborted` or `error` has come; deltas after it do not count.
  package private(set) var isOver = false
  package private(set) var failure: String?

  package init() {}

  package mutating func take(_ state: ChatEvent.State) {
    switch state {
    case .delta(let added, let replaces, let whole):
      guard !isOver else { return }
      // Where both are there and disagree, the cumulative one is right.
      if let whole {
        text = whole
      } else if let added {
        text = replaces ? added : text + added
      }
    case .final(let whole, _):
      text = whole ?? text
      isOver = true
    case .aborted(let whole):
      text = whole ?? text
      isOver = true
    case .failed(let message, _):
      failure = message
      isOver = true
    case .status, .other: break
    }
  }
}

/// The text parts of a message, whose content is a string or a list of parts.
package struct MessageText: Sendable, Equatable {
  package var text: String

  package init?(_ value: JSONValue) {
    guard let content = value["content"] else { return nil }
    if let string = content.string {
      text = string
    } else if let parts = content.array {
      text = parts.filter { $0["type"]?.string == "text" }.compactMap { $0["text"]?.string }
        .joined()
    } else {
      return nil
    }
  }
}

/// A step of an agent: lifecycle, tool, plan, … The body stays as it came.
package struct AgentEvent: Sendable, Equatable {
  package var runId: String
  /// `lifecycle`, `tool`, `plan`, …, or another as sent.
  package var stream: String
  package var sequence: Int?
  package var sessionKey: String?
  package var agentId: String?
  package var spawnedBy: String?
  package var phase: String?
  package var data: JSONValue

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let runId = fields.id("runId"),
      let stream = fields.string("stream")
    else { return nil }
    self.runId = runId
    self.stream = stream
    sequence = fields.int("seq")
    sessionKey = fields.string("sessionKey")
    agentId = fields.string("agentId")
    spawnedBy = fields.string("spawnedBy")
    data = value["data"] ?? .null
    phase = data["phase"]?.string
  }
}

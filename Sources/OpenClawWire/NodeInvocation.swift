internal import LenientJSON

/// What a gateway asks of a node: the event `node.invoke.request`, of protocols 3 and 4.
package struct NodeInvocation: Sendable, Equatable {
  package var id: String
  /// The node that is meant: its device id.
  package var nodeId: String
  /// Such as `system.notify`.
  package var command: String
  /// A JSON document in a string; nil without parameters.
  package var parameters: String?
  /// The same key is the same request, sent again.
  package var idempotencyKey: String?

  /// nil for another event, and for one that cannot be answered.
  package init?(_ event: GatewayEvent) {
    guard event.name == "node.invoke.request", let fields = JSONFields(event.payload),
      let id = fields.id("id"), let node = fields.id("nodeId"),
      let command = fields.string("command")
    else { return nil }
    self.id = id
    nodeId = node
    self.command = command
    parameters = fields.string("paramsJSON")
    idempotencyKey = fields.string("idempotencyKey")
  }
}

/// The answer of a node: the parameters of `node.invoke.result`.
package struct NodeResult: Sendable, Equatable {
  /// Why a command was not carried out.
  package struct Failure: Error, Sendable, Equatable {
    /// `INVALID_REQUEST`, `UNAVAILABLE`, and others that gateways pass on.
    package var code: String
    /// One sentence for the agent that asked.
    package var message: String

    package init(_ code: String, _ message: String) {
      self.code = code
      self.message = message
    }
  }

  package var id: String
  package var nodeId: String
  /// nil: done.
  package var failure: Failure?

  package init(_ invocation: NodeInvocation, failure: Failure? = nil) {
    self.init(id: invocation.id, nodeId: invocation.nodeId, failure: failure)
  }

  init(id: String, nodeId: String, failure: Failure? = nil) {
    self.id = id
    self.nodeId = nodeId
    self.failure = failure
  }

  var parameters: JSONValue {
    .body([
      ("id", .string(id)), ("nodeId", .string(nodeId)), ("ok", .bool(failure == nil)),
      (
        "error",
        failure.map { .body([("code", .string($0.code)), ("message", .string($0.message))]) }
      ),
    ])
  }
}

/// A notification that an agent wants shown: the parameters of `system.notify`.
package struct SystemNotification: Sendable, Equatable {
  /// How much it wants to be noticed.
  package enum Priority: String, Sendable, Equatable {
    case passive, active, timeSensitive
  }

  package static let command = "system.notify"
  /// Bytes of the parameters that are read at all.
  package static let maximumBytes = 64 << 10
  /// Unicode scalars that are kept; the rest is cut.
  package static let maximumTitle = 200
  package static let maximumBody = 2_000

  /// Trimmed and cut. One of the two may be empty, not both.
  package var title: String
  package var body: String
  package var priority: Priority?
  /// The name of a sound, or what the sender takes for one.
  package var sound: String?

  /// - Parameter json: the parameters; `delivery` and what else they have is ignored.
  package init(_ json: String?) throws(NodeResult.Failure) {
    let bytes = Array((json ?? "{}").utf8)
    guard bytes.count <= Self.maximumBytes else {
      throw NodeResult.Failure("INVALID_REQUEST", "the parameters are longer than 64 KiB")
    }
    let parsed = bytes.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in try JSONValue.parse(bytes) }
    }
    guard case .success(let value) = parsed, let fields = JSONFields(value) else {
      throw NodeResult.Failure("INVALID_REQUEST", "the parameters are no JSON object")
    }
    title = Self.cut(fields.string("title") ?? "", to: Self.maximumTitle)
    body = Self.cut(fields.string("body") ?? "", to: Self.maximumBody)
    priority = fields.string("priority").flatMap(Priority.init)
    sound = fields.string("sound").map { Self.cut($0, to: 100) }
    guard !title.isEmpty || !body.isEmpty else {
      throw NodeResult.Failure("INVALID_REQUEST", "the notification has neither title nor body")
    }
  }

  private static func cut(_ text: String, to limit: Int) -> String {
    let scalars = text.unicodeScalars
    let isSpace: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
    guard let first = scalars.firstIndex(where: { !isSpace($0) }),
      let last = scalars.lastIndex(where: { !isSpace($0) })
    else { return "" }
    let trimmed = scalars[first...last]
    guard let end = trimmed.index(trimmed.startIndex, offsetBy: limit, limitedBy: trimmed.endIndex),
      end < trimmed.endIndex
    else { return String(String.UnicodeScalarView(trimmed)) }
    return String(String.UnicodeScalarView(trimmed[..<end])) + "…"
  }
}

package import LenientJSON

/// What can be answered to an approval.
package enum ApprovalDecision: String, Sendable, CaseIterable {
  case allowOnce = "allow-once"
  case allowAlways = "allow-always"
  case deny
}

/// An agent waits for a human: a command to be run, or what a plugin asks.
package struct Approval: Sendable, Equatable {
  package enum Kind: String, Sendable { case exec, plugin }

  /// One thing that is shown about an approval.
  package struct Detail: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  package var kind: Kind
  package var id: String
  /// The command, or the plugin's title: remote text, whole.
  package var subject: String
  /// Everything else that the gateway tells and a human may want to see, in a fixed order.
  package var details: [Detail]
  /// What the gateway offers, in its order; unknown offers are left out.
  package var decisions: [ApprovalDecision]
  package var agentId: String?
  package var sessionKey: String?
  /// By the gateway's clock.
  package var createdAtMs: Int?
  package var expiresAtMs: Int?

  /// A record of a list or of a `requested` event; nil without an id or without what is asked.
  package init?(_ value: JSONValue, kind: Kind) {
    guard let fields = JSONFields(value), let id = fields.id("id"), let request = value["request"],
      let asked = JSONFields(request),
      let subject = kind == .exec
        ? asked.string("command", "commandPreview") : asked.string("title", "description")
    else { return nil }
    self.kind = kind
    self.id = id
    self.subject = subject
    let offered = asked.strings("allowedDecisions")?.compactMap(ApprovalDecision.init)
    decisions = offered ?? [.allowOnce, .deny]
    agentId = asked.string("agentId")
    sessionKey = asked.string("sessionKey")
    createdAtMs = fields.int("createdAtMs")
    expiresAtMs = fields.int("expiresAtMs")
    details = Self.details(
      request.object ?? JSONObject(), subject: subject, kind: kind)
  }

  /// What has a name of ours, in the order in which it is read; the rest has the gateway's.
  private static func names(_ kind: Kind) -> [(name: String, key: String)] {
    let own: [(String, String)] =
      switch kind {
      case .exec:
        [
          ("cwd", "cwd"), ("host", "host"), ("node", "nodeId"), ("program", "resolvedPath"),
          ("argv", "commandArgv"), ("preview", "commandPreview"), ("warning", "warningText"),
          ("security", "security"), ("ask", "ask"), ("run", "runId"),
          ("from", "turnSourceChannel"),
        ]
      case .plugin:
        [
          ("plugin", "pluginId"), ("tool", "toolName"), ("severity", "severity"),
          ("description", "description"), ("detail", "detail"),
        ]
      }
    return own + [("agent", "agentId"), ("session", "sessionKey")]
  }

  /// All that was sent: nothing can hide in a field of a later gateway, or in one of another type.
  private static func details(_ request: JSONObject, subject: String, kind: Kind) -> [Detail] {
    let names = names(kind)
    let known = names.compactMap { name, key in detail(name, request[key]) }
    let skipped = Set(names.map(\.key) + ["allowedDecisions"])
    let subjectKeys = kind == .exec ? ["command"] : ["title"]
    let others = request.members.compactMap { member -> Detail? in
      guard !skipped.contains(member.key) else { return nil }
      let isSubject = subjectKeys.contains(member.key) && member.value.string == subject
      return isSubject ? nil : detail(member.key, member.value)
    }
    return known + others
  }

  private static func detail(_ name: String, _ value: JSONValue?) -> Detail? {
    guard let value, value != .null else { return nil }
    return Detail(name, value.string ?? value.serialized())
  }

  /// Every byte that a human is shown before deciding: what a fingerprint is taken of.
  package var shownText: String {
    let offers = decisions.map(\.rawValue).joined(separator: ",")
    let lines = details.map { "\($0.name)=\($0.value)" }
    return ([kind.rawValue, id, subject] + lines + [offers]).joined(separator: "\u{0}")
  }
}

/// An approval is answered, or has run out.
package struct ApprovalResolution: Sendable, Equatable {
  package var id: String
  /// As sent.
  package var decision: String
  /// The answering client's name: remote text. nil for an expiry.
  package var resolvedBy: String?

  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let id = fields.id("id") else { return nil }
    self.id = id
    decision = fields.string("decision") ?? ""
    resolvedBy = fields.string("resolvedBy")
  }

  /// Nobody denied it: protocol 4 sends a denial without a name when time runs out.
  package var isExpiry: Bool { decision == "deny" && resolvedBy == nil }
}

/// An approval as `approval.get` tells it, waiting or over (protocol 4).
package struct ApprovalRecord: Sendable, Equatable {
  /// `pending allowed denied expired cancelled`, or another as sent.
  package var status: String
  package var decision: String?
  /// `user timeout gateway-restart run-aborted …`, as sent.
  package var reason: String?
  /// Who answered: remote text.
  package var resolvedBy: String?

  /// The payload of the answer.
  package init?(_ payload: JSONValue) {
    guard let fields = JSONFields(payload["approval"] ?? payload),
      let status = fields.string("status")
    else { return nil }
    self.status = status
    decision = fields.string("decision")
    reason = fields.string("reason")
    resolvedBy = fields.nested("resolver", as: JSONFields.init)?.id("id")
  }
}

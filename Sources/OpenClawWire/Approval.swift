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
    details = Self.details(of: asked, kind: kind)
  }

  private static func details(of asked: JSONFields, kind: Kind) -> [Detail] {
    let names: [(String, String?)] =
      switch kind {
      case .exec:
        [
          ("cwd", asked.string("cwd")), ("host", asked.string("host")),
          ("node", asked.string("nodeId")), ("program", asked.string("resolvedPath")),
          ("argv", asked.value("commandArgv").map { $0.serialized() }),
          ("preview", asked.string("commandPreview")), ("warning", asked.string("warningText")),
          ("security", asked.string("security")), ("ask", asked.string("ask")),
          ("run", asked.string("runId")), ("from", asked.string("turnSourceChannel")),
        ]
      case .plugin:
        [
          ("plugin", asked.string("pluginId")), ("tool", asked.string("toolName")),
          ("severity", asked.string("severity")), ("description", asked.string("description")),
          ("detail", asked.value("detail").map { $0.string ?? $0.serialized() }),
        ]
      }
    let common = [("agent", asked.string("agentId")), ("session", asked.string("sessionKey"))]
    return (names + common).compactMap { name, value in value.map { Detail(name, $0) } }
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

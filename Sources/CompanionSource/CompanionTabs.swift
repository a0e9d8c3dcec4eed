internal import CompanionWire
internal import LenientJSON

/// What a companion gateway has said of its agent.
struct CompanionAgent {
  typealias Level = GatewayEnvelope.Level

  /// The gateway's word for it, such as `active`; nil before the first.
  var state: String?
  var stateMs: Int64?
  var name: String?
  /// The agent's description of what it does. Remote text.
  var quote: String?
  /// How much waits for the owner, by the gateway's count.
  var pending: Int?
  /// The last attention that was raised.
  var raised: (level: Level, reason: String, atMs: Int64)?
  /// Messages of a type that is not known here.
  var unknownMessages = 0

  mutating func take(_ state: GatewayState, of agent: String?, atMs: Int64) {
    switch state.kind {
    case .active: self.state = "active"
    case .idle: self.state = "idle"
    case .other(let word): self.state = word
    // Answers to this program, and no state of an agent.
    case .ready, .alive, .error: return
    }
    stateMs = atMs
    name = agent ?? name
    quote = state.quote
    pending = state.pending
  }
}

/// Writes the document `service` of a companion gateway: what its tabs show, line by line (`ServiceBoard`).
struct CompanionTabs {
  var agent: CompanionAgent
  var book: GrantBook
  var canvas: CanvasPicture
  var policy: GrantPolicy
  var address: String
  /// nil while there is none.
  var session: String?
  /// Those that have written in this session.
  var agents: [String]
  /// How far the gateway's clock is ahead of this machine's, ms.
  var skewMs: Int64
  /// Of the last heartbeat.
  var roundTripMs: Int?
  var isSuspended: Bool

  var bytes: [UInt8] {
    let sections = [pulse, voice] + brain + [memory] + command
    let document = JSONValue.body([
      ("kind", .string("companion")), ("name", .string("companion")),
      ("state", .string(agent.state ?? "")), ("sections", .array(sections)),
    ])
    return Array(document.serialized().utf8)
  }

  // MARK: Parts

  private func row(
    _ text: String, _ role: String? = nil, atMs: Int64? = nil
  ) -> JSONValue {
    .body([
      ("text", .string(text)), ("role", role.map { .string($0) }),
      ("at_ms", atMs.map { .integer($0) }),
    ])
  }

  private func section(_ tab: String, _ title: String, _ rows: [JSONValue]) -> JSONValue {
    .body([("tab", .string(tab)), ("title", .string(title)), ("rows", .array(rows))])
  }

  private func counted(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  // MARK: PULSE and VOICE

  private var pulse: JSONValue {
    var rows: [JSONValue] = []
    if !book.grants.isEmpty {
      rows.append(
        row(
          counted(book.grants.count, "grant") + (isSuspended ? " suspended" : ""),
          isSuspended ? nil : "negative"))
    }
    if let quote = agent.quote { rows.append(row(quote)) }
    return section("pulse", "", rows)
  }

  private var voice: JSONValue {
    section(
      "voice", "",
      [
        row(
          "A companion gateway gets speech as text that was transcribed here: the conversation takes it by voice where [voice] is configured (docs/voice-chat.md).",
          "muted")
      ])
  }

  // MARK: BRAIN and MEMORY

  private var brain: [JSONValue] {
    var rows: [JSONValue] = []
    if let state = agent.state {
      let name = agent.name.map { "\($0)  " } ?? ""
      rows.append(row(name + state, atMs: agent.stateMs))
      if let quote = agent.quote { rows.append(row(quote, "focus")) }
      if let pending = agent.pending {
        rows.append(
          row("by the gateway's count \(pending) wait for you", pending > 0 ? nil : "muted"))
      }
    } else {
      rows.append(row("the gateway has not said what its agent does", "muted"))
    }
    let attention: [JSONValue] =
      agent.raised.map { [row("\($0.level.rawValue)  \($0.reason)", atMs: $0.atMs)] }
      ?? [row("none was raised since the start", "muted")]
    let names =
      agents.isEmpty ? [row("none has written in this session", "muted")] : agents.map { row($0) }
    return [
      section("brain", "AGENT", rows), section("brain", "LAST ATTENTION", attention),
      section("brain", "AGENTS", names),
    ]
  }

  private var memory: JSONValue {
    var rows = canvas.elements.map { element in
      let text = element.content.hasPrefix("data:") ? "(data)" : String(element.content.prefix(200))
      let role = element.isInteractive ? "focus" : nil
      return row(
        "\(element.kind.rawValue)  \(element.id)  \(text)\(element.isInteractive ? "  can be acted on" : "")",
        role)
    }
    if rows.isEmpty { rows.append(row("the canvas is empty", "muted")) }
    if canvas.skipped > 0 {
      rows.append(
        row(counted(canvas.skipped, "element") + " left out: too many or too large", "warning"))
    }
    return section("memory", "CANVAS", rows)
  }

  // MARK: CMD

  private var command: [JSONValue] {
    var rows = [row(address)]
    rows.append(session.map { row("session \($0)") } ?? row("no session", "muted"))
    if let roundTripMs { rows.append(row("the last heartbeat took \(roundTripMs) ms")) }
    if abs(skewMs) > 2_000 {
      rows.append(row("its clock is \(skewMs) ms off this machine's", "warning"))
    }
    if agent.unknownMessages > 0 {
      rows.append(
        row(
          counted(agent.unknownMessages, "message") + " of a type that is not known here", "warning"
        ))
    }
    if policy.isReadOnly {
      rows.append(row("read-only: every request is denied", "warning"))
    }
    return [
      section("cmd", "COMPANION", rows), section("cmd", "GRANTS", grants),
      section("cmd", "CAPABILITIES, PROFILE \(policy.profile.rawValue)", capabilities),
    ]
  }

  private var grants: [JSONValue] {
    guard !book.grants.isEmpty else {
      return [row("no agent may use anything of this machine", "positive")]
    }
    return book.grants.map { grant in
      let agent = grant.agent.map { "\($0)  " } ?? ""
      let use = grant.uses == 1 ? "used once" : "used \(grant.uses) times"
      return row(
        "\(agent)\(grant.capability.name)  \(grant.decision.rawValue)  \(use)\(isSuspended ? "  suspended" : "")",
        isSuspended ? "muted" : "negative")
    }
  }

  private var capabilities: [JSONValue] {
    var rows = Capability.Family.allCases.map { family -> JSONValue in
      let name = family.rawValue
      guard policy.profile.families.contains(family) else {
        return row("\(name)  agents may not ask for it", "muted")
      }
      if family == .canvas { return row("\(name)  drawn here") }
      let own = policy.commands.keys.filter { $0 == name || $0.hasPrefix(name + ".") }.sorted()
      return own.isEmpty
        ? row("\(name)  no command is configured: requests are denied at once", "muted")
        : row("\(name)  asked first; a command serves \(own.joined(separator: ", "))")
    }
    if policy.needsFocus {
      rows.append(row("grants are suspended while the terminal has no focus"))
    }
    return rows
  }
}

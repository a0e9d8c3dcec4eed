package import CockpitDomain
internal import ElevenLabsWire
internal import LenientJSON
internal import Networking

/// What waits, what runs, and stopping it.
extension ConversationSource {
  private static let allow = "allow-once"
  private static let deny = "deny"

  /// The document `control`.
  var controlDocument: [UInt8] {
    let talk = live.talk
    let waiting = talk.approvals.filter { !$0.isAnswered }.map(card)
    var runs: [JSONValue] = []
    if talk.phase.isLive {
      runs = [
        .body([
          ("agent", .string(picture.name(of: talk.agent))),
          ("session", talk.metadata?.conversationID.map { .string($0) }),
          ("started_ms", .integer(wallMs(talk.startedNs))), ("phase", .string(talk.phase.word)),
          ("tool", talk.tools.last { $0.endedNs == nil }.map { .string($0.name) }),
        ])
      ]
    }
    let document = JSONValue.body([
      ("waiting", .array(waiting)), ("runs", .array(runs)),
      (
        "over",
        .array(
          over.map {
            .body([
              ("id", .string($0.id)), ("words", .string($0.words)), ("at_ms", .integer($0.atMs)),
            ])
          })
      ),
      ("unknown", .array([])), ("notes", .array([])), ("can_answer", .bool(true)),
      ("can_stop", .bool(true)),
    ])
    return Array(document.serialized().utf8)
  }

  private func wallMs(_ ns: UInt64) -> Int64 {
    clock.nowNs >= ns
      ? clock.wallMs - Int64((clock.nowNs - ns) / 1_000_000)
      : clock.wallMs + Int64((ns - clock.nowNs) / 1_000_000)
  }

  private func card(_ approval: McpApproval) -> JSONValue {
    let call = approval.call
    func detail(_ name: String, _ value: String?) -> JSONValue? {
      value.map { .body([("name", .string(name)), ("value", .string($0))]) }
    }
    let details = [
      detail("server", call.service), detail("does", call.summary),
      detail("parameters", call.parameters.serialized()),
    ]
    return .body([
      ("id", .string(call.id)), ("kind", .string("mcp")), ("subject", .string(call.name)),
      ("agent", .string(picture.name(of: live.talk.agent))),
      ("details", .array(details.compactMap(\.self))),
      ("created_ms", .integer(wallMs(approval.createdNs))),
      ("expires_ms", approval.expiresNs.map { .integer(wallMs($0)) }),
      ("choices", .array([.string(Self.allow), .string(Self.deny)])),
      ("fingerprint", .string(Self.fingerprint(approval))), ("heard", .bool(true)),
    ])
  }

  package func decide(
    _ decision: ControlDecision, done: @escaping @MainActor (ControlOutcome) -> Void
  ) {
    func say(_ isDone: Bool, _ words: String) {
      _ = clock.schedule(afterNs: 0) { done(ControlOutcome(isDone: isDone, words)) }
    }
    guard
      let approval = live.talk.approvals.first(where: {
        $0.call.id == decision.item && !$0.isAnswered
      })
    else {
      let end = over.last { $0.id == decision.item }.map { "Already over: \($0.words)." }
      return say(false, end ?? "No longer waiting.")
    }
    guard Self.fingerprint(approval) == decision.fingerprint else {
      return say(
        false, "It has changed since it was shown; nothing was sent. Look again.")
    }
    guard case .offered(let name) = decision.choice, [Self.allow, Self.deny].contains(name) else {
      return say(false, "That was not offered; nothing was sent.")
    }
    live.take(.decide(call: decision.item, isApproved: name == Self.allow))
    say(true, "\(name): sent")
  }

  package func stopEverything(_ tell: @escaping @MainActor (ControlStep) -> Void) {
    guard live.talk.phase.isLive else {
      return tell(
        ControlStep(number: 1, state: .done, "no conversation is live and nothing waits"))
    }
    var number = 0
    for approval in live.talk.approvals where !approval.isAnswered {
      number += 1
      live.take(.decide(call: approval.call.id, isApproved: false))
      tell(ControlStep(number: number, state: .done, "deny \(approval.call.name)"))
    }
    live.take(.end)
    tell(
      ControlStep(
        number: number + 1, state: .done,
        "end the conversation with \(picture.name(of: live.talk.agent))"))
  }

  // MARK: Lookups

  package func look(up lookup: GatewayLookup) {
    guard case .conversation(let id) = lookup else {
      return found(
        lookup, .failure(LookupFailure("A source of conversations does not have this.")))
    }
    guard client.hasKey else {
      return found(
        lookup,
        .failure(
          LookupFailure("Past conversations are read with an API key; the profile has none."))
      )
    }
    client.get(["convai", "conversations", id]) { [weak self] result in
      let made = result.flatMap { value in
        ConversationDetails(value).map { .success($0) } ?? .failure(.unreadable)
      }
      switch made {
      case .success(let details): self?.found(lookup, .success(Self.document(details)))
      case .failure(let problem):
        self?.found(lookup, .failure(LookupFailure(problem.sentence)))
      }
    }
  }

  private func found(_ lookup: GatewayLookup, _ result: Result<[UInt8], LookupFailure>) {
    sink?.receive(.found(lookup, result), at: ReceiveTime(clock))
  }

  /// The lines of a conversation, as `ServiceBoard.Section` has them.
  private static func document(_ details: ConversationDetails) -> [UInt8] {
    var rows: [(String, String?)] = []
    let facts = [
      details.status, details.durationSeconds.map { "\($0) s" },
      details.cost.map { "\($0) credits" }, details.success.map { "judged \($0)" },
    ]
    rows.append((facts.compactMap(\.self).joined(separator: ", "), nil))
    if let reason = details.terminationReason, !reason.isEmpty {
      rows.append(("ended: \(reason)", nil))
    }
    if let summary = details.summary, !summary.isEmpty { rows.append((summary, "muted")) }
    for turn in details.turns.prefix(500) {
      let time = turn.atSeconds.map { "\($0) s  " } ?? ""
      rows.append(("\(time)\(turn.role): \(turn.message)", turn.role == "user" ? "focus" : nil))
      var notes: [String] = turn.tools.map { "tool \($0)" }
      if let latency = turn.latency {
        notes.append("first sentence after \(Int((latency * 1_000).rounded())) ms")
      }
      if !notes.isEmpty { rows.append(("  " + notes.joined(separator: ", "), "muted")) }
    }
    let document = JSONValue.body([
      ("title", .string(details.id)),
      (
        "rows",
        .array(
          rows.map {
            .body([("text", .string($0.0)), ("role", $0.1.map { .string($0) })])
          })
      ),
    ])
    return Array(document.serialized().utf8)
  }
}

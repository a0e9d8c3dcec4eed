package import CockpitDomain
internal import CompanionWire
internal import Networking

/// Answers, revoking, and stopping everything.
extension CompanionSource {
  package func decide(
    _ decision: ControlDecision, done: @escaping @MainActor (ControlOutcome) -> Void
  ) {
    func soon(_ outcome: ControlOutcome) { _ = clock.schedule(afterNs: 0) { done(outcome) } }
    if decision.choice == .revoke {
      guard let grant = book.grants.first(where: { $0.request == decision.item }) else {
        return soon(ControlOutcome(isDone: false, "That grant has ended already."))
      }
      revoke(grant.capability.name)
      return soon(ControlOutcome(isDone: true, "\(grant.capability.name): revoked"))
    }
    guard let item = book.waiting.first(where: { $0.request.id == decision.item }) else {
      let end = board.over.last { $0.id == decision.item }.map { "Already over: \($0.words)." }
      return soon(ControlOutcome(isDone: false, end ?? "No longer waiting."))
    }
    guard CompanionBoard.fingerprint(of: item.request) == decision.fingerprint else {
      return soon(
        ControlOutcome(
          isDone: false, "It has changed since it was shown; nothing was sent. Look again."))
    }
    guard case .offered(let name) = decision.choice,
      let choice = ClientMessage.Decision(rawValue: name),
      book.choices(for: item.request.id).contains(choice)
    else {
      return soon(ControlOutcome(isDone: false, "That was not offered; nothing was sent."))
    }
    let grant = book.decide(item.request.id, choice, nowNs: nowNs)
    let capability = item.request.capability.name
    if let grant {
      answer(item.request, grant)
      give("grant_given", "\(capability) \(choice.words)", agent: item.agent)
      use(item.request, item.agent)
    } else {
      // A token that ended while the question stood gives nothing.
      send(.answer(request: item.request.id, .deny, expiresAt: nil, reason: nil))
      give("grant_denied", capability, agent: item.agent)
    }
    board.note(
      item.request.id, "\(capability) \(grant == nil ? "denied" : choice.words)", atMs: gatewayMs)
    publish()
    let words =
      grant == nil && choice != .deny
      ? "The token had ended meanwhile: denied." : "\(capability) \(choice.words)"
    soon(ControlOutcome(isDone: true, words))
  }

  /// Ends the grants of a capability.
  package func revoke(_ name: String) {
    let over = book.revoke(Capability(name))
    guard !over.isEmpty else { return }
    for grant in over {
      runs.removeValue(forKey: grant.request)?.cancel()
      give("grant_ended", "\(name): revoked", agent: grant.agent)
    }
    send(.revoke(capability: name))
    publish()
  }

  package func stopEverything(_ tell: @escaping @MainActor (ControlStep) -> Void) {
    var number = 0
    func step(_ words: String) {
      number += 1
      tell(ControlStep(number: number, state: .done, words))
    }
    for run in runs.values { run.cancel() }
    if !runs.isEmpty { step("stop \(runs.count) of the commands that run for agents") }
    runs = [:]
    // What is revoked here ends here, whether the gateway hears it or not.
    for name in Set(book.grants.map(\.capability.name)).sorted() {
      revoke(name)
      step("revoke \(name)")
    }
    for item in book.waiting {
      _ = book.decide(item.request.id, .deny, nowNs: nowNs)
      send(.answer(request: item.request.id, .deny, expiresAt: nil, reason: "stopped"))
      board.note(item.request.id, "\(item.request.capability.name) denied", atMs: gatewayMs)
      give("grant_denied", item.request.capability.name, agent: item.agent)
      step("deny \(item.request.capability.name)")
    }
    publish()
    if number == 0 { step("nothing is granted and nothing waits") }
    number += 1
    tell(
      ControlStep(
        number: number, state: .impossible,
        "what the agent does on the gateway is not stopped by this; stop it there"))
  }
}

extension ClientMessage.Decision {
  /// After the name of a capability.
  var words: String {
    switch self {
    case .deny: "denied"
    case .once: "allowed once"
    case .timed: "allowed for at most 60 s"
    case .session: "allowed for this session"
    }
  }
}

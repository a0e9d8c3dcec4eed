package import CockpitDomain
internal import LenientJSON
internal import Networking
internal import OpenClawWire

/// Answers, and stopping everything.
extension GatewaySource {
  package func decide(
    _ decision: ControlDecision, done: @escaping @MainActor (ControlOutcome) -> Void
  ) {
    guard let item = desk[decision.item] else {
      let end = desk.end(of: decision.item).map { "Already over: \($0)." } ?? "No longer waiting."
      return soon(done, ControlOutcome(isDone: false, end))
    }
    guard item.fingerprint == decision.fingerprint else {
      return soon(
        done,
        ControlOutcome(
          isDone: false, "It has changed since it was shown; nothing was sent. Look again."))
    }
    guard let (request, words) = request(for: decision.choice, to: item) else {
      return soon(done, ControlOutcome(isDone: false, "That was not offered; nothing was sent."))
    }
    send(request) { [weak self] result in
      done(
        self?.outcome(result, of: decision.item, words)
          ?? .init(isDone: false, "The connection ended."))
    }
  }

  private func outcome(
    _ result: Result<JSONValue, RequestFailure>, of id: String, _ words: String
  ) -> ControlOutcome {
    switch result {
    case .success: return ControlOutcome(isDone: true, words)
    case .failure(.refused(let error)) where error.isTooLate:
      let end = desk.end(of: id).map { "Already over: \($0)." } ?? "No longer waiting."
      return ControlOutcome(isDone: false, end)
    case .failure(let failure): return ControlOutcome(isDone: false, failure.description)
    }
  }

  /// The request for a choice; nil if it was not offered.
  private func request(
    for choice: ControlDecision.Choice, to item: WaitingItem
  ) -> (GatewayRequest, String)? {
    switch (item, choice) {
    case (.approval(let approval), .offered(let name)):
      guard let decision = ApprovalDecision(rawValue: name), approval.decisions.contains(decision)
      else { return nil }
      return (.resolveApproval(approval.kind, id: approval.id, decision), "\(name): sent and taken")
    case (.question(let question), .answers(let answers)):
      guard question.items.allSatisfy({ !(answers[$0.id] ?? []).isEmpty }) else { return nil }
      return (.answerQuestion(id: question.id, answers), "answered")
    case (.question(let question), .cancel): return (.cancelQuestion(id: question.id), "cancelled")
    case (.pairing(let request), .offered("approve")):
      return (.approvePairing(id: request.requestId), "approved")
    case (.pairing(let request), .offered("reject")):
      return (.rejectPairing(id: request.requestId), "rejected")
    default: return nil
    }
  }

  private func soon(
    _ done: @escaping @MainActor (ControlOutcome) -> Void, _ outcome: ControlOutcome
  ) {
    _ = clock.schedule(afterNs: 0) { done(outcome) }
  }

  // MARK: Stop

  /// A step without an answer after this time says what the owner can do instead.
  private static let slowStopNs: UInt64 = 3_000_000_000

  package func stopEverything(_ tell: @escaping @MainActor (ControlStep) -> Void) {
    var number = 0
    func step(_ words: String, _ request: GatewayRequest, scope: String) {
      number += 1
      let own = number
      guard picture.holds(scope) else {
        return tell(
          ControlStep(number: own, state: .impossible, "\(words): needs the scope \(scope)"))
      }
      tell(ControlStep(number: own, state: .asked, words))
      let slow = clock.schedule(afterNs: Self.slowStopNs) {
        tell(
          ControlStep(
            number: own, state: .asked,
            "\(words) (3 s so far; to end it now, stop the gateway on its host)"))
      }
      send(request) { result in
        slow.cancel()
        switch result {
        case .success: tell(ControlStep(number: own, state: .done, words))
        case .failure(.refused(let error)) where error.isTooLate:
          tell(ControlStep(number: own, state: .done, "\(words): it was over already"))
        case .failure(let failure):
          tell(ControlStep(number: own, state: .failed, "\(words): \(failure)"))
        }
      }
    }
    guard status.overall == .live else {
      return tell(
        ControlStep(
          number: 1, state: .impossible,
          "nothing was sent: there is no connection to the gateway"))
    }
    for run in liveRuns {
      guard let session = run.session else { continue }
      step(
        "stop the run of \(run.agent ?? "an agent") in \(session)",
        .abortRun(sessionKey: session, runId: run.id), scope: "operator.write")
    }
    let own = Set(liveRuns.compactMap(\.session))
    for (key, row) in picture.sessions.sorted(by: { $0.key < $1.key })
    where row["hasActiveRun"]?.bool == true && !own.contains(key) {
      step(
        "stop what runs in \(key)", .abortRun(sessionKey: key, runId: nil), scope: "operator.write")
    }
    for item in desk.waiting {
      switch item {
      case .approval(let approval):
        step(
          "deny \(approval.subject)", .resolveApproval(approval.kind, id: approval.id, .deny),
          scope: "operator.approvals")
      case .question(let question):
        step(
          "cancel the question \(question.id)", .cancelQuestion(id: question.id),
          scope: "operator.questions")
      case .pairing(let request):
        step(
          "reject the device \(request.displayName ?? request.requestId)",
          .rejectPairing(id: request.requestId), scope: "operator.pairing")
      }
    }
    if let node {
      node.freeze()
      number += 1
      tell(
        ControlStep(
          number: number, state: .done, "notifications to this machine refused; r allows them again"
        ))
    }
    if number == 0 { tell(ControlStep(number: 1, state: .done, "nothing runs and nothing waits")) }
    number += 1
    tell(
      ControlStep(
        number: number, state: .impossible,
        "automations that begin later are not stopped; switch them off on the gateway"))
  }
}

import CockpitSession
import CockpitText
import LenientJSON
import OpenClawSource
import OpenClawWire
import TerminalCore

/// Sends answers to approvals and reports their results.
extension GatewaySession {
  /// Output to a terminal that is not UTF-8 is pure ASCII: it might take bytes above 0x7F for controls.
  var visible: VisibleText {
    VisibleText(
      isASCII: environment.terminals.output
        && TextEncoding(environment: environment.variables) != .utf8)
  }

  /// Notes on approvals that the list may lack.
  var remarks: [String] {
    var remarks = unknown.map { "Not known: \(VisibleText().of($0))" }
    if isPartial {
      remarks.append(
        "Approvals of runs started elsewhere are not shown; scopes = \"admin\" in the profile asks for them."
      )
    }
    if questions > 0 {
      remarks.append(
        questions == 1
          ? "A question waits too; it is answered on the screen, with !."
          : "\(questions) questions wait too; they are answered on the screen, with !.")
    }
    return remarks
  }

  /// Whether nothing is listed, and nothing is missing in the lists.
  var isIdle: Bool { approvals.isEmpty && pairings.isEmpty && questions == 0 && unknown.isEmpty }

  /// With protocol 4 the scope `operator.approvals` sees only approvals of its own runs (OPENCLAW.md, 10).
  private var isPartial: Bool {
    guard let hello else { return false }
    return hello.protocolVersion >= 4 && !hello.scopes.contains("operator.admin")
  }

  /// One approval, a line for each field, for standard error.
  func lines(_ approval: Approval) -> [PlainText] {
    let isUTF8 = TextEncoding(environment: environment.variables) == .utf8
    let visible = VisibleText(isASCII: environment.terminals.error && !isUTF8)
    return ApprovalReport(approval: approval, nowMs: gatewayNowMs, visible: visible).lines
      .map { PlainText($0) }
  }

  /// One approval as lines, or as JSON.
  func print(_ approval: Approval, json: Bool, _ lines: (ApprovalReport) -> [String]) {
    let report = ApprovalReport(approval: approval, nowMs: gatewayNowMs, visible: visible)
    guard json else {
      for text in lines(report) { environment.output.line(PlainText(text)) }
      return
    }
    environment.output.line(report.json)
    environment.also(lines(report).map { PlainText($0) })
  }

  /// The approval with this id, if it can still be answered.
  ///
  /// - Parameter fingerprint: of what was shown; throws if the approval has changed since.
  func waiting(_ id: String, as fingerprint: String? = nil) async throws(Failure) -> Approval {
    guard let approval = approvals.first(where: { $0.id == id }) else { throw await over(id) }
    guard !ApprovalReport(approval: approval, nowMs: gatewayNowMs).isExpired else {
      throw Self.expired
    }
    if let fingerprint, fingerprint.lowercased() != approval.fingerprint {
      throw Failure(
        .failed,
        "Nothing was answered: this is not what was shown. Look at it again with 'approvals show'.")
    }
    return approval
  }

  private static let expired = Failure(.failed, "It has expired; nothing was answered.")

  /// The reason why an approval is no longer pending, as far as the gateway reports it.
  private func over(_ id: String) async -> Failure {
    if let resolution = resolutions[id] {
      return resolution.isExpiry
        ? Self.expired : Self.answered(by: resolution.resolvedBy, resolution.decision)
    }
    if let hello, GatewayRequest.approval(id: id).exists(in: hello.protocolVersion),
      case .success(let payload) = await ask(.approval(id: id)),
      let record = ApprovalRecord(payload)
    {
      return Self.words(of: record)
    }
    let more = isPartial ? " Runs started elsewhere need scopes = \"admin\"." : ""
    return Failure(
      .failed,
      "This is not waiting: it was answered, has expired, or was never there.\(more)")
  }

  private static func words(of record: ApprovalRecord) -> Failure {
    switch (record.status, record.reason) {
    case ("expired", _): expired
    case ("cancelled", "gateway-restart"):
      Failure(.failed, "The gateway restarted and dropped it; nothing was answered.")
    case ("cancelled", "run-aborted"):
      Failure(.failed, "Its run was stopped, and it with it; nothing was answered.")
    case ("allowed", _), ("denied", _):
      answered(by: record.resolvedBy, record.decision ?? record.status)
    default:
      Failure(.failed, "It cannot be answered here: the gateway calls it \(shown(record.status)).")
    }
  }

  private static func answered(by name: String?, _ decision: String) -> Failure {
    Failure(
      .failed,
      "Already answered by \(name.map(shown) ?? "somebody else"): \(shown(decision)). This changed nothing."
    )
  }

  private static func shown(_ text: String) -> String { VisibleText().of(text) }

  /// Sends one answer and prints its result.
  func answer(
    _ approval: Approval, _ decision: ApprovalDecision, json: Bool
  ) async throws(Failure) {
    guard approval.decisions.contains(decision) else {
      let offers = approval.decisions.map(\.rawValue).joined(separator: ", ")
      throw Failure(
        .failed,
        "The gateway does not offer \(decision.rawValue), but: \(offers.isEmpty ? "nothing" : offers)."
      )
    }
    switch await ask(.resolveApproval(approval.kind, id: approval.id, decision)) {
    case .success: say(decision, of: approval, json: json)
    case .failure(.refused(let error)) where error.isTooLate: throw await over(approval.id)
    case .failure(.refused(let error)):
      let isScope = error.missingScope != nil
      throw Failure(isScope ? .authentication : .failed, Self.shown(error.sentence))
    case .failure(.timedOut):
      throw Failure(
        .failed,
        "The gateway did not say in time what came of it; look with 'approvals show'.")
    case .failure(let failure): throw Failure(.failed, failure.description)
    }
  }

  private func say(_ decision: ApprovalDecision, of approval: Approval, json: Bool) {
    guard json else {
      environment.output.line(
        PlainText("\(decision.rawValue): \(visible.of(approval.id))"))
      return
    }
    var writer = JSONObjectWriter()
    writer.string("id", approval.id)
    writer.string("decision", decision.rawValue)
    writer.string("fingerprint", approval.fingerprint)
    environment.output.line(writer.finish())
  }
}

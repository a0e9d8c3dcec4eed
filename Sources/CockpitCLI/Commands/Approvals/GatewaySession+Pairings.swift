import CockpitSession
import CockpitText
import LenientJSON
import OpenClawSource
import OpenClawWire
import TerminalCore

/// Lets devices in, or not.
extension GatewaySession {
  /// The device that asks under this id, if it can still be answered; nil if none asks.
  ///
  /// - Parameter fingerprint: of what was shown; throws if the request has changed since.
  func pairing(_ id: String, as fingerprint: String? = nil) throws(Failure) -> PairingRequest? {
    guard let request = pairings.first(where: { $0.requestId == id }) else { return nil }
    guard !PairingReport(request: request, nowMs: gatewayNowMs).isExpired else {
      throw Failure(.failed, "It has expired; nothing was answered.")
    }
    if let fingerprint, fingerprint.lowercased() != WaitingItem.pairing(request).fingerprint {
      throw Failure(
        .failed,
        "Nothing was answered: this is not what was shown. Look at it again with 'approvals show'.")
    }
    return request
  }

  /// One request as lines, or as JSON.
  func print(_ request: PairingRequest, json: Bool, _ lines: (PairingReport) -> [String]) {
    let report = PairingReport(request: request, nowMs: gatewayNowMs, visible: visible)
    guard json else {
      for text in lines(report) { environment.output.line(PlainText(text)) }
      return
    }
    environment.output.line(report.json)
    environment.also(lines(report).map { PlainText($0) })
  }

  /// One request, a line for each field, for standard error.
  func lines(_ request: PairingRequest) -> [PlainText] {
    let isUTF8 = TextEncoding(environment: environment.variables) == .utf8
    let visible = VisibleText(isASCII: environment.terminals.error && !isUTF8)
    return PairingReport(request: request, nowMs: gatewayNowMs, visible: visible).lines
      .map { PlainText($0) }
  }

  /// Sends the decision and prints its result.
  func decide(
    _ request: PairingRequest, approves: Bool, json: Bool
  ) async throws(Failure) {
    let id = request.requestId
    switch await ask(approves ? .approvePairing(id: id) : .rejectPairing(id: id)) {
    case .success: say(approves ? "approve" : "reject", of: request, json: json)
    case .failure(.refused(let error)):
      guard error.missingScope == nil else {
        throw Failure(.authentication, VisibleText().of(error.sentence))
      }
      throw Failure(
        .failed,
        "Nothing was changed: \(VisibleText().of(error.sentence)) Look with 'approvals list' whether it still waits."
      )
    case .failure(.timedOut):
      throw Failure(
        .failed, "The gateway did not say in time what came of it; look with 'approvals list'.")
    case .failure(let failure): throw Failure(.failed, failure.description)
    }
  }

  private func say(_ decision: String, of request: PairingRequest, json: Bool) {
    guard json else {
      environment.output.line(PlainText("\(decision): \(visible.of(request.requestId))"))
      return
    }
    var writer = JSONObjectWriter()
    writer.string("id", request.requestId)
    writer.string("decision", decision)
    writer.string("fingerprint", WaitingItem.pairing(request).fingerprint)
    environment.output.line(writer.finish())
  }
}

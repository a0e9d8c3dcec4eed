import Networking
import Testing

@Suite struct FailureDiagnosisTests {
  private func diagnose(
    _ status: Int, _ body: String, type: String = "application/json",
    url: String = "http://127.0.0.1:8787", token: String? = "sesame",
    _ expectation: FailureDiagnosis.Expectation = .json
  ) throws -> LinkFailure? {
    let diagnosis = FailureDiagnosis(
      base: try BackendURL(url), token: try token.map { try TokenText($0) })
    let head = HTTPHead(
      status: status, reason: "Reason", headers: [HTTPHeader("content-type", type)])
    return diagnosis.failure(head, body: Array(body.utf8), expecting: expectation)
  }

  @Test("answers are told apart (promise P4b)")
  func answersAreToldApart() throws {
    let html = "<!DOCTYPE html><title>x</title>"
    #expect(try diagnose(200, "{}") == nil)
    #expect(try diagnose(200, "null") == nil)
    #expect(try diagnose(200, "", type: "text/event-stream; charset=utf-8", .eventStream) == nil)
    #expect(try diagnose(200, html, type: "text/html") == .notClanky(.html(status: 200)))
    #expect(try diagnose(200, html, type: "") == .notClanky(.html(status: 200)))
    #expect(try diagnose(200, "hello") == .notClanky(.notJSON))
    #expect(try diagnose(200, "{}", .eventStream) == .notClanky(.contentType("application/json")))
    #expect(try diagnose(204, "", .eventStream) == .endedByServer)
    #expect(try diagnose(401, "{}") == .unauthorized(tokenGiven: true))
    #expect(try diagnose(401, "{}", token: nil) == .unauthorized(tokenGiven: false))
    #expect(try diagnose(403, html, type: "text/html") == .forbidden)
    #expect(try diagnose(404, "{\"error\":\"Not found.\"}") == .hidden(tokenGiven: true))
    #expect(try diagnose(404, "Not found.", type: "text/plain") == .notClanky(.wrongPath))
    #expect(
      try diagnose(404, "Not found.", type: "text/plain", url: "https://x.example")
        == .hidden(tokenGiven: true))
    #expect(try diagnose(404, html, type: "text/html") == .notClanky(.html(status: 404)))
    #expect(
      try diagnose(404, "{\"ok\":false,\"error\":\"no such fact\"}", url: "https://x.example")
        == .requestRejected(status: 404, message: "no such fact"))
    #expect(
      try diagnose(503, "{\"error\":\"dashboard_token_required_when_public_https_enabled\"}")
        == .tokenRequiredByServer)
    #expect(
      try diagnose(500, "{\"error\":\"locked\"}") == .serverError(status: 500, message: "locked"))
    #expect(try diagnose(429, "{}") == .rateLimited)
    #expect(try diagnose(502, html, type: "text/html") == .tunnelDown(status: 502, code: nil))
    #expect(
      try diagnose(530, "<html>Error code: 1033</html>", type: "text/html")
        == .tunnelDown(status: 530, code: 1_033))
    #expect(
      try diagnose(530, "error code: 1033", type: "text/plain")
        == .tunnelDown(status: 530, code: 1_033))
    #expect(
      try diagnose(504, "timeout", type: "text/plain") == .tunnelDown(status: 504, code: nil))
    #expect(
      try diagnose(502, "{\"error\":\"upstream\"}")
        == .serverError(status: 502, message: "upstream"))
    #expect(try diagnose(511, html, type: "text/html") == .notClanky(.networkLogin))
    #expect(try diagnose(999, "{}") == .notClanky(.unexpectedStatus(999)))
    #expect(try diagnose(302, "") == .notClanky(.unexpectedStatus(302)))
  }

  @Test("remote text is bounded, and neither HTML nor the token is quoted (promises P4b, P6)")
  func remoteTextIsBoundedAndHTMLAndTokenNeverQuoted() throws {
    let long = String(repeating: "y", count: 10_000)
    let bounded = try #require(try diagnose(500, "{\"error\":\"\(long)\"}"))
    #expect(bounded.description.count < 400)
    let echo = try #require(try diagnose(500, "{\"error\":\"bad token sesame given\"}"))
    #expect(!echo.description.contains("sesame"))
    #expect(echo.sentence.contains("<token>"))
    let page = try #require(try diagnose(500, "<b>sesame</b>", type: "text/html"))
    #expect(!page.description.contains("<b>"))
    // Whatever is cut is searched for the token first: not even its beginning is told.
    let diagnosis = FailureDiagnosis(
      base: try BackendURL("http://127.0.0.1:8787"), token: try TokenText("Sesame-open"))
    for pad in 190...205 {
      let reason = String(repeating: "x", count: pad) + "sesame-OPEN"
      let failure = try #require(
        diagnosis.failure(HTTPHead(status: 500, reason: reason), body: [], expecting: .json))
      #expect(!failure.description.lowercased().contains("ses"), "\(pad): \(failure)")
    }
  }

  @Test func exitCodesAndRetries() {
    let all: [(LinkFailure, Int32, Bool)] = [
      (.refused(origin: "x"), 3, true), (.unauthorized(tokenGiven: true), 4, false),
      (.hidden(tokenGiven: false), 4, false), (.tokenRequiredByServer, 4, true),
      (.notClanky(.notJSON), 3, true), (.endedByServer, 3, false),
      (.tls(host: "h", .other, detail: ""), 3, true),
    ]
    for (failure, code, retryable) in all {
      #expect(failure.exitCode == code)
      #expect(failure.isRetryable == retryable)
      #expect(failure.sentence.hasSuffix("."))
      #expect(failure.advice.hasSuffix("."))
    }
  }
}

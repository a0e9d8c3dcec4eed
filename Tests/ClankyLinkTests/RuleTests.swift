import ClankySource
import ClankyLink
import Testing

@Suite struct BackendURLTests {
  @Test(arguments: [
    ("http://127.0.0.1:8787", "http://127.0.0.1:8787"), ("HTTP://LocalHost/", "http://localhost"),
    ("https://Example.com:443/", "https://example.com"),
    ("https://example.com.:8443//base/x/", "https://example.com:8443/base/x"),
    ("http://[::1]:8787/", "http://[::1]:8787"), ("http://127.255.3.4", "http://127.255.3.4"),
    (" https://a-b.c_d.example \n", "https://a-b.c_d.example"),
  ])
  func accepted(_ text: String, _ expected: String) throws {
    #expect(try BackendURL(text).description == expected)
  }

  @Test(arguments: [
    ("", BackendURL.Problem.empty), ("localhost:8787", .missingScheme), ("ftp://a", .scheme),
    ("https://user:pw@host", .userInfo), ("https://user@host/@", .userInfo),
    ("https://host/?token=x", .queryOrFragment), ("https://host#x", .queryOrFragment),
    ("https://", .host), ("https://a b", .host), ("https://ho\u{7}st", .host),
    ("https://h\u{f6}st", .host),
    ("https://[fe80::1%25eth0]", .host), ("https://[::1", .host), ("https://h:0", .port),
    ("https://h:65536", .port), ("https://h:8x", .port), ("https://h/a b", .path),
    ("https://h/\u{1b}[2J", .path), ("https://h/../x", .path), ("https://h\\@evil", .path),
    ("http://example.com", .plainHTTP(host: "example.com")),
    ("http://127.1", .plainHTTP(host: "127.1")),
    ("http://0127.0.0.1", .plainHTTP(host: "0127.0.0.1")),
    ("http://127.0.0.1.nip.example", .plainHTTP(host: "127.0.0.1.nip.example")),
    ("http://[::2]", .plainHTTP(host: "::2")),
    ("http://localhost.example", .plainHTTP(host: "localhost.example")),
  ])
  func refused(_ text: String, _ problem: BackendURL.Problem) {
    #expect(throws: problem) { try BackendURL(text) }
    #expect(!problem.description.contains("pw"))
  }

  @Test func plainHTTPCanBeAllowedAndOriginsCompare() throws {
    let plain = try BackendURL("http://example.com/x", allowPlainHTTP: true)
    #expect(!plain.isLoopback)
    #expect(plain.hasSameOrigin(as: try BackendURL("http://EXAMPLE.com:80", allowPlainHTTP: true)))
    #expect(!plain.hasSameOrigin(as: try BackendURL("https://example.com")))
    #expect(try BackendURL("http://[0:0:0:0:0:0:0:1]").isLoopback)
  }

  @Test func targetsAreEncoded() throws {
    let base = try BackendURL("https://example.com/base/")
    let target = RequestTarget(
      ["api", "a/b?c#d", "..", "\u{e9}"], query: [.init("q", "1&2=3 +%"), .init("n", "")])
    #expect(
      base.absolute(target)
        == "https://example.com/base/api/a%2Fb%3Fc%23d/%2E%2E/%C3%A9?q=1%262%3D3%20%2B%25&n=")
    #expect(
      RequestTarget.actions(limit: 5, sinceHours: 0.016_66, kinds: ["a", "b"]).encoded
        == "/api/actions?limit=5&sinceHours=0.0167&kinds=a%2Cb")
  }
}

@Suite struct TokenTests {
  @Test func trimsRefusesAndHides() throws {
    let token = try TokenText("  sesame\r\n")
    #expect(token.withBytes { String(decoding: $0, as: UTF8.self) } == "sesame")
    #expect("\(token)" == "<token>")
    #expect(String(reflecting: token) == "<token>")
    var dumped = ""
    dump(token, to: &dumped)
    #expect(!dumped.contains("sesame"))
    #expect(throws: TokenText.Problem.empty) { try TokenText(" \n") }
    #expect(throws: TokenText.Problem.controlCharacter) { try TokenText("a\nb") }
    #expect(throws: TokenText.Problem.controlCharacter) { try TokenText("a\u{85}b") }
    #expect(throws: TokenText.Problem.tooLong) {
      try TokenText(String(repeating: "x", count: 5_000))
    }
    #expect(throws: TokenText.Problem.notUTF8) {
      try TokenText(String(decoding: [0x61, 0xFF], as: UTF8.self))
    }
    #expect(try TokenText("\u{FEFF}sesame\n") == TokenText("sesame"))
    #expect(throws: TokenText.Problem.empty) { try TokenText("\u{FEFF}\n") }
    let same = try TokenText("sesame")
    #expect(token == same)
  }

  @Test func redacts() throws {
    let token = try TokenText("aab")
    #expect(token.redact("aaab aab aa") == "a<token> <token> aa")
    #expect(token.redact("") == "")
    #expect(token.redact("nothing") == "nothing")
    #expect(token.redact("AAB Aab") == "<token> <token>")
  }

  @Test("an echo in data is taken out, and nothing else is touched (promises P1b, P6)")
  func redactsData() throws {
    func redact(_ text: String, _ token: TokenText) -> String? {
      Array(text.utf8).withUnsafeBytes { token.redact($0) }
        .map { String(decoding: $0, as: UTF8.self) }
    }
    let token = try TokenText("abcabcabd")
    #expect(redact("", token) == nil)
    #expect(redact("abcabcab", token) == nil)
    #expect(redact("ABCABCABD", token) == nil)
    #expect(redact("abcabcabd", token) == "<token>")
    #expect(redact("abcabcabcabd", token) == "abc<token>")
    #expect(redact("xabcabcabdabcabcabdy", token) == "x<token><token>y")
    // Words and numbers are found in text by accident.
    #expect(redact("the word open", try TokenText("open")) == nil)
    #expect(redact("the number 4711", try TokenText("4711")) == nil)
    #expect(redact("a b1 c", try TokenText("b1")) == nil)
    // What is neither is short enough to be part of one.
    let short = try TokenText("s3cr-t")
    #expect(redact(#"{"s3cr-t":"x s3cr-t!"}"#, short) == #"{"<token>":"x <token>!"}"#)
    #expect(redact("as3cr-t s3cr-ts s3cr-t", short) == "as3cr-t s3cr-ts <token>")
    #expect(redact(#"\ns3cr-t\u000as3cr-t\\ns3cr-t"#, short) == #"\n<token>\u000a<token>\\ns3cr-t"#)
    #expect(redact(#"s3cr\u002dt xs3cr\u002dt"#, short) == #"<token> xs3cr\u002dt"#)
    // Against a search that looks everywhere.
    var random = SplitMix(seed: 11)
    for _ in 0..<2_000 {
      let length = Int.random(in: 0...60, using: &random)
      let text = String((0..<length).map { _ in "abcd".randomElement(using: &random) ?? "a" })
      let token = "abcaabca"
      let expected = text.replacing(token, with: "<token>")
      #expect((redact(text, try TokenText(token)) ?? text) == expected)
    }
  }

  @Test("in the body of a failure case does not count (promise P6)")
  func redactsFailures() throws {
    func redact(_ text: String, _ token: String) throws -> String {
      let token = try TokenText(token)
      return Array(text.utf8).withUnsafeBytes { token.redact(failure: $0) }
        .map { String(decoding: $0, as: UTF8.self) } ?? text
    }
    #expect(
      try redact(#"{"error":"no SECRET-token-1 or \u0073ecret-token-1"}"#, "secret-token-1")
        == #"{"error":"no <token> or <token>"}"#)
    #expect(try redact("bad S3CRET, s3crets", "s3cret") == "bad <token>, s3crets")
    #expect(try redact(#"{"error":"x"}"#, "error") == #"{"error":"x"}"#)
  }

  @Test("an echo is found however an encoder of JSON escapes it (promise P6)")
  func redactsEscaped() throws {
    func redact(_ text: String, _ token: String) throws -> String {
      let token = try TokenText(token)
      return Array(text.utf8).withUnsafeBytes { token.redact($0) }
        .map { String(decoding: $0, as: UTF8.self) } ?? text
    }
    let token = #"a/b+c"d\e/f="#
    #expect(try redact(#"{"x":"a\/b+c\"d\\e\/f="}"#, token) == #"{"x":"<token>"}"#)
    #expect(
      try redact(#""\u0061/b\u002Bc\u0022d\u005ce/f\u003d","# + token, token) == #""<token>","#
        + "<token>")
    // Letters beyond ASCII, and beyond U+FFFF.
    #expect(
      try redact(#""t\u00f6k\u00E9n-\ud83d\ude00x""#, "tökén-😀x") == #""<token>""#)
    #expect(try redact(#""t\u00f6k\u00E9n-\ud83d!\ude00x""#, "tökén-😀x").contains("ud83d!"))
    // A backslash that is one, and not the beginning of an escape.
    #expect(try redact(#"\\u0061bcdefgh"#, "abcdefgh") == #"\\u0061bcdefgh"#)
    #expect(try redact(#"\\\u0061bcdefgh"#, "abcdefgh") == #"\\<token>"#)
    for cut in [#"\"#, #"\u"#, #"\u00"#, #"abcdefg\u006"#, #"abcdefg\"#] {
      #expect(try redact(cut, "abcdefgh") == cut)
    }
    // Against a reader of the whole string.
    var random = SplitMix(seed: 12)
    let letters = Array("ab/".unicodeScalars)
    for _ in 0..<3_000 {
      let scalars = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? "a"
      }
      let plain = String(String.UnicodeScalarView(scalars))
      let text = scalars.map { scalar in
        switch Int.random(in: 0...3, using: &random) {
        case 0: "\\u00" + String(scalar.value, radix: 16)
        case 1 where scalar == "/": "\\/"
        case 2: String(scalar) + "\\n"
        default: String(scalar)
        }
      }.joined()
      func decoded(_ text: String) -> String {
        text.replacing("\\u0061", with: "a").replacing("\\u0062", with: "b")
          .replacing("\\u002f", with: "/").replacing("\\/", with: "/")
      }
      let token = "ab/ab/bb"
      #expect(
        decoded(try redact(text, token)) == decoded(text).replacing(token, with: "<token>"),
        "\(text) \(plain)")
    }
  }
}

@Suite struct PolicyTests {
  @Test("the backoff grows to its cap and is forgiven after a minute of health (promise P5)")
  func growsToTheCapAndIsForgivenAfterAMinute() {
    var policy = ReconnectPolicy()
    let delays = (0..<6).map { _ in
      policy.delayNs(nowNs: 0, retryAfterMs: nil, random: 0.5) / 1_000_000
    }
    #expect(delays == [3_375, 6_750, 13_500, 27_000, 27_000, 27_000])
    policy.wentLive(nowNs: 0)
    let short = policy.delayNs(nowNs: 59_000_000_000, retryAfterMs: nil, random: 0)
    #expect(short == 24_000_000_000)
    policy.wentLive(nowNs: 0)
    let healthy = policy.delayNs(nowNs: 60_000_000_000, retryAfterMs: nil, random: 0)
    #expect(healthy == 3_000_000_000)
  }

  @Test(
    "no wait is shorter than a second or longer than five minutes, whatever is asked (promise P5)")
  func staysWithinBoundsForAnyInput() {
    var random = SplitMix(seed: 3)
    var policy = ReconnectPolicy()
    for _ in 0..<1_000 {
      let retry = Int.random(in: -5...1_000_000, using: &random)
      if Bool.random(using: &random) { policy.serverAsked(retryMs: retry) }
      let delay = policy.delayNs(
        nowNs: 0, retryAfterMs: Bool.random(using: &random) ? retry : nil,
        random: .random(in: 0..<1, using: &random))
      #expect((1_000_000_000...300_000_000_000).contains(delay))
    }
  }
}

@Suite struct DateTests {
  @Test func dates() {
    #expect(HTTPDate.milliseconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777_000)
    #expect(HTTPDate.milliseconds("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
    #expect(HTTPDate.milliseconds("Thu, 29 Feb 2024 23:59:59 GMT") == 1_709_251_199_000)
    // The obsolete forms that a recipient accepts (RFC 9110 section 5.6.7).
    #expect(HTTPDate.milliseconds("Sunday, 06-Nov-94 08:49:37 GMT") == 784_111_777_000)
    #expect(HTTPDate.milliseconds("Sun Nov  6 08:49:37 1994") == 784_111_777_000)
    #expect(HTTPDate.milliseconds("Thursday, 29-Feb-24 23:59:59 GMT") == 1_709_251_199_000)
    for bad in [
      "", "yesterday", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
      "Sunday, 06-Nov 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 6 1994",
    ] {
      #expect(HTTPDate.milliseconds(bad) == nil)
    }
    #expect(HTTPDate.retryAfterMs("120", nowMs: 0) == 120_000)
    #expect(HTTPDate.retryAfterMs("999999999999999999999", nowMs: 0) == (1 << 30) * 1_000)
    #expect(HTTPDate.retryAfterMs("Sun, 06 Nov 1994 08:49:37 GMT", nowMs: 784_111_770_000) == 7_000)
    #expect(HTTPDate.retryAfterMs("-5", nowMs: 0) == nil)
    #expect(HTTPDate.retryAfterMs("soon", nowMs: 0) == nil)
    #expect(HTTPDate.retryAfterMs("0", nowMs: 0) == 0)
    #expect(HTTPDate.retryAfterMs("Sun, 06 Nov 1994 08:49:37 GMT", nowMs: 784_111_779_000) == 0)
  }

  @Test("skew ignores jitter (promise P10)") func skewIgnoresJitter() {
    var skew = ClockSkew()
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let first = skew.observe(dateHeader: date, wallMs: 784_111_777_700)
    #expect(first)
    #expect(skew.milliseconds == 0)
    let jitter = skew.observe(dateHeader: date, wallMs: 784_111_778_200)
    #expect(!jitter)
    let step = skew.observe(dateHeader: date, wallMs: 784_111_700_000)
    #expect(step)
    #expect(skew.milliseconds == 77_500)
    let nonsense = skew.observe(dateHeader: "nonsense", wallMs: 0)
    #expect(!nonsense)
  }
}

@Suite struct GovernorTests {
  @Test func aQuietStreamIsNeverPaused() {
    var governor = IngestGovernor()
    for step in 0..<200 {
      let now = UInt64(step) * 15_000_000
      let change = governor.worked(events: 1, fromNs: now, toNs: now + 100_000)
      #expect(change == .none)
    }
    #expect(governor.phase == .free)
  }

  @Test func workIsBoundedAndABacklogIsTakenUpSoon() {
    var governor = IngestGovernor()
    var now: UInt64 = 1_000_000_000
    var working: UInt64 = 0
    let start = now
    // A backlog without end: a millisecond of work per chunk.
    for _ in 0..<2_000 {
      if governor.isPaused {
        now = governor.deadlineNs ?? now
        let change = governor.timeUp(nowNs: now)
        #expect(change == .resume)
      }
      let change = governor.worked(events: 5, fromNs: now, toNs: now + 1_000_000)
      now += 1_000_000
      working += 1_000_000
      #expect((change == .pause) == governor.isPaused)
    }
    let share = Double(working) / Double(now - start)
    #expect(share > 0.2 && share < 0.32)
  }
}

@Suite struct DiagnosisTests {
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

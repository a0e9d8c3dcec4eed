import Networking
import Testing

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

import Testing

@testable import TOML

@Suite struct TOMLDocumentTests {
  private func mistake(_ text: String) -> TOMLMistake? {
    do throws(TOMLMistake) {
      _ = try TOMLDocument.table(text)
      return nil
    } catch {
      return error
    }
  }

  /// Each of these ended the program.
  @Test(
    "what the parser has no words for is refused, with its line",
    arguments: [
      ("[\n", 1, "name"), ("[", 1, "name"), ("[[[", 1, "name"), ("[#", 1, "name"),
      ("[[.", 1, "name"), ("\n[[\n", 2, "name"), ("a = '''\n[\n'''\n[\u{2028}a]", 4, "name"),
      ("a = [\n[],\n}", 3, "list"), ("a = { b = [ \u{2028}1 ] }", 1, "list"),
      ("a = 1\nb = 1979-05-27 0\n", 2, "quotes"), ("a = [1979-05-2_7 0]", 1, "quotes"),
      ("a = 1979-05-27T:", 1, "quotes"), ("a = { b = 1979-05-27t }", 1, "quotes"),
      (String(repeating: "a.", count: 200_000) + "a = 1", 1, "deep"),
      ("[" + String(repeating: "a.", count: 200_000) + "a]", 1, "deep"),
    ])
  func refused(text: String, line: Int, word: String) {
    let mistake = mistake(text)
    #expect(mistake?.line == line)
    #expect(mistake?.problem.contains(word) ?? false, "\(String(describing: mistake))")
  }

  @Test(
    "brackets are no headers where they are none",
    arguments: [
      "a = [\n[\n1],\n[[[ ]]], [ # [[.\n] # ]\n,]\n[b]\n", "a = \"\"\"\n[\n[[.\n\\\"\"\"\"\"\"\n",
      "a = '''\n[[[\n''''\n[ a-b . \"c]\" . '[#' ]\n[[ x ]]\ny = 1",
      "# [[[\na = 1 # }\n'[' = \"[[[\"\n\"\" = { a.b = [1, { c = '}' }], d = \"#\" }\r\n[_]\r\n",
      "a = [1979-05-27 07:32:00, 1979-05-27T07:32:00Z, 1979-05-27 00:32:00.9-07:00, 07:32:00]\n"
        + "b = 1979-05-27 # 0\nc = true\nd = [false,+inf,-nan,1_000,0xDEADBEEF,0o7,0b1,6.6e-34]",
      "\u{FEFF}a = 1\n", "", "\n\n", "a.b.c.d.1.2 . 3 = 4",
    ])
  func allowed(text: String) {
    #expect(mistake(text) == nil)
  }

  @Test("a text that goes on behind a NUL, or is no UTF-8, is refused with its line")
  func noText() {
    #expect(mistake("a = 1\n\0\nb = 2")?.line == 2)
    #expect(mistake(String(repeating: "\0", count: 4096))?.line == 1)
    for bytes: [UInt8] in [Array("a = 1\n# \u{E9}\n# ".utf8) + [0xFF], [0x0A, 0x0A, 0xC3]] {
      #expect {
        try TOMLDocument.text(bytes)
      } throws: {
        ($0 as? TOMLMistake)?.line == 3
      }
    }
    #expect(throws: TOMLMistake.self) { try TOMLDocument.text([0xFF, 0xFE, 0x61, 0x00]) }
    #expect((try? TOMLDocument.text(Array("é\0".utf8))) == "é\0")
  }

  /// A parser that ends the program would end this one.
  @Test("random texts are read or refused, and the program goes on")
  func randomTexts() {
    let parts = [
      "[", "[[", "]", "]]", "#", ".", "\"", "\"\"\"", "'", "'''", "=", "a=", "a=[", "={", "{", "}",
      ",", "\n", "\r\n", " ", "a", "1", "-", "_", "+", "\t", "1979-05-27", "T", "07:32:00", "true",
      "0x", "1e5", "inf", "\\", "\u{A0}", "\u{2028}", "\u{FEFF}", "\u{C}", "\u{1}", "é",
    ]
    var generator = SplitMix(state: 11)
    var refused = 0
    for _ in 0..<30_000 {
      let count = Int.random(in: 1...10, using: &generator)
      let text = (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
      if mistake(text) != nil { refused += 1 }
    }
    #expect(refused > 1000)
  }
}

private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

import Testing

@testable import CockpitPanes
@testable import CockpitShell

@Suite struct ShellWordsTests {
  @Test(
    "words are parted as in a POSIX shell",
    arguments: [
      ("", []), ("   ", []), ("a b", ["a", "b"]), ("  a   b  ", ["a", "b"]),
      ("'a b' c", ["a b", "c"]), ("\"a b\"c", ["a bc"]), ("a\\ b", ["a b"]), ("''", [""]),
      ("'a\\b'", ["a\\b"]), ("\"a\\\"b\\c\\\\\"", ["a\"b\\c\\"]), ("a'b'\"c\"d", ["abcd"]),
      ("x 作者 'é ü'", ["x", "作者", "é ü"]), ("--filter='kind:a b'", ["--filter=kind:a b"]),
      ("$HOME * `x`", ["$HOME", "*", "`x`"]),
    ] as [(String, [String])])
  func split(line: String, words: [String]) {
    let split = ShellWords(line)
    #expect(split.words.map(\.text) == words)
    #expect(split.problem == nil)
  }

  @Test("an open quote and a lonely backslash are told, with what to do")
  func problems() {
    #expect(ShellWords("a 'b").problem == .openQuote("'"))
    #expect(ShellWords("a \"b\\\"").problem == .openQuote("\""))
    #expect(ShellWords("a \\").problem == .trailingBackslash)
    #expect(ShellWords.Problem.openQuote("'").sentence.contains("not closed"))
    // What is there is still there, for completion.
    #expect(ShellWords("a 'b c").words.map(\.text) == ["a", "b c"])
  }

  @Test("a quoted word is read as it was")
  func quoting() {
    for word in [
      "", "a", "a b", "it's", "\"x\"", "a\\b", "kind:llm_*", "作者", "$x", "-n", "'", "''",
    ] {
      #expect(ShellWords(ShellWords.quoted(word)).words.map(\.text) == [word], "\(word)")
    }
  }

  @Test("each word knows where it stands")
  func ranges() {
    #expect(ShellWords(" ab 'c d'").words.map(\.range) == [1..<3, 4..<9])
  }
}

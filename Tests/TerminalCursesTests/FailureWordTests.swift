import TerminalCurses
import Testing

/// What is said where no screen can be opened is true, and leads on.
@Suite struct FailureWordTests {
  @Test(
    "W04: without a terminfo entry nobody is sent to one that is missing as well",
    arguments: [
      ("xterm-256color", false, "ncurses-base"), ("linux", true, "ncurses-base"),
      ("tmux-256color", true, "ncurses-base"), ("xterm-kitty", true, "ncurses-term"),
      ("xterm-kitty", false, "ncurses-base and ncurses-term"), ("foot", true, "ncurses-term"),
    ])
  func unknown(term: String, hasOthers: Bool, package: String) {
    let words = TerminalFailure.unknownTerm(term, hasOthers: hasOthers).description
    #expect(words.contains("TERM=\(term)") && words.contains(package))
    #expect(words.contains("--linear needs none"))
    // Only where there is one can it be set.
    let isAdvised = words.contains("set TERM=xterm-256color")
    #expect(isAdvised == (hasOthers && package == "ncurses-term"), "\(words)")
  }

  @Test("W04: every failure of the terminal names a way on")
  func ways() {
    let failures: [TerminalFailure] = [.noTerm, .incapable("dumb")]
    for failure in failures { #expect(failure.description.contains("--linear")) }
  }
}

import Foundation
import Testing

@testable import Children

@Suite("F10: VISUAL, EDITOR and PAGER are what a shell makes of them") struct ShellCommandTests {
  /// What the program of the line is called with, a word a line.
  private func words(_ line: String, _ arguments: [String]) throws -> [String] {
    let command = ShellCommand.editor(["VISUAL": line])
    let program = command.program(
      arguments, environment: ["PATH": "/usr/bin:/bin", "HOME": "/home/x"])
    let helper = HelperProgram(
      path: program.path, arguments: program.arguments, environment: program.environment)
    let answer = try helper.run(patience: .seconds(20))
    return String(decoding: answer.output, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast().map(String.init)
  }

  @Test(
    "quotes, options, expansions and whole scripts",
    arguments: [
      ("printf '%s\\n' -w", ["-w", "/a b/*.txt"]),
      ("printf '%s\\n' --cmd 'let g:x=1'", ["--cmd", "let g:x=1", "/a b/*.txt"]),
      (#"printf '%s\n' -t -a """#, ["-t", "-a", "", "/a b/*.txt"]),
      (#"printf "%s\n" $HOME ~"#, ["/home/x", "/home/x", "/a b/*.txt"]),
      (#"'/usr/bin/printf' '%s\n' x"#, ["x", "/a b/*.txt"]),
      (#"sh -c 'for w; do echo "[$w]"; done' me"#, ["[/a b/*.txt]"]),
      (#"X=1 printf '%s\n'"#, ["/a b/*.txt"]),
      ("echo", ["/a b/*.txt"]),
    ])
  func lines(line: String, expected: [String]) throws {
    #expect(try words(line, ["/a b/*.txt"]) == expected)
  }

  @Test("VISUAL before EDITOR before vi; blanks say nothing")
  func order() {
    #expect(ShellCommand.editor(["VISUAL": "a", "EDITOR": "b"]).line == "a")
    #expect(ShellCommand.editor(["VISUAL": " ", "EDITOR": "b"]).line == "b")
    #expect(ShellCommand.editor(["EDITOR": ""]).line == "vi")
    #expect(ShellCommand.pager(["PAGER": "most"]).line == "most")
    #expect(ShellCommand.pager([:]).line == "less")
  }

  @Test("one that is not there is named, with the variable that says so")
  func missing() {
    let named = ShellCommand.editor(["EDITOR": "nviw --cmd x"])
    #expect(
      named.missing("editor", names: "VISUAL or EDITOR")
        == "the editor was not found; set VISUAL or EDITOR to one that is installed (EDITOR is nviw --cmd x)"
    )
    #expect(ShellCommand.isMissing(127) && ShellCommand.isMissing(126))
    #expect(!ShellCommand.isMissing(1))
  }
}

import ArgumentParser
import CockpitDemo
import Foundation
import Testing

@testable import CockpitCLI

@Suite struct UsageMistakeTests {
  private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

  /// What is said about a command line that the parser refuses.
  private func sentence(_ line: String) throws -> String {
    let arguments = ClankyCockpit.vocabulary.rewritten(words(line))
    let error = try #require(throws: (any Error).self) {
      try ClankyCockpit.parseAsRoot(arguments)
    }
    return UsageMistake(words(line), ClankyCockpit.vocabulary).sentence(
      ClankyCockpit.message(for: error))
  }

  @Test(
    "a mistyped verb is named, with the one that was meant and the help to look at",
    arguments: [
      ("tial", "'tial'; did you mean 'tail'? See 'clanky-cockpit --help'."),
      ("--url X tial --json", "'tial'; did you mean 'tail'? See 'clanky-cockpit --help'."),
      ("config shwo", "'shwo'; did you mean 'config show'? See 'clanky-cockpit config --help'."),
      ("facts lst --url X", "'lst'; did you mean 'facts list'? See 'clanky-cockpit facts --help'."),
      ("nonsense", "'nonsense': there is no such verb. See 'clanky-cockpit --help'."),
      ("facts show", "See 'clanky-cockpit facts show --help'."),
      ("tail extra", "Unexpected argument 'extra'. See 'clanky-cockpit tail --help'."),
      ("--no-such-flag tial", "Unknown option '--no-such-flag'. See 'clanky-cockpit --help'."),
    ])
  func verbs(line: String, expected: String) throws {
    let sentence = try sentence(line)
    #expect(sentence.hasSuffix(expected), "\(sentence)")
  }

  @Test(
    "a scenario that does not exist is answered with those that do",
    arguments: ["--demo nosuch", "tail --demo nosuch", "--demo nosuch tail", "demo --scenario no"])
  func scenarios(line: String) throws {
    let sentence = try sentence(line)
    #expect(sentence.contains(" story, quiet, parked,"), "\(sentence)")
    #expect(!sentence.contains("\n"))
    #expect(try self.sentence("--demo hostil").contains("did you mean 'hostile'? There are: story"))
  }

  @Test(
    "a negative number is what is wrong, not a value that is missing",
    arguments: [
      ("tail -n -1", "-n is 0 or more."), ("--url X tail -n -1", "-n is 0 or more."),
      ("tail --since -5m", "-5m"), ("facts list --limit -1", "--limit is 1 or more."),
      ("status --timeout -1", "--timeout is a number of seconds"),
      ("demo --flood -3", "--flood is a number"),
      ("facts show -1", "The value '-1' is invalid for"),
    ])
  func negative(line: String, expected: String) throws {
    let sentence = try sentence(line)
    #expect(sentence.contains(expected) && !sentence.contains("Missing"), "\(sentence)")
  }

  @Test("the values of an option stand in one line")
  func values() throws {
    #expect(
      try sentence("snapshot --view pulze")
        == "The value 'pulze' is invalid for '--view <view>'. Please provide one of the following:"
        + " pulse, voice, brain, conversations, memory, cmd, stats. See 'clanky-cockpit snapshot --help'."
    )
  }

  @Test("help of what does not exist is a mistake too")
  func help() {
    #expect(
      UsageMistake(words("help tial"), ClankyCockpit.vocabulary).helpless
        == "Unexpected argument 'tial'; did you mean 'tail'? See 'clanky-cockpit --help'.")
    #expect(
      UsageMistake(words("help facts lst"), ClankyCockpit.vocabulary).helpless?.hasSuffix(
        "did you mean 'facts list'? See 'clanky-cockpit facts --help'.") == true)
    for line in ["help", "help tail", "help facts", "help facts list", "tail", ""] {
      #expect(UsageMistake(words(line), ClankyCockpit.vocabulary).helpless == nil, "\(line)")
    }
  }

  @Test("shells complete the options of the cockpit without its verb", arguments: ["bash", "zsh"])
  func completion(shell: String) throws {
    let script = try #require(CompletedProgram.script(["--generate-completion-script", shell]))
    let start = try #require(script.range(of: "\n_clanky-cockpit() {"))
    // The function of the program itself, to its end.
    let rest = script[start.upperBound...]
    let root = rest[..<(rest.range(of: "\n}")?.lowerBound ?? rest.endIndex)]
    for option in ["--tab", "--token-file", "--read-only"] { #expect(root.contains(option)) }
    #expect(script.contains("_clanky-cockpit_tail"))
    #expect(CompletedProgram.script(["--generate-completion-script", "tcsh"]) == nil)
    #expect(
      ClankyCockpit.vocabulary.rewritten(["---completion", "--", "--theme"])
        == ["---completion", "open", "--", "--theme"])
    #expect(ClankyCockpit.helpMessage(columns: 80).contains("clanky-cockpit open --help"))
  }
}

import CockpitSession
import ArgumentParser
import CockpitDemo
import CockpitStores
import Testing

@testable import CockpitCLI

@Suite struct ArgumentsTests {
  private func rewritten(_ words: String) -> [String] {
    Arguments.rewritten(
      words.split(separator: " ").map(String.init),
      isVerb: ["tail", "snapshot", "demo"].contains, nested: { _ in nil },
      scenarios: Set(DemoScenario.allCases.map(\.rawValue)),
      withValue: { ClankyCockpit.vocabulary.withValue() })
  }

  @Test(
    "options may stand before the verb, and --demo may stand alone",
    arguments: [
      ("", ""), ("--demo", "--demo story"), ("--demo voice", "--demo voice"),
      ("--demo --tab cmd", "--demo story --tab cmd"),
      ("--url http://x tail --json", "tail --url http://x --json"),
      ("--demo tail -n 3", "tail --demo story -n 3"),
      ("--demo voice snapshot --view pulse", "snapshot --demo voice --view pulse"),
      ("tail --demo --json", "tail --demo story --json"),
      ("tail --from-history -n 3", "tail --from-history recorded -n 3"),
      ("tail --from-history last", "tail --from-history recorded last"),
      ("tail --from-history ./x", "tail --from-history ./x"),
      ("tail --from-history a.flight", "tail --from-history a.flight"),
      ("--from-history tail", "tail --from-history recorded"),
      ("tail -- --from-history", "tail -- --from-history"),
      ("--url tail", "--url tail"), ("demo --scenario voice", "demo --scenario voice"),
    ])
  func order(words: String, expected: String) {
    #expect(rewritten(words).joined(separator: " ") == expected)
  }

  @Test("without /proc there is not even the program's name, and that is said")
  func noProc() throws {
    #expect(try Arguments.given(["clanky-cockpit"]).isEmpty)
    #expect(try Arguments.given(["clanky-cockpit", "tail"]) == ["tail"])
    let failure = #expect(throws: Failure.self) { try Arguments.given([]) }
    #expect(failure?.code == 1)
    #expect(failure?.description.contains("/proc") == true)
  }

  @Test(
    "a verb that parses its own arguments gives what the root gives",
    arguments: [
      "", "--url http://x --tab cmd", "--demo voice --read-only", "open --tab brain",
      "status", "status --json --url http://x", "status --profile p --guild 7 --timeout 3s",
      "widget --format tmux", "tail --json --once -n 3 --filter kind:llm_*",
      "snapshot --view pulse --width 90 --demo story", "actions --since 2h is:error", "sessions",
      "session last --json", "why last", "why what did she say --since 2h", "facts",
      "facts list --json", "facts search tea", "explain llm_call", "config", "config check",
      "themes", "keys", "setup", "doctor", "demo --port 0 --scenario voice", "reset-terminal",
      "manual",
    ])
  func ownParser(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let root = try? ClankyCockpit.parseAsRoot(words)
    guard let own = CockpitProgram.parsedByVerb(words) else { return }
    #expect(root.map { String(reflecting: $0) } == String(reflecting: own))
  }

  @Test(
    "what the verb does not take is left to the root",
    arguments: [
      "--help", "--version", "help", "help status", "status --help", "status --nonsense", "stauts",
      "facts help", "tail --since 5y", "--generate-completion-script bash",
      "status --generate-completion-script bash",
    ])
  func rootOnly(line: String) {
    #expect(CockpitProgram.parsedByVerb(line.split(separator: " ").map(String.init)) == nil)
  }

  @Test("tail reads its options")
  func tail() throws {
    let command = try ClankyCockpit.parseAsRoot([
      "tail", "--json", "--once", "-n", "3", "--since", "15m", "--filter", "kind:llm_*",
      "--stream", "voice",
    ])
    let tail = try #require(command as? TailCommand)
    #expect(tail.json && tail.once)
    #expect(tail.count == 3)
    #expect(tail.since?.milliseconds == 900_000)
    #expect(tail.stream == .voice)
    #expect(tail.filter.text == "kind:llm_*")
  }

  @Test(
    "what does not fit is refused",
    arguments: [
      "tail --plain --raw", "tail -n -1", "tail --since 5", "tail --since 5y",
      "tail --filter colour:red",
      "snapshot --view nothing", "snapshot", "snapshot --view pulse --width 0",
      "snapshot --view pulse --ansi --json", "demo --rate 0", "demo --flood -1", "--memory 1KiB",
      "--tab six", "nonsense", "--no-such-flag",
    ])
  func refused(words: String) {
    #expect(throws: (any Error).self) {
      try ClankyCockpit.parseAsRoot(words.split(separator: " ").map(String.init))
    }
  }

  @Test("there is no flag that takes the token itself")
  func noTokenFlag() {
    #expect(throws: (any Error).self) { try ClankyCockpit.parseAsRoot(["--token", "secret"]) }
    #expect(!ClankyCockpit.helpMessage(for: OpenCommand.self, columns: 200).contains("--token "))
  }

  @Test("help fits 80 columns", arguments: ["open", "tail", "snapshot", "demo", "reset-terminal"])
  func help(verb: String) throws {
    let type = try #require(
      ClankyCockpit.configuration.subcommands.first { $0._commandName == verb })
    for line in ClankyCockpit.helpMessage(for: type, columns: 80).split(separator: "\n") {
      #expect(line.count <= 80, "\(verb): \(line)")
    }
  }
}

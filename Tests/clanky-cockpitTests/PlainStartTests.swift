import ArgumentParser
import Testing

@testable import clanky_cockpit

@Suite("A start with plain options") struct PlainStartTests {
  /// Everything that a command holds, wrappers of the options included.
  private func content(_ command: some ParsableCommand) -> String {
    var text = ""
    dump(command, to: &text)
    return text
  }

  @Test(
    "is what ArgumentParser makes of it",
    arguments: [
      "", "open", "--url http://x:1", "open --url http://x:1 --token-file /t", "--read-only",
      "--profile a --guild 1 --config /c --theme light --ca-file /p", "--tab memory",
      "--linear --utc --no-color --allow-plain-http", "open --url tail", "--theme open",
    ])
  func same(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let plain = try #require(OpenCommand(plain: words))
    let parsed = try OpenCommand.parse(words.first == "open" ? Array(words.dropFirst()) : words)
    #expect(content(plain) == content(parsed))
    #expect(content(plain).contains("definition") == false, "a property was left out")
  }

  @Test(
    "is left to ArgumentParser where there is any doubt",
    arguments: [
      "tail", "--demo", "--demo voice", "--url", "--url --token-file", "--url=http://x",
      "--url a --url b", "--utc --utc", "--help", "-h", "--version", "help", "open open",
      "--tab nothing", "--memory 64MiB", "--color never", "--glyphs ascii", "-- open", "--url a b",
      "tail --url a", "--url a tail", "---completion open", "--utc open", "--read-only=yes",
    ])
  func doubtful(line: String) {
    #expect(OpenCommand(plain: line.split(separator: " ").map(String.init)) == nil)
  }

  @Test("an empty value is left to ArgumentParser too") func empty() {
    #expect(OpenCommand(plain: ["--url", ""]) == nil)
    #expect(OpenCommand(plain: [""]) == nil)
  }
}

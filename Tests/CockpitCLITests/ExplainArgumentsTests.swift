import ArgumentParser
import CockpitSession
import Testing

@testable import CockpitCLI

@Suite struct ExplainArgumentsTests {
  @Test("explain takes a name of one word or several, and --json")
  func words() throws {
    let explain = try #require(
      try ClankyCockpit.parseAsRoot(["explain", "bot", "offline", "--json"]) as? ExplainCommand)
    #expect(explain.name == ["bot", "offline"] && explain.json)
    #expect(throws: (any Error).self) { try ClankyCockpit.parseAsRoot(["explain"]) }
  }
}

import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The feed that a person can read, on a night whose truth is known.
  @Suite("feed levels") struct FeedReadingTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    @Test("a night is a story, unfolds, walks turns, and shows everything when asked")
    func night() throws {
      let demo = try DemoBackend(["--scenario", "night", "--seed", "5"], home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 40, columns: 120)
      try cockpit.see("NORMAL")
      cockpit.type(":level story\r")
      try cockpit.see("the story") {
        $0.firstMatch(of: /STORY [\d,]+ folded/) != nil && $0.contains(" steps")
          && $0.contains("2,010 rows")
      }
      // Steps are folded, and what they led to is told.
      #expect(!cockpit.screen.contains("LLM_CALL"))
      #expect(!cockpit.screen.contains("REPLY_TOOL_AVAIL"))
      cockpit.type("}")
      try cockpit.see("a turn is selected") { $0.contains("│>") }
      // The first turn with folded steps.
      while try !selected(cockpit).contains(" steps") {
        let before = try selected(cockpit)
        cockpit.type("}")
        try cockpit.see("the next turn") { _ in (try? selected(cockpit)) != before }
      }
      cockpit.type("\r")
      try cockpit.see("its steps") { $0.contains("LLM_CALL") }
      cockpit.type("ma")
      try cockpit.see("mark a is set")
      cockpit.type("V")
      try cockpit.see("NORMAL")
      cockpit.type("V")
      try cockpit.see("everything") { !$0.contains("folded") && $0.contains("REPLY_TOOL_AVAIL") }
      cockpit.type(":goto -6h\r")
      try cockpit.see("another place") { !$0.contains("│a") }
      cockpit.type("'a")
      try cockpit.see("the mark") { $0.contains("│>") }
      // A filter sees everything at every level.
      cockpit.type("V")
      try cockpit.see("STORY")
      cockpit.type("f\u{15}kind:llm_call\r")
      try cockpit.see("all calls") {
        $0.contains("FILTER") && $0.contains("LLM_CALL") && !$0.contains("folded")
      }
    }

    /// The line of the selected row.
    private func selected(_ cockpit: Cockpit) throws -> String {
      try #require(
        cockpit.screen.split(separator: "\n").first { $0.hasPrefix("│>") }.map(String.init))
    }
  }
}

import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `:` and the palette of the real program, and verbs that run below it.
  @Suite("command line") struct CommandLineTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    @Test("lines act on the screen, run verbs, and say what was probably meant")
    func lines() throws {
      let demo = try DemoBackend(home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 40, columns: 120)

      // A verb without a place on the screen runs as in a shell, against the same backend.
      cockpit.type(":facts list --limit 2 --json\r")
      try cockpit.see("the output of the verb") {
        $0.contains(":facts list --limit 2 --json  done") && $0.contains("\"fact\":")
      }
      // Its process has the token in its environment, and nothing on the screen shows it.
      #expect(!String(decoding: cockpit.pty.output, as: UTF8.self).contains(demo.token))
      cockpit.type("q")
      try cockpit.see("LIVE FEED")

      cockpit.type(":filter kind:llm_*\r")
      try cockpit.see("only these rows") { $0.contains("FILTER ") && $0.contains("kind:llm_*") }

      try cockpit.type(":fackts\r", see: "did you mean facts?")
      cockpit.type("\u{3}")

      cockpit.type(":facts search sourdough\r")
      try cockpit.see("a search in MEMORY") {
        $0.contains("[4 MEMORY]") && $0.contains("s> sourdough") && $0.contains("hit")
      }

      // The palette finds a command by a part of its name.
      try cockpit.type("\u{10}", see: "COMMANDS")
      cockpit.type("tab-vo\r")
      try cockpit.see("[2 VOICE]")

      // A verb that fails says so, and its words are there to be read.
      cockpit.type(":facts show 999999\r")
      try cockpit.see("not among the facts")
      try cockpit.type(":facts show 999999 --json\r", see: "exit 1")
      // A verb that still runs does not keep the cockpit from ending.
      cockpit.type("q:tail --once --stream voice --json\r")
      try cockpit.see("a verb that runs") { $0.contains("RUNNING") }
      cockpit.pty.signal(SIGTERM)
      cockpit.expectEnd(.exited(143))
    }
  }
}

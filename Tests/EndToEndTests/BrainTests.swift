import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  @Suite("BRAIN") struct BrainTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    @Test(
      "a prompt in the pager, Ctrl-C in it, and back to a screen that has gone on",
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/less")))
    func pager() throws {
      let cockpit = try Cockpit(on: try DemoBackend(home: home), home: home, rows: 40, columns: 120)
      try cockpit.type("3", see: "LLM CALLS")
      // A prompt of the live session is longer than the screen.
      try cockpit.see("a live prompt") {
        $0.contains("[instructions]") || $0.contains("[generation]")
      }
      cockpit.type("o")
      try cockpit.pty.expectBytes("===== SYSTEM")
      try cockpit.see("the pager alone") { !$0.contains("LLM CALLS") }
      cockpit.type("\u{03}")
      cockpit.pty.pump(timeout: .milliseconds(2500), until: { false })
      // The pager asks for a key more where it was interrupted.
      cockpit.type("q")
      try cockpit.see("LLM CALLS")
      #expect(cockpit.isLive, "the streams were drained meanwhile: \(cockpit.line(0))")
      try cockpit.type("1", see: "LIVE FEED")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a prompt is opened, compared and searched; a call is opened and closed")
    func inspect() throws {
      let cockpit = try Cockpit(on: try DemoBackend(home: home), home: home, rows: 40, columns: 120)
      try cockpit.type("3", see: "LLM CALLS")
      try cockpit.see("a prompt") { $0.contains("SYSTEM") }
      try cockpit.type("\t\r", see: "VOICE IDENTITY")
      try cockpit.type("/owner\r", see: "/owner")
      try cockpit.type("\u{1B}", see: "LLM CALLS")
      try cockpit.type("\u{1B}[Z\r", see: "PROVIDER")
      try cockpit.type("J", see: "RAW JSON")
      cockpit.type("\u{03}")
      try cockpit.see("the prompt again") { $0.contains("[generation]") }
    }
  }
}

import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// What terminals send besides letters (promise P16).
  @Suite("what a terminal sends (promise P16)") struct InputTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    @Test("F05: F1 to F5 of the Linux console are keys, and none acts as a letter")
    func consoleKeys() throws {
      let cockpit = try Cockpit(
        ["--demo", "quiet"], home: home, rows: 30, columns: 100, term: "linux")
      try cockpit.see("live") { _ in cockpit.isLive }
      // Help lies over whatever the keys before it have opened.
      try cockpit.type("\u{1B}[[A", see: "KEYS")
      cockpit.type("\u{1B}[[A")
      try cockpit.see("no help") { !$0.contains("KEYS") }
      for tab in ["1", "4"] {
        try cockpit.type(tab, see: "[\(tab) ")
        for letter in ["B", "C", "D", "E"] { cockpit.type("\u{1B}[[\(letter)") }
        // In pieces, with pauses.
        for piece in ["\u{1B}", "[", "[D"] {
          cockpit.type(piece)
          cockpit.pty.pump(timeout: .milliseconds(300), until: { false })
        }
        for words in ["DELETE THIS FACT", "PROFILES"] {
          #expect(!cockpit.screen.contains(words), "\(tab): \(cockpit.screen)")
        }
        try cockpit.type("\u{1B}[[A", see: "KEYS")
        cockpit.type("\u{1B}[[A")
        try cockpit.see("no help") { !$0.contains("KEYS") }
      }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("what is not known stands in the log once, and does nothing")
    func unknown() throws {
      let cockpit = try Cockpit(["--demo", "quiet"], home: home, rows: 30, columns: 120)
      try cockpit.see("live") { _ in cockpit.isLive }
      for _ in 0..<3 { cockpit.type("\u{1B}[77;1:2 q\u{1B}_Dq\u{1B}\\") }
      try cockpit.type(":log\r", see: "ESC [ 7 7 ; 1 : 2 SP q")
      try cockpit.see("ESC _ D q")
      #expect(cockpit.screen.components(separatedBy: "SP q").count == 2, "\(cockpit.screen)")
      cockpit.pty.signal(SIGTERM)
      cockpit.expectEnd(.exited(143))
    }
  }
}
